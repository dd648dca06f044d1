"""What a configuration costs, counted and not measured, so that it is the same on every machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray
from rag_sweep.matrix.layout import ConfigurationRecord
from rag_sweep.matrix.stored import StoredSweep
from rag_sweep.passages import Passages

POSTING_BYTES, COMPONENT_BYTES = 8, 4
"""Of a posting (passage number and frequency as int32), and of a vector's component (float32)."""

READING = 10_000_000
"""Multiply-adds for each word that a reranker reads: a small cross-encoder has some ten million weights
beside its vocabulary, and uses each once a token."""

LEXICAL, DENSE, RERANKER = "lexical", "dense", "reranker"
POOL, ZSUM = "pool", "zsum"


@dataclass(frozen=True)
class Cost:
    """What one configuration costs; docs/deciding.md has the formulas.

    Attributes
    ----------
    stages
        What a question goes through: "lexical", "dense" (the branches that the fusion reads), "reranker".
    passages
        How many there are to be searched.
    dim
        Components of their vectors; None if there are none.
    depth
        Candidates that each branch hands on; 0 where the fusion has no `pool_depth`.
    candidates
        Candidates that the reranker looks at; 0 without one.
    index_bytes
        Of postings (at most: a word that stands twice in a passage has one) and vectors; texts not counted.
    words
        Handed over by the first k passages, mean over the answerable questions.
    units
        Of work for a question, about one multiply-add each: postings, products of vectors, fusion and
        reranker. What embeds the question isn't counted.
    """

    stages: tuple[str, ...]
    passages: int
    dim: int | None
    depth: int
    candidates: int
    index_bytes: int
    words: float
    units: int

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {**vars(self), "stages": list(self.stages)}


def cost_of(record: ConfigurationRecord, passages: Passages) -> Cost:
    """The cost of a configuration that didn't fail.

    Parameters
    ----------
    record
        With its params and metrics.
    passages
        Those of its chunking.

    Notes
    -----
    The branches are those whose pool recall was logged. A reranker ``zsum`` computes the scores of both
    branches for its candidates; any other one is taken to read their texts.
    """
    metrics, params = record.metrics, record.params
    told = {name.partition(".")[2] for name in metrics if name.startswith("pool_recall.")} - {POOL}
    depth, candidates = _int(params, "fusion.pool_depth"), _int(params, "reranker.depth")
    kept = ("effective_dim" in metrics) or DENSE in told
    dim = int(metrics.get("effective_dim", _int(params, "embedder.dim"))) if kept else None
    total, number = int(passages.words.sum(dtype=np.int64)), len(passages)
    scores_words = LEXICAL in told or (candidates > 0 and params.get("reranker") == ZSUM)
    return Cost(
        stages=(*sorted(told, key=_place), *((RERANKER,) if candidates else ())),
        passages=number,
        dim=dim,
        depth=depth,
        candidates=candidates,
        index_bytes=(total * POSTING_BYTES if scores_words else 0) + number * (dim or 0) * COMPONENT_BYTES,
        words=float(metrics.get("context.words", 0.0)),
        units=(number if LEXICAL in told else 0)
        + (number * (dim or 0) if DENSE in told else 0)
        + depth * len(told)
        + candidates * _each_candidate(params.get("reranker"), dim, total, number),
    )


def costs_of(sweep: StoredSweep, rows: Sequence[int] | None = None) -> tuple[Cost | None, ...]:
    """The costs of configurations, by their places on the first axis; None for a failed one."""
    places = range(len(sweep.configurations)) if rows is None else rows
    chunking = sweep.chunking.tolist()
    return tuple(
        cost_of(sweep.configurations[row], sweep.chunkings[chunking[row]]) if chunking[row] >= 0 else None
        for row in places
    )


def pareto(quality: FloatArray, cost: FloatArray) -> BoolArray:
    """True where nothing else is at least as good and at most as dear, and one of both strictly.

    Parameters
    ----------
    quality, cost : float64, shape (configurations,)
        Higher is better, lower is better. One that has a NaN is never in the set.
    """
    chosen = np.zeros(len(quality), dtype=np.bool_)
    known = np.flatnonzero(~(np.isnan(quality) | np.isnan(cost)))
    best, at_cost = -np.inf, np.nan
    for at in known[np.lexsort((-quality[known], cost[known]))].tolist():
        if quality[at] > best:
            best, at_cost = quality[at], cost[at]
        chosen[at] = quality[at] == best and cost[at] == at_cost
    return chosen


def _each_candidate(reranker: object, dim: int | None, words: int, passages: int) -> int:
    """Units for a candidate: its scores in both branches, or its words read by a model."""
    if reranker == ZSUM:
        return (dim or 0) + 1
    return READING * max(1, round(words / max(1, passages)))


def _int(params: Mapping[str, Any], key: str) -> int:
    value = params.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _place(branch: str) -> tuple[bool, bool, str]:
    return branch != LEXICAL, branch != DENSE, branch
