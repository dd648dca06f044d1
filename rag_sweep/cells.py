"""Cells (query, passage) whose scores are wanted for many members of a family at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy import sparse

from rag_sweep.accumulate import Block
from rag_sweep.arrays import BoolArray, FloatArray, IndexArray, IntArray
from rag_sweep.ranking import EMPTY

PIECE = 16_000
"""Cells of a piece: their scores for a handful of members stay in a cache."""


@dataclass(frozen=True, eq=False)
class Cells:
    """For some queries some passages each, and the postings that each of their scores is a sum of.

    Sums are made in the order of `Block.scores`, so they are the same numbers: rare words in the order of
    terms, frequent words in the order of terms, then both together.

    Attributes
    ----------
    queries : int64, shape (queries,)
        Rows of the block.
    items : int32, shape (queries, width)
        Passages, ascending in every row, then `EMPTY`.
    rare, frequent : sparse CSR, shape (queries * width, columns)
        What is added to a cell; rows of `EMPTY` are empty. From `of`, columns are postings and data how often
        each is added (1, 2, 4, ...).
    """

    queries: IntArray
    items: IndexArray
    rare: sparse.csr_array
    frequent: sparse.csr_array

    @classmethod
    def of(cls, block: Block, wanted: BoolArray, queries: IntArray) -> Cells:
        """The wanted cells, bool, shape (queries of the block, passages), of some queries, each once."""
        row, item = np.nonzero(wanted[queries])
        lengths = np.bincount(row, minlength=len(queries))
        width = int(lengths.max(initial=0))
        place = np.arange(len(row)) + (np.arange(len(queries)) * width - (np.cumsum(lengths) - lengths))[row]
        items = np.full((len(queries), width), EMPTY, np.int32)
        items.reshape(-1)[place] = item
        to = np.full((len(queries), block.shape[1]), EMPTY, np.int32)
        to[row, item] = place
        return cls(queries, items, _rare(block, queries, to, items.size), _frequent(block, queries, items))

    def sums(self, table: FloatArray) -> FloatArray:
        """Scores, float64, shape (queries * width, members), of values (columns, members)."""
        sums: FloatArray = self.rare @ table
        sums += self.frequent @ table
        return sums

    def over(self, column: IndexArray, factor: FloatArray, columns: int) -> Cells:
        """The same sums with other columns: that of each posting, and a factor that goes into the data."""
        rare, frequent = (
            sparse.csr_array(
                (part.data * factor[part.indices], column[part.indices], part.indptr),
                shape=(part.shape[0], columns),
            )
            for part in (self.rare, self.frequent)
        )
        return replace(self, rare=rare, frequent=frequent)


def in_pieces(block: Block, wanted: BoolArray) -> Iterator[Cells]:
    """The wanted cells, in pieces of queries that are alike; queries with none are left out.

    Alike are queries with about equally many cells, since a piece is as wide as its widest query, then
    those with about equally many words.
    """
    lengths = wanted.sum(axis=1)
    band = np.ceil(2.0 * np.log2(np.maximum(lengths, 1)))
    order = np.lexsort((np.diff(block.queries.indptr), band))
    order = order[lengths[order] > 0]
    for _, alike in itertools.groupby(order.tolist(), key=band.__getitem__):
        queries = np.array(list(alike))
        size = max(1, PIECE // int(lengths[queries].max()))
        for start in range(0, len(queries), size):
            yield Cells.of(block, wanted, queries[start : start + size])


@cache
def sums_are_contracted() -> bool:
    """True where scipy adds products that aren't rounded first (FMA), as it may on ARM.

    ``(1 + e)^2 - (1 + 2e)`` is 0 if the square is rounded, else ``e^2``.
    """
    e = 2.0**-30
    factors = sparse.csr_array(np.array([[1.0, 1.0 + e]]))
    widths = range(1, 18)  # a compiler may treat the last few columns in another way
    values = (np.repeat([[-(1.0 + 2.0 * e)], [1.0 + e]], width, axis=1) for width in widths)
    return any((factors @ value).any() for value in values)


def _rare(block: Block, queries: IntArray, to: IndexArray, size: int) -> sparse.csr_array:
    """Additions of rare words; `to` has the row of each cell of (queries, passages), or `EMPTY`."""
    cells, postings, counts = block.rare
    lengths = np.diff(block.rare_starts)[queries]
    row = np.repeat(np.arange(len(queries)), lengths)
    at = np.arange(len(row)) + (block.rare_starts[queries] - (np.cumsum(lengths) - lengths))[row]
    rows = to[row, cells[at] - queries[row] * block.shape[1]]
    kept = np.nonzero(rows != EMPTY)[0]
    shape = size, len(block.postings.tf)
    # no row has a posting twice, and within a row words keep their order
    return sparse.coo_array((counts[at[kept]], (rows[kept], postings[at[kept]])), shape=shape).tocsr()


def _frequent(block: Block, queries: IntArray, items: IndexArray) -> sparse.csr_array:
    """Additions of frequent words: each cell is looked up in the table of (passages, frequent words)."""
    words, times = _padded(block.frequent[2][queries], block.table.shape[1] - 1)
    rows = items.astype(np.int64)[:, :, None] * block.table.shape[1]  # EMPTY is the last row
    found = np.take(block.table, rows + words[:, None, :], mode="wrap")
    there = np.flatnonzero(found != EMPTY)
    ends = np.zeros(items.size + 1, dtype=np.int32)
    np.cumsum(np.bincount(there // max(1, words.shape[1]), minlength=items.size), out=ends[1:])
    data = np.ones(len(there))
    if (times > 1.0).any():
        data = np.broadcast_to(times[:, None, :], found.shape).reshape(-1)[there]
    shape = items.size, len(block.postings.tf)
    return sparse.csr_array((data, found.reshape(-1)[there], ends), shape=shape)


def _padded(rows: sparse.csr_array, nothing: int) -> tuple[IntArray, FloatArray]:
    """Columns and data of each row, shape (rows, longest), then `nothing` with 0."""
    lengths = np.diff(rows.indptr)
    columns = np.full((len(lengths), int(lengths.max(initial=0))), nothing, dtype=np.int64)
    data = np.zeros(columns.shape)
    row = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(row)) - rows.indptr[row]
    columns[row, place], data[row, place] = rows.indices, rows.data
    return columns, data
