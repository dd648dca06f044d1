"""How long a question takes, one at a time: measured on this machine, only to be shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.checks import is_count, require
from rag_sweep.embedder.search import normalised
from rag_sweep.embedder.texts import Texts
from rag_sweep.errors import ConfigError, RagSweepError, StageFailed
from rag_sweep.fusion import Branches
from rag_sweep.lexical import LexicalIndex
from rag_sweep.passages import PassageTexts, chunk
from rag_sweep.pipeline import Pipeline
from rag_sweep.ranking import EMPTY, Rankings, fold, reorder, rounded, top
from rag_sweep.records import Corpus, Dataset
from rag_sweep.reranker import PAIRS, Candidates, PairReranker
from rag_sweep.terms import Postings, TermCounts, count_terms, postings


@dataclass(frozen=True)
class Latency:
    """What was measured.

    Attributes
    ----------
    p50_ms, p95_ms
        Median and 95th percentile of the time for a question, from its text to the ranking of documents.
    build_s
        Seconds from the documents' texts to an index in memory.
    queries
        How many times were taken.
    """

    p50_ms: float
    p95_ms: float
    build_s: float
    queries: int


class Search:
    """One configuration as an application would run it: built once, then asked one question at a time.

    It finds what the sweep finds, by the same components, in one thread. Nothing is taken from a store, and
    a dense search is one product of a matrix and a vector: exact, without an index of approximate neighbours.
    Scores of vectors may differ from the sweep's in the last of their 9 decimals.
    """

    def __init__(self, pipeline: Pipeline, corpus: Corpus) -> None:
        self._pipeline = pipeline
        self._passages = chunk(pipeline.chunker, corpus)
        self._texts = PassageTexts(corpus, self._passages)
        self._terms = count_terms(pipeline.analyzer.tokens(text) for text in self._texts)
        self._postings = self._of_all_terms()
        self._model: Any = None
        self._vectors: FloatArray | None = None
        if "dense" in pipeline.branches:
            self._embed()

    def find(self, question: str, depth: int = 10) -> Rankings:
        """The best documents, shape (1, depth), as the sweep ranks them."""
        tokens = count_terms([self._pipeline.analyzer.tokens(question)])
        index = self._index(tokens)
        vector = self._vector(question, tokens)
        fusion = self._pipeline.fusion
        found = {
            "lexical": lambda: index.search(self._pipeline.lexical, fusion.pool_depth),
            "dense": lambda: self._nearest(vector, fusion.pool_depth, silent=not len(tokens.terms)),
        }
        pool = fusion.fuse(Branches((name, found[name]()) for name in fusion.branches))
        if self._pipeline.reranker.depth:
            pool = self._reranked(pool, question, index, vector)
        return fold(pool, self._passages.document, depth)

    def _of_all_terms(self) -> Postings:
        return postings(self._terms, self._terms.terms)

    def _embed(self) -> None:
        embedder = self._pipeline.embedder
        texts = Texts(self._texts, self._terms if embedder.reads == "tokens" else None)
        self._model = embedder.fit(texts)
        vectors = np.ascontiguousarray(embedder.encode(self._model, texts), dtype=np.float64)
        self._vectors = np.ascontiguousarray(normalised(vectors[:, : embedder.dim]))

    def _index(self, tokens: TermCounts) -> LexicalIndex:
        """The question's postings: of its words that any passage has."""
        known = [at for at, term in enumerate(tokens.terms) if term in self._terms.column]
        columns: IntArray = np.array([self._terms.column[tokens.terms[at]] for at in known], dtype=np.int64)
        counts = sparse.csr_array(tokens.counts[:, known].astype(np.float64))
        return LexicalIndex(self._postings.of_terms(columns), counts)

    def _vector(self, question: str, tokens: TermCounts) -> FloatArray | None:
        if self._vectors is None:
            return None
        embedder = self._pipeline.embedder
        texts = Texts([question], tokens if embedder.reads == "tokens" else None, "question")
        encoded: FloatArray = np.asarray(embedder.encode(self._model, texts), dtype=np.float64)
        return normalised(encoded[:, : embedder.dim])

    def _nearest(self, vector: FloatArray | None, depth: int, silent: bool) -> Rankings:
        if self._vectors is None or vector is None or silent or not vector.any():
            return top(np.full((1, len(self._passages)), -np.inf), depth)
        return top(rounded(vector @ self._vectors.T), depth)

    def _reranked(
        self, pool: Rankings, question: str, index: LexicalIndex, vector: FloatArray | None
    ) -> Rankings:
        reranker = self._pipeline.reranker
        head = pool.head(reranker.depth)
        items = head.items[0][head.items[0] != EMPTY]
        scores: dict[str, FloatArray] = {}
        if "lexical" in reranker.needs:
            scores["lexical"] = index.score(self._pipeline.lexical, head)
        if "dense" in reranker.needs and self._vectors is not None and vector is not None:
            scores["dense"] = _placed((vector @ self._vectors[items].T)[0], head)
        if PAIRS in reranker.needs and isinstance(reranker, PairReranker):
            texts = [self._texts[int(item)] for item in items]
            scores[PAIRS] = _placed(reranker.score_pairs([question] * len(texts), texts), head)
        candidates = Candidates(head, scores, [question], self._texts.__getitem__)
        return reorder(pool, np.asarray(reranker.rescore(candidates), dtype=np.float64))


def _placed(scores: Any, head: Rankings) -> FloatArray:
    """Scores of the items that are there, shape of the head; 0 at padding."""
    placed = np.zeros(head.items.shape)
    placed[head.items != EMPTY] = scores
    return placed


def measure(
    pipeline: Pipeline,
    dataset: Dataset,
    questions: int = 50,
    repeats: int = 3,
    *,
    depth: int = 10,
    clock: Callable[[], float] = time.perf_counter,
) -> Latency:
    """Build one configuration and ask it questions one at a time.

    The chosen questions are asked once before (warm), then `repeats` times.

    Parameters
    ----------
    questions
        How many of the gold's, spread evenly over it; all if it has fewer.
    repeats
        How often each is asked.
    depth
        Documents that are asked for.
    clock
        Seconds.

    Raises
    ------
    ConfigError
        For numbers below 1, and for a gold without questions.
    StageFailed
        If a component fails.
    """
    require("questions", questions, "an int >= 1", is_count(questions))
    require("repeats", repeats, "an int >= 1", is_count(repeats))
    asked = _spread([question.text for question in dataset.gold.questions], questions)
    if not asked:
        raise ConfigError("the gold has no questions, so there is no latency to measure")
    from threadpoolctl import threadpool_limits

    try:
        with threadpool_limits(1):
            return _measured(pipeline, dataset.corpus, asked, repeats, depth, clock)
    except RagSweepError:
        raise
    except Exception as error:  # a component of the user may raise anything
        raise StageFailed(f"latency: {type(error).__name__}: {error}") from error


def _measured(
    pipeline: Pipeline,
    corpus: Corpus,
    asked: Sequence[str],
    repeats: int,
    depth: int,
    clock: Callable[[], float],
) -> Latency:
    begun = clock()
    search = Search(pipeline, corpus)
    build = clock() - begun
    for question in asked:
        search.find(question, depth)
    times = []
    for question in [*asked] * repeats:
        begun = clock()
        search.find(question, depth)
        times.append((clock() - begun) * 1000)
    p50, p95 = np.percentile(times, [50, 95]).tolist()
    return Latency(p50, p95, build, len(times))


def _spread(texts: Sequence[str], number: int) -> list[str]:
    chosen = np.linspace(0, len(texts) - 1, min(number, len(texts))).round().astype(int)
    return [texts[at] for at in chosen.tolist()]
