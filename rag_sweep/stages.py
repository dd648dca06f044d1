"""What each stage of the chain computes. The version goes up when a stage's values change."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from rag_sweep.analyzer import Analyzer
from rag_sweep.arrays import FloatArray
from rag_sweep.embedder.search import Vectors
from rag_sweep.embedder.texts import Embedder, Texts, nested_identity
from rag_sweep.errors import StageFailed
from rag_sweep.evaluation import Evaluation, evaluate, pool_recall
from rag_sweep.evidence import Evidence, handed_over
from rag_sweep.fingerprint import canonical_json, is_durable
from rag_sweep.fusion import Branches, Fusion
from rag_sweep.lexical import Lexical, LexicalIndex
from rag_sweep.passages import Passages, PassageTexts, chunk
from rag_sweep.ranking import EMPTY, Rankings, fold, reorder
from rag_sweep.records import Corpus, Gold
from rag_sweep.remembered import remembered
from rag_sweep.reranker import PAIRS, Candidates, PairReranker, Reranker
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


@dataclass(frozen=True)
class Handing:
    """What is handed over, the first `k` passages, and the share of a span that makes it found."""

    k: int
    share: float


@dataclass(frozen=True, eq=False)
class Found:
    """The end of retrieval: rankings of documents and of passages, at the kept depth."""

    documents: Rankings
    passages: Rankings


Inputs: TypeAlias = Sequence[tuple[Any, ...]]


@dataclass(frozen=True)
class Stage:
    """A step of the chain.

    Attributes
    ----------
    version
        Goes up when the stage's values change.
    run
        Takes the parts of several nodes and the values of their inputs; gives the nodes' values.
    together
        From a node's part and the keys of its inputs: nodes for which it is equal are computed in one
        call, as a family. None: every node alone.
    """

    version: int
    run: Callable[[Sequence[Any], Inputs], Sequence[Any]]
    together: Callable[[Any, tuple[str, ...]], Hashable] | None = None


def _each(compute: Callable[..., Any]) -> Callable[[Sequence[Any], Inputs], Sequence[Any]]:
    """A stage whose nodes have nothing in common."""
    return lambda parts, inputs: [compute(part, *given) for part, given in zip(parts, inputs, strict=True)]


def _same_inputs(part: Any, inputs: tuple[str, ...]) -> Hashable:
    return inputs


def _passage_terms(analyzer: Analyzer, corpus: Corpus, passages: Passages) -> TermCounts:
    return count_terms(_tokens(analyzer, text) for text in PassageTexts(corpus, passages))


def _query_terms(analyzer: Analyzer, gold: Gold) -> TermCounts:
    return count_terms(_tokens(analyzer, question.text) for question in gold.questions)


def _tokens(analyzer: Analyzer, text: str) -> Sequence[str]:
    tokens = analyzer.tokens(text)
    if isinstance(tokens, str) or not all(isinstance(token, str) for token in tokens):
        raise StageFailed(f"analyzer must give a list of strings, got {tokens!r:.80}")
    return tokens


def _postings(_: None, passages: TermCounts, queries: TermCounts) -> LexicalIndex:
    return LexicalIndex.of(passages, queries)


def _lexical(parts: Sequence[Searching], inputs: Inputs) -> list[Rankings]:
    """A grid over k1, b and depth: one preparation, each scoring function once at the largest depth."""
    (index,) = inputs[0]
    depths: dict[Lexical, int] = {}
    for part in parts:
        depths[part.lexical] = max(part.depth, depths.get(part.lexical, 0))
    found = dict(zip(depths, index.search_family(list(depths.items())), strict=True))
    return [found[part.lexical].head(part.depth) for part in parts]


def _vectors(
    embedder: Embedder,
    corpus: Corpus,
    passages: Passages,
    gold: Gold,
    passage_terms: TermCounts | None = None,
    query_terms: TermCounts | None = None,
) -> Vectors:
    texts = Texts(PassageTexts(corpus, passages), passage_terms)
    questions = Texts([question.text for question in gold.questions], query_terms, "question")
    model = embedder.fit(texts)
    vectors = [encoded(embedder, model, part) for part in (texts, questions)]
    check_widths(embedder, *(part.shape[1] for part in vectors))
    return Vectors(vectors[0], vectors[1])


def encoded(embedder: Embedder, model: Mapping[str, Any], texts: Texts) -> FloatArray:
    """Vectors of texts; those of single texts, learned from nothing, are asked for once."""
    if embedder.reads == "tokens" or model:
        return _finite(embedder.encode(model, texts), "embedder", len(texts))
    name = canonical_json([nested_identity(embedder), texts.role])

    def encode(some: Sequence[str]) -> FloatArray:
        return _finite(embedder.encode(model, Texts(some, role=texts.role)), "embedder", len(some))

    return remembered().vectors(is_durable(embedder)).encode(name, list(texts.raw), encode)


def check_widths(embedder: Embedder, passages: int, questions: int) -> None:
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


def _dense(parts: Sequence[Dense], inputs: Inputs) -> list[Rankings]:
    vectors, query_terms = inputs[0]
    silent = query_terms.lengths == 0
    depths: dict[int, int] = {}
    for part in parts:
        depths[part.dim] = max(part.depth, depths.get(part.dim, 0))
    found = {dim: vectors.search(dim, depth, silent) for dim, depth in depths.items()}
    return [found[part.dim].head(part.depth) for part in parts]


def _pool(parts: Sequence[Fusion], inputs: Inputs) -> list[Rankings]:
    """A grid over k_rrf and weights: one union of the branches."""
    branches = Branches(zip(parts[0].branches, inputs[0], strict=True))
    return [_checked_pool(fusion, branches) for fusion in parts]


def _checked_pool(fusion: Fusion, branches: Branches) -> Rankings:
    pool = fusion.fuse(branches)
    if any(pool is branch for branch in branches.values()):
        return pool
    if pool.items.shape != pool.scores.shape:
        raise StageFailed(f"fusion must give a score to each of {pool.items.shape}, got {pool.scores.shape}")
    rows = len(next(iter(branches.values())).items)
    if len(pool.items) != rows or not (np.isfinite(pool.scores) | (pool.items == EMPTY)).all():
        _finite(np.where(pool.items == EMPTY, 0.0, pool.scores), "fusion", rows)
    return pool


def _reranked(parts: Sequence[Reranking], inputs: Inputs) -> list[Rankings]:
    """Several pools and rerankers that look at the same scores: those are computed once for all."""
    _, corpus, passages, gold, *sources = inputs[0]
    heads = [given[0].head(part.reranker.depth) for part, given in zip(parts, inputs, strict=True)]
    branches = [name for name in parts[0].reranker.needs if name != PAIRS]
    scores = _branch_scores(parts[0], heads, dict(zip(branches, sources, strict=True)))
    texts = PassageTexts(corpus, passages)
    questions = [question.text for question in gold.questions]
    found = []
    for at, part in enumerate(parts):
        width = heads[at].items.shape[1]
        own = {name: values[at, :, :width] for name, values in scores.items()}
        if PAIRS in part.reranker.needs:
            own[PAIRS] = _pair_scores(part.reranker, heads[at], questions, texts)
        candidates = Candidates(heads[at], own, questions, texts.__getitem__)
        found.append(reorder(inputs[at][0], _rescored(part.reranker, candidates)))
    return found


def _pair_scores(
    reranker: Reranker, head: Rankings, questions: Sequence[str], texts: Sequence[str]
) -> FloatArray:
    """The reranker's own score of each (question, passage), shape of the head; 0 at padding."""
    if not isinstance(reranker, PairReranker):
        raise StageFailed('reranker needs "pairs", so it must have `model` and `score_pairs`')
    row, column = np.nonzero(head.items != EMPTY)
    asked = [questions[int(at)] for at in row]
    passages = [texts[int(item)] for item in head.items[row, column]]
    scores = np.zeros(head.items.shape)
    scores[row, column] = remembered().pairs.score(reranker.model, asked, passages, reranker.score_pairs)
    return scores


def _rescored(reranker: Reranker, candidates: Candidates) -> FloatArray:
    shape = candidates.ranking.items.shape
    new = np.asarray(reranker.rescore(candidates), dtype=np.float64)
    if new.shape != shape:
        raise StageFailed(f"reranker must give scores of shape {shape}, got {new.shape}")
    _finite(np.where(candidates.present, new, 0.0), "reranker", shape[0])
    return new


def _branch_scores(
    part: Reranking, heads: Sequence[Rankings], sources: Mapping[str, LexicalIndex | Vectors]
) -> dict[str, FloatArray]:
    """True scores in each branch of several sets of candidates, shape (sets, queries, widest)."""
    if not sources:
        return {}
    widest = max(head.items.shape[1] for head in heads)
    items = np.full((len(heads), len(heads[0].items), widest), EMPTY, np.int32)
    for at, head in enumerate(heads):
        items[at, :, : head.items.shape[1]] = head.items
    scores = {}
    for name, source in sources.items():
        if isinstance(source, LexicalIndex) and part.lexical is not None:
            scores[name] = source.score_many(part.lexical, items)
        elif isinstance(source, Vectors) and part.dim is not None:
            scores[name] = source.score_many(part.dim, items)
    return scores


def _same_scores(part: Reranking, inputs: tuple[str, ...]) -> Hashable:
    return part.lexical, part.dim, part.reranker.needs, inputs[1:]


def _found(depth: int, ranking: Rankings, passages: Passages) -> Found:
    kept = ranking.head(depth)
    documents = int(passages.document.max(initial=0)) + 1  # no more ranks than there are documents
    # copies: a view would keep the whole pool alive
    return Found(
        fold(ranking, passages.document, min(depth, documents)),
        Rankings(kept.items.copy(), kept.scores.copy()),
    )


def _values(parts: Sequence[Any], inputs: Inputs) -> list[Evaluation]:
    """Measures of many configurations as one array operation."""
    documents = np.stack([found.documents.items for found, _ in inputs])
    together = evaluate(inputs[0][1], documents, parts[0].k, parts[0].cutoffs)
    return [together.select(at) for at in range(len(parts))]


def _evidence(parts: Sequence[Handing], inputs: Inputs) -> list[Evidence]:
    """The evidence in the passages of many configurations of one chunking, as one array operation."""
    rankings = [found.passages.items[:, : parts[0].k] for found, *_ in inputs]
    items = np.full((len(rankings), len(rankings[0]), parts[0].k), EMPTY, np.int32)
    for at, ranking in enumerate(rankings):
        items[at, :, : ranking.shape[1]] = ranking
    together = handed_over(inputs[0][2], inputs[0][1], items, parts[0].share)
    return [together.select(at) for at in range(len(parts))]


def _same_measures(part: Any, inputs: tuple[str, ...]) -> Hashable:
    return part, inputs[1:]


def _pool_recall(_: None, *given: Any) -> FloatArray:
    *rankings, passages, judgements = given
    document = np.append(passages.document, EMPTY)
    items = np.concatenate([ranking.items for ranking in rankings], axis=1)
    return pool_recall(judgements, np.take(document, items, mode="wrap"))  # EMPTY is the last item's place


STAGES: Mapping[str, Stage] = {
    "passages": Stage(2, _each(chunk)),
    "passage_terms": Stage(2, _each(_passage_terms)),
    "query_terms": Stage(2, _each(_query_terms)),
    "postings": Stage(1, _each(_postings)),
    "vectors": Stage(2, _each(_vectors)),
    "lexical": Stage(1, _lexical, _same_inputs),
    "dense": Stage(1, _dense, _same_inputs),
    "pool": Stage(1, _pool, _same_inputs),
    "reranked": Stage(1, _reranked, _same_scores),
    "found": Stage(1, _each(_found)),
    "values": Stage(1, _values, _same_measures),
    "pool_recall": Stage(1, _each(_pool_recall)),
    "evidence": Stage(1, _evidence, _same_measures),
}
"""The stages in the order of the chain: a stage's inputs are values of earlier ones."""
