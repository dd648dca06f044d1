"""A writer of the user's may raise, leave, or say what UTF-8 can't: that answer fails, the others stay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest
from llm_server import Says, failed, model

from rag_sweep.cases.records import Answer, Case, Context
from rag_sweep.config.folder import conf_dir
from rag_sweep.errors import ConfigError, StageFailed, Terminated
from rag_sweep.generator.checking import answers_of, checked_answers
from rag_sweep.generator.generator import Desk, one_by_one
from rag_sweep.generator.http import Service
from rag_sweep.llm.prompts import Prompts

CASES = [Case(name, "who?", (Context("d", "Ann."),)) for name in ("a", "b")]


def written(case: Case) -> str:
    if case.id == "a":
        raise SystemExit(5)
    return "Ann\ud83d [d]."


def test_a_writer_that_leaves_fails_its_answer_and_half_a_character_is_said_otherwise() -> None:
    first, second = one_by_one(CASES, written, "own", lambda done, total: None)
    assert (first.text, first.failure) == ("", "SystemExit: 5")
    assert second.text.encode("utf-8").decode() == "Ann\ufffd [d]."
    assert second.failure is None


def test_a_signal_ends_the_writing() -> None:
    def leave(case: Case) -> str:
        raise Terminated(143)

    with pytest.raises(Terminated):
        one_by_one(CASES, leave, "own", lambda done, total: None)


KEY = "sk-LIVE-abcdef0123456789zz"


@pytest.mark.parametrize("before", [0, 40, 80, 90, 100, 110])
def test_a_key_in_what_a_service_says_is_masked_before_it_is_cut(
    before: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    text = "x" * before + KEY
    for says in (
        failed(401, text),
        Says(raw=f'{{"answer": ["{text}"]}}'.encode()),
        Says(status=502, raw=f"\x1b]0;title\x07{text}".encode()),
    ):
        with model(says) as server:
            desk = Desk(Prompts((conf_dir(),)))
            (found,) = Service(server.url).write(CASES[:1], desk, lambda done, total: None)
        assert found.failure
        assert "sk-" not in found.failure
        assert found.failure.isprintable()


def test_a_byte_order_mark_in_front_of_what_a_service_says_is_no_fault() -> None:
    with model(Says(raw=b'\xef\xbb\xbf{"answer": "Ann [d]."}')) as server:
        desk = Desk(Prompts((conf_dir(),)))
        (found,) = Service(server.url).write(CASES[:1], desk, lambda done, total: None)
    assert (found.text, found.failure) == ("Ann [d].", None)


MANY = [replace(CASES[0], id=f"q{at}") for at in range(1, 13)]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            [Answer("q1", "Ann.")] * 3,
            "12 cases, got 3: none for 'q2', 'q3', 'q4' and 8 more; several for 'q1'",
        ),
        ([Answer(case.id, "Ann.") for case in [*MANY, Case("x", "?", ())]], "got 13: for no case 'x'"),
        ((Answer(case.id, "Ann.") for case in MANY), "got <generator object"),
        (None, "got None"),
        ("Ann.", "got 'Ann.'"),
        ([*(Answer(case.id, "Ann.") for case in MANY[1:]), "Ann."], "got 'Ann.' in it"),
        ([Answer("q1", None)], "whose id or text is no text: Answer(id='q1', text=None"),  # type: ignore[arg-type]
        ([Answer(1, "Ann.")], "whose id or text is no text: Answer(id=1"),  # type: ignore[arg-type]
        ([Answer("q1", "", failure=KeyError())], "neither a text nor None"),  # type: ignore[arg-type]
        ([Answer("q1", "Ann.", failure="no")], "both a text and a failure for 'q1'"),
    ],
)
def test_a_generator_that_does_not_give_an_answer_to_each_case_is_told(written: object, told: str) -> None:
    with pytest.raises(StageFailed) as caught:
        checked_answers(MANY, written)
    assert told in str(caught.value)
    assert str(caught.value).startswith(
        "the generator failed: write() must give a list with one Answer to each"
    )
    assert "\n" not in str(caught.value)


def test_answers_of_a_generator_come_in_the_order_of_the_cases_and_can_be_written() -> None:
    given = (Answer("b", "", "m", "no \ud83d"), Answer("a", "Ann\ud83d"))
    found = checked_answers(CASES, given)
    assert list(found.values()) == [Answer("a", "Ann\ufffd"), Answer("b", "", "m", "no \ufffd")]
    assert checked_answers([], []) == {}


class Own:
    asks_model: ClassVar[bool] = False

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def write(self, cases: Any, desk: Any, watch: Any) -> list[Answer]:
        raise self.error


def test_what_a_generator_raises_is_told_in_a_line_and_our_own_errors_stay_what_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    desk = Desk(Prompts(()))
    for error in (RuntimeError(f"no\n{KEY}"), SystemExit(f"no {KEY}")):
        with pytest.raises(StageFailed) as caught:
            answers_of(Own(error), CASES, desk, lambda done, total: None)
        assert str(caught.value) == f"the generator failed: {type(error).__name__}: no ***"
    for passed in (ConfigError("no model"), Terminated(143), KeyboardInterrupt()):
        with pytest.raises(type(passed)):
            answers_of(Own(passed), CASES, desk, lambda done, total: None)
