"""The union of what several branches returned, with each branch's ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import FloatArray, IndexArray, IntArray
from rag_sweep.order_keys import ABSENT, fits, from_keys, order_keys
from rag_sweep.ranking import EMPTY, Rankings, rounded

LAST = np.iinfo(np.int64).max


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
        bits = self.items.shape[1].bit_length()
        padding = self.items == EMPTY
        if not fits(float(np.abs(scores[~padding]).max(initial=0.0)), bits):
            return self._ranked_slowly(scores, padding)
        keys = order_keys(np.where(padding, 0.0, scores), bits)
        keys[padding] = ABSENT
        keys.sort(axis=1)
        found = from_keys(keys[:, ::-1], bits)  # places in the union, which ascends: the same order as items
        items = np.take_along_axis(self.items, np.maximum(found.items, 0).astype(np.int64), axis=1)
        return Rankings(np.where(found.items == EMPTY, EMPTY, items).astype(np.int32), found.scores)

    def _ranked_slowly(self, scores: FloatArray, padding: np.ndarray) -> Rankings:
        scores = np.where(padding, -np.inf, rounded(scores))
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
