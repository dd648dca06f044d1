"""Ranked lists and the one order of ties.

Everywhere: scores in float64, rounded to 9 decimals, then score descending, document id, start, end.
Passages are numbered in the order (document id, start, end), so the last three are "lower number first".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray, IndexArray

DECIMALS = 9
"""Scores that differ by less are a tie: it hides the last bits, in which machines differ."""

EMPTY = -1
"""Padding of `Rankings.items` behind the end of a ranking."""


@dataclass(frozen=True, eq=False)
class Rankings:
    """One ranking a query, best first.

    Attributes
    ----------
    items : int32, shape (queries, depth)
        Passage or document numbers, each at most once a row; `EMPTY` behind the end.
    scores : float64, shape (queries, depth)
        Their scores, rounded; ``-inf`` behind the end.
    """

    items: IndexArray
    scores: FloatArray

    @property
    def lengths(self) -> IndexArray:
        """How many items each query has, int32, shape (queries,)."""
        lengths: IndexArray = (self.items != EMPTY).sum(axis=1, dtype=np.int32)
        return lengths

    def head(self, depth: int) -> Rankings:
        """The first `depth` ranks of every query."""
        return Rankings(self.items[:, :depth], self.scores[:, :depth])

    def trimmed(self) -> Rankings:
        """The same without columns that are padding for every query."""
        return self.head(int(self.lengths.max(initial=0)))


def rounded(scores: FloatArray) -> FloatArray:
    """Scores as they are compared: 9 decimals, no negative zero."""
    result: FloatArray = np.round(scores, DECIMALS) + 0.0
    return result


def top(scores: FloatArray, depth: int) -> Rankings:
    """The best `depth` items of every row, without sorting the rest.

    Parameters
    ----------
    scores : float64, shape (queries, items)
        Rounded; ``-inf`` where an item is not to be returned.
    depth
        At least 1.
    """
    depth = min(depth, scores.shape[1])
    if depth == 0:
        return Rankings(np.empty((len(scores), 0), np.int32), np.empty((len(scores), 0)))
    border = np.partition(scores, scores.shape[1] - depth, axis=1)[:, -depth, None]
    row, item = np.nonzero((scores >= border) & (scores > -np.inf))
    return _ranked(row, item, scores[row, item], len(scores), depth)


def _ranked(row: np.ndarray, item: np.ndarray, score: FloatArray, rows: int, depth: int) -> Rankings:
    """Sort candidates that stand by (row, item) and keep the first `depth` of each row."""
    order = np.lexsort((-score, row))  # stable: equal scores keep the lower item first
    row, item, score = row[order], item[order], score[order]
    rank = np.arange(len(row)) - np.searchsorted(row, np.arange(rows))[row]
    kept = rank < depth
    items = np.full((rows, depth), EMPTY, np.int32)
    kept_scores = np.full((rows, depth), -np.inf)
    items[row[kept], rank[kept]] = item[kept]
    kept_scores[row[kept], rank[kept]] = score[kept]
    return Rankings(items, kept_scores)


def fold(passages: Rankings, document_of: IndexArray, depth: int) -> Rankings:
    """Passages to documents by the best passage: a document stands where its first passage stood.

    Parameters
    ----------
    passages
        Rankings of passages in their final order.
    document_of : int32, shape (passages,)
        The document of each passage.
    depth
        How many documents to keep.

    Returns
    -------
    Rankings
        Of documents, shape (queries, depth); the score is that of the document's first passage.
    """
    documents = np.where(passages.items == EMPTY, EMPTY, document_of[passages.items])
    keep = first_occurrence(documents)
    rank = np.cumsum(keep, axis=1) - 1
    row, column = np.nonzero(keep & (rank < depth))
    items = np.full((len(documents), depth), EMPTY, np.int32)
    scores = np.full((len(documents), depth), -np.inf)
    items[row, rank[row, column]] = documents[row, column]
    scores[row, rank[row, column]] = passages.scores[row, column]
    return Rankings(items, scores)


def first_occurrence(items: IndexArray) -> BoolArray:
    """True where a row shows an item for the first time; padding is never one."""
    order = np.argsort(items, axis=1, kind="stable")
    ordered = np.take_along_axis(items, order, axis=1)
    new = np.ones(items.shape, dtype=np.bool_)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    result = np.empty(items.shape, dtype=np.bool_)
    np.put_along_axis(result, order, new, axis=1)
    result &= items != EMPTY
    return result


@dataclass(frozen=True, eq=False)
class Pooled:
    """The union of several branches' rankings.

    Attributes
    ----------
    items : int32, shape (queries, union)
        Ascending in every row, then `EMPTY`.
    ranks : float64, shape (branches, queries, union)
        Rank from 1 in each branch; ``inf`` where the branch did not return the item.
    """

    items: IndexArray
    ranks: FloatArray

    def ranked(self, scores: FloatArray) -> Rankings:
        """Rank the union by `scores`, shape (queries, union)."""
        scores = np.where(self.items == EMPTY, -np.inf, rounded(scores))
        order = np.argsort(-scores, axis=1, kind="stable")
        return Rankings(
            np.take_along_axis(self.items, order, axis=1), np.take_along_axis(scores, order, axis=1)
        )


def pool(branches: Sequence[Rankings]) -> Pooled:
    """Unite rankings of the same queries, remembering each branch's ranks."""
    everything = np.concatenate([branch.items for branch in branches], axis=1)
    last = np.iinfo(np.int32).max
    union = np.sort(np.where(first_occurrence(everything), everything, last), axis=1)
    width = int((union != last).sum(axis=1).max(initial=0))
    union = union[:, :width]
    ranks = np.full((len(branches), *union.shape), np.inf)
    for at, branch in enumerate(branches):
        row, column = np.nonzero(branch.items != EMPTY)
        ranks[at, row, _positions(union, row, branch.items[row, column])] = column + 1.0
    return Pooled(np.where(union == last, EMPTY, union), ranks)


def _positions(union: IndexArray, row: np.ndarray, item: IndexArray) -> np.ndarray:
    """Where each (row, item) stands in the ascending rows of `union`."""
    stride = int(np.iinfo(np.int32).max) + 1
    keys = (union + np.arange(len(union), dtype=np.int64)[:, None] * stride).ravel()
    found: np.ndarray = np.searchsorted(keys, row.astype(np.int64) * stride + item) - row * union.shape[1]
    return found


def reorder(ranking: Rankings, scores: FloatArray) -> Rankings:
    """Order the first columns anew by `scores`; the rest follow as they stood.

    Parameters
    ----------
    scores : float64, shape (queries, depth)
        New scores of the first `depth` items; ignored at padding.
    """
    depth = scores.shape[1]
    head = ranking.items[:, :depth]
    new = np.where(head == EMPTY, -np.inf, rounded(scores))
    order = np.lexsort((head, -new), axis=1)
    items, kept = ranking.items.copy(), ranking.scores.copy()
    items[:, :depth] = np.take_along_axis(head, order, axis=1)
    kept[:, :depth] = np.take_along_axis(new, order, axis=1)
    return Rankings(items, kept)
