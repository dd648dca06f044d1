"""Exact cosine search whose bytes don't depend on batch shape or threads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray, IndexArray
from rag_sweep.order_keys import best
from rag_sweep.ranking import EMPTY, Rankings, gathered, stacked

QUERY_BLOCK = 64
PASSAGE_BLOCK = 2048
"""Matrix products are made of padded blocks of one shape: for another a BLAS may sum in another order."""


@dataclass(frozen=True, eq=False)
class Vectors:
    """Embedded passages and questions.

    Attributes
    ----------
    passages, queries : float64, shapes (passages, width), (queries, width)
        As the embedder gave them, not normalised.
    """

    passages: FloatArray
    queries: FloatArray

    @property
    def width(self) -> int:
        """The components there are; `dim` can't use more."""
        return int(self.passages.shape[1])

    def search(self, dim: int, depth: int, silent: BoolArray | None = None) -> Rankings:
        """The best `depth` passages a query; scores of 0 and below are kept.

        A question without tokens (`silent`, bool, shape (queries,)) gets an empty ranking, and so does one
        whose vector is zero: it has no direction, so there is no cosine.
        """
        found = stacked([best(scores, depth, bound=2.0) for _, scores in self._score_blocks(dim)])
        return self._heard(found, dim, silent)

    def _heard(self, found: Rankings, dim: int, silent: BoolArray | None) -> Rankings:
        """The rankings, emptied where a question has no token or no direction."""
        empty = ~self.queries[:, :dim].any(axis=1)
        if silent is not None:
            empty |= silent
        found.items[empty] = EMPTY
        found.scores[empty] = -np.inf
        return found

    def score(self, dim: int, candidates: Rankings) -> FloatArray:
        """The true cosines of given passages, shape of `candidates.items`; 0 at padding."""
        scores: FloatArray = self.score_many(dim, candidates.items[None])[0]
        return scores

    def score_many(self, dim: int, items: IndexArray) -> FloatArray:
        """The true cosines of several sets of candidates, int32, shape (sets, queries, depth)."""
        scores = np.zeros(items.shape)
        for rows, every in self._score_blocks(dim):
            scores[:, rows] = gathered(every, items[:, rows])
        return scores

    def _score_blocks(self, dim: int) -> Iterator[tuple[slice, FloatArray]]:
        """Cosines of every passage over the first `dim` components, by blocks of queries, not rounded."""
        passages, queries = self._passages(dim), self._normalised(dim)
        for start in range(0, len(queries), QUERY_BLOCK):
            block = queries[start : start + QUERY_BLOCK]
            scores = products(padded_to(QUERY_BLOCK, block), passages)
            yield slice(start, start + len(block)), scores[: len(block), : len(self.passages)]

    def _passages(self, dim: int) -> FloatArray:
        """The passages over the first `dim` components, of length 1, in whole blocks."""
        return padded_to(PASSAGE_BLOCK, normalised(self.passages[:, :dim]))

    def _normalised(self, dim: int) -> FloatArray:
        """The questions over the first `dim` components, of length 1."""
        return normalised(self.queries[:, :dim])


def normalised(vectors: FloatArray) -> FloatArray:
    """Rows of Euclidean length 1; zero rows stay zero."""
    norms = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    result: FloatArray = vectors / np.where(norms == 0, 1.0, norms)
    return result


def padded_to(block: int, vectors: FloatArray) -> FloatArray:
    """The rows, then rows of zeros up to a whole number of blocks."""
    padded = np.zeros((-(-len(vectors) // block) * block, vectors.shape[1]))
    padded[: len(vectors)] = vectors
    return padded


def products(queries: FloatArray, passages: FloatArray) -> FloatArray:
    """Products of each two rows, shape (`QUERY_BLOCK`, passages); passages are whole blocks."""
    blocks = [
        queries @ passages[start : start + PASSAGE_BLOCK].T
        for start in range(0, len(passages), PASSAGE_BLOCK)
    ]
    return np.concatenate(blocks, axis=1)
