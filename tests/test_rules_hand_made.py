"""The rules against judgements by hand of some six hundred answers."""

from __future__ import annotations

from pathlib import Path

import hand_made
import pytest

from rag_sweep.rules.judging import NAMES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "answers.md"


def test_there_are_more_than_a_hundred_and_a_quarter_of_them_is_hard() -> None:
    rows = hand_made.rows()
    assert len({row["id"] for row in rows}) == len(rows) > 100
    assert sum(row.get("hard", False) for row in rows) >= len(rows) / 4
    assert {name for row in rows for name in row["fails"]} == set(NAMES)
    assert {row["set"] for row in rows} == set(hand_made.SETS)


def test_both_languages_are_there() -> None:
    russian = sum(any("а" <= sign <= "я" for sign in row["question"].casefold()) for row in hand_made.rows())
    assert 100 < russian < len(hand_made.rows()) - 100


@pytest.mark.parametrize("name", [name for name in NAMES if name != "overlap"])
def test_a_rule_agrees_with_the_judgement_by_hand_on_most_of_what_was_worked_on(name: str) -> None:
    score = hand_made.scores("worked on")[name]
    assert score.precision is not None
    assert score.precision >= 0.9
    assert score.recall is not None
    assert score.recall >= 0.8


@pytest.mark.parametrize(
    ("name", "precision", "recall"),
    [("numbers", 0.8, 0.75), ("citations", 0.7, 0.7), ("refusal", 0.85, 0.8)],
)
def test_what_was_held_out_is_judged_not_much_worse(name: str, precision: float, recall: float) -> None:
    score = hand_made.scores("held out")[name]
    assert score.precision is not None
    assert score.precision >= precision
    assert score.recall is not None
    assert score.recall >= recall


def test_the_page_states_the_numbers_as_they_are() -> None:
    assert "\n".join(hand_made.table()) in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("missed", [True, False])
def test_the_page_lists_every_disagreement_and_no_other(missed: bool) -> None:
    page = PAGE.read_text(encoding="utf-8")
    heading = "### Faults that no rule sees" if missed else "### Right answers that a rule fails"
    listed = page.partition(f"{heading}\n")[2].partition("\n#")[0]
    assert [line for line in listed.splitlines() if line.startswith("- ")] == hand_made.list_of(missed)
