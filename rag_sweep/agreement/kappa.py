"""Cohen's kappa of a confusion table, with its interval, and exact intervals of shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy.special import betaincinv

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.checks import is_count, require
from rag_sweep.statistics.table import TIE, check_share, settle

Weights = Literal["none", "linear", "quadratic"]

FEW = 5
"""With fewer disagreements a bootstrap repeats what little there is, and its lower end is too high."""


@dataclass(frozen=True)
class Share:
    """`count` of `of`, with the interval of Clopper and Pearson; None of nothing.

    Attributes
    ----------
    value, lower, upper
        0 to 1.
    """

    count: int
    of: int
    value: float | None
    lower: float | None
    upper: float | None


@dataclass(frozen=True)
class Kappa:
    """Agreement beyond chance: 1 is perfect, 0 is what chance gives, below is worse.

    Attributes
    ----------
    value
        None where it isn't defined; `reason` says why.
    lower, upper
        Of a two-sided interval; None where it can't be told.
    reason
        ``no_cases``; ``one_kind``: both sides gave everything the same label, so chance alone agrees always.
        Without an interval, though with a value: ``constant``: one side gave everything the same label, so
        kappa is 0 whatever the other says; ``too_few_of_a_kind``. None where all is there.
    of
        Cases.
    """

    value: float | None
    lower: float | None
    upper: float | None
    reason: str | None
    weights: Weights
    of: int


def share(count: int, of: int, level: float = 0.95) -> Share:
    """A share with its exact interval (Clopper and Pearson, Biometrika 1934)."""
    check_share("level", level)
    if not of:
        return Share(0, 0, None, None, None)
    tail = (1.0 - level) / 2.0
    lower = float(betaincinv(count, of - count + 1, tail)) if count else 0.0
    upper = float(betaincinv(count + 1, of - count, 1.0 - tail)) if count < of else 1.0
    return Share(count, of, settle(count / of), settle(lower), settle(upper))


def confusion(a: IntArray, b: IntArray, categories: int) -> IntArray:
    """How often each pair of labels occurs, int64, shape (categories, categories): rows `a`, columns `b`."""
    counts = np.bincount(a * categories + b, minlength=categories**2)
    return counts.reshape(categories, categories).astype(np.int64)


def distances(categories: int, weights: Weights) -> FloatArray:
    """How much a disagreement counts, 0 to 1, shape (categories, categories) (Cohen, Psych. Bull. 1968)."""
    known = get_args(Weights)
    require("weights", weights, f"one of {', '.join(known)}", weights in known)
    place = np.arange(categories, dtype=np.float64)
    apart = np.abs(place[:, np.newaxis] - place)
    if weights == "none":
        return (apart > 0).astype(np.float64)
    relative: FloatArray = apart / max(categories - 1, 1)
    return relative if weights == "linear" else relative**2


def kappas(tables: FloatArray, weighed: FloatArray) -> FloatArray:
    """Kappa of each table, shape (tables, categories, categories); NaN where chance leaves nothing to tell.

    ``1 - disagreement seen / disagreement by chance`` (Cohen, Educ. Psych. Meas. 1960; 1968).
    """
    shares = tables / np.maximum(tables.sum(axis=(1, 2), keepdims=True), 1.0)
    by_chance = shares.sum(axis=2)[:, :, np.newaxis] * shares.sum(axis=1)[:, np.newaxis, :]
    seen = (shares * weighed).sum(axis=(1, 2))
    chance = (by_chance * weighed).sum(axis=(1, 2))
    ratio = np.divide(seen, chance, out=np.full_like(seen, np.nan), where=chance > TIE)
    result: FloatArray = 1.0 - ratio
    return result


def kappa(
    table: IntArray,
    weights: Weights = "none",
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Kappa:
    """Kappa of a confusion table with a percentile bootstrap interval over cases.

    A resample of cases is a draw of the table's cells. Those in which kappa isn't defined are left out; where
    they are more than a tail of the interval there is none. With fewer than `FEW` disagreements the lower end
    is not above that of the exact interval of the share of disagreements, each of full weight, so that
    perfect agreement on few cases has no interval of zero width.

    Parameters
    ----------
    table : int64, shape (categories, categories)
        As `confusion` gives it.
    weights
        ``none``; ``linear`` or ``quadratic`` where the order of the categories means something.
    """
    check_share("level", level)
    require("resamples", resamples, "an int >= 1", is_count(resamples))
    of, weighed = int(table.sum()), distances(len(table), weights)
    if not of:
        return Kappa(None, None, None, "no_cases", weights, 0)
    value = float(kappas(table[np.newaxis].astype(np.float64), weighed)[0])
    if np.isnan(value):
        return Kappa(None, None, None, "one_kind", weights, of)
    if min(np.count_nonzero(table.sum(axis=0)), np.count_nonzero(table.sum(axis=1))) == 1:
        return Kappa(settle(value), None, None, "constant", weights, of)
    ends = _ends(table, weighed, level, resamples, seed)
    if ends is None:
        return Kappa(settle(value), None, None, "too_few_of_a_kind", weights, of)
    lower, upper = min(ends[0], value), max(ends[1], value)
    apart = of - int(np.trace(table))
    if apart < FEW:
        lower = min(lower, _bounded(table, weighed, apart, level))
    return Kappa(settle(value), settle(lower), settle(upper), None, weights, of)


def _ends(
    table: IntArray, weighed: FloatArray, level: float, resamples: int, seed: int
) -> tuple[float, float] | None:
    of, tail = int(table.sum()), (1.0 - level) / 2.0
    drawn = np.random.default_rng(seed).multinomial(of, table.ravel() / of, resamples)
    found = kappas(drawn.reshape(resamples, *table.shape).astype(np.float64), weighed)
    defined = found[~np.isnan(found)]
    if len(defined) < (1.0 - tail) * resamples:
        return None
    lower, upper = np.quantile(defined, [tail, 1.0 - tail])
    return float(lower), float(upper)


def _bounded(table: IntArray, weighed: FloatArray, apart: int, level: float) -> float:
    """Kappa if as many disagreed, as far as can be, as the exact interval allows, at the same chance."""
    of = int(table.sum())
    occur = (table.sum(axis=0) + table.sum(axis=1)) > 0
    most = (share(apart, of, level).upper or 0.0) * float(weighed[np.ix_(occur, occur)].max())
    by_chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / of**2
    return max(-1.0, 1.0 - most / float((by_chance * weighed).sum()))
