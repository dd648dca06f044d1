"""The exact dense search for few questions: what a sweep's padded blocks give, of far fewer passages.

A sweep multiplies 64 questions with every passage. For one question that is 64 times too much. Here a quick
product in float32 says roughly how near each passage is, and by how much that can be wrong; what can't be
among the best is left out, and the rest is multiplied in a block of the sweep's own shape.

How far a float32 product of d components is from the true one: each factor is rounded once and the sum d
times, each time by at most ``u = 2^-24`` of the sum of absolute products, which is at most the product of the
vectors' lengths (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from rag_sweep.arrays import BoolArray, FloatArray, IndexArray, IntArray
from rag_sweep.embedder.search import (
    PASSAGE_BLOCK,
    QUERY_BLOCK,
    Vectors,
    normalised,
    padded_to,
    products,
)
from rag_sweep.order_keys import best
from rag_sweep.ranking import EMPTY, Rankings, gathered, stacked

FEW_BLOCKS = 3
"""So many blocks of passages are multiplied whole: finding out what to leave out takes as long (measured)."""

FEW_QUESTIONS = 8
"""From more questions on, the blocks of a sweep are quicker (measured)."""

TIE = 1e-9
"""Two scores this near may be equal once rounded, each by half of it."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """Passages as a search over some components needs them: made once.

    Attributes
    ----------
    count
        Passages.
    padded : float64, shape (blocks * PASSAGE_BLOCK, dim or fewer)
        Of length 1, then rows of zeros.
    """

    count: int
    padded: FloatArray

    @classmethod
    def of(cls, passages: FloatArray) -> Prepared:
        """Of the components that are searched, not normalised, shape (passages, dim or fewer)."""
        return cls(len(passages), padded_to(PASSAGE_BLOCK, normalised(passages)))

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return len(self.padded) // PASSAGE_BLOCK

    @cached_property
    def rough(self) -> NDArray[np.float32]:
        """The passages in half the space, shape (passages, dim or fewer)."""
        return self.padded[: self.count].astype(np.float32)

    @cached_property
    def longest(self) -> float:
        """No row is longer: 1, but for vectors so short that their squares have no digits left."""
        return float(np.sqrt(np.einsum("ij,ij->i", self.padded, self.padded).max(initial=1.0)))

    def prepare(self) -> None:
        """Make now what the first question would make."""
        if self.blocks > FEW_BLOCKS and not place_matters():
            _ = self.rough, self.longest

    def of_items(self, items: IntArray) -> FloatArray:
        """Some passages, in whole blocks."""
        return padded_to(PASSAGE_BLOCK, self.padded[items])

    def reachable(self, question: FloatArray, depth: int) -> IntArray:
        """Passages, ascending, that may be among the best `depth` of a question of shape (dim,)."""
        near = self.rough @ question.astype(np.float32)
        if depth >= len(near):
            return np.arange(len(near))
        border = float(np.partition(near, len(near) - depth)[len(near) - depth])
        return np.flatnonzero(near >= np.float64(border) - 2.0 * self._wrong(question) - TIE)

    def _wrong(self, question: FloatArray) -> float:
        """How far a rough product, or a product in float64, can be from the true one, with room to spare."""
        lengths = self.longest * max(1.0, float(np.sqrt((question * question).sum())))
        return 1.1 * (len(question) + 4) * 2.0**-24 * lengths + 1e-30


@dataclass(frozen=True, eq=False)
class Neighbours(Vectors):
    """Questions before prepared passages; gives the bytes that `Vectors` gives.

    Attributes
    ----------
    prepared
        The passages for the `dim` that is searched for.
    """

    prepared: Prepared

    def search(self, dim: int, depth: int, silent: BoolArray | None = None) -> Rankings:
        """As of `Vectors`."""
        few = len(self.queries) <= FEW_QUESTIONS and self.prepared.blocks > FEW_BLOCKS
        if not few or place_matters():
            return super().search(dim, depth, silent)
        block = padded_to(QUERY_BLOCK, self._normalised(dim))
        found = stacked([self._nearest(block, row, depth) for row in range(len(self.queries))])
        return self._heard(found, dim, silent)

    def score_many(self, dim: int, items: IndexArray) -> FloatArray:
        """As of `Vectors`."""
        wanted = np.unique(items[items != EMPTY])
        if not len(wanted):
            return np.zeros(items.shape)
        blocks = -(-len(wanted) // PASSAGE_BLOCK)
        if blocks >= self.prepared.blocks or len(self.queries) > QUERY_BLOCK or place_matters():
            return super().score_many(dim, items)
        block = padded_to(QUERY_BLOCK, self._normalised(dim))
        every = products(block, self.prepared.of_items(wanted))[: len(self.queries), : len(wanted)]
        places = np.where(items == EMPTY, EMPTY, np.searchsorted(wanted, items)).astype(np.int32)
        return np.stack([gathered(every, one) for one in places])

    def _nearest(self, block: FloatArray, row: int, depth: int) -> Rankings:
        """The best passages of one question, which stands in its place of the block, as in a sweep."""
        items = self.prepared.reachable(block[row], depth)
        scores = products(block, self.prepared.of_items(items))[row : row + 1, : len(items)]
        found = best(scores, depth, bound=2.0)
        kept = np.where(found.items == EMPTY, EMPTY, items[found.items])
        return Rankings(kept.astype(np.int32), found.scores)

    def _passages(self, dim: int) -> FloatArray:
        return self.prepared.padded


@cache
def place_matters() -> bool:
    """True on a machine whose products depend on where in a block a question and a passage stand."""
    rng = np.random.default_rng(0)
    return any(_place_matters(rng, dim) for dim in (7, 64, 300, 1000))


def _place_matters(rng: np.random.Generator, dim: int) -> bool:
    questions, passages = rng.normal(size=(QUERY_BLOCK, dim)), rng.normal(size=(PASSAGE_BLOCK, dim))
    row, column = rng.permutation(QUERY_BLOCK), rng.permutation(PASSAGE_BLOCK)
    moved = products(questions[row], passages[column])
    return not np.array_equal(moved, products(questions, passages)[row][:, column])
