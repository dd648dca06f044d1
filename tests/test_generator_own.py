"""A writer of the user's may raise, leave, or say what UTF-8 can't: that answer fails, the others stay."""

from __future__ import annotations

import pytest
from llm_server import Says, failed, model

from rag_sweep.cases.records import Case, Context
from rag_sweep.config.folder import conf_dir
from rag_sweep.errors import Terminated
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
