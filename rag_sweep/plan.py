"""The plan of a sweep: every distinct node once, as plain data that a test can read."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rag_sweep.pipeline import Chain, Node, Pipeline, Roots, Settings, chain
from rag_sweep.stages import STAGES


@dataclass(frozen=True)
class Plan:
    """What a sweep will compute.

    Attributes
    ----------
    chains
        One a configuration, in the order they were given.
    roots
        What is given: the corpus, the questions, the judgements.
    """

    chains: tuple[Chain, ...]
    roots: Roots

    def only(self, at: Sequence[int]) -> Plan:
        """The plan of some of the configurations, in that order."""
        return Plan(tuple(self.chains[one] for one in at), self.roots)

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """Every distinct node by key; a node stands behind its inputs."""
        found: dict[str, Node] = {}
        for one in self.chains:
            for node in one.outputs:
                _collect(node, found)
        return found

    @cached_property
    def distinct(self) -> dict[str, int]:
        """Number of distinct nodes in each stage, in the order of the chain."""
        return dict(Counter(node.stage for node in self.nodes.values() if node.inputs))

    @cached_property
    def alias_of(self) -> dict[int, int]:
        """For each configuration that equals an earlier one in effect: the earlier one."""
        first: dict[tuple[str, ...], int] = {}
        aliases = {}
        for at, one in enumerate(self.chains):
            original = first.setdefault(tuple(node.key for node in one.outputs), at)
            if original != at:
                aliases[at] = original
        return aliases

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Configurations in the order of execution: those that share the longest prefix stand together."""
        seen: dict[str, int] = {}

        def rank(node: Node | None) -> int:
            return seen.setdefault(node.key, len(seen)) if node else -1

        def prefix(at: int) -> tuple[int, ...]:
            one = self.chains[at]
            above = [*one.recalls.values(), one.found]
            shared = (one.passages, one.passage_terms, one.vectors)
            return (*(rank(node) for node in shared), *(rank(node) for node in above))

        keys = [prefix(at) for at in range(len(self.chains))]
        return tuple(sorted(range(len(self.chains)), key=keys.__getitem__))

    def shards(self, size: int) -> list[tuple[int, ...]]:
        """Configurations in pieces of at most `size` that share as much as they can.

        Configurations of one chunking stand together, and those that share all their ranked lists are not
        parted unless there are more than `size` of them.
        """
        shards: list[list[int]] = []
        for _, group in itertools.groupby(self.order, key=lambda at: self.chains[at].passages.key):
            shard: list[int] = []
            for _, alike in itertools.groupby(group, key=self._lists):
                members = list(alike)
                if shard and len(shard) + len(members) > size:
                    shards.append(shard)
                    shard = []
                shard += members
                while len(shard) > size:
                    shards.append(shard[:size])
                    shard = shard[size:]
            shards.append(shard)
        return [tuple(shard) for shard in shards if shard]

    def _lists(self, at: int) -> tuple[str, ...]:
        """The ranked lists that a configuration starts from."""
        return tuple(node.key for name, node in self.chains[at].recalls.items() if name != "pool")


def plan(pipelines: Iterable[Pipeline], settings: Settings, roots: Roots) -> Plan:
    """Plan the evaluation of several pipelines on one dataset."""
    return Plan(tuple(chain(pipeline, settings, roots) for pipeline in pipelines), roots)


def _collect(node: Node, found: dict[str, Node]) -> None:
    if node.key in found:
        return
    for above in node.inputs:
        _collect(above, found)
    found[node.key] = node


@dataclass(frozen=True)
class StageCount:
    """What a stage costs in a plan: distinct nodes, how many a loop would compute, how many are stored."""

    stage: str
    distinct: int
    in_a_loop: int
    stored: int


def describe(plan: Plan, stored: Collection[str] = ()) -> list[StageCount]:
    """A row a stage, in the order of the chain; `stored` are the keys that the store has already."""
    loop = Counter(node.stage for one in plan.chains for node in above(one.outputs))
    there = Counter(node.stage for key, node in plan.nodes.items() if key in stored)
    order = [stage for stage in STAGES if stage in plan.distinct]
    return [StageCount(stage, plan.distinct[stage], loop[stage], there[stage]) for stage in order]


def above(nodes: Iterable[Node]) -> list[Node]:
    """These nodes and all they are computed from, each once."""
    found: dict[str, Node] = {}
    for node in nodes:
        _collect(node, found)
    return list(found.values())
