"""Fusion: what the branches returned becomes one pool of candidates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

from rag_sweep.checks import is_count, require
from rag_sweep.pooling import Pooled, pool
from rag_sweep.ranking import Rankings


class Branches(dict[str, Rankings]):
    """The branches' rankings by name; fusions that share them share their union too."""

    @cached_property
    def union(self) -> Pooled:
        """All items with their ranks, in the order of the names given."""
        return pool(list(self.values()))


class Fusion(Protocol):
    """Makes one ranking of the branches' rankings.

    Attributes
    ----------
    pool_depth
        Candidates that each branch hands on.
    branches
        The branches it reads: "lexical", "dense". A knob of another branch has no effect.
    made_of_ranks
        True if the scores say nothing about how well a passage matches (RRF): then they are no evidence
        that a question has no answer.
    keeps_all
        True if the pool is all that the branches returned, in whatever order: then its recall is one for
        all members of a family.
    """

    branches: ClassVar[tuple[str, ...]]
    made_of_ranks: ClassVar[bool]
    keeps_all: ClassVar[bool]

    @property
    def pool_depth(self) -> int:
        """Candidates that each branch hands on, >= 1."""
        ...

    def fuse(self, branches: Mapping[str, Rankings]) -> Rankings:
        """One ranking from those of `self.branches`."""
        ...


def _check_depth(pool_depth: object) -> None:
    require("fusion.pool_depth", pool_depth, "an int >= 1", is_count(pool_depth))


@dataclass(frozen=True)
class RRF:
    """Reciprocal rank fusion, ``sum of w / (k_rrf + rank)`` (Cormack, Clarke and Büttcher, SIGIR 2009).

    Parameters
    ----------
    k_rrf
        The larger, the less the first ranks stand out; >= 1, 60 in the paper.
    pool_depth
        Candidates that each branch hands on, >= 1.
    lexical_weight, dense_weight
        Weights of the branches, >= 0, not both 0.
    """

    k_rrf: int = 60
    pool_depth: int = 100
    lexical_weight: float = 1.0
    dense_weight: float = 1.0

    branches: ClassVar[tuple[str, ...]] = ("lexical", "dense")
    made_of_ranks: ClassVar[bool] = True
    keeps_all: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require("fusion.k_rrf", self.k_rrf, "an int >= 1", is_count(self.k_rrf))
        _check_depth(self.pool_depth)
        for name in ("lexical_weight", "dense_weight"):
            weight = getattr(self, name)
            require(f"fusion.{name}", weight, "a number >= 0", 0 <= weight < math.inf)
        some = self.lexical_weight + self.dense_weight > 0
        require("fusion.lexical_weight", self.lexical_weight, "above 0 where dense_weight is 0", some)

    def fuse(self, branches: Mapping[str, Rankings]) -> Rankings:
        """The union of both branches, by the sum of weighted reciprocal ranks."""
        shared = branches if isinstance(branches, Branches) else Branches(branches)
        union = shared.union
        ranks = dict(zip(shared, union.ranks, strict=True))
        lexical, dense = ranks["lexical"], ranks["dense"]
        return union.ranked(
            self.lexical_weight / (self.k_rrf + lexical) + self.dense_weight / (self.k_rrf + dense)
        )


@dataclass(frozen=True)
class LexicalOnly:
    """The lexical branch alone; the embedder is never built."""

    pool_depth: int = 100

    branches: ClassVar[tuple[str, ...]] = ("lexical",)
    made_of_ranks: ClassVar[bool] = False
    keeps_all: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check_depth(self.pool_depth)

    def fuse(self, branches: Mapping[str, Rankings]) -> Rankings:
        """The lexical ranking as it is."""
        return branches["lexical"]


@dataclass(frozen=True)
class DenseOnly:
    """The dense branch alone; BM25's knobs have no effect."""

    pool_depth: int = 100

    branches: ClassVar[tuple[str, ...]] = ("dense",)
    made_of_ranks: ClassVar[bool] = False
    keeps_all: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check_depth(self.pool_depth)

    def fuse(self, branches: Mapping[str, Rankings]) -> Rankings:
        """The dense ranking as it is."""
        return branches["dense"]
