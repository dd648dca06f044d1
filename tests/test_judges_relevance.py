"""Relevance, reverse questions and completeness."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import pytest
from judging import LEAVE, TRIAL, in_turn, verdict_of

from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.embedder.texts import Texts
from rag_sweep.errors import ConfigError
from rag_sweep.judges.nearness import Nearness
from rag_sweep.judges.relevance import Completeness, Relevance, ReverseQuestions

ONES = ((1.0, 0.0), (2.0, 0.0))


@dataclass(frozen=True)
class Meaning:
    """To which everything means the same."""

    vectors: Any = ONES
    dim: int = 2

    nested: ClassVar[bool] = False
    reads: ClassVar[Literal["tokens", "text"]] = "text"

    def fit(self, passages: Texts) -> dict[str, Any]:
        return {}

    def encode(self, model: Any, texts: Texts) -> Any:
        assert texts.terms is None
        assert texts.role == "question"
        return self.vectors


@dataclass(frozen=True)
class Broken(Meaning):
    """One whose model isn't there."""

    def fit(self, passages: Texts) -> dict[str, Any]:
        raise OSError("no such model")


@pytest.mark.parametrize(("grade", "value", "state"), [(0, 0.0, "fail"), (2, 0.5, "fail"), (3, 0.75, "pass")])
def test_a_grade_becomes_a_share(grade: int, value: float, state: str) -> None:
    found = verdict_of(Relevance(), TRIAL, "14 days.", in_turn({"grade": grade}))
    assert (found.value, found.state, found.detail) == (value, state, {"grade": grade})


@pytest.mark.parametrize("grade", [-1, 5, 2.5, "4", None, True, float("nan"), 10**400])
def test_a_grade_that_is_none_is_not_measured(grade: Any) -> None:
    text = json.dumps({"grade": grade})
    found = verdict_of(Relevance(), TRIAL, "14 days.", in_turn(text, text))
    assert (found.state, found.reason, found.value) == ("not_measured", "unparsable", None)


def test_questions_like_the_asked_one_are_near_and_others_are_far() -> None:
    near = {"questions": ["How long is the trial period?", "The trial period is how long?"]}
    far = {"questions": ["Who pays for lunch?"]}
    assert verdict_of(ReverseQuestions(), TRIAL, "14.", in_turn(near)).value == pytest.approx(1.0, abs=1e-6)
    found = verdict_of(ReverseQuestions(), TRIAL, "14.", in_turn(far))
    assert (found.state, found.reason) == ("fail", "far")
    assert found.value == pytest.approx(0.0, abs=0.3)
    mixed = verdict_of(
        ReverseQuestions(), TRIAL, "14.", in_turn({"questions": near["questions"][:1] + far["questions"]})
    )
    rows = mixed.detail["questions"]
    assert mixed.value == pytest.approx(sum(row["cosine"] for row in rows) / 2)


def test_russian_forms_of_a_word_are_one() -> None:
    found = verdict_of(ReverseQuestions(), LEAVE, "28.", in_turn({"questions": ["Отпуска сколько длится?"]}))
    assert found.value is not None
    assert found.value > 0.99


def test_another_embedder_sees_other_things_and_is_named() -> None:
    questions = in_turn({"questions": ["How many days must newcomers wait?"]})
    judge = ReverseQuestions(nearness=Nearness(Meaning()))
    assert verdict_of(judge, TRIAL, "14.", questions).value == 1.0
    labels = {
        one.labels
        for one in (judge, ReverseQuestions(), ReverseQuestions(nearness=Nearness(HashEmbedder(8))))
    }
    assert len(labels) == 3
    assert all(label.startswith("questions.embedder ") for (label,) in labels)
    assert judge.labels[0].startswith("questions.embedder Meaning ")


@pytest.mark.parametrize("vectors", [(1, 1), ((1, 1),) * 3, (("nan", "1"),) * 2, (("a",), ("b",)), None])
def test_vectors_that_are_none_are_not_measured(vectors: Any) -> None:
    judge = ReverseQuestions(nearness=Nearness(Meaning(vectors)))
    found = verdict_of(judge, TRIAL, "14.", in_turn({"questions": ["How long?"]}))
    assert (found.state, found.reason, found.value) == ("not_measured", "failed", None)
    assert "embedder" in found.detail["detail"]


@dataclass(frozen=True)
class Leaving(Meaning):
    """One that leaves when it is asked, as some libraries do."""

    def encode(self, model: Any, texts: Texts) -> Any:
        raise SystemExit(0)


def test_an_embedder_that_leaves_fails_its_answer_and_nothing_else() -> None:
    judge = ReverseQuestions(nearness=Nearness(Leaving()))
    found = verdict_of(judge, TRIAL, "14.", in_turn({"questions": ["How long?"]}))
    assert (found.state, found.reason) == ("not_measured", "failed")
    assert "SystemExit" in found.detail["detail"]


def test_an_embedder_that_learns_from_documents_is_refused() -> None:
    with pytest.raises(ConfigError, match="LSAEmbedder learns from documents"):
        Nearness(LSAEmbedder(dim=2))
    with pytest.raises(ConfigError, match="Broken fails"):
        Nearness(Broken())


def test_an_answer_to_no_question_is_worth_nothing() -> None:
    found = verdict_of(ReverseQuestions(), TRIAL, "Hello.", in_turn({"questions": []}))
    assert (found.state, found.reason, found.value) == ("fail", "no_question", 0.0)


def test_completeness_is_the_share_of_the_references_statements() -> None:
    rows = [{"text": "14 days", "covered": True}, {"text": "paid", "covered": False}]
    found = verdict_of(Completeness(), TRIAL, "14.", in_turn({"statements": rows}))
    assert (found.value, found.state, found.reason) == (0.5, "fail", "incomplete")
    found = verdict_of(Completeness(), TRIAL, "14.", in_turn({"statements": rows[:1]}))
    assert (found.value, found.state) == (1.0, "pass")


def test_without_a_reference_completeness_asks_nothing() -> None:
    endpoint = in_turn()
    found = verdict_of(Completeness(), LEAVE, "28.", endpoint)
    assert (found.state, found.reason, endpoint.calls) == ("not_applicable", "no_reference", [])


@pytest.mark.parametrize(
    "statements",
    [
        [],
        None,
        ["14 days"],
        [{"text": "14 days"}],
        [{"text": "", "covered": True}],
        [{"text": "a", "covered": 1}],
    ],
)
def test_statements_that_are_none_are_not_measured(statements: Any) -> None:
    wrong = {"statements": statements}
    found = verdict_of(Completeness(), TRIAL, "14.", in_turn(wrong, wrong))
    assert (found.state, found.reason, found.value) == ("not_measured", "unparsable", None)
