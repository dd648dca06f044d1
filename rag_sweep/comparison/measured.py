"""What is computed once for the whole grid: intervals, tests and the set of the best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray, IntArray
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.settings import Decide
from rag_sweep.statistics.best import set_of_best
from rag_sweep.statistics.differences import Differences, against_baseline
from rag_sweep.statistics.intervals import Intervals, bootstrap_differences, bootstrap_means
from rag_sweep.statistics.table import TIE
from rag_sweep.statistics.ttests import paired_t

MANY = 2_000
"""Configurations from which on intervals and the set of the best, not the tests, take fewer resamples."""
FEWER = 2_000
"""Those: for BCa intervals, Efron and Tibshirani (1993, section 14.3) ask for 1,000."""


@dataclass(frozen=True, eq=False)
class Measured:
    """Statistics of the configurations that count: `grid.main`, whose values are `table`.

    Attributes
    ----------
    place : int64, shape (members,)
        The row of each member in `table`: aliases have that of the configuration they are equal to.
    baseline
        The baseline's row in `table`.
    means, apart
        Bootstrap intervals of the means, and of the differences from the baseline.
    differences
        The tests of those differences.
    best : bool, shape (rows of `table`,)
        The set of the best; see `among_the_best`.
    """

    table: FloatArray
    place: IntArray
    baseline: int
    means: Intervals
    apart: Intervals
    differences: Differences
    best: BoolArray

    @classmethod
    def of(cls, grid: Grid, baseline: int, decide: Decide) -> Measured:
        """Compute all of it; `baseline` is a row of the grid."""
        table = grid.values[grid.main]
        place = np.searchsorted(grid.main, grid.root)
        own = int(place[baseline])
        resamples, fewer, seed = decide.resamples, fewer_resamples(len(table), decide), decide.seed
        if decide.correction == "max_t":
            differences = against_baseline(table, own, alpha=decide.alpha, resamples=resamples, seed=seed)
        else:
            differences = paired_t(table, own, alpha=decide.alpha)
        return cls(
            table,
            place,
            own,
            bootstrap_means(table, level=decide.level, resamples=fewer, seed=seed),
            bootstrap_differences(table, own, level=decide.level, resamples=fewer, seed=seed),
            differences,
            among_the_best(table, differences, resamples=fewer, seed=seed),
        )

    @property
    def shown(self) -> BoolArray:
        """Where the difference from the baseline is real at alpha, shape (rows of `table`,)."""
        return _shown(self.differences)

    @property
    def better(self) -> BoolArray:
        """Where it is better than the baseline beyond chance, shape (rows of `table`,)."""
        return _better(self.differences)

    @property
    def outcomes(self) -> tuple[IntArray, IntArray]:
        """Questions won and lost against the baseline, shape (rows of `table`,) each."""
        apart = self.table - self.table[self.baseline]
        return (apart > TIE).sum(axis=1), (apart < -TIE).sum(axis=1)


def _shown(differences: Differences) -> BoolArray:
    shown: BoolArray = differences.p_adjusted <= differences.alpha
    return shown


def _better(differences: Differences) -> BoolArray:
    better: BoolArray = _shown(differences) & (differences.mean > 0)
    return better


def among_the_best(table: FloatArray, differences: Differences, *, resamples: int, seed: int) -> BoolArray:
    """The set of the best as the comparisons with the baseline allow it, shape (rows of `table`,).

    Who leads the baseline, and whom the baseline leads, is told by `differences` and by nothing else: so the
    baseline is in the set unless something is shown to be better, nothing is that is shown to be worse, and
    where the baseline itself is the best one everything else is. Those tests look to both sides, and so do
    the others then: half of alpha for leads. The truly best one is left out by either half with a
    probability of at most alpha / 2.
    """
    worse = _shown(differences) & (differences.mean < 0)
    if differences.mean.max() <= TIE:
        return ~worse
    leads = set_of_best(table, alpha=differences.alpha / 2.0, resamples=resamples, seed=seed)
    apart = np.abs(table - table[differences.baseline]).max(axis=1)
    return np.where(apart <= TIE, not _better(differences).any(), leads.member & ~worse)


def fewer_resamples(configurations: int, decide: Decide) -> int:
    """Resamples of intervals and of the set of the best."""
    return min(decide.resamples, FEWER) if configurations > MANY else decide.resamples
