"""BM25 over real collections: the reference values to nine decimals, through the whole chain."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pipelines import pipeline_of, run

from rag_sweep.dataset.beir import Beir
from rag_sweep.execute import Outcome
from rag_sweep.fusion import LexicalOnly
from rag_sweep.lexical import BM25
from rag_sweep.pipeline import Settings

SETTINGS = Settings(k=10, cutoffs=(10, 100))


@pytest.fixture(scope="module")
def reference(shared: Path) -> Any:
    return json.loads((shared / "reference" / "bm25.json").read_text(encoding="utf-8"))["values"]


@pytest.mark.parametrize(
    "collection",
    [
        "cranfield",
        pytest.param("scifact", marks=pytest.mark.full),
        pytest.param("xquad-ru", marks=pytest.mark.full),
    ],
)
def test_the_reference_values_come_out(collection: str, shared: Path, reference: Any) -> None:
    expected = reference[collection]
    dataset = Beir(str(shared / "data" / collection)).load()
    pipelines = [
        pipeline_of(lexical=BM25(*map(float, re.findall(r"[\d.]+", setting)[1:])), fusion=LexicalOnly(100))
        for setting in expected
    ]
    for setting, outcome in zip(expected, run(dataset, *pipelines, settings=SETTINGS), strict=True):
        assert isinstance(outcome, Outcome)
        found = {name.replace("@", "_at_"): value for name, value in outcome.evaluation.means().items()}
        found |= {"queries": outcome.evaluation.answerable, "docs": len(dataset.corpus)}
        wanted = expected[setting]
        assert {name: found[name] for name in wanted} == pytest.approx(wanted, abs=1e-9, rel=0), setting


def test_every_collection_of_the_reference_is_tested(reference: Any) -> None:
    assert set(reference) == {"cranfield", "scifact", "xquad-ru"}
    assert {len(settings) for settings in reference.values()} == {3}
