"""All pairs of configurations: how far apart two means must be to differ, whichever two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.statistics.flips import Flips
from rag_sweep.statistics.table import TIE, check_share, checked, settle, settled


@dataclass(frozen=True, eq=False)
class AllPairs:
    """The critical difference of all pairs together.

    Attributes
    ----------
    mean : float64, shape (configurations,)
        Over the questions.
    critical_difference : float
        Two means that are further apart than this (by more than rounding) differ at `alpha`, family-wise over
        all pairs; infinite if there are too few questions.
    alpha : float
        Family-wise level.
    flips : Flips
        The sign patterns that were looked at.
    reference : float64, shape (patterns,)
        Range of the means under each pattern, rising.
    """

    mean: FloatArray
    critical_difference: float
    alpha: float
    flips: Flips
    reference: FloatArray

    def p_value(self, first: int, second: int) -> float:
        """Adjusted p of the difference of two configurations, by their rows."""
        return float(self.p_values(first)[second])

    def p_values(self, row: int) -> FloatArray:
        """Adjusted p of the differences of one configuration from all, shape (configurations,)."""
        apart = np.abs(self.mean - self.mean[row])
        reached = len(self.reference) - np.searchsorted(self.reference, apart - 2 * TIE)  # both were rounded
        return self.flips.p_value(reached.astype(np.float64))


def all_pairs(values: FloatArray, *, alpha: float = 0.05, resamples: int = 10_000, seed: int = 0) -> AllPairs:
    """Randomised range test, a counterpart of Tukey's HSD without his assumptions.

    After Carterette (TOIS 2012, section 4.3), with flips instead of permutations: each pattern of signs
    flips whole questions, centred by their own mean, and the range of the configurations' means is the
    reference. The null hypothesis of a pair is that its difference could as well have had the other sign.
    The range isn't studentised: one critical difference serves all pairs, and that of close relatives, which
    vary little, is as large as that of strangers. For the best ones take `best.set_of_best`.

    Parameters
    ----------
    values : float64, shape (configurations, questions)
        One measure; answerable questions only.
    alpha
        Family-wise level over all pairs.
    resamples, seed
        Sign patterns; if there are no more than `resamples` of them, all are taken.

    Raises
    ------
    ConfigError
        For values that aren't finite and for parameters out of range.
    """
    check_share("alpha", alpha)
    table = checked(values)
    flips = Flips(table.shape[1], resamples, seed)
    centred = np.unique(table, axis=0)
    centred = (centred - centred.mean(axis=0)).T / table.shape[1]
    reference = np.sort(np.concatenate([np.ptp(signs @ centred, axis=1) for signs in flips.blocks()]))
    return AllPairs(
        settled(table.mean(axis=1)),
        settle(flips.critical(reference, alpha)),
        alpha,
        flips,
        reference,
    )
