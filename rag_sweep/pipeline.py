"""The chain of stages: what a configuration computes, as nodes with keys.

Two configurations that share a prefix of the chain have equal nodes there, so the work is shared. A node's
key is the hash of its stage, the stage's version, its parameters and the keys above it; nothing that has
no effect is in it, so configurations that are equal in effect end in equal nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rag_sweep.analyzer import Analyzer
from rag_sweep.embedder.texts import Embedder, nested_identity
from rag_sweep.evidence import Spans, has_spans
from rag_sweep.fingerprint import fingerprint, is_durable, part_fingerprint
from rag_sweep.fusion import Fusion
from rag_sweep.judgements import Judgements
from rag_sweep.lexical import Lexical
from rag_sweep.passages import Chunker
from rag_sweep.records import Dataset
from rag_sweep.reranker import Reranker
from rag_sweep.stages import STAGES, Dense, Handing, Reranking, Searching


@dataclass(frozen=True)
class Pipeline:
    """One search pipeline: a choice for each of the six groups."""

    chunker: Chunker
    analyzer: Analyzer
    lexical: Lexical
    embedder: Embedder
    fusion: Fusion
    reranker: Reranker

    @property
    def branches(self) -> frozenset[str]:
        """The branches that have an effect: read by the fusion or by the reranker."""
        return frozenset(self.fusion.branches) | frozenset(self.reranker.needs)

    @property
    def scores_are_comparable(self) -> bool:
        """True if the top score says how well it matches: neither ranks nor z-scores."""
        return not self.fusion.made_of_ranks and self.reranker.depth == 0


@dataclass(frozen=True)
class Settings:
    """What is the same for every configuration of a sweep.

    Parameters
    ----------
    k
        The cutoff that decides, >= 1.
    cutoffs
        Further cutoffs in the tables, each >= 1.
    share
        The share of a span of evidence that must be handed over for the span to count as found, above 0,
        at most 1.
    """

    k: int = 10
    cutoffs: tuple[int, ...] = (1, 3, 5, 10)
    share: float = 1.0

    @property
    def depth(self) -> int:
        """Ranks that are kept."""
        return max(self.k, *self.cutoffs) if self.cutoffs else self.k


@dataclass(frozen=True, eq=False)
class Node:
    """One piece of work.

    Attributes
    ----------
    stage
        Name in `STAGES`.
    part
        What the stage needs to know: a component, or its own few parameters.
    inputs
        The nodes above, in the order in which the stage takes their values.
    identity
        The part as it goes into the key.
    """

    stage: str
    part: Any
    inputs: tuple[Node, ...]
    identity: Any = None

    @cached_property
    def is_durable(self) -> bool:
        """True if the value may be kept for other runs: every part that it is made of is durable."""
        return is_durable(self.part) and all(node.is_durable for node in self.inputs)

    @cached_property
    def key(self) -> str:
        """Content address of the node's value."""
        part = part_fingerprint(self.part) if self.identity is None else fingerprint(self.identity)
        version = STAGES[self.stage].version if self.stage in STAGES else 0
        return fingerprint([self.stage, version, part, [node.key for node in self.inputs]])


@dataclass(frozen=True)
class Chain:
    """The nodes of one configuration.

    `recalls` holds the pool recall of each branch and of the pool, `pool_depth` the candidates of a branch;
    `evidence` is None where the gold has no spans.
    """

    passages: Node
    passage_terms: Node
    query_terms: Node
    vectors: Node | None
    found: Node
    values: Node
    recalls: dict[str, Node]
    pool_depth: int
    evidence: Node | None = None

    @property
    def prefix(self) -> tuple[Node, ...]:
        """The slow nodes that many configurations share, as far as a result needs them."""
        return (
            self.passages,
            self.passage_terms,
            self.query_terms,
            *((self.vectors,) if self.vectors else ()),
        )

    @property
    def is_pooled(self) -> bool:
        """True if candidates of several branches are brought together, or are scored again."""
        return len(self.found.inputs[0].inputs) > 1

    @property
    def results(self) -> tuple[Node, ...]:
        """The nodes that are this configuration's own."""
        evidence = (self.evidence,) if self.evidence else ()
        return (self.found, self.values, *self.recalls.values(), *evidence)

    @property
    def outputs(self) -> tuple[Node, ...]:
        """All nodes whose values a result is made of."""
        return (*self.prefix, *self.results)


@dataclass(frozen=True, eq=False)
class Roots:
    """The nodes without inputs: what is given. Their keys are content hashes.

    `spans` is None where the gold has no evidence.
    """

    corpus: Node
    questions: Node
    judgements: Node
    spans: Node | None = None

    @classmethod
    def of(cls, dataset: Dataset) -> Roots:
        """The roots of a dataset."""
        corpus, gold = dataset.corpus.fingerprint, dataset.gold
        return cls(
            Node("corpus", None, (), identity=corpus),
            Node("questions", None, (), identity=gold.queries_fingerprint),
            Node("judgements", None, (), identity=[gold.fingerprint, corpus]),
            Node("spans", None, (), identity=[gold.fingerprint, corpus]) if has_spans(gold) else None,
        )

    def values(self, dataset: Dataset) -> dict[str, Any]:
        """Their values by key."""
        doc_ids = [document.doc_id for document in dataset.corpus.documents]
        return {
            **self._spans(dataset),
            self.corpus.key: dataset.corpus,
            self.questions.key: dataset.gold,
            self.judgements.key: Judgements.of(dataset.gold, doc_ids),
        }

    def _spans(self, dataset: Dataset) -> dict[str, Any]:
        if self.spans is None:
            return {}
        return {self.spans.key: Spans.of(dataset.gold, dataset.corpus.position)}


def chain(pipeline: Pipeline, settings: Settings, roots: Roots) -> Chain:
    """The nodes of a configuration, from the documents to the measures."""
    return _Builder(pipeline, settings, roots).chain()


def reranking(pipeline: Pipeline) -> Reranking:
    """The reranker with the components of the branches whose scores it needs."""
    needs = pipeline.reranker.needs
    return Reranking(
        pipeline.reranker,
        pipeline.lexical if "lexical" in needs else None,
        pipeline.embedder.dim if "dense" in needs else None,
    )


class _Builder:
    """Builds the nodes of one configuration; branches without effect are never built."""

    def __init__(self, pipeline: Pipeline, settings: Settings, roots: Roots) -> None:
        self.pipeline, self.settings, self.roots = pipeline, settings, roots
        self.passages = Node("passages", pipeline.chunker, (roots.corpus,))
        self.passage_terms = Node("passage_terms", pipeline.analyzer, (roots.corpus, self.passages))
        self.query_terms = Node("query_terms", pipeline.analyzer, (roots.questions,))

    @cached_property
    def postings(self) -> Node:
        return Node("postings", None, (self.passage_terms, self.query_terms))

    @cached_property
    def vectors(self) -> Node:
        embedder = self.pipeline.embedder
        above: tuple[Node, ...] = (self.roots.corpus, self.passages, self.roots.questions)
        if embedder.reads == "tokens":
            above = (*above, self.passage_terms, self.query_terms)
        return Node("vectors", embedder, above, identity=nested_identity(embedder))

    def branch(self, name: str) -> Node:
        """The ranked list of a branch."""
        builders: dict[str, Callable[[], Node]] = {"lexical": self._lexical, "dense": self._dense}
        return builders[name]()

    def _lexical(self) -> Node:
        searching = Searching(self.pipeline.lexical, self.pipeline.fusion.pool_depth)
        return Node("lexical", searching, (self.postings,))

    def _dense(self) -> Node:
        searching = Dense(self.pipeline.embedder.dim, self.pipeline.fusion.pool_depth)
        return Node("dense", searching, (self.vectors, self.query_terms))

    def chain(self) -> Chain:
        """All nodes."""
        fusion = self.pipeline.fusion
        branches = {name: self.branch(name) for name in fusion.branches}
        pool = Node("pool", fusion, tuple(branches.values()))
        found = Node("found", self.settings.depth, (self._reranked(pool), self.passages))
        judgements = self.roots.judgements
        pools: dict[str, tuple[Node, ...]] = {name: (node,) for name, node in branches.items()}
        pools["pool"] = tuple(branches.values()) if getattr(fusion, "keeps_all", False) else (pool,)
        recalls = {
            name: Node("pool_recall", None, (*nodes, self.passages, judgements))
            for name, nodes in pools.items()
        }
        return Chain(
            self.passages,
            self.passage_terms,
            self.query_terms,
            self.vectors if "dense" in self.pipeline.branches else None,
            found,
            Node("values", self.settings, (found, judgements)),
            recalls,
            fusion.pool_depth,
            self._evidence(found),
        )

    def _evidence(self, found: Node) -> Node | None:
        if self.roots.spans is None:
            return None
        part = Handing(self.settings.k, self.settings.share)
        return Node("evidence", part, (found, self.passages, self.roots.spans))

    def _reranked(self, pool: Node) -> Node:
        reranker = self.pipeline.reranker
        if reranker.depth == 0:
            return pool
        sources = {"lexical": lambda: self.postings, "dense": lambda: self.vectors}
        part = reranking(self.pipeline)
        above = (pool, self.roots.corpus, self.passages, self.roots.questions)
        return Node(
            "reranked", part, (*above, *(sources[name]() for name in reranker.needs if name in sources))
        )
