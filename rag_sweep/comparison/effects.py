"""Effects of the knobs of a grid, and which level of each knob every question likes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.knobs import Knob
from rag_sweep.comparison.parts import EffectInfo, Likes
from rag_sweep.comparison.settings import Decide
from rag_sweep.comparison.words import counted
from rag_sweep.statistics.effects import Effect, knob_effects

MOST_LEVELS = 30
"""A knob of numbers with more values is looked at in ranges; one of words isn't looked at."""
RANGES = 10
MOST_CELLS = 400
"""Of a pair of knobs."""
RESAMPLES = 2_000


def effects_of(
    grid: Grid, table: FloatArray, decide: Decide
) -> tuple[tuple[EffectInfo, ...], tuple[Likes, ...], tuple[str, ...]]:
    """Effects, likes, and notes on what was left out.

    Parameters
    ----------
    table
        The values of `grid.main`.
    """
    levels, notes = _levels(grid)
    pairs = [
        (first, second)
        for first, second in combinations(levels, 2)
        if len(levels[first][0]) * len(levels[second][0]) <= MOST_CELLS
    ]
    left = len(levels) * (len(levels) - 1) // 2 - len(pairs)
    if left:
        notes.append(
            f"effects: {counted(left, 'pair')} of knobs with more than {MOST_CELLS} combinations left out"
        )
    found = knob_effects(
        table,
        {key: labels for key, (_, labels) in levels.items()},
        pairs=pairs,
        level=decide.level,
        resamples=min(decide.resamples, RESAMPLES),
        seed=decide.seed,
    )
    order = {key: names for key, (names, _) in levels.items()}
    likes = tuple(_likes(one, order) for one in found if len(one.knobs) == 1)
    return tuple(_told(one, order) for one in found), likes, tuple(notes)


Levels = dict[str, tuple[tuple[str, ...], tuple[str | None, ...]]]
"""For each knob the names of its levels in order, and the level of each configuration of `grid.main`."""


def _levels(grid: Grid) -> tuple[Levels, list[str]]:
    found: Levels = {}
    notes = []
    for knob in grid.knobs:
        labels = tuple(knob.labels[row] for row in grid.main.tolist())
        if len(knob.values) <= MOST_LEVELS:
            found[knob.key] = knob.texts, labels
        elif all(isinstance(value, int | float) for value in knob.values):
            names, label = _ranges(knob)
            found[knob.key] = names, tuple(None if text is None else label[text] for text in labels)
            notes.append(
                f"effects: the {len(knob.values)} values of {knob.short} are looked at in {RANGES} ranges"
            )
        else:
            notes.append(
                f"effects: {knob.short} has {len(knob.values)} values, too many to compare: left out"
            )
    return found, notes


def _ranges(knob: Knob) -> tuple[tuple[str, ...], dict[str, str]]:
    """Ranges with about as many values each, and the range of each value."""
    parts: list[Sequence[str]] = [part.tolist() for part in np.array_split(np.array(knob.texts), RANGES)]
    names = [f"{part[0]} to {part[-1]}" for part in parts]
    return tuple(names), {text: name for name, part in zip(names, parts, strict=True) for text in part}


def _in_order(effect: Effect, order: dict[str, tuple[str, ...]]) -> list[int]:
    """The levels of an effect in the order of its knobs' values."""
    places = [{name: at for at, name in enumerate(order[key])} for key in effect.knobs]

    def place(at: int) -> list[int]:
        return [of[name] for of, name in zip(places, effect.levels[at], strict=True)]

    return sorted(range(len(effect.levels)), key=place)


def _told(effect: Effect, order: dict[str, tuple[str, ...]]) -> EffectInfo:
    at = _in_order(effect, order)
    return EffectInfo(
        knobs=effect.knobs,
        levels=tuple(effect.levels[one] for one in at),
        counts=tuple(effect.counts[at].tolist()),
        mean=tuple(effect.mean[at].tolist()),
        effect=tuple(effect.effect[at].tolist()),
        lower=tuple(effect.lower[at].tolist()),
        upper=tuple(effect.upper[at].tolist()),
        share=effect.share,
        partial_eta=effect.partial_eta,
    )


def _likes(effect: Effect, order: dict[str, tuple[str, ...]]) -> Likes:
    at = _in_order(effect, order)
    favourite = effect.favourite
    counts = np.bincount(favourite[favourite >= 0], minlength=len(effect.levels))
    return Likes(
        key=effect.knobs[0],
        levels=tuple(effect.levels[one][0] for one in at),
        questions=tuple(counts[at].tolist()),
        indifferent=int((favourite < 0).sum()),
    )
