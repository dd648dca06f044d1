"""A writer of the user's may raise, leave, or say what UTF-8 can't: that answer fails, the others stay."""

from __future__ import annotations

import pytest

from rag_sweep.cases.records import Case, Context
from rag_sweep.errors import Terminated
from rag_sweep.generator.generator import one_by_one

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
