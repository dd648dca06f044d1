"""The set of the best: the configurations that can't be told from the best one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr

from rag_sweep.arrays import BoolArray, FloatArray, IntArray
from rag_sweep.statistics.flips import Flips
from rag_sweep.statistics.table import CLOSE, TIE, check_share, checked, distinct_rows, settled

SAME = 1e-12
"""Configurations whose squared differences sum to less are the same."""
CERTAIN = 1e-7
"""Chance that an answer given before the last sign pattern isn't the one that all patterns give."""
ROWS = 256
"""Candidates whose leads are computed at once."""


@dataclass(frozen=True, eq=False)
class BestSet:
    """Who may be the best, in the order of the configurations.

    Attributes
    ----------
    mean : float64, shape (configurations,)
        Over the questions.
    behind : float64, shape (configurations,)
        How far the mean is below the highest one, >= 0.
    best : bool, shape (configurations,)
        True for those with the highest mean; several if they are equally good.
    member : bool, shape (configurations,)
        True for those that can't be told from the best.
    alpha : float
        Level of the test that a configuration fails to be left out.
    patterns : int
        Sign patterns at most.
    exact : bool
        True if those were all there are.
    """

    mean: FloatArray
    behind: FloatArray
    best: BoolArray
    member: BoolArray
    alpha: float
    patterns: int
    exact: bool


def set_of_best(
    values: FloatArray, *, alpha: float = 0.05, resamples: int = 10_000, seed: int = 0
) -> BestSet:
    """Every configuration that no other one beats beyond chance: multiple comparisons with the best.

    Hsu (Annals of Statistics 1981), by randomisation. A configuration is left out if another one leads it by
    more than chance explains, with all other ones taken into account: the largest studentised lead over it
    is compared with the largest one under sign flips of whole questions. The truly best configuration is
    left out with a probability of at most `alpha`, however many there are, so the set is a confidence set
    for it. Which of several configurations that are truly equal stay in is bounded for each of them alone.

    Why not the randomised range (`pairs.all_pairs`): that protects all pairs, though only those with the best
    matter, and has one critical difference for all. In a sweep close relatives differ little and steadily,
    strangers much and erratically; the strangers' variance would keep every relative of the best in the set.

    A lead whose p-value is at most `alpha` by Hoeffding's bound for sign flips, times the number of
    configurations, is decided without flips. The others are left as soon as the answer is certain.

    Parameters
    ----------
    values : float64, shape (configurations, questions)
        One measure; answerable questions only.
    alpha
        Of the test; the confidence of the set is 1 - `alpha`.
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
    mean = table.mean(axis=1)
    behind = mean.max() - mean
    best: BoolArray = behind <= TIE
    distinct, place = distinct_rows(table)
    member: BoolArray = _candidates(distinct, flips, alpha)[place] | best
    return BestSet(settled(mean), settled(behind), best, member, alpha, flips.number, flips.exact)


def _candidates(rows: FloatArray, flips: Flips, alpha: float) -> BoolArray:
    """Which of the rows nobody beats, bool, shape (rows,)."""
    centred = rows - rows.mean(axis=0)
    lead = np.concatenate([_leads(centred, at).max(axis=1) for at in _slices(len(rows))])
    # Hoeffding (JASA 1963): flips bring a sum to x sqrt(sum d^2) with a probability of at most exp(-x^2 / 2).
    chance = (len(rows) - 1) * np.exp(-0.5 * rows.shape[1] * np.maximum(lead, 0.0) ** 2)
    possible = chance > alpha
    return _decide(centred, lead, np.flatnonzero(possible), flips, alpha)


def _slices(number: int) -> list[slice]:
    return [slice(start, start + ROWS) for start in range(0, number, ROWS)]


def _leads(centred: FloatArray, at: slice) -> FloatArray:
    """Studentised lead of every configuration over some of them, from -1 to 1, shape (some, all)."""
    sums = centred.sum(axis=1)
    result: FloatArray = (sums - sums[at, np.newaxis]) * _scales(centred, at)
    return result


def _scales(centred: FloatArray, at: slice) -> FloatArray:
    """1 / sqrt(n * sum of squared differences) from some rows to all, 0 where they are the same."""
    squares = (centred**2).sum(axis=1)
    apart = squares[at, np.newaxis] + squares - 2.0 * (centred[at] @ centred.T)
    scale = np.sqrt(centred.shape[1] * np.maximum(apart, 0.0))
    result: FloatArray = np.divide(1.0, scale, out=np.zeros_like(scale), where=apart > SAME)
    return result


def _decide(
    centred: FloatArray, lead: FloatArray, candidates: IntArray, flips: Flips, alpha: float
) -> BoolArray:
    """For each candidate, whether flips reach its largest lead more often than `alpha` allows."""
    reached = np.zeros(len(centred))
    member = np.zeros(len(centred), dtype=np.bool_)
    seen = 0
    for signs in flips.blocks():
        seen += len(signs)
        flipped = signs @ centred.T
        for row in candidates:
            reached[row] += _reaching(flipped, row, centred, lead[row])
        least, most = _limits(seen, flips, alpha)
        member[candidates] = reached[candidates] > most
        candidates = candidates[(reached[candidates] >= least) & (reached[candidates] <= most)]
        if not len(candidates):
            break
    return member


def _reaching(flipped: FloatArray, row: int, centred: FloatArray, lead: float) -> int:
    """How many flips give another configuration a lead over `row` as large as the observed one."""
    leads = flipped - flipped[:, [row]]
    leads *= _scales(centred, slice(row, row + 1))
    return int((leads.max(axis=1) >= lead - CLOSE).sum())


def _limits(seen: int, flips: Flips, alpha: float) -> tuple[int, int]:
    """Counts from the least to the most one leave the answer open; the others are out below and in above."""
    allowed = flips.allowed(alpha)
    if seen == flips.number:
        return allowed + 1, allowed
    if flips.exact:
        return 0, allowed
    below = bdtr(np.arange(seen + 1), seen, alpha)
    return int(np.searchsorted(below, CERTAIN)), min(int(np.searchsorted(below, 1.0 - CERTAIN)), allowed)
