"""The alternative to randomisation: a paired t-test for each configuration, corrected by Holm."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import stdtr, stdtrit

from rag_sweep.arrays import FloatArray
from rag_sweep.statistics.differences import Differences, Paired
from rag_sweep.statistics.table import Bounds, check_share


def paired_t(
    values: FloatArray, baseline: int, *, alpha: float = 0.05, bounds: Bounds = (0.0, 1.0)
) -> Differences:
    """Paired t-tests against the baseline, with p-values corrected by Holm (Scand. J. Stat. 1979).

    Equal to `scipy.stats.ttest_rel` and to ``holm`` of statsmodels. The intervals are Bonferroni's, since
    Holm's procedure has none that are simple; so one may hold 0 although its p_adjusted is below alpha.
    Where all differences are the same and not 0, t has no distribution; there p is that of the sign
    test, 2 / 2^n.

    Parameters
    ----------
    values : float64, shape (configurations, questions)
        One measure; answerable questions only.
    baseline
        The row to compare with; it doesn't count as a comparison.
    alpha
        Family-wise level of the intervals.
    bounds
        Lowest and highest possible value of the measure.

    Raises
    ------
    ConfigError
        For values that aren't finite or out of `bounds`, and for parameters out of range.
    """
    check_share("alpha", alpha)
    paired = Paired.of(values, baseline, bounds)
    p_value = _two_sided(paired.statistic, paired.questions)
    others = np.arange(len(p_value)) != baseline
    p_adjusted = np.ones_like(p_value)
    p_adjusted[others] = holm(p_value[others])
    critical = _critical(paired.questions, alpha / max(int(others.sum()), 1))
    return paired.result("holm", baseline, p_value, p_adjusted, critical, alpha, bounds)


def holm(p_values: FloatArray) -> FloatArray:
    """Adjusted p-values, shape (tests,): the i-th smallest of m times m - i + 1, never falling, at most 1."""
    order = np.argsort(p_values, kind="stable")
    raised = p_values[order] * np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return adjusted


def _two_sided(statistic: FloatArray, questions: int) -> FloatArray:
    constant = np.isinf(statistic)
    p: FloatArray = np.where(statistic == 0, 1.0, 2.0 * stdtr(max(questions - 1, 1), -np.abs(statistic)))
    p[constant] = min(2.0 ** (1 - questions), 1.0)
    return p


def _critical(questions: int, alpha: float) -> float:
    return float(stdtrit(questions - 1, 1.0 - alpha / 2.0)) if questions > 1 else math.inf
