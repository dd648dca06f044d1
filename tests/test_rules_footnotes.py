"""Footnotes and lists of sources that an answer explains itself."""

from __future__ import annotations

import pytest

from rag_sweep.cases.cleaning import clean
from rag_sweep.rules.footnotes import footnotes
from rag_sweep.rules.ids import ids_of
from rag_sweep.rules.markers import markers, plain, sentences

IDS = ("hr-4", "hr-5")


@pytest.mark.parametrize(
    "text",
    [
        "Lunch is at 13:00[^1]. Two days[^2].\n\n[^1]: hr-4\n[^2]: hr-5",
        "Lunch is at 13:00 [1]. Two days [2].\n\n[1] hr-4\n[2] hr-5",
        "Lunch is at 13:00 [1]. Two days [2].\n\n[1]: [hr-4]\n[2]: [hr-5]",
        "Lunch is at 13:00 [1]. Two days [2].\n\nSources:\n1. hr-4\n2. hr-5",
        "Lunch is at 13:00 [1]. Two days [2].\n\n- [1] hr-4 — Lunch\n- [2] source: hr-5, p. 3",
        "Lunch is at 13:00.¹ Two days.²\n\n¹ hr-4\n² hr-5",
    ],
)
def test_a_label_stands_for_what_the_answer_says(text: str) -> None:
    found = [one for one in sentences(clean(text), IDS) if "Sources" not in one.text]
    assert [one.cites for one in found] == [("hr-4",), ("hr-5",)]
    assert "hr" not in plain(clean(text), IDS)
    assert not any(mark in plain(clean(text), IDS) for mark in "[]^¹²")


def test_a_label_that_is_an_id_stands_for_itself() -> None:
    assert [one.ids for one in markers("Yes [1].\n\n[1] 2", ("1", "2"))] == [("1",), ("1",)]


def test_a_note_cites_nothing_and_its_words_stay() -> None:
    text = "Lunch is at 13:00 [hr-4].[^note]\n\n[^note]: Without 5 days of holidays."
    assert [one.ids for one in markers(text, IDS) if one.ids] == [("hr-4",)]
    assert "5 days" in plain(text, IDS)
    assert "note" not in plain(text, IDS)


def test_a_label_may_stand_for_an_unknown_id() -> None:
    text = "Lunch is at 13:00 [1].\n\n[1] hr-99"
    assert {name for one in markers(text, IDS) for name in one.ids} == {"hr-99"}


def test_a_number_that_is_explained_nowhere_is_unknown() -> None:
    assert [one.ids for one in markers("Lunch is at 13:00 [1].", IDS)] == [("1",)]


def test_a_list_of_which_nothing_is_cited_is_no_list_of_sources() -> None:
    assert not footnotes("Read these:\n1. hr-4\n2. hr-5", ids_of(IDS)).labels


def test_a_list_that_no_sentence_refers_to_cites_for_the_last_one() -> None:
    assert [one.cites for one in sentences("Lunch is at 13:00.\n\n[1] hr-4", IDS)] == [("hr-4",)]
