"""One question at a time: the search that is timed finds what the sweep finds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
import pytest
from pipelines import dataset_of, pipeline_of, run_one

from rag_sweep.arrays import FloatArray
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.comparison.latency import Search, measure
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.embedder.texts import Texts
from rag_sweep.errors import ConfigError, StageFailed
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.lexical import BM25, Overlap
from rag_sweep.pipeline import Pipeline
from rag_sweep.records import Gold, Question
from rag_sweep.reranker import Candidates, ZSum

DATASET = dataset_of(
    {
        "door": "The side door opens with the blue card. A lost card is blocked by the guard at the door.",
        "leave": "Twenty eight days of paid leave a year. Ask two weeks before the first of the days.",
        "kitchen": "The machine is cleaned on Fridays. Milk stands in the fridge beside the door.",
        "travel": "Tickets are booked by the office, many days before.",
        "empty": "",
    },
    ["which card opens the door door", "days of paid leave", "milk", "xylophone", "", "the the the a"],
)


@dataclass(frozen=True)
class Pairs:
    """Scores a pair by how many letters the texts share."""

    depth: int = 4
    model: str = "letters"
    needs: ClassVar[tuple[str, ...]] = ("pairs",)
    version: ClassVar[int] = 1

    def score_pairs(self, questions: Sequence[str], passages: Sequence[str]) -> FloatArray:
        pairs = zip(questions, passages, strict=True)
        return np.array([float(len(set(one) & set(other))) for one, other in pairs])

    def rescore(self, candidates: Candidates) -> FloatArray:
        return candidates.branch_scores["pairs"]


@dataclass(frozen=True)
class Letters:
    """Counts of letters of the raw text."""

    dim: int = 26
    nested: ClassVar[bool] = False
    reads: ClassVar[Literal["tokens", "text"]] = "text"
    version: ClassVar[int] = 1

    def fit(self, passages: Texts) -> Mapping[str, Any]:
        return {}

    def encode(self, model: Mapping[str, Any], texts: Texts) -> FloatArray:
        rows = [[text.lower().count(chr(97 + at)) for at in range(26)] for text in texts.raw]
        return np.array(rows, dtype=np.float64).reshape(-1, 26)


PIPELINES = {
    "lexical": pipeline_of(fusion=LexicalOnly()),
    "overlap of passages": pipeline_of(lexical=Overlap(), fusion=LexicalOnly(), chunker=FixedChunker(5, 2)),
    "dense": pipeline_of(fusion=DenseOnly()),
    "hybrid": pipeline_of(chunker=FixedChunker(6), fusion=RRF(10), lexical=BM25(0.5, 0.3)),
    "lsa": pipeline_of(embedder=LSAEmbedder(3, 8), fusion=RRF(pool_depth=3)),
    "zsum": pipeline_of(fusion=LexicalOnly(), reranker=ZSum(depth=3)),
    "text and pairs": pipeline_of(embedder=Letters(), reranker=Pairs(), chunker=FixedChunker(7)),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_a_question_alone_finds_what_the_sweep_finds(name: str) -> None:
    outcome = run_one(DATASET, PIPELINES[name])
    search = Search(PIPELINES[name], DATASET.corpus)
    for question, items, scores in zip(
        DATASET.gold.questions, outcome.found.documents.items, outcome.found.documents.scores, strict=True
    ):
        found = search.find(question.text)
        width = min(len(items), found.items.shape[1])
        assert found.items[0, :width].tolist() == items[:width].tolist()
        assert (found.items[0, width:] == -1).all()
        np.testing.assert_allclose(found.scores[0, :width], scores[:width], atol=2e-9)


def clock(*seconds: float) -> Any:
    """A clock that goes on by these steps, over and over."""
    steps = itertools.cycle(seconds)
    now = itertools.accumulate(iter(lambda: next(steps), None), initial=0.0)
    return lambda: next(now)


def test_times_are_those_between_a_question_and_its_answer() -> None:
    # building takes 3 s; then, after a pause of 1 s each, a question 2 s
    found = measure(PIPELINES["lexical"], DATASET, 4, 2, clock=clock(3.0))
    assert (found.build_s, found.p50_ms, found.p95_ms, found.queries) == (3.0, 3000.0, 3000.0, 8)
    found = measure(PIPELINES["lexical"], DATASET, 100, 1, clock=clock(2.0, 1.0))
    assert (found.build_s, found.p50_ms, found.queries) == (2.0, 2000.0, 6)


def test_questions_are_spread_over_the_gold_and_asked_once_before() -> None:
    asked: list[str] = []

    @dataclass(frozen=True)
    class Listening:
        def tokens(self, text: str) -> list[str]:
            asked.append(text)
            return text.split()

    gold = Gold(tuple(Question(f"q{at}", f"question {at}", {"door": 1}) for at in range(9)))
    measure(pipeline_of(analyzer=Listening()), replace(DATASET, gold=gold), 3, 2)
    assert asked[len(DATASET.corpus) :] == ["question 0", "question 4", "question 8"] * 3


def test_what_can_not_be_measured_is_refused() -> None:
    for questions, repeats, message in ((0, 1, "questions must be an int >= 1"), (1, 0, "repeats must be")):
        with pytest.raises(ConfigError, match=message):
            measure(pipeline_of(), DATASET, questions, repeats)
    with pytest.raises(ConfigError, match="the gold has no questions"):
        measure(pipeline_of(), replace(DATASET, gold=Gold(())))


@dataclass(frozen=True)
class Broken:
    """An analyzer that always fails."""

    def tokens(self, text: str) -> list[str]:
        raise ZeroDivisionError("no way")


def test_a_component_that_fails_is_named() -> None:
    broken: Pipeline = pipeline_of(analyzer=Broken())
    with pytest.raises(StageFailed, match="latency: ZeroDivisionError: no way"):
        measure(broken, DATASET)
