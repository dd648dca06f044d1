"""How one configuration is chosen from many, by all questions or by a part of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray
from rag_sweep.comparison.prices import Prices
from rag_sweep.comparison.settings import RuleName
from rag_sweep.statistics.table import TIE, best_share


def preferred(
    means: FloatArray, near: BoolArray, beyond: BoolArray, prices: Prices, baseline: int
) -> FloatArray:
    """Choose with an eye on cost; weights of the configurations, shape of `means`.

    Of those near the best that didn't measure below the baseline: the ones that are better than it beyond
    chance or cheaper than it, if there are any. Of these the ones that no other one undercuts, and of these
    the best.

    Parameters
    ----------
    means : float64, shape (configurations, choices)
        On the questions that choose.
    near, beyond : bool, same shape
        True for those that can't be told from the best one; and for those that are better than the baseline
        beyond chance.
    baseline
        Its row.
    """
    allowed = near & (means >= means[baseline] - TIE)
    reason = allowed & (beyond | prices.than(baseline)[:, np.newaxis])
    candidates = np.where(reason.any(axis=0), reason, allowed)
    return best_share(np.where(prices.cheapest(candidates), means, -np.inf))


def constrained(means: FloatArray, prices: Prices) -> FloatArray:
    """Choose the best of those that keep to a constraint, and of equal ones the cheapest; as `preferred`."""
    allowed = np.where(prices.within[:, np.newaxis], means, -np.inf)
    best: BoolArray = allowed >= allowed.max(axis=0) - TIE
    return best_share(np.where(prices.cheapest(best), allowed, -np.inf))


@dataclass(frozen=True, eq=False)
class Choosing:
    """A rule as `statistics.nested` takes it: from the means on some questions to the choice.

    Such a rule sees only means. What is within the noise is told by the standard deviations of differences
    over all questions, and by their critical t, so that the threshold is that of the real choice. "Can't be
    told from the best" is approximated by one critical t for all, where `statistics.best` has one for each.

    Attributes
    ----------
    name
        See `settings.Decide`.
    table : float64, shape (configurations, questions)
        All values.
    near, beyond
        A lead of the best one, and one over the baseline, is noise up to so many standard errors.
    """

    name: RuleName
    table: FloatArray
    prices: Prices
    baseline: int
    near: float
    beyond: float
    _noise: dict[int, FloatArray] = field(default_factory=dict, repr=False)

    def __call__(self, means: FloatArray) -> FloatArray:
        """Weights of the configurations for each choice; both of shape (configurations, choices)."""
        if self.name == "best":
            return best_share(means)
        if self.name == "pareto":
            return constrained(means, self.prices)
        beyond = means - means[self.baseline] > self._error(self.baseline, self.beyond)[:, np.newaxis]
        return preferred(means, self._near(means), beyond, self.prices, self.baseline)

    def _near(self, means: FloatArray) -> BoolArray:
        top = means.argmax(axis=0)
        near = np.empty(means.shape, dtype=np.bool_)
        for row in np.unique(top).tolist():
            here = top == row
            behind = means[row, here] - means[:, here]
            near[:, here] = behind <= self._error(row, self.near)[:, np.newaxis]
        return near

    def _error(self, row: int, critical: float) -> FloatArray:
        """The largest differences from one configuration that may be noise, shape (configurations,)."""
        if row not in self._noise:
            self._noise[row] = standard_errors(self.table, row)
        if math.isinf(critical):
            return np.full(len(self.table), np.inf)
        return self._noise[row] * critical + TIE


def standard_errors(table: FloatArray, row: int) -> FloatArray:
    """Standard error of each configuration's mean difference from one of them, shape (configurations,)."""
    apart = table - table[row]
    questions = table.shape[1]
    errors: FloatArray = apart.std(axis=1, ddof=min(1, questions - 1)) / math.sqrt(questions)
    return errors
