"""Every configuration against one baseline, with the number of configurations taken into account.

Each pattern of signs flips the differences of whole questions; the largest absolute t over all
configurations is the reference (max-T, single step: Westfall and Young 1993). Two references are used.
Flips of the differences themselves make an exact test of "each difference could as well have had the other
sign". Flips of the differences minus their mean, a wild bootstrap, make intervals that hold together also
where everybody beats the baseline: there the former are all alike, and their maximum too small. The larger
p of both, and the larger critical value, is taken: so the family-wise error is controlled, and an interval
leaves out 0 exactly where p_adjusted <= alpha. Only where all differences of a configuration are the same,
and so have no t, is its interval `same_everywhere` with alpha by the number of comparisons; it is wider.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.statistics.flips import Flips
from rag_sweep.statistics.intervals import same_everywhere
from rag_sweep.statistics.table import (
    CLOSE,
    TIE,
    Bounds,
    check_row,
    check_share,
    checked,
    differences_from,
    distinct_rows,
    settled,
)


@dataclass(frozen=True, eq=False)
class Differences:
    """Each configuration minus the baseline, in the order of the configurations.

    Attributes
    ----------
    method : str
        ``max-T`` or ``holm``.
    baseline : int
        Its row, where the differences are 0 and the p-values 1.
    mean : float64, shape (configurations,)
        Mean difference over the questions.
    effect : float64, shape (configurations,)
        Standardised mean difference d_z: mean by standard deviation of the paired differences (Cohen 1988,
        section 2.3.5). Infinite where all differences are the same and not 0.
    statistic : float64, shape (configurations,)
        Paired t; infinite like `effect`.
    p_value, p_adjusted : float64, shape (configurations,)
        Two-sided, of one comparison alone and with all of them taken into account (family-wise).
    lower, upper : float64, shape (configurations,)
        Simultaneous intervals of the differences: all of them hold together with confidence 1 - `alpha`.
    critical : float
        Of the absolute t; infinite if there are too few questions for any p_adjusted <= `alpha`.
    alpha : float
        Family-wise level.
    patterns : int
        Sign patterns looked at; 0 for ``holm``.
    exact : bool
        True if those were all there are.
    """

    method: str
    baseline: int
    mean: FloatArray
    effect: FloatArray
    statistic: FloatArray
    p_value: FloatArray
    p_adjusted: FloatArray
    lower: FloatArray
    upper: FloatArray
    critical: float
    alpha: float
    patterns: int = 0
    exact: bool = False


@dataclass(frozen=True, eq=False)
class Paired:
    """Paired differences and their moments, one row a configuration."""

    rows: FloatArray

    @classmethod
    def of(cls, values: FloatArray, baseline: int, bounds: Bounds) -> Paired:
        """Of checked values."""
        table = checked(values, bounds)
        check_row("baseline", baseline, table)
        return cls(differences_from(table, baseline))

    @property
    def questions(self) -> int:
        """How many pairs a row has."""
        return int(self.rows.shape[1])

    @property
    def mean(self) -> FloatArray:
        """Shape (configurations,)."""
        mean: FloatArray = self.rows.mean(axis=1)
        return mean

    @property
    def deviation(self) -> FloatArray:
        """Standard deviation, ddof 1, shape (configurations,); 0 if all are the same, or of one question."""
        if self.questions < 2:
            return np.zeros(len(self.rows))
        return np.where(np.ptp(self.rows, axis=1) <= TIE, 0.0, self.rows.std(axis=1, ddof=1))

    @property
    def effect(self) -> FloatArray:
        """d_z, shape (configurations,)."""
        mean, deviation = self.mean, self.deviation
        constant = np.where(np.abs(mean) <= TIE, 0.0, np.copysign(np.inf, mean))
        return np.divide(mean, deviation, out=constant, where=deviation > 0)

    def result(
        self,
        method: str,
        baseline: int,
        p_value: FloatArray,
        p_adjusted: FloatArray,
        critical: float,
        alpha: float,
        bounds: Bounds,
    ) -> Differences:
        """All that follows from p-values and a critical t."""
        lower, upper = self.simultaneous(critical, alpha, bounds)
        lower[baseline] = upper[baseline] = 0.0
        return Differences(
            method=method,
            baseline=baseline,
            mean=settled(self.mean),
            effect=settled(self.effect),
            statistic=settled(self.statistic),
            p_value=p_value,
            p_adjusted=p_adjusted,
            lower=settled(lower),
            upper=settled(upper),
            critical=critical,
            alpha=alpha,
        )

    @property
    def statistic(self) -> FloatArray:
        """Paired t, shape (configurations,)."""
        statistic: FloatArray = self.effect * math.sqrt(self.questions)
        return statistic

    def simultaneous(self, critical: float, alpha: float, bounds: Bounds) -> tuple[FloatArray, FloatArray]:
        """Mean +- critical standard errors, within what is possible; bounded where all are the same."""
        width, mean, deviation = bounds[1] - bounds[0], self.mean, self.deviation
        error = deviation / math.sqrt(self.questions)
        half = np.multiply(critical, error, out=np.zeros_like(error), where=error > 0)
        others = max(len(self.rows) - 1, 1)
        flat = same_everywhere(mean, self.questions, alpha / others, -width, width)
        lower = np.where(error > 0, np.maximum(mean - half, -width), flat[0])
        upper = np.where(error > 0, np.minimum(mean + half, width), flat[1])
        return lower, upper


def against_baseline(
    values: FloatArray,
    baseline: int,
    *,
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 0,
    bounds: Bounds = (0.0, 1.0),
) -> Differences:
    """Paired randomisation over all configurations together, with max-T correction.

    See the module for how it is done, and `Differences` for what comes back.

    Parameters
    ----------
    values : float64, shape (configurations, questions)
        One measure; answerable questions only.
    baseline
        The row to compare with.
    alpha
        Family-wise level of the intervals.
    resamples, seed
        Sign patterns; if there are no more than `resamples` of them, all are taken.
    bounds
        Lowest and highest possible value of the measure.

    Raises
    ------
    ConfigError
        For values that aren't finite or out of `bounds`, and for parameters out of range.
    """
    check_share("alpha", alpha)
    paired = Paired.of(values, baseline, bounds)
    flips = Flips(paired.questions, resamples, seed)
    observed = np.abs(_unit(paired.rows).sum(axis=1))
    reached, reference = _references(paired.rows, observed, flips)
    together = np.max([flips.p_value(_reaching(one, observed)) for one in reference], axis=0)
    critical = _as_t(max(flips.critical(one, alpha) for one in reference), paired.questions)
    found = paired.result("max-T", baseline, flips.p_value(reached), together, critical, alpha, bounds)
    return replace(found, patterns=flips.number, exact=flips.exact)


def _references(rows: FloatArray, observed: FloatArray, flips: Flips) -> tuple[FloatArray, list[FloatArray]]:
    """How often a flip reaches each row's own statistic, and the largest of each flip, plain and centred."""
    rows, place = distinct_rows(rows)
    known = np.zeros(len(rows))
    known[place] = observed
    centred = rows - rows.mean(axis=1, keepdims=True)
    centred[np.ptp(rows, axis=1) <= TIE] = 0.0
    both = np.concatenate([_unit(rows), _unit(centred)]).T
    reached = np.zeros(len(rows))
    largest: list[list[FloatArray]] = [[], []]
    for signs in flips.blocks():
        flipped = np.abs(signs @ both)
        reached += (flipped[:, : len(rows)] >= known - CLOSE).sum(axis=0)
        largest[0].append(flipped[:, : len(rows)].max(axis=1))
        largest[1].append(flipped[:, len(rows) :].max(axis=1))
    return reached[place], [np.concatenate(parts) for parts in largest]


def _unit(rows: FloatArray) -> FloatArray:
    """Rows scaled so that a sum is r = |t| / sqrt(t^2 + n - 1), which no flip studentises anew.

    The sum of squares is the same under every flip, so t is a rising function of the sum by its root.
    """
    scale = np.sqrt(rows.shape[1] * (rows**2).sum(axis=1, keepdims=True))
    result: FloatArray = np.divide(rows, scale, out=np.zeros_like(rows), where=scale > 0)
    return result


def _as_t(r: float, questions: int) -> float:
    """The t that belongs to an r of `_unit`."""
    left = 1.0 - r * r
    return math.inf if left <= TIE else r * math.sqrt((questions - 1) / left)


def _reaching(reference: FloatArray, observed: FloatArray) -> FloatArray:
    """How many of the reference are at least each observed one, shape of `observed`."""
    below = np.searchsorted(np.sort(reference), observed - CLOSE)
    reaching: FloatArray = (len(reference) - below).astype(np.float64)
    return reaching
