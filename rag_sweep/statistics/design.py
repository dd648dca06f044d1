"""How knobs are compared: linear maps from the values of configurations to effects of levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from rag_sweep.arrays import BoolArray, FloatArray, IntArray
from rag_sweep.checks import require
from rag_sweep.statistics.table import numbered

ZERO = 1e-9
"""Relative size below which an eigenvalue or a link of a design is rounding error."""

Label = str | None
Knobs = Mapping[str, Sequence[Label]]


@dataclass(frozen=True, eq=False)
class Contrast:
    """Compares the levels of one factor within blocks of otherwise equal configurations.

    Attributes
    ----------
    weights : float64, shape (levels, configurations)
        Times the values of the configurations: the effects of the levels, which sum to 0 in each island.
    norm : float64, shape (levels, levels)
        Sum of squares of the configurations' fitted effects, as a quadratic form of the effects.
    counts : int64, shape (levels,)
        Configurations with each level.
    island : int64, shape (levels,)
        Levels with different numbers never meet, directly or through others, in a block.
    """

    weights: FloatArray
    norm: FloatArray
    counts: IntArray
    island: IntArray

    @property
    def alone(self) -> BoolArray:
        """Levels that meet no other one, so that nothing can be said of them; shape (levels,)."""
        alone: BoolArray = np.bincount(self.island)[self.island] == 1
        return alone


def contrast(levels: IntArray, blocks: IntArray) -> Contrast:
    """Least squares with a constant for every block, for a factor `levels` of shape (configurations,).

    A block with one level only says nothing. In a full grid this is the mean over the configurations
    with a level minus the mean over all (Scheffe, The Analysis of Variance, 1959, chapter 4). A level of -1
    leaves the configuration out.
    """
    used = levels >= 0
    member = np.eye(int(levels.max()) + 1)[levels[used]]
    block = numbered(blocks[used].tolist())
    sums = np.zeros((int(block.max()) + 1, member.shape[1]))
    np.add.at(sums, block, member)
    within = member - (sums / np.bincount(block)[:, np.newaxis])[block]
    norm = within.T @ within
    weights = np.zeros((member.shape[1], len(levels)))
    weights[:, used] = np.linalg.pinv(norm, rcond=ZERO, hermitian=True) @ within.T
    island = connected_components(np.abs(norm) > ZERO, directed=False)[1].astype(np.int64)
    return Contrast(weights, norm, member.sum(axis=0).astype(np.int64), island)


def without_additive(cells: Contrast, first: IntArray, second: IntArray) -> Contrast | None:
    """What is left of the effects of cells when the effects of their two levels are taken out.

    `first` and `second` have the level of each cell. In a full grid: cell - row - column + all. None if
    nothing can be left, since rows and columns explain any values of the cells that are there.
    """
    parts = [np.eye(int(labels.max()) + 1)[labels] for labels in (first, second, cells.island)]
    additive = np.concatenate(parts, axis=1)
    if np.linalg.matrix_rank(additive) >= len(first):
        return None
    root = np.sqrt(cells.counts.astype(np.float64))[:, np.newaxis]
    fitted = additive @ np.linalg.pinv(additive * root) * root.T
    rest = (np.eye(len(first)) - fitted) @ cells.weights
    return Contrast(rest, cells.norm, cells.counts, cells.island)


def blocks_without(knobs: Knobs, names: Sequence[str]) -> IntArray:
    """Configurations that agree on all knobs but `names` share a number, int64, shape (configurations,).

    A knob that some level of `names` switches off (its label is None there, and only there) doesn't count
    either: with `size` known to one chunker only, that chunker with all its sizes meets the other one.
    """
    others = [
        labels
        for name, labels in knobs.items()
        if name not in names and not any(_switches(knobs[own], labels) for own in names)
    ]
    number = len(next(iter(knobs.values())))
    return numbered(list(zip(*others, strict=True)) if others else [()] * number)


def levels_of(labels: Sequence[Label]) -> tuple[tuple[str, ...], IntArray]:
    """The labels in order of appearance, and their number for each configuration; -1 for None."""
    names = tuple(dict.fromkeys(label for label in labels if label is not None))
    place = {name: at for at, name in enumerate(names)}
    return names, np.array([-1 if label is None else place[label] for label in labels], dtype=np.int64)


def check_knobs(knobs: Knobs, configurations: int) -> None:
    """Refuse labels that aren't one a configuration, each a text or None."""
    for name, labels in knobs.items():
        allowed = f"one label a configuration ({configurations})"
        require(f"knobs.{name}", len(labels), allowed, len(labels) == configurations)
        odd = [label for label in labels if not isinstance(label, str | None)]
        require(f"knobs.{name}", odd[:1], "texts or None", not odd)


def _switches(levels: Sequence[Label], other: Sequence[Label]) -> bool:
    """True if `other` is None for all configurations of some levels and never None for those of the rest."""
    off = {level for level, label in zip(levels, other, strict=True) if label is None}
    on = {level for level, label in zip(levels, other, strict=True) if label is not None}
    return bool(off) and bool(on) and not off & on
