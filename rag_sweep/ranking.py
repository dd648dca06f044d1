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
        The document of each passage, ascending.
    depth
        How many documents to keep.

    Returns
    -------
    Rankings
        Of documents, shape (queries, depth); the score is that of the document's first passage.
    """
    if len(document_of) == int(document_of.max(initial=-1)) + 1:  # one passage each: nothing to fold
        return _padded(
            Rankings(_documents(passages.items[:, :depth], document_of), passages.scores[:, :depth]), depth
        )
    for width in (4 * depth, passages.items.shape[1]):  # most often the first passages are enough
        folded, complete = _folded(passages.head(width), document_of, depth)
        if complete:
            break
    return folded


def _documents(items: IndexArray, document_of: IndexArray) -> IndexArray:
    return np.where(items == EMPTY, EMPTY, document_of[items]).astype(np.int32)


def _padded(rankings: Rankings, depth: int) -> Rankings:
    missing = depth - rankings.items.shape[1]
    if missing <= 0:
        return rankings
    sides = ((0, 0), (0, missing))
    return Rankings(
        np.pad(rankings.items, sides, constant_values=EMPTY),
        np.pad(rankings.scores, sides, constant_values=-np.inf),
    )


def _folded(passages: Rankings, document_of: IndexArray, depth: int) -> tuple[Rankings, bool]:
    """The fold of these ranks, and whether further ranks could add nothing."""
    documents = _documents(passages.items, document_of)
    keep = first_occurrence(documents)
    rank = np.cumsum(keep, axis=1) - 1
    row, column = np.nonzero(keep & (rank < depth))
    items = np.full((len(documents), depth), EMPTY, np.int32)
    scores = np.full((len(documents), depth), -np.inf)
    items[row, rank[row, column]] = documents[row, column]
    scores[row, rank[row, column]] = passages.scores[row, column]
    exhausted = (documents == EMPTY).any(axis=1)
    return Rankings(items, scores), bool((exhausted | (keep.sum(axis=1) >= depth)).all())


def first_occurrence(items: IndexArray) -> BoolArray:
    """True where a row shows an item for the first time; padding is never one."""
    bits = items.shape[1].bit_length()
    keys = (items.astype(np.int64) << bits) | np.arange(items.shape[1], dtype=np.int64)
    keys.sort(axis=1)
    new = np.ones(items.shape, dtype=np.bool_)
    new[:, 1:] = (keys[:, 1:] >> bits) != (keys[:, :-1] >> bits)
    result = np.empty(items.shape, dtype=np.bool_)
    np.put_along_axis(result, keys & ((1 << bits) - 1), new, axis=1)
    result &= items != EMPTY
    return result


def stacked(parts: Sequence[Rankings]) -> Rankings:
    """Rankings of several blocks of queries, one below the other."""
    if len(parts) == 1:
        return parts[0]
    items = np.concatenate([part.items for part in parts])
    return Rankings(items, np.concatenate([part.scores for part in parts]))


def gathered(every: FloatArray, items: IndexArray) -> FloatArray:
    """Rounded scores of given items; 0 at padding.

    Parameters
    ----------
    every : float64, shape (queries, items)
        The scores of all items.
    items : int32, shape (..., queries, depth)
    """
    row = np.arange(len(every))[:, None]
    return np.where(items == EMPTY, 0.0, rounded(every[row, np.maximum(items, 0)]))


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
