"""Bootstrap intervals of means: how far a mean may move with other questions of the same kind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import ndtr, ndtri

from rag_sweep.arrays import BoolArray, FloatArray
from rag_sweep.checks import is_count, require
from rag_sweep.statistics.table import (
    TIE,
    Bounds,
    check_row,
    check_share,
    checked,
    differences_from,
    distinct_rows,
    settled,
)

ROWS = 64
"""Means of so many configurations at once: 64 x 10,000 x 8 bytes is 5 MB."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """One confidence interval a row.

    Attributes
    ----------
    estimate : float64, shape (rows,)
        The mean over the questions.
    lower, upper : float64, shape (rows,)
        Ends of the two-sided interval.
    level : float
        Of confidence, of each interval alone.
    exact : bool, shape (rows,)
        True where the bootstrap has nothing to say, since all questions have one value, and the bound for
        bounded values stands instead.
    """

    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    level: float
    exact: BoolArray


def bootstrap_means(
    values: FloatArray,
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    bounds: Bounds = (0.0, 1.0),
) -> Intervals:
    """Interval of each configuration's mean: BCa bootstrap over questions.

    Bias-corrected and accelerated (Efron, JASA 1987, section 5; equal to `scipy.stats.bootstrap` but for
    the resamples). All configurations see the same resamples. Where all questions have one value,
    `same_everywhere` stands instead, so that no interval has zero width.

    Parameters
    ----------
    values : float64, shape (configurations, questions)
        One measure; answerable questions only.
    level
        Of confidence.
    resamples, seed
        Of the questions.
    bounds
        Lowest and highest possible value of the measure.

    Raises
    ------
    ConfigError
        For values that aren't finite or out of `bounds`, and for parameters out of range.
    """
    lowest, highest = bounds
    return bootstrap_rows(checked(values, bounds), lowest, highest, level, resamples, seed)


def bootstrap_differences(
    values: FloatArray,
    baseline: int,
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    bounds: Bounds = (0.0, 1.0),
) -> Intervals:
    """Interval of each configuration's mean difference from the baseline; parameters as `bootstrap_means`.

    Each interval holds by itself; for all together take `differences.against_baseline`. The row of the
    baseline is 0 from 0 to 0.
    """
    table = checked(values, bounds)
    check_row("baseline", baseline, table)
    width = bounds[1] - bounds[0]
    rows = bootstrap_rows(differences_from(table, baseline), -width, width, level, resamples, seed)
    rows.lower[baseline] = rows.upper[baseline] = 0.0
    return rows


def bootstrap_rows(
    rows: FloatArray,
    lowest: FloatArray | float,
    highest: FloatArray | float,
    level: float,
    resamples: int,
    seed: int,
) -> Intervals:
    """BCa interval of the mean of each row, shape (rows, questions), bounded by `lowest` and `highest`."""
    check_share("level", level)
    require("resamples", resamples, "an int >= 1", is_count(resamples))
    counts = resample_counts(rows.shape[1], resamples, seed)
    # In an order of their own, since the last bits of a matrix product depend on the place of a row.
    distinct, place = distinct_rows(rows)
    ends = [_bca(distinct[at : at + ROWS], counts, level) for at in range(0, len(distinct), ROWS)]
    bca = np.concatenate(ends)[place]
    estimate = rows.mean(axis=1)
    flat = np.ptp(rows, axis=1) <= TIE
    bound = same_everywhere(estimate, rows.shape[1], 1.0 - level, lowest, highest)
    lower, upper = (np.where(flat, exact, bca[:, side]) for side, exact in enumerate(bound))
    return Intervals(settled(estimate), settled(lower), settled(upper), level, flat)


@lru_cache(1)
def resample_counts(questions: int, resamples: int, seed: int) -> FloatArray:
    """How often each resample has each question, float64, shape (questions, resamples); read-only."""
    drawn = np.random.default_rng(seed).integers(0, questions, (resamples, questions))
    drawn += np.arange(resamples)[:, np.newaxis] * questions
    counts = np.bincount(drawn.ravel(), minlength=resamples * questions)
    result = np.ascontiguousarray(counts.reshape(resamples, questions).T, dtype=np.float64)
    result.flags.writeable = False
    return result


def same_everywhere(
    value: FloatArray, questions: int, alpha: float, lowest: FloatArray | float, highest: FloatArray | float
) -> tuple[FloatArray, FloatArray]:
    """Interval of a mean when every one of the questions has the same `value`.

    If a share s of all possible questions has another value, all n of ours have this one with probability
    (1 - s)^n. So s is at most 1 - (alpha / 2)^(1 / n), and those questions may have any value from `lowest`
    to `highest`. At 0 and 1 this is the interval of Clopper and Pearson (Biometrika 1934). Valid for any
    distribution within the bounds.
    """
    other = 1.0 - (alpha / 2.0) ** (1.0 / questions)
    return value + other * (lowest - value), value + other * (highest - value)


def _bca(rows: FloatArray, counts: FloatArray, level: float) -> FloatArray:
    """Lower and upper ends, shape (rows, 2); without meaning where a row is the same everywhere."""
    means = rows @ counts / rows.shape[1]
    estimate = rows.mean(axis=1, keepdims=True)
    # Means that equal the estimate count half. Without the tolerance, dust would decide for which side.
    below = 0.5 * ((means < estimate - TIE).mean(axis=1) + (means <= estimate + TIE).mean(axis=1))
    fewest = 0.5 / means.shape[1]
    bias = ndtri(np.clip(below, fewest, 1.0 - fewest))[:, np.newaxis]
    away = rows - estimate
    spread = (away**2).sum(axis=1, keepdims=True) ** 1.5
    skew = (away**3).sum(axis=1, keepdims=True)
    acceleration = np.divide(skew, 6.0 * spread, out=np.zeros_like(skew), where=spread > 0)
    normal = bias + ndtri(np.array([(1.0 - level) / 2.0, (1.0 + level) / 2.0]))
    return _quantiles(means, ndtr(bias + normal / (1.0 - acceleration * normal)))


def _quantiles(means: FloatArray, shares: FloatArray) -> FloatArray:
    """Linear quantiles, each row at its own shares, shape of `shares`."""
    means.sort(axis=1)
    place = shares * (means.shape[1] - 1)
    low = np.floor(place).astype(np.int64)
    high = np.minimum(low + 1, means.shape[1] - 1)
    first, second = np.take_along_axis(means, low, axis=1), np.take_along_axis(means, high, axis=1)
    result: FloatArray = first + (place - low) * (second - first)
    return result
