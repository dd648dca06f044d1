"""The loop that a good engineer writes: bm25s for each (k1, b), RRF in numpy, ranx for the measures.

Tokens and vectors are cached, and the dense ranking may be, which no knob of the grids changes.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from benchmarks.material import DEPTH, Material, Missing

CUTOFF = 10
MEASURES = {
    "hit": "hit_rate",
    "recall": "recall",
    "precision": "precision",
    "mrr": "mrr",
    "ndcg": "ndcg_burges",
    "ndcg_linear": "ndcg",
    "map": "map",
}
"""Our names and those of ranx."""

NEAR_TIE = 1e-4
"""bm25s sums in float32: passages whose scores are nearer than this may change places."""


class Loop:
    """One pass of the loop is `lexical`, for hybrid search `fused`, then `measures`."""

    def __init__(self, material: Material, vectors: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        try:
            import bm25s
            import ranx
        except ImportError as error:
            raise Missing(f"{error.name} is not installed") from error
        self._bm25s, self._ranx, self.material = bm25s, ranx, material
        self._corpus = (material.tokens, dict(material.vocabulary))
        self._qrels = ranx.Qrels(material.qrels)
        self._vectors = vectors

    def lexical(self, k1: float, b: float) -> tuple[np.ndarray, np.ndarray]:
        """Document numbers, best first, -1 behind the end, and scores: shape (questions, depth)."""
        retriever = self._bm25s.BM25(method="lucene", k1=k1, b=b)
        retriever.index(self._corpus, show_progress=False)
        depth = min(DEPTH, len(self.material.tokens))
        items, scores = retriever.retrieve(self.material.question_tokens, k=depth, show_progress=False)
        return np.where(scores > 0, items, -1), scores

    def lexical_in_our_order(self, k1: float, b: float) -> tuple[np.ndarray, np.ndarray]:
        """The same from bm25s' scores in float64, ties by number; and which questions have a near tie.

        For the check alone. A tie with the passage behind the end of the list counts too.
        """
        retriever = self._bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
        retriever.index(self._corpus, show_progress=False)
        size = len(self.material.tokens)
        depth = min(DEPTH, size)
        items = np.full((len(self.material.question_tokens), depth), -1)
        tied = np.zeros(len(items), dtype=bool)
        for row, tokens in enumerate(self.material.question_tokens):
            every = np.round((k1 + 1) * retriever.get_scores(tokens), 9) if tokens else np.zeros(size)
            order = np.argsort(-every, kind="stable")[: depth + 1]
            best = every[order]
            items[row] = np.where(best[:depth] > 0, order[:depth], -1)
            tied[row] = ((best[:-1] - best[1:] < NEAR_TIE) & (best[1:] > 0)).any()
        return items, tied

    def searched(self) -> np.ndarray:
        """The dense ranking from the vectors, shape (questions, depth)."""
        if self._vectors is None:
            raise RuntimeError("a lexical loop has no vectors")
        return dense(*self._vectors)

    @cached_property
    def dense(self) -> np.ndarray:
        """The same, searched once."""
        return self.searched()

    def fused(self, lexical: np.ndarray, k_rrf: int) -> np.ndarray:
        """The best documents of the branches that there are, shape (questions, CUTOFF)."""
        if self._vectors is None:
            return lexical[:, :CUTOFF]
        return rrf([lexical, self.dense], k_rrf)[:, :CUTOFF]

    def measures(self, items: np.ndarray) -> dict[str, np.ndarray]:
        """Values of each question that has an answer, in the order of the gold, by our names."""
        names = [f"{name}@{CUTOFF}" for name in MEASURES.values()]
        run = self._ranx.Run(self._as_run(items))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numba's, about a cast inside ranx
            values = self._ranx.evaluate(self._qrels, run, names, return_mean=False)
        # ranx sorts questions by their id
        place = {query_id: at for at, query_id in enumerate(sorted(self.material.qrels))}
        order = [place[query_id] for query_id in self.material.qrels]
        return {name: values[f"{other}@{CUTOFF}"][order] for name, other in MEASURES.items()}

    def _as_run(self, items: np.ndarray) -> dict[str, dict[str, float]]:
        """ranx sorts by score and not stably, so ranks stand for scores; a question must have a document."""
        ids, run = self.material.doc_ids, {}
        for question, row in zip(self.material.dataset.gold.questions, items.tolist(), strict=True):
            if question.query_id in self.material.qrels:
                found = {ids[item]: 1.0 / rank for rank, item in enumerate(row, 1) if item >= 0}
                run[question.query_id] = found or {"": 0.0}
        return run


def dense(passages: np.ndarray, questions: np.ndarray) -> np.ndarray:
    """The best passages by cosine, shape (questions, DEPTH); ties by number."""
    passages, questions = unit(passages), unit(questions)
    rows = [np.round(block @ passages.T, 9) for block in np.array_split(questions, -(-len(questions) // 64))]
    found = [_best(scores, min(DEPTH, len(passages))) for scores in rows]
    items = np.concatenate(found)
    items[~questions.any(axis=1)] = -1
    return items


def _best(scores: np.ndarray, depth: int) -> np.ndarray:
    return np.argsort(-scores, axis=1, kind="stable")[:, :depth]


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows of length 1; zero rows stay zero."""
    norms = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    return vectors / np.where(norms == 0, 1.0, norms)


def rrf(lists: Sequence[np.ndarray], k_rrf: int) -> np.ndarray:
    """Reciprocal rank fusion of rankings, -1 behind their end; ties by number."""
    items = np.concatenate(lists, axis=1)
    gains = np.concatenate(
        [np.broadcast_to(1.0 / (k_rrf + 1 + np.arange(r.shape[1])), r.shape) for r in lists], 1
    )
    order = np.argsort(items, axis=1, kind="stable")
    items, gains = np.take_along_axis(items, order, 1), np.take_along_axis(gains, order, 1)
    again = (items[:, 1:] == items[:, :-1]) & (items[:, 1:] >= 0)  # in both lists, so at most twice
    gains[:, :-1] += np.where(again, gains[:, 1:], 0.0)
    items[:, 1:][again] = -1
    order = np.argsort(np.where(items < 0, np.inf, -np.round(gains, 9)), axis=1, kind="stable")
    return np.take_along_axis(items, order, 1)
