"""Lexical branches: the weight of each posting, and the one search that all of them share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar, Literal, Protocol, cast

import numpy as np
from scipy import sparse

from rag_sweep.accumulate import Block
from rag_sweep.arrays import FloatArray, IndexArray
from rag_sweep.checks import require
from rag_sweep.errors import StageFailed
from rag_sweep.order_keys import best
from rag_sweep.pruning import Factors, search_pruned
from rag_sweep.ranking import Rankings, gathered, stacked
from rag_sweep.terms import Postings, TermCounts, postings

BLOCK_CELLS = 2_000_000
"""Scores held at once (16 MB): queries are searched in blocks of rows."""


WORTH_PRUNING = 6
"""Members from which on finding out what can be left out costs less than it spares (measured)."""


class Lexical(Protocol):
    """A lexical scoring function that is a sum over query words of posting weights.

    `repeats` says whether a repeated query word counts each time ("count") or once ("distinct").
    """

    repeats: ClassVar[Literal["count", "distinct"]]

    def weigh(self, postings: Postings) -> FloatArray:
        """The weight of each posting, shape (postings,), none negative."""
        ...


class Factored(Lexical, Protocol):
    """A scoring function whose posting weight is ``saturation * importance``, rounded once.

    What is declared here, beside `weigh` and in the same class, lets a family be searched at once. The
    saturation depends on how often the word occurs and how long the passage is, the importance on how many
    passages have the word; neither is negative.
    """

    def saturation(self, tf: FloatArray, lengths: FloatArray, avgdl: float) -> FloatArray:
        """The factor of each kind of posting, shape (kinds,) as `tf` and `lengths`."""
        ...

    def importance(self, df: FloatArray, N: int) -> FloatArray:
        """The factor of each term, shape (terms,)."""
        ...


def idf(df: FloatArray, N: int) -> FloatArray:
    """Inverse document frequency ``ln(1 + (N - df + 0.5) / (df + 0.5))``, never negative (Lucene 8)."""
    result: FloatArray = np.log(1.0 + (N - df + 0.5) / (df + 0.5))
    return result


def length_norm(dl: FloatArray, avgdl: float, b: float) -> FloatArray:
    """``1 - b + b dl / avgdl``: how much longer than average a passage is, as far as `b` lets it count."""
    return 1.0 - b + b * dl / (avgdl or 1.0)


def saturated_tf(tf: FloatArray, norm: FloatArray, k1: float) -> FloatArray:
    """``tf (k1 + 1) / (tf + k1 norm)``: Robertson et al., Okapi at TREC-3, 1994."""
    divisor = k1 * norm
    divisor += tf
    result: FloatArray = np.divide(tf, divisor, out=divisor)
    result *= k1 + 1.0
    return result


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
        norm = length_norm(postings.lengths, postings.avgdl, self.b)
        weights = self._saturated(postings.tf, norm[postings.passages])
        weights *= self.importance(postings.df, postings.N)[postings.term]
        return weights

    def saturation(self, tf: FloatArray, lengths: FloatArray, avgdl: float) -> FloatArray:
        """Saturated tf of each kind of posting, shape (kinds,); errors as of `weigh`."""
        return self._saturated(tf, length_norm(lengths, avgdl, self.b))

    def importance(self, df: FloatArray, N: int) -> FloatArray:
        """idf of each term, shape (terms,)."""
        return idf(df, N)

    def _saturated(self, tf: FloatArray, norm: FloatArray) -> FloatArray:
        try:
            with np.errstate(over="raise"):
                return saturated_tf(tf, norm, self.k1)
        except FloatingPointError as error:
            raise StageFailed(f"lexical.k1={self.k1} is too large: {error}") from error


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

    def search(self, lexical: Lexical, depth: int) -> Rankings:
        """The best `depth` passages a query; a passage with score 0 is never returned."""
        return self.search_family([(lexical, depth)])[0]

    def search_family(self, family: Sequence[tuple[Lexical, int]]) -> list[Rankings]:
        """`search` for several members; what they share is done once for each block of queries."""
        found: list[list[Rankings]] = [[] for _ in family]
        for _, block in self._blocks():
            for parts, part in zip(found, _searched(block, family), strict=True):
                parts.append(part)
        return [stacked(parts) for parts in found]

    def score(self, lexical: Lexical, candidates: Rankings) -> FloatArray:
        """The true scores of given passages, shape of `candidates.items`; 0 at padding."""
        scores: FloatArray = self.score_many(lexical, candidates.items[None])[0]
        return scores

    def score_many(self, lexical: Lexical, items: IndexArray) -> FloatArray:
        """The true scores of several sets of candidates, int32, shape (sets, queries, depth)."""
        scores = np.zeros(items.shape)
        for rows, block in self._blocks():
            every = block.scores(_weights(lexical, block.postings), lexical.repeats)
            scores[:, rows] = gathered(every, items[:, rows])
        return scores

    def _blocks(self) -> Iterator[tuple[slice, Block]]:
        """Blocks of queries, small enough for a cache; they don't change a score."""
        rows = max(1, BLOCK_CELLS // max(1, self.postings.N))
        number = self.queries.shape[0]
        if number <= rows:
            yield slice(0, number), self._whole
            return
        for start in range(0, number, rows):
            block = slice(start, min(start + rows, number))
            yield block, Block.of(self.postings, self.queries[block])

    @cached_property
    def _whole(self) -> Block:
        return Block.of(self.postings, self.queries)


def _searched(block: Block, family: Sequence[tuple[Lexical, int]]) -> list[Rankings]:
    """The rankings of a block: of members that can be pruned together, of others one by one."""
    found: dict[int, Rankings] = {}
    for alike in _prunable(block, [lexical for lexical, _ in family]):
        depths = [family[at][1] for at in alike]
        pruned = search_pruned(block, _factors(block, list(alike.values())), depths)
        if pruned is not None:
            found.update(zip(alike, pruned, strict=True))
    return [found[at] if at in found else _alone(block, *member) for at, member in enumerate(family)]


def _alone(block: Block, lexical: Lexical, depth: int) -> Rankings:
    weights = _weights(lexical, block.postings)
    bound = block.bound(weights, lexical.repeats)
    return best(block.scores(weights, lexical.repeats), depth, bound, positive=True)


def _prunable(block: Block, family: Sequence[Lexical]) -> list[dict[int, Factored]]:
    """Members, by their place, that share the importance of terms; as far as they are many enough."""
    found: dict[bytes, dict[int, Factored]] = {}
    for at, lexical in enumerate(family):
        if is_factored(type(lexical)):
            member = cast(Factored, lexical)
            importance = member.importance(block.postings.df, block.postings.N)
            found.setdefault(importance.tobytes(), {})[at] = member
    return [members for members in found.values() if len(members) >= WORTH_PRUNING]


@cache
def is_factored(component: type) -> bool:
    """True if the class that defines `weigh` also says what its factors are, and repeated words count."""
    owner = next((cls for cls in component.__mro__ if "weigh" in vars(cls)), object)
    declared = {"saturation", "importance"} <= vars(owner).keys()
    return declared and getattr(component, "repeats", None) == "count"


def _factors(block: Block, family: Sequence[Factored]) -> Factors:
    kinds, postings = block.kinds, block.postings
    members = np.array([one.saturation(kinds.tf, kinds.lengths, postings.avgdl) for one in family])
    return Factors(family[0].importance(postings.df, postings.N)[postings.term], members)


def _weights(lexical: Lexical, postings: Postings) -> FloatArray:
    weights = lexical.weigh(postings)
    if weights.shape != postings.tf.shape:
        raise StageFailed(f"lexical must give {len(postings.tf)} weights, got shape {weights.shape}")
    if not np.isfinite(weights).all():
        raise StageFailed("lexical gave a weight that is no number")
    return weights
