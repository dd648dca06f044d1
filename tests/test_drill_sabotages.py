"""The table of sabotages: what each does, and why it can't be done where it can't."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from pipelines import dataset_of, pipeline_of

from rag_sweep.analyzer import SimpleAnalyzer, StemmedAnalyzer
from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.configuration import Configuration
from rag_sweep.drill.broken import CutBranch, CutShort, Reversed
from rag_sweep.drill.sabotages import SABOTAGES, Bench, Broken, Done, NotApplicable, Sabotage
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.lexical import BM25, Overlap
from rag_sweep.measures import Measure
from rag_sweep.pipeline import Settings
from rag_sweep.records import Dataset
from rag_sweep.reranker import ZSum

DATASET = dataset_of(
    {"d1": "red pump", "d2": "blue pump", "d3": "green hose", "d4": "door"}, ["pump", "hose"]
)
TABLE = {one.key: one for one in SABOTAGES}


def bench(dataset: Dataset = DATASET, **choices: Any) -> Bench:
    pipeline = pipeline_of(**choices)
    return Bench(Configuration(0, (), {}, pipeline, Settings(), Measure("ndcg", 10)), dataset)


def done(key: str, **choices: Any) -> Done:
    return TABLE[key].do(bench(**choices))


def broken(key: str, **choices: Any) -> Broken:
    found = done(key, **choices)
    assert isinstance(found, Broken), found
    return found


def why_not(key: str, **choices: Any) -> str:
    found = done(key, **choices)
    assert isinstance(found, NotApplicable), found
    return found.why


def test_every_sabotage_has_its_own_key_and_says_what_it_stands_for() -> None:
    assert len(TABLE) == len(SABOTAGES) == 12
    assert all(one.title and one.story and one.kind for one in SABOTAGES)


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda one: one.key)
def test_a_sabotage_changes_one_thing_and_leaves_what_works_alone(sabotage: Sabotage) -> None:
    whole = bench(reranker=ZSum())
    found = sabotage.do(whole)
    assert isinstance(found, Broken)
    groups = ("chunker", "analyzer", "lexical", "embedder", "fusion", "reranker")
    changed = [name for name in groups if getattr(found.pipeline, name) != getattr(whole.pipeline, name)] + [
        name for name in ("corpus", "gold") if getattr(found.dataset, name) is not getattr(DATASET, name)
    ]
    if sabotage.key == "ids":  # whose passages are documents already
        assert changed == ["corpus"]
    else:
        assert len(changed) == 1
    assert found.told
    assert whole.pipeline == pipeline_of(reranker=ZSum())


@pytest.mark.parametrize(("key", "k1"), [("k1x10", 15.0), ("k1x100", 150.0)])
def test_k1_is_multiplied(key: str, k1: float) -> None:
    found = broken(key, lexical=BM25(1.5, 0.3))
    assert found.pipeline.lexical == BM25(k1, 0.3)
    assert found.told == f"lexical.k1 1.5 → {k1:g}"


def test_dim_becomes_8_and_other_fields_stay() -> None:
    assert broken("dim8").pipeline.embedder == HashEmbedder(8)


def test_one_branch_is_cut_and_the_other_is_not() -> None:
    cut: list[Any] = [CutBranch(RRF(), branch, 2) for branch in ("lexical", "dense")]
    assert [broken(key).pipeline.fusion for key in ("lexical2", "dense2")] == cut


def test_passages_are_cut_and_the_reranker_is_reversed() -> None:
    assert broken("short").pipeline.chunker == CutShort(DocumentChunker())
    reversed_one: Any = Reversed(ZSum())
    assert broken("reversed", reranker=ZSum()).pipeline.reranker == reversed_one


@pytest.mark.parametrize(
    ("before", "after"),
    [(StemmedAnalyzer("ru"), SimpleAnalyzer()), (SimpleAnalyzer(), StemmedAnalyzer())],
)
def test_the_analyzer_becomes_the_other_one(before: Any, after: Any) -> None:
    assert broken("analyzer", analyzer=before).pipeline.analyzer == after


def test_ids_of_passages_take_the_place_of_ids_of_documents() -> None:
    found = broken("ids", chunker=FixedChunker(1))
    assert found.pipeline.chunker == DocumentChunker()
    assert [d.doc_id for d in found.dataset.corpus.documents][:2] == ["d1#0001", "d1#0002"]
    assert found.told == "search answers with ids such as d1#0001"


def test_what_is_told_names_documents_and_questions() -> None:
    assert broken("lost").told == "the index lacks d1"
    assert broken("stale").told == "2 of 4 documents are found under the text of another"
    wrong = broken("gold")
    assert wrong.told == f"{wrong.questions[0]} asks for {wrong.documents[1]} instead of d1"


@dataclass(frozen=True)
class FixedWidth:
    """An embedder whose width is no knob."""

    nested: ClassVar[bool] = False
    reads: ClassVar[str] = "text"
    dim: ClassVar[int] = 4

    def fit(self, passages: Any) -> dict[str, Any]:
        return {}

    def encode(self, model: Any, texts: Any) -> Any:
        return np.ones((len(texts), 4))


@pytest.mark.parametrize(
    ("key", "choices", "why"),
    [
        ("k1x10", {"fusion": DenseOnly()}, "the configuration has no lexical branch"),
        ("k1x100", {"lexical": Overlap()}, "the lexical branch has no k1"),
        ("k1x10", {"lexical": BM25(0.0)}, "lexical.k1 is 0, and 0 times anything is 0"),
        ("dim8", {"fusion": LexicalOnly()}, "the configuration has no dense branch"),
        ("dim8", {"embedder": HashEmbedder(8)}, "embedder.dim is 8 already"),
        ("dim8", {"embedder": FixedWidth()}, "the embedder's dim is no knob"),
        ("lexical2", {"fusion": DenseOnly()}, "the fusion reads no lexical branch"),
        ("dense2", {"fusion": LexicalOnly()}, "the fusion reads no dense branch"),
        ("dense2", {"fusion": DenseOnly(2)}, "fusion.pool_depth is 2 already"),
        ("reversed", {}, "the configuration has no reranker"),
        (
            "analyzer",
            {"fusion": DenseOnly(), "embedder": FixedWidth()},
            "nothing reads the analyzer's tokens",
        ),
        ("stale", {"dataset": dataset_of({"d1": "a"}, ["q"])}, "there are fewer than four documents"),
        ("lost", {"dataset": dataset_of({"d1": "a"}, ["q"])}, "no other document would be left"),
        (
            "gold",
            {"dataset": dataset_of({"d1": "a"}, ["q"])},
            "no document could take the place of the right one",
        ),
    ],
)
def test_where_a_sabotage_cannot_be_done_it_says_why(key: str, choices: dict[str, Any], why: str) -> None:
    assert why_not(key, **choices) == why


def test_a_reranker_that_reads_a_branch_makes_its_knobs_count() -> None:
    found = broken("k1x10", fusion=DenseOnly(), reranker=ZSum())
    assert found.pipeline.lexical == BM25(12.0)
