"""Exact cosine search whose bytes don't depend on batch shape or threads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray
from rag_sweep.ranking import EMPTY, Rankings, rounded, top

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
    silent : bool, shape (queries,)
        Questions without tokens: they get an empty ranking.
    """

    passages: FloatArray
    queries: FloatArray
    silent: BoolArray

    @property
    def width(self) -> int:
        """The components there are; `dim` can't use more."""
        return int(self.passages.shape[1])

    def score_blocks(self, dim: int) -> Iterator[tuple[slice, FloatArray]]:
        """Rounded cosines of every passage over the first `dim` components, by blocks of queries."""
        passages = _padded(normalised(self.passages[:, :dim]), PASSAGE_BLOCK)
        queries = normalised(self.queries[:, :dim])
        for start in range(0, len(queries), QUERY_BLOCK):
            block = queries[start : start + QUERY_BLOCK]
            scores = _products(_padded(block, QUERY_BLOCK), passages)
            yield slice(start, start + len(block)), rounded(scores[: len(block), : len(self.passages)])

    def search(self, dim: int, depth: int) -> Rankings:
        """The best `depth` passages a query; scores of 0 and below are kept.

        A question without tokens gets an empty ranking, and so does one whose vector is zero: it has no
        direction, so there is no cosine.
        """
        empty = self.silent | ~self.queries[:, :dim].any(axis=1)
        found = [
            top(np.where(empty[block, None], -np.inf, scores), depth)
            for block, scores in self.score_blocks(dim)
        ]
        return Rankings(np.concatenate([r.items for r in found]), np.concatenate([r.scores for r in found]))

    def score(self, dim: int, candidates: Rankings) -> FloatArray:
        """The true cosines of given passages, shape of `candidates.items`; 0 at padding."""
        scores = np.zeros(candidates.items.shape)
        for block, block_scores in self.score_blocks(dim):
            items = candidates.items[block]
            found = np.take_along_axis(block_scores, np.maximum(items, 0).astype(np.int64), axis=1)
            scores[block] = np.where(items == EMPTY, 0.0, found)
        return scores


def normalised(vectors: FloatArray) -> FloatArray:
    """Rows of Euclidean length 1; zero rows stay zero."""
    norms = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    result: FloatArray = vectors / np.where(norms == 0, 1.0, norms)
    return result


def _padded(vectors: FloatArray, block: int) -> FloatArray:
    padded = np.zeros((-(-len(vectors) // block) * block, vectors.shape[1]))
    padded[: len(vectors)] = vectors
    return padded


def _products(queries: FloatArray, passages: FloatArray) -> FloatArray:
    blocks = [
        queries @ passages[start : start + PASSAGE_BLOCK].T
        for start in range(0, len(passages), PASSAGE_BLOCK)
    ]
    return np.concatenate(blocks, axis=1)
