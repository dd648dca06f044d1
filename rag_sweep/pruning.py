"""The search of a whole family, on those cells alone that can be among the best of any member.

The least and the greatest weight that a posting has in a family enclose all its members' weights. Sums of
them, added in the same order, enclose all members' scores: rounding is monotone, so this holds for floats to
the last bit, and again after rounding to 9 decimals. A passage whose greatest score is below the least
scores of `depth` others can't be among the best `depth` of any member, and is left out for all of them.
What is left is scored exactly, so a member's ranking is what it is alone.

Upper bounds that spare exact scores are those of MaxScore (Turtle and Flood 1995) and WAND (Broder et al.
2003); there they bound a passage over the words that are still to come, here over the members of a family.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from rag_sweep.accumulate import Block
from rag_sweep.arrays import BoolArray, FloatArray, IndexArray, IntArray
from rag_sweep.cells import in_pieces, sums_are_contracted
from rag_sweep.order_keys import SCALE, best_of_cells, places_fit, whole
from rag_sweep.ranking import EMPTY, Rankings
from rag_sweep.tiles import tiles

TILE = 32
"""Members that are enclosed together: more are quicker to enclose and leave more cells (measured)."""

CHUNK = 8
"""Members that are scored together: their weights and scores stay in a cache."""

COORDINATES = 64
"""Kinds that decide which members are alike."""

MOST = 0.5
"""The largest share of cells that is worth being scored one by one."""


@dataclass(frozen=True, eq=False)
class Factors:
    """What a family's weights are made of: ``factor of the posting's kind * importance of its term``.

    Attributes
    ----------
    importance : float64, shape (postings,)
        Of each posting's term; not negative.
    members : float64, shape (members, kinds)
        The factors; not negative.
    """

    importance: FloatArray
    members: FloatArray

    def bound(self, block: Block) -> float:
        """No score is larger; infinite where a factor is negative or no number, or where there is none."""
        if not self.members.size:
            return math.inf
        least = min(float(self.members.min()), float(self.importance.min()))
        greatest = float(self.members.max()) * float(self.importance.max()) * block.longest
        return greatest if least >= 0.0 and math.isfinite(greatest) else math.inf

    def weights(self, block: Block, factors: FloatArray) -> FloatArray:
        """Weights, shape (postings,), of factors of shape (kinds,)."""
        weights: FloatArray = factors[block.kinds.kind]
        weights *= self.importance
        return weights


def search_pruned(block: Block, factors: Factors, depths: Sequence[int]) -> list[Rankings] | None:
    """The best passages of each member, of `depths`: what `best` gives for its scores.

    None where it wouldn't be worth it or couldn't be exact.
    """
    bound = factors.bound(block)
    if not places_fit(bound, 1):
        return None
    deepest = min(max(depths), block.shape[1])
    wanted = reachable(block, factors, deepest)
    widest = int(wanted.sum(axis=1).max(initial=0))
    if wanted.sum() > MOST * wanted.size or not places_fit(bound, widest):
        return None
    rankings = _search(block, wanted, factors, deepest)
    return [ranking.head(depth) for ranking, depth in zip(rankings, depths, strict=True)]


def _search(block: Block, wanted: BoolArray, factors: Factors, depth: int) -> Iterator[Rankings]:
    """The rankings of each member, made for a chunk of them at a time."""
    table = Table.of(block, factors)
    pieces = [cells.over(table.column, table.factor, table.columns) for cells in in_pieces(block, wanted)]
    row, slices = _stacked([cells.queries for cells in pieces], len(wanted))
    shape = CHUNK, int(row.max(initial=0)) + 1, depth
    items, scores = np.full(shape, EMPTY, np.int32), np.full(shape, -np.inf)
    for start in range(0, len(factors.members), CHUNK):
        members = factors.members[start : start + CHUNK]
        values = table.values(members)
        for cells, at in zip(pieces, slices, strict=True):
            best_of_cells(
                cells.sums(values), cells.items, items[: len(members), at], scores[: len(members), at]
            )
        for item, score in zip(items[: len(members)], scores, strict=False):
            yield Rankings(item.take(row, axis=0), score.take(row, axis=0))


def _stacked(pieces: Sequence[IntArray], queries: int) -> tuple[IntArray, list[slice]]:
    """The row of each query where pieces stand one below the other, and the rows of each piece.

    One row below them all is that of queries which are in no piece: they find nothing.
    """
    ends = np.cumsum([0, *(len(piece) for piece in pieces)]).tolist()
    row = np.full(queries, ends[-1])
    row[np.concatenate([np.empty(0, np.int64), *pieces])] = np.arange(ends[-1])
    return row, [slice(start, end) for start, end in itertools.pairwise(ends)]


def reachable(block: Block, factors: Factors, depth: int) -> BoolArray:
    """Cells that may be among the best `depth` of any member, shape (queries, passages)."""
    some = factors.members[:, :: max(1, factors.members.shape[1] // COORDINATES)]
    wanted = np.zeros(block.shape, dtype=np.bool_)
    for tile in tiles(some, TILE):
        members = factors.members[tile]
        least, greatest = (factors.weights(block, bound(axis=0)) for bound in (members.min, members.max))
        wanted |= _reachable(block.scores(least, "count"), block.scores(greatest, "count"), depth)
    return wanted


def _reachable(least: FloatArray, greatest: FloatArray, depth: int) -> BoolArray:
    """Which scores may be among the best; both arrays, of shape (queries, passages), are overwritten."""
    place = least.shape[1] - depth
    least.partition(place, axis=1)
    border = whole(least[:, place, None]) - 0.75  # less than half a unit below: what is rounded up is kept
    reached: BoolArray = greatest >= np.maximum(border, 0.25) / SCALE  # a score of 0 is never returned
    return reached


@dataclass(frozen=True, eq=False)
class Table:
    """Where the sums of cells find the weight of a posting: a column's value times a factor.

    Most postings share the column of their kind, whose value is the kind's factor; theirs is the importance
    of the term. So the values of many members stay in a cache. A posting has a column of its own, with its
    weight, where more than one product must be rounded before it is added.

    Attributes
    ----------
    column : int32, shape (postings,)
    factor : float64, shape (postings,)
    own : sparse CSR, shape (own columns, kinds)
        The importance of each posting with a column of its own, in the column of its kind.
    times : float64, shape (own columns, 1)
        How often it counts.
    """

    column: IndexArray
    factor: FloatArray
    own: sparse.csr_array
    times: FloatArray

    @classmethod
    def of(cls, block: Block, factors: Factors) -> Table:
        """The table of a block's postings."""
        kind, kinds = block.kinds.kind.astype(np.int32), len(block.kinds.tf)
        own, times = block.several
        if sums_are_contracted():
            own = np.arange(len(kind))
            times = block.times[block.postings.term]
        column, factor = kind.copy(), factors.importance.copy()
        column[own], factor[own] = kinds + np.arange(len(own)), 1.0
        ends = np.arange(len(own) + 1, dtype=np.int32)
        importance = sparse.csr_array((factors.importance[own], kind[own], ends), shape=(len(own), kinds))
        return cls(column, factor, importance, times[:, None])

    @property
    def columns(self) -> int:
        """Their number."""
        return sum(self.own.shape)

    def values(self, members: FloatArray) -> FloatArray:
        """Values, shape (columns, members), of the factors of kinds, shape (members, kinds)."""
        factors = np.ascontiguousarray(members.T)
        return np.concatenate([factors, (self.own @ factors) * self.times])
