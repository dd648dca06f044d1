"""The set of the best in words: what its configurations share, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rag_sweep.arrays import IntArray
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.knobs import Knob
from rag_sweep.comparison.parts import Best, Leaning, OpenKnob, SharedKnob
from rag_sweep.comparison.words import listed, typed
from rag_sweep.configuration import Scalar

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
    leaning = tuple(_leaning(grid, inside, [knob.key for knob in free]))
    best = Best(tuple(inside), alpha, tuple(shared), tuple(free), tuple(narrowed), leaning, ())
    return replace(best, sentences=tuple(told_of(best, grid.knobs, len(grid.main))))


def told_of(
    best: Best,
    knobs: Sequence[Knob],
    configurations: int,
    without: Sequence[str] = (),
    remarks: Mapping[str, str] | None = None,
    *,
    advises: bool = False,
) -> list[str]:
    """The set of the best in sentences.

    Parameters
    ----------
    configurations
        How many were compared.
    without
        Keys of knobs that are free, without that being said.
    remarks
        On knobs of which most have one value, by their keys.
    advises
        Whether it is said as advice: of the knobs that the promoted configuration doesn't depend on.
    """
    if len(best.rows) == 1:
        return _alone(configurations)
    shorts = {knob.key: knob.short for knob in knobs}
    level = {knob.key for knob in best.free} - {knob.key for knob in best.leaning} - set(without)
    return [
        *(["None of them can be told from the best one."] if len(best.rows) == configurations else []),
        *_shared(best.shared, shorts),
        *(_narrowed(knob, shorts[knob.key]) for knob in best.narrowed),
        *_most(best.leaning, shorts, remarks or {}),
        *_free([shorts[knob.key] for knob in best.free if knob.key in level], advises),
    ]


def _values(knob: Knob, rows: Sequence[int]) -> tuple[Scalar, ...]:
    """The values that occur among some rows, in the knob's order."""
    places = sorted({place for row in rows if (place := knob.at[row]) is not None})
    return tuple(knob.values[place] for place in places)


def _alone(configurations: int) -> list[str]:
    others = "the other one is" if configurations == 2 else "every other one is"
    return [f"One configuration stands alone: {others} worse beyond chance."] if configurations > 1 else []


def _shared(knobs: Sequence[SharedKnob], shorts: dict[str, str]) -> list[str]:
    parts = [f"{shorts[knob.key]}={typed(knob.value)}" for knob in knobs]
    return [f"All of them use {listed(parts)}."] if parts else []


def _narrowed(knob: OpenKnob, short: str) -> str:
    missing = [typed(value) for value in knob.of if value not in knob.values]
    kept = [typed(value) for value in knob.values]
    if len(missing) <= len(kept):
        return f"None of them has {short}={listed(missing, 'or')}."
    verb = "is" if len(kept) == 1 else "are"
    return f"Of the {len(knob.of)} values of {short} only {listed(kept)} {verb} among them."


def _free(names: Sequence[str], advises: bool) -> list[str]:
    if not names:
        return []
    if not advises:
        return [f"Every value of {listed(names)} that was tried is among them."]
    verb = "is" if len(names) == 1 else "are"
    return [f"{listed(names)} {verb} free to choose: every value that was tried is among them."]


def _most(knobs: Sequence[Leaning], shorts: Mapping[str, str], remarks: Mapping[str, str]) -> list[str]:
    parts = []
    for knob in knobs:
        remark = f"; {remarks[knob.key]}" if knob.key in remarks else ""
        parts.append(f"{shorts[knob.key]}={typed(knob.value)} ({knob.count:,} of {knob.of:,}{remark})")
    return [f"Most of them use {listed(parts)}."] if parts else []


def _leaning(grid: Grid, rows: Sequence[int], keys: Sequence[str]) -> Iterator[Leaning]:
    """Of knobs with all values in the set, those with one that is there far more often than its rivals."""
    for knob in grid.knobs:
        if knob.key in keys:
            inside = np.bincount(_places(knob, rows), minlength=len(knob.values))
            of = np.bincount(_places(knob, grid.main.tolist()), minlength=len(knob.values))
            rate = inside / np.maximum(of, 1)
            top = int(rate.argmax())
            rivals = np.delete(rate, top)[np.delete(of, top) > 0]
            if rate[top] >= LEANS * rivals.max() and inside[top] > inside.sum() / 2:
                yield Leaning(knob.key, knob.values[top], int(inside[top]), int(inside.sum()))


def _places(knob: Knob, rows: Sequence[int]) -> list[int]:
    return [place for row in rows if (place := knob.at[row]) is not None]
