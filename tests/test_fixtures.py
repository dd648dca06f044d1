"""The worked example of the regulations through the real chain, from its files to its measures."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pipelines import documents_of, pipeline_of, run

from rag_sweep.dataset.files import Files
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.execute import Outcome
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.lexical import BM25
from rag_sweep.pipeline import Pipeline, Settings
from rag_sweep.records import Dataset

SETTINGS = Settings(k=5, cutoffs=(5, 10))


@pytest.fixture
def folder(shared: Path) -> Path:
    return shared / "fixtures" / "regulations"


@pytest.fixture
def dataset(folder: Path) -> Dataset:
    return Files(str(folder / "docs.jsonl"), str(folder / "gold.jsonl")).load()


def pipeline_named(entry: str) -> Pipeline:
    """The pipeline that an entry's name describes: ``rrf k1=1.5 b=0.75 dim=64 branch_depth=5 k_rrf=1``."""
    kind = entry.split()[0]
    knobs = {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", entry)}
    depth = int(knobs.get("branch_depth", 5))
    fusions: dict[str, Any] = {
        "bm25": LexicalOnly(depth),
        "dense": DenseOnly(depth),
        "rrf": RRF(int(knobs.get("k_rrf", 60)), depth),
    }
    return pipeline_of(
        lexical=BM25(knobs.get("k1", 1.2), knobs.get("b", 0.75)),
        embedder=HashEmbedder(int(knobs.get("dim", 256))),
        fusion=fusions[kind],
    )


def test_every_entry_comes_out_exactly(folder: Path, dataset: Dataset) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert len(expected) == 12
    outcomes = run(dataset, *map(pipeline_named, expected), settings=SETTINGS)
    assert {
        entry: as_written(found, dataset) for entry, found in zip(expected, outcomes, strict=True)
    } == expected


def as_written(outcome: Any, dataset: Dataset) -> dict[str, Any]:
    """An outcome in the form of the file."""
    assert isinstance(outcome, Outcome)
    evaluation = outcome.evaluation
    columns = {
        name: evaluation.column(measure).tolist()
        for name, measure in (("recall_at_5", "recall@5"), ("rr", "mrr@10"), ("ndcg_at_5", "ndcg@5"))
    }
    return {
        "per_question": [
            {"ranking": ranking, **{name: values[at] for name, values in columns.items()}}
            for at, ranking in enumerate(documents_of(outcome, dataset))
        ],
        "mean": {
            name: evaluation.mean(m)
            for name, m in zip(columns, ("recall@5", "mrr@10", "ndcg@5"), strict=True)
        },
    }


def test_the_entries_differ_in_what_they_find(folder: Path) -> None:
    entries = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert len({json.dumps(entry["per_question"]) for entry in entries.values()}) > 6
