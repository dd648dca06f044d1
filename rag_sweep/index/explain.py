"""Taking a ranking apart, by the components that made it: nothing is known here of any formula."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from rag_sweep.arrays import FloatArray, IndexArray
from rag_sweep.errors import RagSweepError
from rag_sweep.fusion import Branches
from rag_sweep.index.asked import Asked
from rag_sweep.index.explanation import Branch, Contribution, Explanation, Term, Why
from rag_sweep.index.hits import best_passages, hits_of
from rag_sweep.index.running import failures, run
from rag_sweep.lexical import LexicalIndex
from rag_sweep.ranking import EMPTY, Rankings

SUM = 2e-9
"""Shares are a sum if they miss the fused score by less: each is rounded to 9 decimals."""


def explain(asked: Asked, k: int) -> Explanation:
    """Explain the best `k` documents of a single question."""
    pipeline, passages = asked.pipeline, asked.parts.passages
    best = best_passages(asked.ranking, passages, k)
    items = np.array([item for item, _ in best], dtype=np.int32)
    hits = hits_of(best, passages, asked.corpus)
    tokens = tuple(_tokens(asked))
    terms = _terms(asked, tokens)
    added, branches = _contributions(asked, terms, items), _branches(asked, items)
    pool, final = (_ranks(ranking, items) for ranking in (asked.pool, asked.ranking))
    scores = _scores_in(asked.pool, items)
    return Explanation(
        question=asked.texts[0],
        tokens=tokens,
        passages=len(passages),
        mean_words=asked.parts.postings.avgdl,
        terms=terms,
        lexical=type(pipeline.lexical).__name__,
        fusion=type(pipeline.fusion).__name__,
        reranker=type(pipeline.reranker).__name__ if pipeline.reranker.depth else None,
        candidates={name: int(ranking.lengths[0]) for name, ranking in asked.branches.items()},
        hits=tuple(
            Why(
                hit=hit,
                words=int(asked.parts.terms.lengths[items[at]]),
                terms=added[at],
                branches=branches[at],
                fused_rank=pool[at] or 0,
                fused_score=scores[at],
                passage_rank=final[at] or 0,
                is_reranked=(pool[at] or 0) <= pipeline.reranker.depth,
            )
            for at, hit in enumerate(hits)
        ),
    )


def _tokens(asked: Asked) -> Sequence[str]:
    """The question's tokens in order."""
    with failures("query_terms"):
        tokens: Sequence[str] = asked.pipeline.analyzer.tokens(asked.texts[0])
    return tokens


def _terms(asked: Asked, tokens: Sequence[str]) -> tuple[Term, ...]:
    """Distinct tokens; what they weigh is the lexical component's own word."""
    at = {term: place for place, term in enumerate(asked.terms.terms)}
    df, N = asked.lexical.postings.df, asked.lexical.postings.N
    weigh = getattr(asked.pipeline.lexical, "importance", None)
    idf = [None] * len(df)
    if weigh is not None and "lexical" in asked.pipeline.branches:
        idf = weigh(df, N).tolist()
    counts = asked.terms.counts.toarray()[0].tolist()
    places = [at[token] for token in dict.fromkeys(tokens)]
    return tuple(
        Term(asked.terms.terms[place], counts[place], int(df[place]), idf[place] if df[place] else None)
        for place in places
    )


def _contributions(asked: Asked, terms: Sequence[Term], items: IndexArray) -> list[tuple[Contribution, ...]]:
    """What each term adds to each passage: its score for a question of this term alone, as often."""
    if "lexical" not in asked.pipeline.branches or not terms or not len(items):
        return [()] * len(items)
    rows = [asked.terms.terms.index(term.term) for term in terms]
    counts = sparse.csr_array(sparse.diags_array(asked.lexical.queries.toarray()[0]).tocsr()[rows])
    alone = LexicalIndex(asked.lexical.postings, counts)
    scores = alone.score(asked.pipeline.lexical, _for_each(len(terms), items))
    known = asked.parts.terms
    columns = [known.column.get(term.term) for term in terms]
    tf = known.counts[items].toarray()[:, [0 if column is None else column for column in columns]]
    return [
        tuple(
            Contribution(term.term, 0 if columns[row] is None else int(tf[at, row]), float(scores[row, at]))
            for row, term in enumerate(terms)
        )
        for at in range(len(items))
    ]


def _for_each(rows: int, items: IndexArray) -> Rankings:
    """The same items in each of some rows."""
    tiled = np.tile(items, (rows, 1))
    return Rankings(tiled, np.zeros(tiled.shape))


def _branches(asked: Asked, items: IndexArray) -> list[tuple[Branch, ...]]:
    """Each branch's word on each passage."""
    names = [name for name in ("lexical", "dense") if name in asked.pipeline.branches]
    if not len(items):
        return []
    scores = {name: _branch_scores(asked, name, items) for name in names}
    ranks = {name: _ranks(asked.branches[name], items) for name in names if name in asked.branches}
    shares = _shares(asked, items)
    nothing: list[Any] = [None] * len(items)
    return [
        tuple(
            Branch(name, ranks.get(name, nothing)[at], float(scores[name][at]), shares.get(name, nothing)[at])
            for name in names
        )
        for at in range(len(items))
    ]


def _branch_scores(asked: Asked, name: str, items: IndexArray) -> FloatArray:
    candidates = _for_each(1, items)
    if name == "lexical":
        scores = asked.lexical.score(asked.pipeline.lexical, candidates)
    else:
        scores = asked.vectors.score(asked.pipeline.embedder.dim, candidates)
    return scores.reshape(-1)


def _shares(asked: Asked, items: IndexArray) -> dict[str, list[float]]:
    """What each branch adds to the fused score: that of a pool in which the others found nothing.

    Empty where these don't add up, since then the fusion is no sum.
    """
    fusion, branches = asked.pipeline.fusion, asked.branches
    shares = {}
    try:
        for name in branches:
            alone = Branches(
                (one, ranking if one == name else _nothing(ranking)) for one, ranking in branches.items()
            )
            shares[name] = _scores_in(run("pool", fusion, *alone.values()), items)
    except RagSweepError:
        return {}  # a fusion that can't do with one branch is no sum
    added = np.sum([shares[name] for name in branches], axis=0)
    return shares if np.abs(added - _scores_in(asked.pool, items)).max() < SUM else {}


def _nothing(ranking: Rankings) -> Rankings:
    return Rankings(np.full_like(ranking.items, EMPTY), np.full_like(ranking.scores, -np.inf))


def _ranks(ranking: Rankings, items: IndexArray) -> list[int | None]:
    """From 1; None for an item that isn't there."""
    places = {item: rank for rank, item in enumerate(ranking.items[0].tolist(), start=1) if item != EMPTY}
    return [places.get(item) for item in items.tolist()]


def _scores_in(ranking: Rankings, items: IndexArray) -> list[float]:
    """Scores of items in a ranking; 0 for one that isn't there."""
    scores = dict(zip(ranking.items[0].tolist(), ranking.scores[0].tolist(), strict=True))
    return [scores.get(item, 0.0) for item in items.tolist()]
