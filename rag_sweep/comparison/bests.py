"""The set of the best in words: what its configurations share, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rag_sweep.arrays import IntArray
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.knobs import Knob
from rag_sweep.comparison.parts import Best, OpenKnob, SharedKnob
from rag_sweep.comparison.words import listed
from rag_sweep.configuration import Scalar
from rag_sweep.tracking.content import param_text

LEANS = 1.5
"""A value that is in the set of the best so many times as often as any rival leans towards it."""


def best_of(grid: Grid, rows: IntArray, alpha: float) -> Best:
    """Sum up the set of the best.

    Parameters
    ----------
    rows
        The rows of `grid.main` that are in it.
    """
    inside = rows.tolist()
    shared, free, narrowed = [], [], []
    for knob in grid.knobs:
        tried, found = _values(knob, grid.main.tolist()), _values(knob, inside)
        everywhere = all(knob.at[row] is not None for row in inside)
        if not found or len(tried) < 2:
            continue
        if len(found) == 1 and everywhere:
            shared.append(SharedKnob(knob.key, found[0]))
        elif len(found) == len(tried):
            free.append(OpenKnob(knob.key, found, tried))
        else:
            narrowed.append(OpenKnob(knob.key, found, tried))
    shorts = {knob.key: knob.short for knob in grid.knobs}
    leaning = _leaning(grid, inside, [knob.key for knob in free])
    level = [knob for knob in free if knob.key not in leaning]
    sentences = (
        _alone(len(grid.main))
        if len(inside) == 1
        else [*_shared(shared, shorts), *_narrowed(narrowed, shorts), *_most(leaning), *_free(level, shorts)]
    )
    first = (
        []
        if len(inside) < len(grid.main) or len(inside) == 1
        else ["None of them can be told from the best one."]
    )
    return Best(tuple(inside), alpha, tuple(shared), tuple(free), tuple(narrowed), (*first, *sentences))


def _values(knob: Knob, rows: Sequence[int]) -> tuple[Scalar, ...]:
    """The values that occur among some rows, in the knob's order."""
    places = sorted({place for row in rows if (place := knob.at[row]) is not None})
    return tuple(knob.values[place] for place in places)


def _alone(configurations: int) -> list[str]:
    others = "the other one is" if configurations == 2 else "every other one is"
    return [f"One configuration stands alone: {others} worse beyond chance."] if configurations > 1 else []


def _shared(knobs: Sequence[SharedKnob], shorts: dict[str, str]) -> list[str]:
    if not knobs:
        return []
    parts = [f"{shorts[knob.key]}={param_text(knob.value)}" for knob in knobs]
    return [f"All of them use {listed(parts)}."]


def _narrowed(knobs: Sequence[OpenKnob], shorts: dict[str, str]) -> list[str]:
    return [_narrowed_one(knob, shorts[knob.key]) for knob in knobs]


def _narrowed_one(knob: OpenKnob, short: str) -> str:
    missing = [param_text(value) for value in knob.of if value not in knob.values]
    kept = [param_text(value) for value in knob.values]
    if len(missing) <= len(kept):
        return f"None of them has {short}={listed(missing, 'or')}."
    verb = "is" if len(kept) == 1 else "are"
    return f"Of the {len(knob.of)} values of {short} only {listed(kept)} {verb} among them."


def _free(knobs: Sequence[OpenKnob], shorts: dict[str, str]) -> list[str]:
    if not knobs:
        return []
    names = [shorts[knob.key] for knob in knobs]
    return [f"{listed(names)} hardly {'matters' if len(names) == 1 else 'matter'} here: {_EVERY}."]


_EVERY = "every value that was tried is among them"


def _leaning(grid: Grid, rows: Sequence[int], keys: Sequence[str]) -> dict[str, str]:
    """For knobs with all values in the set, but one far more often than its rivals: which, and how often."""
    found = {}
    for knob in grid.knobs:
        if knob.key in keys:
            inside = np.bincount(_places(knob, rows), minlength=len(knob.values))
            of = np.bincount(_places(knob, grid.main.tolist()), minlength=len(knob.values))
            rate = inside / np.maximum(of, 1)
            top = int(rate.argmax())
            rivals = np.delete(rate, top)[np.delete(of, top) > 0]
            if rate[top] >= LEANS * rivals.max() and inside[top] > inside.sum() / 2:
                told = f"{knob.short}={param_text(knob.values[top])}"
                found[knob.key] = f"{told} ({inside[top]:,} of {inside.sum():,})"
    return found


def _most(leaning: dict[str, str]) -> list[str]:
    return [f"Most of them use {listed([*leaning.values()])}."] if leaning else []


def _places(knob: Knob, rows: Sequence[int]) -> list[int]:
    return [place for row in rows if (place := knob.at[row]) is not None]
