"""What moves a judge beside the answer's worth: its length, the order of what is shown, the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr

from rag_sweep.agreement.kappa import FEW, Share, share
from rag_sweep.arrays import FloatArray
from rag_sweep.statistics.intervals import resample_counts
from rag_sweep.statistics.table import TIE, settle


@dataclass(frozen=True)
class LengthBias:
    """Whether a judge, against people, is kinder to longer answers.

    Attributes
    ----------
    slope
        Change of (the judge's grade minus the person's), on a scale from 0 to 1, for each doubling of the
        length in words: positive is kinder to long ones.
    lower, upper
        Of the slope: percentile bootstrap over cases; None where it can't be told.
    correlation
        Pearson's, -1 to 1: point-biserial where the judge errs to one side only.
    reason
        Why there is nothing to tell: ``too_few_cases``, ``no_disagreement``, ``same_everywhere`` (the judge
        differs from people by the same in every case), ``same_length`` or ``unknown_length``. Without an
        interval, though with a slope: ``too_few_disagreements``; ``too_few_lengths`` (many resamples have one
        length only). None where all is there.
    """

    slope: float | None
    lower: float | None
    upper: float | None
    correlation: float | None
    reason: str | None
    of: int


@dataclass(frozen=True)
class OrderBias:
    """Whether verdicts change when what is shown comes in reverse order.

    Attributes
    ----------
    flipped
        Of the cases that were judged both times.
    to_pass, to_fail
        How many of the flips go from failed to passed with the order reversed, and back.
    p_value
        Two-sided, of the exact sign test that flips have no direction; None without any.
    moved
        Mean change of the value, reversed minus given; None where nothing was judged both times.
    not_judged
        Cases that weren't measured, or weren't applicable, in one of the two.
    not_reversed
        Cases of which nothing can be reversed: what the judge is shown is the same. They count in nothing.
    reason
        ``nothing_to_reverse``: of no case; else None.
    """

    flipped: Share
    to_pass: int
    to_fail: int
    p_value: float | None
    moved: float | None
    not_judged: int
    not_reversed: int
    reason: str | None


@dataclass(frozen=True)
class Consistency:
    """Whether the same call gives the same again.

    Attributes
    ----------
    same
        Cases with one verdict in all rounds, of those that were judged in all.
    rounds
        How often each was judged.
    spread
        The largest range of the value of a case; None where nothing was judged in all rounds.
    """

    same: Share
    rounds: int
    spread: float | None
    not_judged: int


Outcome = tuple[bool, float]
"""Whether it passed, and its value from 0 to 1."""


def length_bias(
    higher: Sequence[float],
    words: Sequence[int | None],
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> LengthBias:
    """The slope of `higher` over the logarithm of `words`, by least squares.

    Parameters
    ----------
    higher
        Of each case, the judge's grade minus the person's, -1 to 1.
    words
        Length of each answer; None where it isn't known, and then nothing is told of any.
    """
    y = np.asarray(higher, dtype=np.float64)
    known = [one for one in words if one is not None]
    if len(known) < len(words):
        return LengthBias(None, None, None, None, "unknown_length", len(y))
    x = np.log2(np.maximum(np.asarray(known, dtype=np.float64), 1.0))
    reason = _why_nothing(x, y)
    if reason is not None:
        return LengthBias(None, None, None, None, reason, len(y))
    slope = float(_slopes(x, y, np.ones((len(y), 1)))[0])
    correlation = settle(slope * float(x.std() / y.std()))
    ends = _ends(x, y, level, resamples, seed)
    if isinstance(ends, str):
        return LengthBias(settle(slope), None, None, correlation, ends, len(y))
    return LengthBias(settle(slope), settle(ends[0]), settle(ends[1]), correlation, None, len(y))


def _ends(x: FloatArray, y: FloatArray, level: float, resamples: int, seed: int) -> tuple[float, float] | str:
    """Of the slope, or why there are none: a bootstrap of what hardly varies repeats what little there is."""
    commonest = np.unique(np.round(y, 9), return_counts=True)[1].max()
    if len(y) - commonest < FEW:
        return "too_few_disagreements"
    drawn, tail = _slopes(x, y, resample_counts(len(y), resamples, seed)), (1.0 - level) / 2.0
    defined = drawn[~np.isnan(drawn)]
    if len(defined) < (1.0 - tail) * resamples:
        return "too_few_lengths"
    lower, upper = np.quantile(defined, [tail, 1.0 - tail])
    return float(lower), float(upper)


def _why_nothing(x: FloatArray, y: FloatArray) -> str | None:
    if len(y) < 3:
        return "too_few_cases"
    if np.ptp(y) <= TIE:
        return "no_disagreement" if abs(y[0]) <= TIE else "same_everywhere"
    return "same_length" if np.ptp(x) <= TIE else None


def _slopes(x: FloatArray, y: FloatArray, counts: FloatArray) -> FloatArray:
    """Of each column of `counts`, shape (cases, resamples); NaN where all lengths are equal."""
    of = counts.sum(axis=0)
    mean_x, mean_y = x @ counts / of, y @ counts / of
    spread = (x * x) @ counts / of - mean_x**2
    together = (x * y) @ counts / of - mean_x * mean_y
    result: FloatArray = np.divide(together, spread, out=np.full_like(of, np.nan), where=spread > TIE)
    return result


def order_bias(
    given: Sequence[Outcome | None],
    swapped: Sequence[Outcome | None],
    level: float = 0.95,
    *,
    not_reversed: int = 0,
) -> OrderBias:
    """Compare verdicts case by case; None is one that there isn't.

    Parameters
    ----------
    not_reversed
        How many more cases there are of which nothing can be reversed.
    """
    both = [
        (one, other)
        for one, other in zip(given, swapped, strict=True)
        if one is not None and other is not None
    ]
    to_pass = sum(not one[0] and other[0] for one, other in both)
    to_fail = sum(one[0] and not other[0] for one, other in both)
    moved = settle(sum(other[1] - one[1] for one, other in both) / len(both)) if both else None
    return OrderBias(
        share(to_pass + to_fail, len(both), level),
        to_pass,
        to_fail,
        sign_test(to_pass, to_fail),
        moved,
        len(given) - len(both),
        not_reversed,
        None if given else "nothing_to_reverse",
    )


def sign_test(up: int, down: int) -> float | None:
    """Two-sided exact p of so many ups and downs where either is as likely; None without any."""
    if not up + down:
        return None
    return settle(min(1.0, 2.0 * float(bdtr(min(up, down), up + down, 0.5))))


def consistency(rounds: Sequence[Sequence[Outcome | None]], level: float = 0.95) -> Consistency:
    """Compare rounds over the same cases; None is a verdict that there isn't."""
    cases = list(zip(*rounds, strict=True))
    whole = [[one for one in case if one is not None] for case in cases if None not in case]
    same = sum(len({passed for passed, _ in case}) == 1 for case in whole)
    ranges = [max(value for _, value in case) - min(value for _, value in case) for case in whole]
    spread = settle(max(ranges)) if ranges else None
    return Consistency(share(same, len(whole), level), len(rounds), spread, len(cases) - len(whole))
