"""Lexical branches: the weight of each posting, and the one search that all of them share."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np
from scipy import sparse

from rag_sweep.arrays import FloatArray
from rag_sweep.checks import require
from rag_sweep.errors import StageFailed
from rag_sweep.ranking import EMPTY, Rankings, rounded, top
from rag_sweep.terms import Postings, TermCounts, postings

BLOCK_CELLS = 16_000_000
"""Scores held at once (128 MB): queries are searched in blocks of rows."""


class Lexical(Protocol):
    """A lexical scoring function that is a sum over query words of posting weights.

    `repeats` says whether a repeated query word counts each time ("count") or once ("distinct").
    """

    repeats: ClassVar[Literal["count", "distinct"]]

    def weigh(self, postings: Postings) -> FloatArray:
        """The weight of each posting, shape (postings,), none negative."""
        ...


def idf(df: FloatArray, N: int) -> FloatArray:
    """Inverse document frequency ``ln(1 + (N - df + 0.5) / (df + 0.5))``, never negative (Lucene 8)."""
    result: FloatArray = np.log(1.0 + (N - df + 0.5) / (df + 0.5))
    return result


def saturated_tf(tf: FloatArray, dl: FloatArray, avgdl: float, k1: float, b: float) -> FloatArray:
    """``tf (k1 + 1) / (tf + k1 (1 - b + b dl / avgdl))``: Robertson et al., Okapi at TREC-3, 1994."""
    return tf * (k1 + 1.0) / (tf + k1 * (1.0 - b + b * dl / avgdl))


@dataclass(frozen=True)
class BM25:
    """Okapi BM25 with the idf of Lucene: (k1 + 1) times what Lucene gives, the same order.

    Parameters
    ----------
    k1
        Saturation of the term frequency, >= 0; 0 ignores how often a word occurs.
    b
        Normalisation by length, 0 (none) to 1 (full).
    """

    k1: float = 1.2
    b: float = 0.75

    repeats: ClassVar[Literal["count", "distinct"]] = "count"

    def __post_init__(self) -> None:
        require("lexical.k1", self.k1, "a number >= 0", 0 <= self.k1 < math.inf)
        require("lexical.b", self.b, "a number from 0 to 1", 0 <= self.b <= 1)

    def weigh(self, postings: Postings) -> FloatArray:
        """idf times saturated tf of each posting, shape (postings,).

        Raises
        ------
        StageFailed
            For a k1 so large that numbers overflow: a weight would be 0, as if the word weren't there.
        """
        dl = postings.lengths[postings.passages]
        try:
            with np.errstate(over="raise"):
                tf = saturated_tf(postings.tf, dl, postings.avgdl, self.k1, self.b)
        except FloatingPointError as error:
            raise StageFailed(f"lexical.k1={self.k1} is too large: {error}") from error
        return idf(postings.df, postings.N)[postings.term] * tf


@dataclass(frozen=True)
class Overlap:
    """The number of distinct query words in the passage: the simplest honest baseline."""

    repeats: ClassVar[Literal["count", "distinct"]] = "distinct"

    def weigh(self, postings: Postings) -> FloatArray:
        """One for each posting."""
        return np.ones_like(postings.tf)


@dataclass(frozen=True, eq=False)
class LexicalIndex:
    """Passages as the queries see them: shared by all members of a family (k1, b, ...)."""

    postings: Postings
    queries: sparse.csr_array

    @classmethod
    def of(cls, passages: TermCounts, queries: TermCounts) -> LexicalIndex:
        """Postings of the queries' terms, with the queries' counts over the same terms."""
        return cls(postings(passages, queries.terms), queries.counts.astype(np.float64))

    def score_blocks(self, lexical: Lexical) -> Iterator[tuple[slice, FloatArray]]:
        """Rounded scores of every passage, block by block of queries; 0 where no word matches.

        Raises
        ------
        StageFailed
            Where a weight is no number: it would look like a passage that doesn't match.
        """
        weights = self.postings.matrix(_checked(lexical.weigh(self.postings), self.postings))
        queries = self.queries if lexical.repeats == "count" else (self.queries > 0).astype(np.float64)
        rows = max(1, BLOCK_CELLS // max(1, self.postings.N))
        for start in range(0, queries.shape[0], rows):
            block = slice(start, min(start + rows, queries.shape[0]))
            yield block, rounded((queries[block] @ weights).toarray())

    def search(self, lexical: Lexical, depth: int) -> Rankings:
        """The best `depth` passages a query; a passage with score 0 is never returned."""
        found = [
            top(np.where(scores > 0, scores, -np.inf), depth) for _, scores in self.score_blocks(lexical)
        ]
        return Rankings(np.concatenate([r.items for r in found]), np.concatenate([r.scores for r in found]))

    def score(self, lexical: Lexical, candidates: Rankings) -> FloatArray:
        """The true scores of given passages, shape of `candidates.items`; 0 at padding."""
        scores = np.zeros(candidates.items.shape)
        for block, block_scores in self.score_blocks(lexical):
            items = candidates.items[block]
            found = np.take_along_axis(block_scores, np.maximum(items, 0).astype(np.int64), axis=1)
            scores[block] = np.where(items == EMPTY, 0.0, found)
        return scores


def _checked(weights: FloatArray, postings: Postings) -> FloatArray:
    if weights.shape != postings.tf.shape:
        raise StageFailed(f"lexical must give {len(postings.tf)} weights, got shape {weights.shape}")
    if not np.isfinite(weights).all():
        raise StageFailed("lexical gave a weight that is no number")
    return weights
