"""Questions on their way through one configuration: each step is made when it is needed, and once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from rag_sweep.embedder.texts import Texts
from rag_sweep.errors import ConfigError
from rag_sweep.fusion import Branches
from rag_sweep.index.neighbours import Neighbours
from rag_sweep.index.parts import Parts
from rag_sweep.index.running import failures, run
from rag_sweep.lexical import LexicalIndex
from rag_sweep.pipeline import Pipeline, reranking
from rag_sweep.ranking import Rankings
from rag_sweep.records import Corpus, Gold, Question
from rag_sweep.stages import Dense, Searching, check_widths, encoded
from rag_sweep.terms import TermCounts


@dataclass(frozen=True, eq=False)
class Asked:
    """Some questions, and what the stages of a sweep make of them."""

    pipeline: Pipeline
    corpus: Corpus
    parts: Parts
    texts: tuple[str, ...]

    @cached_property
    def gold(self) -> Gold:
        """The questions as the stages take them."""
        return Gold(tuple(Question(str(at), text) for at, text in enumerate(self.texts)))

    @cached_property
    def terms(self) -> TermCounts:
        """Counts of their tokens."""
        terms: TermCounts = run("query_terms", self.pipeline.analyzer, self.gold)
        return terms

    @cached_property
    def lexical(self) -> LexicalIndex:
        """Their words' postings; the rest of the vocabulary isn't looked at."""
        column, nothing = self.parts.terms.column, len(self.parts.terms.terms)
        columns = np.array([column.get(term, nothing) for term in self.terms.terms], dtype=np.int64)
        counts = sparse.csr_array(self.terms.counts.astype(np.float64))
        return LexicalIndex(self.parts.postings.of_terms(columns), counts)

    @cached_property
    def vectors(self) -> Neighbours:
        """Their vectors, before those of the passages."""
        embedder, embedded = self.pipeline.embedder, self.parts.embedded
        if embedded is None:
            raise ConfigError("this configuration has no dense branch")
        texts = Texts(self.texts, self.terms if embedder.reads == "tokens" else None, "question")
        with failures("vectors"):
            queries = encoded(embedder, embedded.model, texts)
            check_widths(embedder, embedded.width, queries.shape[1])
        return Neighbours(embedded.vectors, queries, embedded.prepared)

    @cached_property
    def branches(self) -> Branches:
        """What each branch returns that the fusion reads."""
        searches = {"lexical": self._lexical_search, "dense": self._dense_search}
        return Branches((name, searches[name]()) for name in self.pipeline.fusion.branches)

    @cached_property
    def pool(self) -> Rankings:
        """Passages as the fusion ranks them."""
        pool: Rankings = run("pool", self.pipeline.fusion, *self.branches.values())
        return pool

    @cached_property
    def ranking(self) -> Rankings:
        """Passages in their final order, before they are folded to documents and cut."""
        reranker = self.pipeline.reranker
        if reranker.depth == 0:
            return self.pool
        sources = [getattr(self, SOURCES[name]) for name in reranker.needs if name in SOURCES]
        given = self.pool, self.corpus, self.parts.passages, self.gold
        ranking: Rankings = run("reranked", reranking(self.pipeline), *given, *sources)
        return ranking

    def _lexical_search(self) -> Rankings:
        part = Searching(self.pipeline.lexical, self.pipeline.fusion.pool_depth)
        found: Rankings = run("lexical", part, self.lexical)
        return found

    def _dense_search(self) -> Rankings:
        part = Dense(self.pipeline.embedder.dim, self.pipeline.fusion.pool_depth)
        found: Rankings = run("dense", part, self.vectors, self.terms)
        return found


SOURCES = {"lexical": "lexical", "dense": "vectors"}
"""Where a reranker finds the scores of a branch that it needs."""


def checked(questions: Sequence[str]) -> tuple[str, ...]:
    """Questions as texts.

    Raises
    ------
    ConfigError
        If it isn't a list of at least one text.
    """
    texts = () if isinstance(questions, str) else tuple(questions)
    if not texts or not all(isinstance(text, str) for text in texts):
        raise ConfigError(f"questions must be a list of at least one text, got {questions!r:.80}")
    return texts
