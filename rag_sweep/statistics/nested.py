"""Honest value: what "whatever this sweep picks" is worth on questions that it was not picked by.

Repeated cross-validation of the choice (Cawley and Talbot, JMLR 2010). Each fold is held out once a repeat;
the other questions choose, and the held-out ones measure what was chosen. Without bias for a choice from
(folds - 1) / folds of the questions; one from all of them is worth slightly more.

The interval is the value plus and minus Student's quantile times a bootstrap standard error: each resample
draws groups of questions, deals them, chooses and measures anew, all copies of a question in one fold. So
it holds how unstable the choice is, which the spread over questions doesn't (no estimate of that kind is
unbiased: Bengio and Grandvalet, JMLR 2004; Bates, Hastie and Tibshirani, JASA 2024). Its caveats: among
copies a choice is noisier than among new questions, so the interval is somewhat too wide (in simulations a
level of 0.95 covers 0.95 to 0.99), and it is symmetric, so near a bound it is rough.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np
from scipy.special import stdtrit

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.checks import is_count, require
from rag_sweep.statistics.folds import held_out
from rag_sweep.statistics.intervals import resample_counts, same_everywhere
from rag_sweep.statistics.table import (
    TIE,
    Bounds,
    best_share,
    check_share,
    checked,
    numbered,
    settle,
    settled,
)

Rule: TypeAlias = Callable[[FloatArray], FloatArray]
"""Means on the questions that choose, shape (configurations, choices), to weights of the same shape.

The weights of each choice (a column) are >= 0 and sum to 1. A rule may know more of the configurations, such
as their costs, in their order.
"""

PART, DEALS = 50, 2
"""Resamples that are computed at once, and how often each is dealt."""


@dataclass(frozen=True, eq=False)
class NestedValue:
    """What a way of choosing is worth.

    Attributes
    ----------
    value : float
        Expected value on new questions of the configuration that is chosen.
    naive : float
        The value with which the choice from all questions looks: too high by construction.
    optimism : float
        `naive` - `value`.
    chosen : float64, shape (configurations,)
        Share of the choices that fall on each configuration; sums to 1.
    by_question : float64, shape (questions,)
        Value of what was chosen without the question, on the question; their mean is `value`.
    lower, upper : float
        Interval of `value` for other questions of the same kind.
    level : float
        Of confidence.
    repeats, folds : int
        How often the questions were dealt, into how many folds.
    """

    value: float
    naive: float
    optimism: float
    chosen: FloatArray
    by_question: FloatArray
    lower: float = math.nan
    upper: float = math.nan
    level: float = 0.95
    repeats: int = 0
    folds: int = 0


def nested_value(
    values: FloatArray,
    *,
    repeats: int = 50,
    folds: int = 5,
    groups: Sequence[object] | None = None,
    tags: Sequence[object] | None = None,
    rule: Rule = best_share,
    level: float = 0.95,
    resamples: int = 400,
    seed: int = 0,
    bounds: Bounds = (0.0, 1.0),
) -> NestedValue:
    """Repeated cross-validation of the choice (Cawley and Talbot, JMLR 2010).

    See the module for how it is done, and `NestedValue` for what comes back.

    Parameters
    ----------
    values : float64, shape (configurations, questions)
        One measure, from `bounds[0]` to `bounds[1]`; answerable questions only.
    repeats, folds, seed
        Of the dealing.
    groups, tags
        Labels of the questions. Equal groups stay together, tags are spread evenly; see `folds.held_out`.
    rule
        How the choice is made; see `Rule`.
    level, resamples
        Of the interval.

    Raises
    ------
    ConfigError
        For values that aren't finite or out of bounds, parameters out of range, labels that aren't one a
        question, fewer groups than folds, and a rule whose weights aren't shares.
    """
    check_share("level", level)
    require("resamples", resamples, "an int >= 2", is_count(resamples, 2))
    deal = partial(held_out, folds=folds, groups=groups, tags=tags)
    choice = _Choice.of(checked(values, bounds), rule, deal)
    group = numbered(range(choice.table.shape[1]) if groups is None else groups)
    found = replace(choice.crossed(repeats, seed), level=level, repeats=repeats, folds=folds)
    drawn = choice.resampled(group, resamples, seed)
    lower, upper = _interval(found.value, drawn, int(group.max()) + 1, level, bounds)
    return replace(found, lower=lower, upper=upper)


@dataclass(frozen=True, eq=False)
class _Choice:
    """Checked values with a way to choose and a way to deal.

    The rows have an order of their own, since the last bits of a matrix product depend on the place of a
    row; `own` leads back to the order of the configurations.
    """

    table: FloatArray
    own: IntArray
    rule: Rule
    deal: Callable[..., FloatArray]

    @classmethod
    def of(cls, table: FloatArray, rule: Rule, deal: Callable[..., FloatArray]) -> _Choice:
        order = np.lexsort(table.T)
        return cls(table[order], np.argsort(order), rule, partial(deal, table.shape[1]))

    def weights(self, counts: FloatArray) -> FloatArray:
        """What questions counted so often choose, checked, shape (configurations, columns of `counts`)."""
        means = settled(self.table @ counts / np.maximum(counts.sum(axis=0), 1.0))[self.own]
        weights = np.asarray(self.rule(means), dtype=np.float64)
        allowed = f"weights of shape {means.shape}"
        require("rule", weights.shape, allowed, weights.shape == means.shape)
        sums = weights.sum(axis=0)
        shares = bool((weights >= 0).all() and np.allclose(sums, 1.0))
        require("rule", sums[:3].tolist(), "weights >= 0 with the sum 1 for each choice", shares)
        return weights[np.argsort(self.own)]

    def crossed(self, repeats: int, seed: int) -> NestedValue:
        """The cross-validated value, without its interval."""
        held = self.deal(repeats=repeats, seed=seed)
        weights = self.weights(1.0 - held)
        by_question = ((self.table.T @ weights) * held).sum(axis=1) / repeats
        everything = np.ones((self.table.shape[1], 1))
        naive = float((self.table.mean(axis=1, keepdims=True) * self.weights(everything)).sum())
        value = float(by_question.mean())
        return NestedValue(
            value=settle(value),
            naive=settle(naive),
            optimism=settle(naive - value),
            chosen=settled(weights.mean(axis=1)[self.own]),
            by_question=settled(by_question),
        )

    def resampled(self, group: IntArray, resamples: int, seed: int) -> FloatArray:
        """The value for each of many resamples of the groups, each dealt twice, shape (resamples,)."""
        counts = resample_counts(int(group.max()) + 1, resamples, seed)[group]
        values = []
        for start in range(0, resamples, PART):
            part = counts[:, start : start + PART]
            held = self.deal(repeats=DEALS * part.shape[1], seed=seed + 1 + start)
            columns = np.repeat(part, held.shape[1] // part.shape[1], axis=1)
            weights = self.weights(columns * (1.0 - held))
            sums = ((self.table.T @ weights) * columns * held).sum(axis=0)
            values.append(sums.reshape(part.shape[1], -1).sum(axis=1) / DEALS / part.sum(axis=0))
        return np.concatenate(values)


def _interval(
    value: float, drawn: FloatArray, groups: int, level: float, bounds: Bounds
) -> tuple[float, float]:
    """Value plus and minus standard errors, within the bounds; where nothing varies, the bound for that."""
    error = float(drawn.std(ddof=1))
    if error <= TIE:
        flat = same_everywhere(np.array([value]), groups, 1.0 - level, *bounds)
        return settle(flat[0][0]), settle(flat[1][0])
    half = float(stdtrit(groups - 1, (1.0 + level) / 2.0)) * error
    return settle(max(value - half, bounds[0])), settle(min(value + half, bounds[1]))
