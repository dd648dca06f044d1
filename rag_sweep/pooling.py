"""The union of what several branches returned, with each branch's ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray, IndexArray, IntArray
from rag_sweep.order_keys import places_fit, read_places, with_places
from rag_sweep.ranking import EMPTY, Rankings, rounded

LAST = np.iinfo(np.int64).max

NOTHING = -(2.0**53)
"""The key of padding: below that of every score."""


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
        scores = np.where(self._padding, 0.0, scores)
        largest = max(float(scores.max(initial=0.0)), -float(scores.min(initial=0.0)))
        if not places_fit(largest, scores.shape[1]):
            return self._ranked_slowly(scores)
        keys = with_places(scores, scores)
        keys[self._padding] = NOTHING
        keys.sort(axis=1)
        found = Rankings(np.empty(keys.shape, np.int32), np.empty(keys.shape))
        read_places(keys, self.items, NOTHING / 2, found.items[:, ::-1], found.scores[:, ::-1])
        found.scores[...] += 0.0  # no negative zero
        return found

    @cached_property
    def _padding(self) -> BoolArray:
        """The cells behind the end of a row, shape of `items`."""
        return np.asarray(self.items == EMPTY, dtype=np.bool_)

    def _ranked_slowly(self, scores: FloatArray) -> Rankings:
        scores = np.where(self._padding, -np.inf, rounded(scores))
        order = np.argsort(-scores, axis=1, kind="stable")
        return Rankings(
            np.take_along_axis(self.items, order, axis=1), np.take_along_axis(scores, order, axis=1)
        )


def pool(branches: Sequence[Rankings]) -> Pooled:
    """Unite rankings of the same queries, remembering each branch's ranks."""
    widths = [branch.items.shape[1] for branch in branches]
    branch_of = np.repeat(np.arange(len(branches)), widths)
    rank_of = np.concatenate([np.arange(1.0, width + 1.0) for width in widths])
    items, column, first, row, at = _sorted_together(branches)
    place = (np.cumsum(first, axis=1) - 1)[row, at]
    width = int(first.sum(axis=1).max(initial=0))
    union = np.full((len(first), width), EMPTY, np.int32)
    union[row, place] = items[row, at]
    ranks = np.full((len(branches), len(first), width), np.inf)
    source = column[row, at]
    ranks[branch_of[source], row, place] = rank_of[source]
    return Pooled(union, ranks)


def _sorted_together(
    branches: Sequence[Rankings],
) -> tuple[IntArray, IntArray, np.ndarray, IntArray, IntArray]:
    """Items of all branches by (item, column), where each is new, and the cells that are no padding."""
    everything = np.concatenate([branch.items for branch in branches], axis=1).astype(np.int64)
    bits = everything.shape[1].bit_length()
    keys = (everything << bits) | np.arange(everything.shape[1], dtype=np.int64)
    keys[everything == EMPTY] = LAST
    keys.sort(axis=1)
    items, column = keys >> bits, keys & ((1 << bits) - 1)
    present = keys != LAST
    first = present.copy()
    first[:, 1:] &= items[:, 1:] != items[:, :-1]
    row, at = np.nonzero(present)
    return items, column, first, row, at
