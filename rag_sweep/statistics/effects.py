"""Effects of knobs: what each level is worth, other things being equal, and which pairs of knobs interact.

Two configurations are compared only if they agree on all other knobs, and each question is a block of its
own, so hard questions and unbalanced unions of grids favour nobody. In a full grid the effect of a level is
the mean over its configurations minus the mean over all. Elsewhere it is fitted by least squares with a
constant for each set of otherwise equal configurations. A knob that a level of another one switches off
(label None) doesn't keep that level from being compared: it counts as averaged over.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.statistics.design import (
    Contrast,
    Knobs,
    blocks_without,
    check_knobs,
    contrast,
    levels_of,
    without_additive,
)
from rag_sweep.statistics.intervals import bootstrap_rows
from rag_sweep.statistics.table import TIE, Bounds, checked, numbered, settle, settled


@dataclass(frozen=True, eq=False)
class Effect:
    """Effects of the levels of one knob, or of the cells of two.

    Attributes
    ----------
    knobs : tuple of str
        One name, or two for an interaction.
    levels : tuple of tuples of str
        The label, or the two labels, of each level or cell, in order of appearance.
    counts : int64, shape (levels,)
        Configurations with it.
    mean : float64, shape (levels,)
        Mean value of those configurations, over all questions.
    effect : float64, shape (levels,)
        How much better than the mean of all levels, other knobs being equal; of a cell, how much better than
        the effects of its two levels add up to. NaN where a level never meets another one in otherwise
        equal configurations.
    lower, upper : float64, shape (levels,)
        Interval of each effect alone for other questions (BCa bootstrap); NaN like `effect`.
    share : float
        Of the variance between the configurations' means, how much follows from these effects, 0 to 1. In a
        full grid the shares of all knobs, pairs and higher interactions sum to 1; in a union of grids they
        may overlap or leave out.
    partial_eta : float
        Partial eta squared: sum of squares of the effects by itself plus that of their variation from
        question to question (each question a block), 0 to 1.
    by_question : float64, shape (levels, questions)
        The effect on each question.
    """

    knobs: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    counts: IntArray
    mean: FloatArray
    effect: FloatArray
    lower: FloatArray
    upper: FloatArray
    share: float
    partial_eta: float
    by_question: FloatArray

    @property
    def favourite(self) -> IntArray:
        """The number of the best level on each question, int64, shape (questions,); -1 where several are."""
        known = np.where(np.isnan(self.by_question), -np.inf, self.by_question)
        best = known >= known.max(axis=0) - TIE
        return np.where(best.sum(axis=0) == 1, best.argmax(axis=0), -1)


def knob_effects(
    values: FloatArray,
    knobs: Knobs,
    *,
    pairs: bool | Collection[tuple[str, str]] = True,
    level: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    bounds: Bounds = (0.0, 1.0),
) -> tuple[Effect, ...]:
    """Main effects and pairwise interactions of categorical knobs: a blocked analysis of variance.

    See the module for what is compared with what.

    Parameters
    ----------
    values : float64, shape (configurations, questions)
        One measure, from `bounds[0]` to `bounds[1]`; answerable questions only.
    knobs
        For each knob its level in every configuration, as text; None where the knob means nothing. Knobs
        with one level have no effect and no entry.
    pairs
        Whether interactions are wanted as well; or which of them, each as two names in the order of `knobs`.
    level, resamples, seed
        Of the bootstrap over questions.

    Returns
    -------
    tuple of Effect
        First knobs, then pairs; without pairs that have too few cells to tell an interaction.

    Raises
    ------
    ConfigError
        For values that aren't finite or out of `bounds`, labels that aren't one a configuration, and
        parameters out of range.
    """
    table = checked(values, bounds)
    check_knobs(knobs, len(table))
    found = [_main(knobs, name) for name in knobs]
    wanted = combinations(knobs, 2) if pairs is True else pairs or ()
    found += [_pair(knobs, first, second) for first, second in wanted]
    how = (level, resamples, seed)
    return tuple(_effect(part, table, how, bounds) for part in found if part is not None)


@dataclass(frozen=True, eq=False)
class _Part:
    """A knob or a pair of knobs, before it meets values."""

    knobs: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    number: IntArray
    contrast: Contrast


def _main(knobs: Knobs, name: str) -> _Part | None:
    names, number = levels_of(knobs[name])
    if len(names) < 2:
        return None
    return _Part(
        (name,), tuple((one,) for one in names), number, contrast(number, blocks_without(knobs, [name]))
    )


def _pair(knobs: Knobs, first: str, second: str) -> _Part | None:
    names, numbers = zip(*(levels_of(knobs[name]) for name in (first, second)), strict=True)
    both = (numbers[0] >= 0) & (numbers[1] >= 0)
    if min(map(len, names)) < 2 or not both.any():
        return None
    cell = np.full(len(both), -1, dtype=np.int64)
    cell[both] = numbered(list(zip(numbers[0][both].tolist(), numbers[1][both].tolist(), strict=True)))
    at = [int(np.flatnonzero(cell == one)[0]) for one in range(int(cell.max()) + 1)]
    cells = contrast(cell, blocks_without(knobs, [first, second]))
    left = without_additive(cells, numbers[0][at], numbers[1][at])
    levels = tuple((names[0][numbers[0][one]], names[1][numbers[1][one]]) for one in at)
    return None if left is None else _Part((first, second), levels, cell, left)


def _effect(part: _Part, table: FloatArray, how: tuple[float, int, int], bounds: Bounds) -> Effect:
    weights, alone = part.contrast.weights, part.contrast.alone
    rows = settled(weights @ table)
    low, high = np.minimum(weights, 0.0).sum(axis=1), np.maximum(weights, 0.0).sum(axis=1)
    lowest, highest = low * bounds[1] + high * bounds[0], low * bounds[0] + high * bounds[1]
    interval = bootstrap_rows(rows, lowest, highest, *how)
    share, partial_eta = _shares(part.contrast, rows, table)
    means = table.mean(axis=1)
    return Effect(
        knobs=part.knobs,
        levels=part.levels,
        counts=part.contrast.counts,
        mean=settled(np.array([means[part.number == at].mean() for at in range(len(rows))])),
        effect=np.where(alone, np.nan, interval.estimate),
        lower=np.where(alone, np.nan, interval.lower),
        upper=np.where(alone, np.nan, interval.upper),
        share=share,
        partial_eta=partial_eta,
        by_question=np.where(alone[:, np.newaxis], np.nan, rows),
    )


def _shares(found: Contrast, rows: FloatArray, table: FloatArray) -> tuple[float, float]:
    """Share of the variance between configurations, and partial eta squared; 0 where nothing varies."""
    mean = rows.mean(axis=1)
    of_mean = float(mean @ found.norm @ mean) * rows.shape[1]
    of_all = float((rows * (found.norm @ rows)).sum())
    means = table.mean(axis=1)
    between = float(((means - means.mean()) ** 2).sum()) * rows.shape[1]
    return _ratio(of_mean, between), _ratio(of_mean, of_all)


def _ratio(part: float, whole: float) -> float:
    return settle(min(part / whole, 1.0)) if whole > TIE else 0.0
