"""Sums over query words of posting weights, for a block of queries: the inner loop of a lexical search.

Terms that many passages have become rows of a dense matrix, whose sums run at the speed of memory; the
postings of the others are added one by one. Which is which depends on the corpus alone, and every sum has
one order, so a score doesn't depend on the other queries, on the block or on the other configurations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.terms import Postings

FREQUENT = 8
"""A term is frequent if more than one passage in so many has it (measured: 4 to 16 are alike)."""


@dataclass(frozen=True, eq=False)
class Block:
    """A block of queries with all that doesn't depend on weights.

    Attributes
    ----------
    postings
        Of the block's terms.
    frequent : int64, shape (m,)
        The postings of frequent terms.
    cells : int64, shape (m,)
        Their cell in (frequent terms, passages), raveled.
    queries : sparse CSR, shape (queries, frequent terms)
        Counts of frequent terms.
    rare : int64, shape (n,)
        For each pair of a query's rare word and a posting: the posting, ...
    pairs : int64, shape (n,)
        ... its cell in (queries, passages), raveled, ...
    counts : float64, shape (n,)
        ... and how often the query has the word.
    """

    postings: Postings
    frequent: IntArray
    cells: IntArray
    queries: sparse.csr_array
    rare: IntArray
    pairs: IntArray
    counts: FloatArray
    longest: float

    @classmethod
    def of(cls, everything: Postings, queries: sparse.csr_array) -> Block:
        """Prepare a block: queries are CSR counts over the terms of `everything`."""
        used = np.unique(queries.indices).astype(np.int64)
        postings = everything.of_terms(used)
        counts = queries[:, used].tocsr()
        counts.sort_indices()
        often = postings.df * FREQUENT > postings.N
        frequent = np.nonzero(often[postings.term])[0]
        row = np.cumsum(often) - 1
        rare, pairs, times = _rare(postings, counts[:, ~often].tocsr(), np.nonzero(~often)[0])
        return cls(
            postings=postings,
            frequent=frequent,
            cells=row[postings.term[frequent]] * postings.N + postings.passages[frequent],
            queries=counts[:, often].tocsr(),
            rare=rare,
            pairs=pairs,
            counts=times,
            longest=float(counts.sum(axis=1).max(initial=0.0)) if counts.shape[0] else 0.0,
        )

    def scores(self, weights: FloatArray, repeats: str) -> FloatArray:
        """Scores of every passage, float64, shape (queries, passages); 0 where no word matches."""
        once = repeats == "distinct"
        shape = self.queries.shape[0], self.postings.N
        rare = weights[self.rare] if once else weights[self.rare] * self.counts
        cells = shape[0] * shape[1]
        sums = np.bincount(self.pairs, rare, minlength=cells) if len(rare) else np.zeros(cells)
        scores: FloatArray = sums.astype(np.float64, copy=False).reshape(shape)
        if len(self.cells):
            dense = np.zeros((self.queries.shape[1], shape[1]))
            dense.reshape(-1)[self.cells] = weights[self.frequent]
            scores += (self._once if once else self.queries) @ dense
        return scores

    @cached_property
    def _once(self) -> sparse.csr_array:
        return (self.queries > 0).astype(np.float64)

    def bound(self, weights: FloatArray, repeats: str) -> float:
        """No score is larger."""
        return self.longest * float(np.abs(weights).max(initial=0.0))


def _rare(
    postings: Postings, queries: sparse.csr_array, terms: IntArray
) -> tuple[IntArray, IntArray, FloatArray]:
    """Postings, cells and counts of all (query, rare word, posting), ordered by query, then word."""
    ends = np.cumsum(postings.df.astype(np.int64))
    starts = ends - postings.df.astype(np.int64)
    queries.sort_indices()
    term = terms[queries.indices]
    lengths = (ends - starts)[term]
    row = np.repeat(np.arange(queries.shape[0]), np.diff(queries.indptr))
    first = np.repeat(starts[term] - (np.cumsum(lengths) - lengths), lengths)
    posting = first + np.arange(int(lengths.sum()))
    pairs = np.repeat(row, lengths) * postings.N + postings.passages[posting]
    return posting, pairs, np.repeat(queries.data, lengths)
