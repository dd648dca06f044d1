"""Sums over query words of posting weights, for a block of queries: the inner loop of a lexical search.

Terms that many passages have become rows of a dense matrix, whose sums run at the speed of memory; the
postings of the others are added one by one. Which is which depends on the corpus alone, and every sum has
one order, so a score doesn't depend on the other queries, on the block or on the other configurations.

A query word that stands twice in a query counts twice. A weight is multiplied by such a count before
anything is added, or else the sum of products might be contracted (FMA) and have other last bits than a sum
made in another way. Only a factor of 2, 4, ... may wait, since it rounds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from rag_sweep.arrays import BoolArray, FloatArray, IndexArray, IntArray
from rag_sweep.kinds import Kinds
from rag_sweep.terms import Postings

FREQUENT = 8
"""A term is frequent if more than one passage in so many has it (measured: 4 to 16 are alike)."""


@dataclass(frozen=True, eq=False)
class Block:
    """A block of queries with all that doesn't depend on weights.

    Attributes
    ----------
    postings
        Of the block's words, ordered by term. A word is a term with an odd number: queries that have
        a term once, twice, 4 times share a word, those that have it 3 or 6 times another.
    times : float64, shape (words,)
        The odd number.
    queries : sparse CSR, shape (queries, words)
        How often a query has a word: 1, 2, 4, ...
    """

    postings: Postings
    times: FloatArray
    queries: sparse.csr_array

    @classmethod
    def of(cls, everything: Postings, queries: sparse.csr_array) -> Block:
        """Prepare a block: queries are CSR counts over the terms of `everything`."""
        queries = queries.tocsr()
        queries.sort_indices()
        power = _power_of_two_in(queries.data)
        pairs = np.stack([queries.indices.astype(np.float64), queries.data / power])
        words, word = np.unique(pairs, axis=1, return_inverse=True)
        shape = queries.shape[0], words.shape[1]
        return cls(
            postings=everything.of_terms(words[0].astype(np.int64)),
            times=words[1],
            queries=sparse.csr_array((power, word.reshape(-1), queries.indptr), shape=shape),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Number of queries and of passages."""
        return self.queries.shape[0], self.postings.N

    @cached_property
    def often(self) -> BoolArray:
        """True for frequent words, shape (words,)."""
        return self.postings.df * FREQUENT > self.postings.N

    @cached_property
    def longest(self) -> float:
        """The largest number of words of a query, each as often as it stands there."""
        return float((self.queries @ self.times).max(initial=0.0)) if self.shape[0] else 0.0

    @cached_property
    def rare(self) -> tuple[IntArray, IntArray, FloatArray]:
        """What rare words add, ordered by query, then word, then passage, each of shape (additions,).

        The cell in (queries, passages), raveled; the posting that is added; how often.
        """
        df = self.postings.df.astype(np.int64)
        starts = np.cumsum(df) - df
        taken = ~self.often[self.queries.indices]
        word = self.queries.indices[taken]
        row = np.repeat(np.arange(self.shape[0]), np.diff(self.queries.indptr))[taken]
        lengths = df[word]
        posting = np.repeat(starts[word] - (np.cumsum(lengths) - lengths), lengths)
        posting += np.arange(len(posting))
        cells = np.repeat(row * self.postings.N, lengths) + self.postings.passages[posting]
        return cells, posting, np.repeat(self.queries.data[taken], lengths)

    @cached_property
    def rare_starts(self) -> IntArray:
        """Where the additions of each query start in `rare`, and where the last one's end."""
        return np.searchsorted(self.rare[0] // self.shape[1], np.arange(self.shape[0] + 1))

    @cached_property
    def frequent(self) -> tuple[IntArray, IntArray, sparse.csr_array]:
        """Postings of frequent words, their cells in (frequent words, passages), the queries' counts."""
        postings = np.nonzero(self.often[self.postings.term])[0]
        row = np.cumsum(self.often) - 1
        cells = row[self.postings.term[postings]] * self.postings.N + self.postings.passages[postings]
        return postings, cells, self.queries[:, self.often].tocsr()

    @cached_property
    def table(self) -> IndexArray:
        """The posting of each (passage, frequent word), -1 where there is none; one row and column more."""
        postings, cells, counts = self.frequent
        table = np.full((self.shape[1] + 1, counts.shape[1] + 1), -1, np.int32)
        table[cells % self.shape[1], cells // self.shape[1]] = postings
        return table

    @cached_property
    def kinds(self) -> Kinds:
        """Which of the postings are alike."""
        return Kinds.of(self.postings)

    @cached_property
    def several(self) -> tuple[IntArray, FloatArray]:
        """Postings whose word has an odd number above 1, and that number."""
        times = self.times[self.postings.term]
        several = np.nonzero(times != 1.0)[0]
        return several, times[several]

    def multiplied(self, weights: FloatArray) -> FloatArray:
        """The weights of postings times the odd number of their word."""
        several, times = self.several
        if not len(several):
            return weights
        product = weights.copy()
        product[several] *= times
        return product

    def scores(self, weights: FloatArray, repeats: str) -> FloatArray:
        """Scores of every passage, float64, shape (queries, passages); 0 where no word matches."""
        if repeats == "distinct":
            return self._once.scores(weights, "count")
        weights = self.multiplied(weights)
        scores = self._rare_sums(weights)
        postings, cells, queries = self.frequent
        if len(postings):
            dense = np.zeros((queries.shape[1], self.shape[1]))
            dense.reshape(-1)[cells] = weights[postings]
            scores += queries @ dense
        return scores

    def _rare_sums(self, weights: FloatArray) -> FloatArray:
        cells, postings, counts = self.rare
        size = self.shape[0] * self.shape[1]
        added = weights[postings] * counts
        sums = np.bincount(cells, added, minlength=size) if len(cells) else np.zeros(size)
        return sums.astype(np.float64, copy=False).reshape(self.shape)

    @cached_property
    def _once(self) -> Block:
        """The same with each word once."""
        return Block(self.postings, np.ones_like(self.times), (self.queries > 0).astype(np.float64))

    def bound(self, weights: FloatArray, repeats: str) -> float:
        """No score is larger."""
        return self.longest * float(np.abs(weights).max(initial=0.0))


def _power_of_two_in(counts: FloatArray) -> FloatArray:
    """The largest power of two that divides each whole number."""
    whole = counts.astype(np.int64)
    return (whole & -whole).astype(np.float64)
