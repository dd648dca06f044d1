"""Power: which difference a gold of n questions can detect, and how many questions a difference needs."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaincinv, nctdtr, ndtr, stdtrit

from rag_sweep.arrays import FloatArray
from rag_sweep.checks import is_count, require
from rag_sweep.statistics.table import TIE, check_row, check_share, checked, differences_from

MOST = 1_500
"""Configurations whose pairs are looked at; of more distinct ones, a seeded sample."""
MANY = 10**9
"""Questions beyond which nobody wants to know."""


def paired_deviation(values: FloatArray, baseline: int | None = None, seed: int = 0) -> float:
    """Standard deviation of the paired differences of a typical pair: the median.

    Parameters
    ----------
    values : float64, shape (configurations, questions)
        One measure; answerable questions only.
    baseline
        Pairs with this row; None for the pairs of all configurations. Pairs whose difference is the same
        everywhere are left out: they say nothing about the noise around a difference.
    seed
        Of the sample of configurations, if there are more than 1,500 distinct ones.

    Returns
    -------
    float
        NaN with fewer than two questions, or if no two configurations differ.
    """
    table = checked(values)
    if table.shape[1] < 2:
        return math.nan
    if baseline is not None:
        check_row("baseline", baseline, table)
        rows = differences_from(table, baseline)
        rows = rows[np.ptp(rows, axis=1) > TIE]
        return float(np.median(rows.std(axis=1, ddof=1))) if len(rows) else math.nan
    return _median_of_pairs(np.unique(table, axis=0), seed)


def _median_of_pairs(rows: FloatArray, seed: int) -> float:
    if len(rows) > MOST:
        rows = rows[np.random.default_rng(seed).choice(len(rows), MOST, replace=False)]
    centred = rows - rows.mean(axis=1, keepdims=True)
    products = centred @ centred.T
    squares = np.diag(products)
    apart = squares[:, np.newaxis] + squares - 2.0 * products
    pairs = apart[np.triu_indices(len(rows), 1)]
    pairs = pairs[pairs > 1e-12]
    return float(np.median(np.sqrt(pairs / (rows.shape[1] - 1)))) if len(pairs) else math.nan


def is_too_few(questions: int, alpha: float = 0.05) -> bool:
    """True if so few questions can show no difference, however large: no interval of one means anything.

    Under sign flips the rarest pattern, all differences to one side, has a two-sided p of 2^(1 - n). At an
    `alpha` of 0.05 fewer than six questions are too few.
    """
    return 2.0 ** (1 - questions) > alpha


def power_of(
    difference: float, deviation: float, questions: int, *, alpha: float = 0.05, comparisons: int = 1
) -> float:
    """Probability that a two-sided paired t-test finds a true difference (Cohen 1988, section 2.3.5).

    Parameters
    ----------
    difference
        True mean difference of two configurations.
    deviation
        Standard deviation of their paired differences; see `paired_deviation`.
    questions
        At least 2.
    alpha
        Level; divided by `comparisons` (Bonferroni), which is a little less than max-T would find.
    """
    _check(deviation, alpha, comparisons)
    require("questions", questions, "an int >= 2", is_count(questions, 2))
    if deviation == 0:
        return 1.0 if difference else alpha / comparisons
    critical = float(stdtrit(questions - 1, 1.0 - alpha / comparisons / 2.0))
    shift = abs(difference) / deviation * math.sqrt(questions)
    degrees = questions - 1
    return 1.0 - _noncentral_t(critical, degrees, shift) + _noncentral_t(-critical, degrees, shift)


def _noncentral_t(at: float, degrees: int, shift: float) -> float:
    """Distribution function of the noncentral t.

    scipy has NaN for far tails, and for large arguments with one degree of freedom. There this is the mean
    of the normal distribution function over equally likely deviations, off by at most 3e-5.
    """
    found = float(nctdtr(degrees, shift, at))
    if not math.isnan(found):
        return found
    likely = (np.arange(20_000) + 0.5) / 20_000
    deviation = np.sqrt(gammaincinv(degrees / 2.0, likely) / (degrees / 2.0))
    return float(ndtr(at * deviation - shift).mean())


def detectable_difference(
    deviation: float, questions: int, *, power: float = 0.8, alpha: float = 0.05, comparisons: int = 1
) -> float:
    """The smallest true difference that is found with probability `power`; parameters as `power_of`.

    Returns
    -------
    float
        >= 0, in the units of `deviation`. It may be larger than any difference that the measure can have.
    """
    check_share("power", power)
    _check(deviation, alpha, comparisons)
    require("power", power, "larger than alpha / comparisons", power > alpha / comparisons)

    def missing(effect: float) -> float:
        return power_of(effect, 1.0, questions, alpha=alpha, comparisons=comparisons) - power

    high = 1.0
    while missing(high) < 0:
        high *= 2.0
    return float(brentq(missing, 0.0, high, xtol=1e-12)) * deviation


def questions_needed(
    difference: float, deviation: float, *, power: float = 0.8, alpha: float = 0.05, comparisons: int = 1
) -> int:
    """The smallest number of questions that finds `difference` with probability `power`.

    The inverse of `detectable_difference`, with parameters as `power_of`; at least 2.

    Raises
    ------
    ConfigError
        For a difference of 0, one that would need more than 10^9 questions, or parameters out of range.
    """
    check_share("power", power)
    _check(deviation, alpha, comparisons)
    require("difference", difference, "a finite number other than 0", 0 < abs(difference) < math.inf)

    def enough(questions: int) -> bool:
        return power_of(difference, deviation, questions, alpha=alpha, comparisons=comparisons) >= power

    low, high = 1, 2
    while not enough(high):
        require("difference", difference, "large enough for 10^9 questions", high < MANY)
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _check(deviation: float, alpha: float, comparisons: int) -> None:
    check_share("alpha", alpha)
    require("deviation", deviation, "a finite number >= 0", 0 <= deviation < math.inf)
    require("comparisons", comparisons, "an int >= 1", is_count(comparisons))
