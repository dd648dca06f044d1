"""The set of the best: the configurations that can't be told from the best one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
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
RIVALS = 200
"""Rivals that are looked at first, where there are many."""
NEAR = 65_536
"""Numbers that are worked on at once: 256 KB."""
ROUGH = 1e-6
"""Relative error of differences in single precision, at most: four roundings of 6e-8, and room."""


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
    race = _Race(rows - rows.mean(axis=0))
    lead = np.concatenate([race.leads(at).max(axis=1) for at in _slices(len(rows))])
    # Hoeffding (JASA 1963): flips bring a sum to x sqrt(sum d^2) with a probability of at most exp(-x^2 / 2).
    chance = (len(rows) - 1) * np.exp(-0.5 * rows.shape[1] * np.maximum(lead, 0.0) ** 2)
    open_, member = np.flatnonzero(chance > alpha), np.zeros(len(rows), dtype=np.bool_)
    if len(rows) > 2 * RIVALS:
        # What some rivals reach, all reach: that shows who is in, at a fraction of the work.
        some = np.linspace(0, len(rows) - 1, RIVALS).astype(np.int64)
        member |= _decide(race, some, lead, open_, flips, alpha)
        open_ = open_[~member[open_]]
    return member | _decide(race, np.arange(len(rows)), lead, open_, flips, alpha)


def _slices(number: int) -> list[slice]:
    return [slice(start, start + ROWS) for start in range(0, number, ROWS)]


class _Race:
    """Studentised leads of configurations over each other."""

    def __init__(self, centred: FloatArray) -> None:
        self.centred = centred
        self._sums, self._squares = centred.sum(axis=1), (centred**2).sum(axis=1)

    def leads(self, at: slice) -> FloatArray:
        """Lead of every configuration over some of them, from -1 to 1, shape (some, all)."""
        error = self.errors(np.arange(len(self.centred))[at], self.centred)
        ahead = self._sums - self._sums[at, np.newaxis]
        leads: FloatArray = np.divide(ahead, error, out=np.zeros_like(error), where=error > 0)
        return leads

    def errors(self, rows: IntArray, others: FloatArray) -> FloatArray:
        """sqrt(n * sum of squared differences) from some rows to others, 0 where they are the same."""
        squares = self._squares if others is self.centred else (others**2).sum(axis=1)
        apart = self._squares[rows, np.newaxis] + squares - 2.0 * (self.centred[rows] @ others.T)
        error: FloatArray = np.sqrt(self.centred.shape[1] * np.where(apart > SAME, apart, 0.0))
        return error


def _decide(
    race: _Race, rivals: IntArray, lead: FloatArray, candidates: IntArray, flips: Flips, alpha: float
) -> BoolArray:
    """For each candidate, whether flips of the rivals reach its lead more often than `alpha` allows."""
    reached = np.zeros(len(lead), dtype=np.int64)
    member = np.zeros(len(lead), dtype=np.bool_)
    others = race.centred if len(rivals) == len(lead) else race.centred[rivals]
    seen = 0
    for signs in flips.blocks():
        seen += len(signs)
        block = _Block.of(signs @ others.T)
        own = block.sums if others is race.centred else signs @ race.centred[candidates].T
        for part in _slices(len(candidates)):
            rows = candidates[part]
            errors = race.errors(rows, others)
            columns = rows if others is race.centred else np.arange(len(candidates))[part]
            for row, error, column in zip(rows.tolist(), errors, columns.tolist(), strict=True):
                reached[row] += _reaching(block, own[:, column], error, lead[row])
        least, most = _limits(seen, flips, alpha)
        member[candidates] = reached[candidates] > most
        candidates = candidates[(reached[candidates] >= least) & (reached[candidates] <= most)]
        if not len(candidates):
            break
    return member


@dataclass(frozen=True, eq=False)
class _Block:
    """Sums of rivals, shape (patterns, rivals); `rough` in single precision, which is twice as fast."""

    sums: FloatArray
    rough: NDArray[np.float32]
    largest: float

    @classmethod
    def of(cls, sums: FloatArray) -> _Block:
        """With the largest absolute sum."""
        return cls(sums, sums.astype(np.float32), float(np.abs(sums).max()))

    def highest(self, minus: FloatArray) -> FloatArray:
        """The highest sum minus `minus` of each pattern, roughly; in parts that stay near the processor."""
        less, size = minus.astype(np.float32), max(1, NEAR // len(minus))
        ahead = np.empty((size, len(minus)), dtype=np.float32)
        highest = np.empty(len(self.sums), dtype=np.float32)
        for start in range(0, len(highest), size):
            part = self.rough[start : start + size]
            np.subtract(part, less, out=ahead[: len(part)])
            ahead[: len(part)].max(axis=1, out=highest[start : start + size])
        return highest.astype(np.float64)


def _reaching(block: _Block, own: FloatArray, error: FloatArray, lead: float) -> int:
    """How many flips give a rival a lead over one configuration as large as the observed one.

    Parameters
    ----------
    own : float64, shape (patterns,)
        Sums of the configuration.
    error : float64, shape (rivals,)
        See `_Race.errors`.
    """
    least = lead - CLOSE
    if least <= 0.0:  # it isn't behind anybody
        return len(own)
    needed = error * least
    size = max(block.largest, float(needed.max()), float(np.abs(own).max()))
    needed[error == 0.0] = np.inf
    ahead = block.highest(needed) - own
    doubt = np.abs(ahead) <= ROUGH * size
    again = (block.sums[doubt] - needed).max(axis=1) >= own[doubt]
    return int((ahead[~doubt] > 0.0).sum() + again.sum())


def _limits(seen: int, flips: Flips, alpha: float) -> tuple[int, int]:
    """Counts from the least to the most one leave the answer open; the others are out below and in above."""
    allowed = flips.allowed(alpha)
    if seen == flips.number:
        return allowed + 1, allowed
    if flips.exact:
        return 0, allowed
    below = bdtr(np.arange(seen + 1), seen, alpha)
    return int(np.searchsorted(below, CERTAIN)), min(int(np.searchsorted(below, 1.0 - CERTAIN)), allowed)
