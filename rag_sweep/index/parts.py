"""What an index is made of, built from documents or read back from arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_sweep.arrays import FloatArray
from rag_sweep.embedder.texts import Embedder, Texts
from rag_sweep.index.neighbours import Prepared
from rag_sweep.index.running import failures, run
from rag_sweep.passages import Passages, PassageTexts
from rag_sweep.pipeline import Pipeline
from rag_sweep.records import Corpus
from rag_sweep.stages import check_widths, encoded
from rag_sweep.terms import Postings, TermCounts, postings

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Embedded:
    """What an embedder learned from the passages, and what it made of them.

    Attributes
    ----------
    model
        As `fit` gave it.
    vectors : float64, shape (passages, width or fewer)
        Not normalised; an index keeps those components that its search uses.
    width
        Components that the embedder gives.
    """

    model: Arrays
    vectors: FloatArray
    width: int

    def leading(self, dim: int) -> Embedded:
        """The same with the first `dim` components, where there are more."""
        return replace(self, vectors=np.ascontiguousarray(self.vectors[:, :dim]))

    @cached_property
    def prepared(self) -> Prepared:
        """The vectors, ready to be searched."""
        return Prepared.of(self.vectors)


@dataclass(frozen=True, eq=False)
class Parts:
    """All that follows from the corpus alone; `embedded` is None without a dense branch."""

    passages: Passages
    terms: TermCounts
    embedded: Embedded | None

    @cached_property
    def postings(self) -> Postings:
        """Of every term, and of a last one that no passage has: it stands for all unknown words."""
        known = postings(self.terms, self.terms.terms)
        return replace(known, df=np.append(known.df, 0.0))

    def prepare(self) -> None:
        """Make now what the first question would make."""
        _ = self.postings, self.terms.column
        if self.embedded is not None:
            self.embedded.prepared.prepare()


def build_parts(pipeline: Pipeline, corpus: Corpus) -> Parts:
    """Cut, count and embed the documents, as a sweep does."""
    passages: Passages = run("passages", pipeline.chunker, corpus)
    terms: TermCounts = run("passage_terms", pipeline.analyzer, corpus, passages)
    if "dense" not in pipeline.branches:
        return Parts(passages, terms, None)
    embedder = pipeline.embedder
    return Parts(passages, terms, embed(embedder, corpus, passages, terms).leading(embedder.dim))


def embed(embedder: Embedder, corpus: Corpus, passages: Passages, terms: TermCounts) -> Embedded:
    """Fit an embedder to the passages and embed them."""
    texts = Texts(PassageTexts(corpus, passages), terms if embedder.reads == "tokens" else None)
    with failures("vectors"):
        model = embedder.fit(texts)
        vectors = encoded(embedder, model, texts)
        check_widths(embedder, vectors.shape[1], vectors.shape[1])
    return Embedded(model, vectors, vectors.shape[1])
