"""An index out of what the store has: of sweeps before, and of searches before."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rag_sweep.cached import Cached
from rag_sweep.embedder.texts import nested_identity
from rag_sweep.errors import DataError, RagSweepError
from rag_sweep.index import Index
from rag_sweep.index.parts import Embedded, Parts, embed
from rag_sweep.index.running import run
from rag_sweep.index.threads import one_thread
from rag_sweep.passages import Passages
from rag_sweep.pipeline import Node, Pipeline
from rag_sweep.records import Corpus
from rag_sweep.remembered import remembering
from rag_sweep.store.entry import Store
from rag_sweep.terms import TermCounts

VERSION = 1
"""Goes up when what an embedder's node holds changes; passages and terms have those of their stages."""


@dataclass(frozen=True)
class Built:
    """An index, and how much of it had to be computed: names of parts."""

    index: Index
    computed: tuple[str, ...]


def built(pipeline: Pipeline, corpus: Corpus, store: Store) -> Built:
    """The index of a pipeline; what is computed is kept in the store.

    Passages and terms are those of a sweep, by the same keys. An embedder's vectors are kept with what it
    learned, which a sweep doesn't need: so they have a key of their own.

    Raises
    ------
    DataError
        If there is no document.
    StageFailed
        If a component fails.
    """
    if not len(corpus):
        raise DataError("there are no documents to search")
    with one_thread(), remembering(store):
        made = _Made(Cached(store))
        root = Node("corpus", None, (), identity=corpus.fingerprint)
        cut = Node("passages", pipeline.chunker, (root,))
        passages: Passages = made.value(cut, "passages", lambda: run("passages", pipeline.chunker, corpus))
        counted = Node("passage_terms", pipeline.analyzer, (root, cut))
        terms: TermCounts = made.value(
            counted, "terms", lambda: run("passage_terms", pipeline.analyzer, corpus, passages)
        )
        embedded = None
        if "dense" in pipeline.branches:
            embedder = pipeline.embedder
            above = (root, cut, counted) if embedder.reads == "tokens" else (root, cut)
            identity = [VERSION, nested_identity(embedder)]
            node = Node("embedded", embedder, above, identity=identity)
            whole: Embedded = made.value(node, "vectors", lambda: embed(embedder, corpus, passages, terms))
            embedded = whole.leading(embedder.dim)
        return Built(Index(pipeline, corpus, Parts(passages, terms, embedded)), tuple(made.computed))


class _Made:
    """Values of nodes: from the store, or else computed and kept."""

    def __init__(self, cached: Cached) -> None:
        self._cached = cached
        self.computed: list[str] = []

    def value(self, node: Node, name: str, compute: Callable[[], Any]) -> Any:
        found = self._cached.load([node])
        if node.key in found:
            return found[node.key]
        value = compute()
        self.computed.append(name)
        with suppress(RagSweepError, TypeError):  # what a user's embedder learned may be no plain array
            self._cached.keep([node], {node.key: value})
        return value
