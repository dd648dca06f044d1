"""Measures: the grades of a ranking, in rank order, to a number.

Every measure takes

grades : int, shape (..., queries, depth)
    Grade of the document at each rank; 0 where it is unjudged, judged not relevant, or missing. Leading
    axes are free: many configurations are one array operation. No document stands twice in a row.
ideal : int, shape (queries, r)
    Grades (> 0) of all relevant documents of each query, descending, padded with 0. Denominators come
    from here, so from the gold alone.
k : int >= 1
    Cutoff. Ranks beyond the end of a ranking count as not relevant, so `k` may exceed `depth`.

and gives float64, shape (..., queries), in [0, 1]; NaN for a query without a relevant document, so that no
mean can take it in by mistake. `docs/measures.md` has the formulas and their sources.

A row's value depends, to the last bit, on that row and `k` alone: sums run over the ranks in order by
elementwise operations. `numpy.sum` would group the terms by the shape of the whole array.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray, IntArray
from rag_sweep.errors import ConfigError

MeasureFunction: TypeAlias = Callable[[IntArray, IntArray, int], FloatArray]


def hit(grades: IntArray, ideal: IntArray, k: int) -> FloatArray:
    """1 if a relevant document is among the first `k`, else 0 (trec_eval: success)."""
    return _share(_relevant_count(grades, k) > 0, _is_answerable(ideal))


def recall(grades: IntArray, ideal: IntArray, k: int) -> FloatArray:
    """Relevant documents among the first `k`, divided by all relevant documents (trec_eval: recall)."""
    return _share(_relevant_count(grades, k), np.count_nonzero(ideal > 0, axis=-1))


def precision(grades: IntArray, ideal: IntArray, k: int) -> FloatArray:
    """Relevant documents among the first `k`, divided by `k` even if fewer came back (trec_eval: P)."""
    return _share(_relevant_count(grades, k) / k, _is_answerable(ideal))


def reciprocal_rank(grades: IntArray, ideal: IntArray, k: int) -> FloatArray:
    """1 / rank of the first relevant document; 0 if it is not among the first `k`.

    Voorhees (1999), "The TREC-8 Question Answering Track Report".
    """
    first = first_relevant_rank(_top(grades, k))
    inverse = np.divide(1.0, first, out=np.zeros(first.shape), where=first > 0)
    return _share(inverse, _is_answerable(ideal))


def ndcg(grades: IntArray, ideal: IntArray, k: int) -> FloatArray:
    """Discounted cumulative gain over the best possible: gain 2^grade - 1, discount log2(rank + 1).

    Burges et al. (2005), "Learning to Rank using Gradient Descent".
    """
    # Gains are measured in units of 2^(highest grade): exact, and no grade overflows.
    highest = ideal.max(axis=-1, initial=0, keepdims=True)
    return _share(
        _discounted(_exponential_gain(_top(grades, k), highest)),
        _discounted(_exponential_gain(_top(ideal, k), highest)),
    )


def ndcg_linear(grades: IntArray, ideal: IntArray, k: int) -> FloatArray:
    """Discounted cumulative gain over the best possible: gain = grade, discount log2(rank + 1).

    Järvelin and Kekäläinen (2002), "Cumulated gain-based evaluation of IR techniques", with the
    discount of trec_eval's ndcg_cut.
    """
    return _share(_discounted(_linear_gain(_top(grades, k))), _discounted(_linear_gain(_top(ideal, k))))


def average_precision(grades: IntArray, ideal: IntArray, k: int) -> FloatArray:
    """Precision at the rank of each relevant document among the first `k`, summed, over all relevant ones.

    The denominator is the number of relevant documents, not ``min(k, ...)``, as in trec_eval's map_cut.
    """
    relevant = _top(grades, k) > 0
    found = np.zeros(relevant.shape[:-1])
    total = np.zeros(relevant.shape[:-1])
    for rank in range(1, relevant.shape[-1] + 1):
        here = relevant[..., rank - 1]
        found += here
        total += np.where(here, found / rank, 0.0)
    return _share(total, np.count_nonzero(ideal > 0, axis=-1))


MEASURES: Mapping[str, MeasureFunction] = {
    "hit": hit,
    "recall": recall,
    "precision": precision,
    "mrr": reciprocal_rank,
    "ndcg": ndcg,
    "ndcg_linear": ndcg_linear,
    "map": average_precision,
}
"""Every measure by its name in tables, in the order of tables."""


@dataclass(frozen=True)
class Measure:
    """A measure with its cutoff, written ``ndcg@10``.

    Raises
    ------
    ConfigError
        For an unknown name (with the nearest right one) and for a `k` that is not an int >= 1.
    """

    name: str
    k: int

    def __post_init__(self) -> None:
        if self.name not in MEASURES:
            raise ConfigError(_unknown(self.name))
        cutoff(self.k, "measure.k")

    def __str__(self) -> str:
        return f"{self.name}@{self.k}"

    @classmethod
    def parse(cls, text: str, key: str = "measure") -> Measure:
        """The measure written as `text`, such as ``ndcg@10``; errors name it `key`.

        Raises
        ------
        ConfigError
            As the class, and where the cutoff is missing or no whole number from 1.
        """
        name, _, k = text.partition("@")
        if name not in MEASURES:
            raise ConfigError(_unknown(name, key))
        if not (k.isascii() and k.isdigit() and int(k)):
            raise ConfigError(f"{key} must be a name with a cutoff from 1, such as {name}@10, got {text!r}")
        return cls(name, int(k))

    def values(self, grades: IntArray, ideal: IntArray) -> FloatArray:
        """One value a query, shape (..., queries); arrays as the module says."""
        return MEASURES[self.name](grades, ideal, self.k)


def cutoff(value: object, key: str = "k") -> int:
    """`value` if it can be a cutoff.

    Raises
    ------
    ConfigError
        ``k must be an int >= 1, got 0``, with `key` for ``k``.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ConfigError(f"{key} must be an int >= 1, got {value!r}")
    return value


def first_relevant_rank(grades: IntArray) -> IntArray:
    """Rank (from 1) of the first relevant document, int64, shape (..., queries); 0 where there is none."""
    relevant = grades > 0
    if relevant.shape[-1] == 0:  # argmax refuses an axis without entries
        return np.zeros(relevant.shape[:-1], dtype=np.int64)
    rank: IntArray = np.where(relevant.any(axis=-1), relevant.argmax(axis=-1) + 1, 0).astype(np.int64)
    return rank


def auroc(positive: FloatArray, negative: FloatArray) -> float:
    """Chance that a positive's score is above a negative's, ties one half; from 0 to 1.

    The area under the ROC curve (Hanley and McNeil 1982), counted in whole pairs, so exact.

    Parameters
    ----------
    positive, negative : float64, shape (n,) and (m,)
        Scores without NaN; infinities are scores. NaN is the result where a side is empty.
    """
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, side="left").sum(dtype=np.int64)
    not_above = np.searchsorted(ordered, positive, side="right").sum(dtype=np.int64)
    pairs = len(positive) * len(negative)
    return (int(below) + int(not_above)) / (2 * pairs) if pairs else math.nan


def _top(grades: IntArray, k: int) -> IntArray:
    return grades[..., : cutoff(k)]


def _relevant_count(grades: IntArray, k: int) -> IntArray:
    count: IntArray = (_top(grades, k) > 0).sum(axis=-1, dtype=np.int64)
    return count


def _is_answerable(ideal: IntArray) -> BoolArray:
    return np.asarray((ideal > 0).any(axis=-1), dtype=np.bool_)


def _share(part: FloatArray | IntArray | BoolArray, whole: FloatArray | IntArray | BoolArray) -> FloatArray:
    """``part / whole``, and NaN where the whole is 0: a query without a relevant document."""
    result = np.full(part.shape, np.nan)
    np.divide(part, whole, out=result, where=np.broadcast_to(whole > 0, part.shape))
    return result


def _linear_gain(grades: IntArray) -> FloatArray:
    return np.maximum(grades, 0).astype(np.float64)


def _exponential_gain(grades: IntArray, highest: IntArray) -> FloatArray:
    """``(2^grade - 1) / 2^highest``."""
    gain: FloatArray = _power_of_two(np.maximum(grades, 0) - highest) - _power_of_two(-highest)
    return gain


def _power_of_two(exponent: IntArray) -> FloatArray:
    # ldexp is exact where exp2 need not be; it takes a C int, and 2^-4096 is 0 already.
    power: FloatArray = np.ldexp(1.0, np.clip(exponent, -4096, 4096).astype(np.intc))
    return power


def _discounted(gains: FloatArray) -> FloatArray:
    """Sum of ``gain / log2(rank + 1)`` over the last axis, from rank 1 on."""
    total = np.zeros(gains.shape[:-1])
    for rank in range(1, gains.shape[-1] + 1):
        total += gains[..., rank - 1] / math.log2(rank + 1)
    return total


def _unknown(name: str, key: str = "measure") -> str:
    near = difflib.get_close_matches(name.lower(), MEASURES, n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"{key} must be one of {', '.join(MEASURES)}, got {name!r}{hint}"
