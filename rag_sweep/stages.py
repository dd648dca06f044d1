"""What each stage of the chain computes. The version goes up when a stage's values change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rag_sweep.analyzer import Analyzer
from rag_sweep.arrays import FloatArray
from rag_sweep.embedder.search import Vectors
from rag_sweep.embedder.texts import Embedder, Texts
from rag_sweep.errors import StageFailed
from rag_sweep.evaluation import Evaluation, evaluate, pool_recall
from rag_sweep.fusion import Fusion
from rag_sweep.judgements import Judgements
from rag_sweep.lexical import Lexical, LexicalIndex
from rag_sweep.passages import Passages, PassageTexts, chunk
from rag_sweep.ranking import EMPTY, Rankings, fold, reorder
from rag_sweep.records import Corpus, Gold
from rag_sweep.reranker import Candidates, Reranker
from rag_sweep.terms import TermCounts, count_terms


@dataclass(frozen=True)
class Searching:
    """A lexical search: its scoring function and how many candidates it returns."""

    lexical: Lexical
    depth: int


@dataclass(frozen=True)
class Dense:
    """A dense search: the components it uses and how many candidates it returns."""

    dim: int
    depth: int


@dataclass(frozen=True)
class Reranking:
    """A reranker with what it takes to score candidates in the branches that it needs."""

    reranker: Reranker
    lexical: Lexical | None
    dim: int | None


@dataclass(frozen=True, eq=False)
class Found:
    """The end of retrieval: rankings of documents and of passages, at the kept depth."""

    documents: Rankings
    passages: Rankings


@dataclass(frozen=True)
class Stage:
    """A step of the chain: `run` takes the node's part, then the values of its inputs."""

    version: int
    run: Callable[..., Any]


def _passage_terms(analyzer: Analyzer, corpus: Corpus, passages: Passages) -> TermCounts:
    return count_terms(analyzer.tokens(text) for text in PassageTexts(corpus, passages))


def _query_terms(analyzer: Analyzer, gold: Gold) -> TermCounts:
    return count_terms(analyzer.tokens(question.text) for question in gold.questions)


def _postings(_: None, passages: TermCounts, queries: TermCounts) -> LexicalIndex:
    return LexicalIndex.of(passages, queries)


def _lexical(searching: Searching, index: LexicalIndex) -> Rankings:
    return index.search(searching.lexical, searching.depth)


def _vectors(
    embedder: Embedder,
    corpus: Corpus,
    passages: Passages,
    gold: Gold,
    passage_terms: TermCounts,
    query_terms: TermCounts,
) -> Vectors:
    texts = Texts(PassageTexts(corpus, passages), passage_terms)
    questions = Texts([question.text for question in gold.questions], query_terms)
    model = embedder.fit(texts)
    vectors = [_finite(embedder.encode(model, part), "embedder", len(part)) for part in (texts, questions)]
    _check_widths(embedder, *(part.shape[1] for part in vectors))
    return Vectors(vectors[0], vectors[1], query_terms.lengths == 0)


def _check_widths(embedder: Embedder, passages: int, questions: int) -> None:
    """Only the vectors of a nested embedder may be cut: of others, `dim` components are no embedding."""
    if passages != questions:
        raise StageFailed(
            f"embedder must give passages and questions the same width, got {passages} and {questions}"
        )
    if not embedder.nested and passages != embedder.dim:
        raise StageFailed(f"embedder must give vectors of dim={embedder.dim} components, got {passages}")


def _finite(values: FloatArray, what: str, rows: int) -> FloatArray:
    """A failure is never a number: NaN and infinity stop the configuration."""
    values = np.ascontiguousarray(values, dtype=np.float64)
    if values.ndim != 2 or len(values) != rows:
        raise StageFailed(f"{what} must give {rows} rows, one for each text, got shape {values.shape}")
    if not np.isfinite(values).all():
        row = int(np.nonzero(~np.isfinite(values).all(axis=1))[0][0])
        raise StageFailed(f"{what} gave a value that is no number (first in row {row})")
    return values


def _dense(dense: Dense, vectors: Vectors) -> Rankings:
    return vectors.search(dense.dim, dense.depth)


def _pool(fusion: Fusion, *branches: Rankings) -> Rankings:
    pool = fusion.fuse(dict(zip(fusion.branches, branches, strict=True)))
    if pool.items.shape != pool.scores.shape:
        raise StageFailed(f"fusion must give a score to each of {pool.items.shape}, got {pool.scores.shape}")
    _finite(np.where(pool.items == EMPTY, 0.0, pool.scores), "fusion", len(branches[0].items))
    return pool


def _reranked(
    part: Reranking,
    pool: Rankings,
    corpus: Corpus,
    passages: Passages,
    gold: Gold,
    *sources: LexicalIndex | Vectors,
) -> Rankings:
    head = pool.head(part.reranker.depth)
    scores = _branch_scores(part, head, dict(zip(part.reranker.needs, sources, strict=True)))
    texts = PassageTexts(corpus, passages)
    questions = [question.text for question in gold.questions]
    rescored = part.reranker.rescore(Candidates(head, scores, questions, texts.__getitem__))
    new = np.asarray(rescored, dtype=np.float64)
    if new.shape != head.items.shape:
        raise StageFailed(f"reranker must give scores of shape {head.items.shape}, got {new.shape}")
    _finite(np.where(head.items == EMPTY, 0.0, new), "reranker", len(head.items))
    return reorder(pool, new)


def _branch_scores(
    part: Reranking, head: Rankings, sources: Mapping[str, LexicalIndex | Vectors]
) -> dict[str, FloatArray]:
    scores = {}
    for name, source in sources.items():
        if isinstance(source, LexicalIndex) and part.lexical is not None:
            scores[name] = source.score(part.lexical, head)
        elif isinstance(source, Vectors) and part.dim is not None:
            scores[name] = source.score(part.dim, head)
    return scores


def _found(depth: int, ranking: Rankings, passages: Passages) -> Found:
    return Found(fold(ranking, passages.document, depth), ranking.head(depth))


def _values(settings: Any, found: Found, judgements: Judgements) -> Evaluation:
    return evaluate(judgements, found.documents.items, settings.k, settings.cutoffs)


def _pool_recall(_: None, ranking: Rankings, passages: Passages, judgements: Judgements) -> FloatArray:
    documents = np.where(ranking.items == EMPTY, EMPTY, passages.document[ranking.items])
    return pool_recall(judgements, documents)


STAGES: Mapping[str, Stage] = {
    "passages": Stage(1, chunk),
    "passage_terms": Stage(1, _passage_terms),
    "query_terms": Stage(1, _query_terms),
    "postings": Stage(1, _postings),
    "lexical": Stage(1, _lexical),
    "vectors": Stage(1, _vectors),
    "dense": Stage(1, _dense),
    "pool": Stage(1, _pool),
    "reranked": Stage(1, _reranked),
    "found": Stage(1, _found),
    "values": Stage(1, _values),
    "pool_recall": Stage(1, _pool_recall),
}
