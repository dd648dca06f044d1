"""What one configuration leaves behind: means, negatives apart, warnings."""

from __future__ import annotations

import math

import pytest
from pipelines import dataset_of, pipeline_of, result_of, run, run_one

from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.errors import StageFailed
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.lexical import BM25
from rag_sweep.pipeline import Pipeline, Settings
from rag_sweep.records import Question
from rag_sweep.reranker import ZSum
from rag_sweep.result import Result

DOCUMENTS = {"a": "leave begins in may or in may", "b": "the vpn client", "c": "leave of two weeks"}
DATASET = dataset_of(
    DOCUMENTS,
    [
        Question("q1", "when may leave begin", {"a": 1}),
        Question("q2", "vpn", {"b": 1}),
        Question("n1", "zebra"),
        Question("n2", "the zebra"),
    ],
)


def result(one: Pipeline, settings: Settings | None = None) -> Result:
    return result_of(run_one(DATASET, one, settings), one, settings)


def test_the_objective_is_the_mean_over_the_answerable_questions() -> None:
    found = result(pipeline_of(fusion=LexicalOnly()))
    assert found.objective == found.means()["ndcg@10"] == 1.0
    assert found.means()["recall@1"] == 1.0


def test_negatives_are_measured_apart() -> None:
    found = result(pipeline_of(fusion=LexicalOnly())).metrics()
    # "the zebra" finds "the", which is as rare as the "vpn" of q2: one tie, a half, in four pairs.
    assert found["questions.negative"] == 2
    assert (found["negatives.empty_share"], found["negatives.auroc"]) == (0.5, 3.5 / 4)


@pytest.mark.parametrize(
    ("one", "applies"),
    [
        (pipeline_of(fusion=LexicalOnly()), True),
        (pipeline_of(fusion=DenseOnly()), True),
        (pipeline_of(fusion=RRF()), False),
        (pipeline_of(fusion=LexicalOnly(), reranker=ZSum()), False),
    ],
)
def test_auroc_applies_where_the_score_says_how_well_a_passage_matches(one: Pipeline, applies: bool) -> None:
    assert ("negatives.auroc" in result(one).metrics()) == applies


def test_a_failed_configuration_has_no_number() -> None:
    one = pipeline_of(lexical=BM25(1.7e308, 1.0))
    (outcome,) = run(DATASET, one)
    assert isinstance(outcome, StageFailed)
    failed = result_of(outcome, one)
    assert failed.failure is not None
    assert "too large" in failed.failure
    assert math.isnan(failed.objective)
    assert (failed.means(), failed.metrics(), failed.warnings()) == ({}, {}, ())


def test_nothing_to_warn_of() -> None:
    assert result(pipeline_of()).warnings() == ()


def test_a_pool_below_k_is_allowed_with_a_warning() -> None:
    one = pipeline_of(fusion=RRF(pool_depth=3))
    assert result(one).warnings() == ("fusion.pool_depth=3 is below k=10",)
    assert result(one, Settings(3, (10,))).warnings() == ()


def test_fewer_components_than_asked_for_are_a_warning() -> None:
    assert result(pipeline_of(embedder=LSAEmbedder(256))).warnings() == (
        "embedder.dim=256: the corpus gives 3, which are used",
    )
    assert result(pipeline_of(embedder=LSAEmbedder(3))).warnings() == ()
    assert result(pipeline_of(embedder=LSAEmbedder(256), fusion=LexicalOnly())).warnings() == ()


def test_texts_without_tokens_are_a_warning() -> None:
    dataset = dataset_of({**DOCUMENTS, "d": "", "e": "—"}, ["leave", "?", ""])
    one = pipeline_of()
    assert result_of(run_one(dataset, one), one).warnings() == (
        "2 questions have no token under the analyzer, so find nothing: q1, q2",
        "2 passages have no token under the analyzer",
    )
