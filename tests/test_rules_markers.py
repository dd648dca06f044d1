"""Citation markers, and to which sentence they belong."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from rag_sweep.cases.records import Answer, Case, Context, Rubric
from rag_sweep.rules.citations import Citations
from rag_sweep.rules.clauses import clauses
from rag_sweep.rules.markers import markers, plain, sentences, without
from rag_sweep.rules.refusal import Refusals
from rag_sweep.rules.verdict import Verdict

CONTEXT = (
    Context("a", "Annual leave is 25 days. The manager approves it in the portal."),
    Context("b", "A sick note is due on day 4. The canteen serves soup and bread."),
)


def judge(answer: str, *, every_sentence: bool = False, rubric: Rubric | None = None) -> Verdict:
    case = Case("q", "What?", CONTEXT, rubric or Rubric())
    return Citations(Refusals(), every_sentence).judge(case, Answer("q", answer))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("x [a].", ["a"]),
        ("x [a][b]", ["a", "b"]),
        ("x [a, b; c]", ["a", "b", "c"]),
        ("x [12]", ["12"]),
        ("x [hr/leave.md#2]", ["hr/leave.md#2"]),
        ("x [Leave policy]", ["Leave policy"]),
        ("x [some other words]", []),
        ("x […] y [ ] z []", []),
        ("x [^a]", ["a"]),
        ("x [^z]", ["^z"]),
        ("x [a\nb]", []),
    ],
)
def test_a_bracket_cites_what_could_be_an_id(text: str, ids: list[str]) -> None:
    found = markers(text, ["a", "Leave policy"])
    assert [name for one in found for name in one.ids] == ids


def test_an_id_may_hold_what_parts_others() -> None:
    assert markers("x [a, b]", ["a, b"])[0].ids == ("a, b",)


def test_an_id_in_the_text_is_taken_out_with_the_markers() -> None:
    assert plain("By d1 (d2), 5 days [d1].", ["d1", "d2"]).split() == ["By", "(", "),", "5", "days", "."]


def test_an_id_that_is_a_number_stays_a_number_in_the_text() -> None:
    assert "12" in plain("There are 12 of them [12].", ["12"])


ids = st.text("abcxyz019_/#.-", min_size=1, max_size=8).filter(lambda one: any(map(str.isalnum, one)))


@given(st.lists(st.lists(ids, min_size=1, max_size=3), max_size=5))
def test_markers_are_read_as_they_were_written(groups: list[list[str]]) -> None:
    text = "".join(f"A word [{', '.join(group)}]. " for group in groups)
    found = markers(text, [name for group in groups for name in group])
    assert [list(one.ids) for one in found] == groups
    assert all(text[one.start] == "[" and text[one.end - 1] == "]" for one in found)


@given(texts, st.lists(ids, max_size=3))
def test_taking_markers_out_keeps_every_other_character_in_its_place(text: str, citable: list[str]) -> None:
    rest = without(text, markers(text, citable))
    assert len(rest) == len(text)
    assert all(one in (" ", other) for one, other in zip(rest, text, strict=True))
    assert [name for one in sentences(text, citable) for name in one.cites] or not (
        markers(text, citable) and rest.strip() and sentences(text, citable)
    )


@pytest.mark.parametrize(
    ("text", "cites"),
    [
        ("One. [a] Two. [b]", [("a",), ("b",)]),
        ("One [a]. Two [b].", [("a",), ("b",)]),
        ("[a] One. [b] Two.", [("a",), ("b",)]),
        ("One. Two [b].", [(), ("b",)]),
        ("[a] One [b]. Two.", [("a", "b"), ()]),
        ("- One [a]\n- Two [b]", [("a",), ("b",)]),
    ],
)
def test_a_marker_belongs_to_its_sentence(text: str, cites: list[tuple[str, ...]]) -> None:
    assert [one.cites for one in sentences(text, ["a", "b"])] == cites


@pytest.mark.parametrize(
    ("answer", "state", "reason"),
    [
        ("Annual leave is 25 days [a].", "pass", "cited"),
        ("Annual leave is 25 days.", "fail", "no_citation"),
        ("Annual leave is 25 days [c].", "fail", "unknown_citation"),
        ("Annual leave is 25 days [a, c].", "fail", "unknown_citation"),
        ("Annual leave is 25 days [b].", "fail", "misplaced_citation"),
        ("The manager approves it in the portal [b].", "fail", "misplaced_citation"),
        ("Your boss says yes [b].", "pass", "cited"),
        ("Holidays last 26 days [b].", "pass", "cited"),
        ("The documents don't say that.", "not_applicable", "refused"),
    ],
)
def test_a_citation_is_judged_with_its_reason(answer: str, state: str, reason: str) -> None:
    assert (judge(answer).state, judge(answer).reason) == (state, reason)


def test_unknown_ids_are_named() -> None:
    assert judge("25 days [x][a][y].").detail["bad_citations"] == ["x", "y"]


def test_an_uncited_sentence_is_told_and_fails_only_where_that_is_asked() -> None:
    answer = "Annual leave is 25 days [a]. A sick note is due on day 4."
    assert judge(answer).state == "pass"
    assert judge(answer).detail["uncited"] == ["A sick note is due on day 4."]
    assert judge(answer, every_sentence=True).reason == "uncited_sentence"


def test_the_rubric_says_what_may_be_cited() -> None:
    assert (
        judge("Annual leave is 25 days [a].", rubric=Rubric(allow_cites=("b",))).reason == "unknown_citation"
    )


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "[a]",
        "«[",
        "[a, ",
        "]",
        "[a] x. ",
        "【",
        "[a](http://",
        "(source: ",
        "1. a\n",
        "[1] a\n",
        "```\n",
        "``a`",
    ],
)
def test_a_hundred_kilobytes_of_brackets_take_moments(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    began = time.process_time()
    sentences(text, ["a"])
    plain(text, ["a"])
    clauses(text, ["a"])
    assert time.process_time() - began < 5
