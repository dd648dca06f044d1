"""Sweeps made of given values, without files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rag_sweep.configuration import Scalar
from rag_sweep.matrix.data import SweepData
from rag_sweep.matrix.layout import ConfigurationRecord
from rag_sweep.passages import Passages
from rag_sweep.records import Basis, Gold, Question

DOCUMENTS = 40
SHIPPED: dict[str, Scalar] = {"chunker": "document", "lexical": "bm25", "lexical.k1": 1.2, "lexical.b": 0.75}


def asked(
    number: int, *, tags: bool = False, negatives: int = 0, judged: bool = False
) -> tuple[Question, ...]:
    """Questions with one relevant document each, the last ones with none; tags alternate."""
    return tuple(
        Question(
            f"q{at:03}",
            f"what about thing {at}",
            {}
            if at >= number - negatives
            else {f"d{at % DOCUMENTS:03}": 1, **({f"d{(at + 1) % DOCUMENTS:03}": 0} if judged else {})},
            tags=(f"t{at % 2}",) if tags else (),
        )
        for at in range(number)
    )


class MadeSweep(SweepData):
    """A sweep with these values of its objective, shape (configurations, answerable questions).

    Rankings are random ones, a different one for each configuration, unless `documents` are given. A failed
    configuration has a text in `failures`; its values are of no importance.
    """

    def __init__(
        self,
        values: Any,
        params: Sequence[Mapping[str, Scalar]] | None = None,
        *,
        questions: Sequence[Question] | None = None,
        sweep_id: str = "20260131-120000-a1b2c3",
        k: int = 10,
        objective: str | None = None,
        corpus_hash: str = "c" * 64,
        code: str = "0.1+x",
        gold_version: str | None = None,
        documents: Any = None,
        aliases: Mapping[int, int] | None = None,
        failures: Mapping[int, str] | None = None,
        metrics: Sequence[Mapping[str, float]] | None = None,
        branches: Mapping[str, Sequence[bool]] | None = None,
        planned: int | None = None,
        has_text: bool = True,
    ) -> None:
        table = np.asarray(values, dtype=np.float64)
        number, depth = len(table), max(k, 10)
        gold = Gold(tuple(questions or asked(table.shape[1])), gold_version)
        self.file, self.sweep_id, self.name, self.code = Path("made"), sweep_id, f"made {sweep_id[-6:]}", code
        self.k, self.cutoffs, self.share = k, (1, 3, 5, 10), 1.0
        self.objective = objective or f"ndcg@{k}"
        self.measures, self.columns = (f"ndcg@{k}", f"recall@{k}"), (f"ndcg@{k}", f"recall@{k}")
        self.planned, self.has_text = planned or number, has_text
        ids = tuple(f"d{at:03}" for at in range(DOCUMENTS))
        self.basis = Basis("made", ids, gold, corpus_hash, gold.fingerprint)
        given = params or [{"chunker": "document", "lexical.k1": at} for at in range(number)]
        self.configurations = tuple(
            ConfigurationRecord(
                index=at,
                name=" ".join(f"{key.rpartition('.')[2]}={value}" for key, value in one.items()),
                overrides=(),
                params=one,
                fingerprint=f"{at:064}",
                alias_of=(aliases or {}).get(at),
                failure=(failures or {}).get(at),
                metrics={"context.words": 100.0, **(metrics[at] if metrics else {})},
                warnings=(),
            )
            for at, one in enumerate(given)
        )
        self._put(table, depth, documents, branches or {})

    def _put(
        self, table: np.ndarray, depth: int, documents: Any, branches: Mapping[str, Sequence[bool]]
    ) -> None:
        """The arrays that a file would hold."""
        asked, alive = len(self.questions), [one.failure is None for one in self.configurations]
        whole = np.full((len(table), asked, 2), np.nan)
        whole[:, self.judgements.answerable] = table[..., np.newaxis]
        rng = np.random.default_rng(0)
        if documents is None:
            documents = np.argsort(rng.random((len(table), asked, DOCUMENTS)), axis=2)[..., :depth]
        every = np.arange(DOCUMENTS, dtype=np.int32)
        passages = Passages(every, every * 0, every * 0 + 50, every * 0 + 10)
        self.__dict__.update(
            values=whole,
            means=np.repeat(table.sum(axis=1, keepdims=True) / max(1, table.shape[1]), 2, axis=1),
            documents=np.asarray(documents, dtype=np.int32),
            passage_numbers=np.asarray(documents, dtype=np.int32),
            top_scores=np.ones((len(table), asked)),
            chunking=np.where(alive, 0, -1).astype(np.int32),
            chunkings=(passages,),
            pool_recall={
                name: np.where(np.array(used)[:, np.newaxis], 0.5, np.nan) * np.ones((1, asked))
                for name, used in branches.items()
            },
        )


def grid_params(**axes: Sequence[Scalar]) -> list[dict[str, Scalar]]:
    """The params of a full grid; double underscores in a name are dots."""
    rows: list[dict[str, Scalar]] = [{}]
    for key, values in axes.items():
        rows = [{**row, key.replace("__", "."): value} for row in rows for value in values]
    return rows


def noisy(means: Sequence[float], questions: int, seed: int = 0, noise: float = 0.1) -> np.ndarray:
    """Values around these means, as rows, from 0 to 1: questions differ much, configurations with `noise`."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 0.15, questions)
    rows = np.array(means)[:, np.newaxis] + hard + rng.normal(0, noise, (len(means), questions))
    return np.clip(rows, 0.0, 1.0)
