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
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray, IntArray
from rag_sweep.errors import ConfigError


class Graded:
    """Grades of rankings and of ideals, with the sums that measures share, each at every cutoff.

    Parameters
    ----------
    grades, ideal
        As the module says.
    cutoffs
        Those that measures will ask for, each >= 1.
    """

    def __init__(self, grades: IntArray, ideal: IntArray, cutoffs: Collection[int]) -> None:
        self.cutoffs = frozenset(cutoff(k) for k in cutoffs)
        self.ranking = np.ascontiguousarray(np.moveaxis(grades, -1, 0))  # ranks first: operations are long
        self.ideal = np.ascontiguousarray(np.moveaxis(ideal, -1, 0))

    @cached_property
    def is_answerable(self) -> BoolArray:
        """True for queries with a relevant document, shape (queries,)."""
        return np.asarray((self.ideal > 0).any(axis=0), dtype=np.bool_)

    @cached_property
    def all_relevant(self) -> IntArray:
        """Number of relevant documents of each query, shape (queries,)."""
        return np.asarray(np.count_nonzero(self.ideal > 0, axis=0), dtype=np.int64)

    @cached_property
    def first_relevant(self) -> IntArray:
        """Rank (from 1) of the first relevant document, shape (..., queries); 0 where there is none."""
        first = np.zeros(self.ranking.shape[1:], dtype=np.int64)
        for rank in range(len(self.ranking), 0, -1):
            first[self.ranking[rank - 1] > 0] = rank
        return first

    @cached_property
    def relevant(self) -> Mapping[int, IntArray]:
        """Number of relevant documents among the first k, by k, shape (..., queries)."""
        return self._through((grades > 0 for grades in self.ranking), self.ranking, np.int64)

    @cached_property
    def precisions(self) -> Mapping[int, FloatArray]:
        """Sum of the precisions at the ranks of relevant documents among the first k, by k."""
        return self._through(self._precision_terms(), self.ranking, np.float64)

    @cached_property
    def gain(self) -> tuple[Mapping[int, FloatArray], Mapping[int, FloatArray]]:
        """Discounted linear gain of the ranking and of the ideal, by k."""
        return self._discounted(self.ranking, _linear_gain), self._discounted(self.ideal, _linear_gain)

    @cached_property
    def exponential_gain(self) -> tuple[Mapping[int, FloatArray], Mapping[int, FloatArray]]:
        """Discounted exponential gain of the ranking and the ideal, by k, in units of 2^(highest grade)."""
        highest = self.ideal.max(axis=0, initial=0)  # in these units no grade overflows, and all is exact

        def gain(grades: IntArray) -> FloatArray:
            return _exponential_gain(grades, highest)

        return self._discounted(self.ranking, gain), self._discounted(self.ideal, gain)

    def _precision_terms(self) -> Iterable[FloatArray]:
        found = np.zeros(self.ranking.shape[1:])
        for rank, grades in enumerate(self.ranking, start=1):
            here = grades > 0
            found += here
            yield np.where(here, found / rank, 0.0)

    def _discounted(
        self, grades: IntArray, gain: Callable[[IntArray], FloatArray]
    ) -> Mapping[int, FloatArray]:
        """Sums of ``gain / log2(rank + 1)``."""
        terms = (gain(here) / math.log2(rank + 1) for rank, here in enumerate(grades, start=1))
        return self._through(terms, grades, np.float64)

    def _through(self, terms: Iterable[np.ndarray], ranks: np.ndarray, dtype: type) -> dict[int, np.ndarray]:
        """Sums over the first k ranks, by k."""
        total: np.ndarray = np.zeros(ranks.shape[1:], dtype=dtype)
        sums = {}
        for rank, term in enumerate(terms, start=1):
            total += term
            if rank in self.cutoffs:
                sums[rank] = total.copy()
        return {k: sums.get(k, total) for k in self.cutoffs}


@dataclass(frozen=True)
class MeasureFunction:
    """A measure: called with grades, ideal and k as the module says.

    `formula` takes `Graded` and one of its cutoffs, where several measures are wanted.
    """

    formula: Callable[[Graded, int], FloatArray]

    def __call__(self, grades: IntArray, ideal: IntArray, k: int) -> FloatArray:
        """Values, shape (..., queries)."""
        return self.formula(Graded(grades, ideal, (k,)), k)


@MeasureFunction
def hit(graded: Graded, k: int) -> FloatArray:
    """1 if a relevant document is among the first `k`, else 0 (trec_eval: success)."""
    return _share(graded.relevant[k] > 0, graded.is_answerable)


@MeasureFunction
def recall(graded: Graded, k: int) -> FloatArray:
    """Relevant documents among the first `k`, divided by all relevant documents (trec_eval: recall)."""
    return _share(graded.relevant[k], graded.all_relevant)


@MeasureFunction
def precision(graded: Graded, k: int) -> FloatArray:
    """Relevant documents among the first `k`, divided by `k` even if fewer came back (trec_eval: P)."""
    return _share(graded.relevant[k] / k, graded.is_answerable)


@MeasureFunction
def reciprocal_rank(graded: Graded, k: int) -> FloatArray:
    """1 / rank of the first relevant document; 0 if it is not among the first `k`.

    Voorhees (1999), "The TREC-8 Question Answering Track Report".
    """
    first = graded.first_relevant
    inverse = np.divide(1.0, first, out=np.zeros(first.shape), where=(first > 0) & (first <= k))
    return _share(inverse, graded.is_answerable)


@MeasureFunction
def ndcg(graded: Graded, k: int) -> FloatArray:
    """Discounted cumulative gain over the best possible: gain 2^grade - 1, discount log2(rank + 1).

    Burges et al. (2005), "Learning to Rank using Gradient Descent".
    """
    found, best = graded.exponential_gain
    return _share(found[k], best[k])


@MeasureFunction
def ndcg_linear(graded: Graded, k: int) -> FloatArray:
    """Discounted cumulative gain over the best possible: gain = grade, discount log2(rank + 1).

    Järvelin and Kekäläinen (2002), "Cumulated gain-based evaluation of IR techniques", with the
    discount of trec_eval's ndcg_cut.
    """
    found, best = graded.gain
    return _share(found[k], best[k])


@MeasureFunction
def average_precision(graded: Graded, k: int) -> FloatArray:
    """Precision at the rank of each relevant document among the first `k`, summed, over all relevant ones.

    The denominator is the number of relevant documents, not ``min(k, ...)``, as in trec_eval's map_cut.
    """
    return _share(graded.precisions[k], graded.all_relevant)


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


def _share(part: FloatArray | IntArray | BoolArray, whole: FloatArray | IntArray | BoolArray) -> FloatArray:
    """``part / whole``, and NaN where the whole is 0: a query without a relevant document."""
    if (whole > 0).all():
        return np.divide(part, whole, dtype=np.float64)
    result = np.full(part.shape, np.nan)
    np.divide(part, whole, out=result, where=np.broadcast_to(whole > 0, part.shape))
    return result


def _linear_gain(grades: IntArray) -> FloatArray:
    return np.maximum(grades, 0).astype(np.float64)


def _exponential_gain(grades: IntArray, highest: IntArray) -> FloatArray:
    """``(2^grade - 1) / 2^highest``; both of shape (..., queries), the grade 0 has no gain."""
    gain = np.zeros(grades.shape)
    at = np.flatnonzero(grades > 0)
    top = highest[at % max(1, grades.shape[-1])]
    gain.reshape(-1)[at] = _power_of_two(grades.reshape(-1)[at] - top) - _power_of_two(-top)
    return gain


def _power_of_two(exponent: IntArray) -> FloatArray:
    # ldexp is exact where exp2 need not be; it takes a C int, and 2^-4096 is 0 already.
    power: FloatArray = np.ldexp(1.0, np.clip(exponent, -4096, 4096).astype(np.intc))
    return power


def _unknown(name: str, key: str = "measure") -> str:
    near = difflib.get_close_matches(name.lower(), MEASURES, n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"{key} must be one of {', '.join(MEASURES)}, got {name!r}{hint}"
