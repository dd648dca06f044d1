"""The forms in which an id is cited, and what else in brackets is none."""

from __future__ import annotations

import pytest

from rag_sweep.cases.records import Answer, Case, Context
from rag_sweep.rules.citations import Citations
from rag_sweep.rules.ids import form, ids_of, shape
from rag_sweep.rules.markers import markers, plain
from rag_sweep.rules.refusal import Refusals

LETTERS = ("d1", "d2")
WORDS = ("gym", "pwd")
CODES = ("hr-4", "hr-5")
NUMBERS = ("1", "2")
FILES = ("kb/vpn setup.md", "kb/mail.md#2")


def cited(text: str, names: tuple[str, ...]) -> list[str]:
    return [name for one in markers(text, names) for name in one.ids]


@pytest.mark.parametrize(
    ("bracket", "names", "ids"),
    [
        ("[source: d1]", LETTERS, ["d1"]),
        ("[Source: d1, p. 3]", LETTERS, ["d1"]),
        ("[Document 1: d1]", LETTERS, ["d1"]),
        ("[doc d1]", LETTERS, ["d1"]),
        ("[id: d1]", LETTERS, ["d1"]),
        ("[#d1]", LETTERS, ["d1"]),
        ("[d1.]", LETTERS, ["d1"]),
        ("[d1 (page 3)]", LETTERS, ["d1"]),
        ("[d1:3-5]", LETTERS, ["d1"]),
        ("[D1]", LETTERS, ["d1"]),
        ("[d1 and d2]", LETTERS, ["d1", "d2"]),
        ("[d1 & d2]", LETTERS, ["d1", "d2"]),
        ("[d1-d2]", LETTERS, ["d1", "d2"]),
        ("[d1, Price list]", LETTERS, ["d1"]),
        ("【d1】", LETTERS, ["d1"]),
        ("【d1†source】", LETTERS, ["d1"]),
        ("(source: d1)", LETTERS, ["d1"]),
        ("(source: [d1])", LETTERS, ["d1"]),
        ("(source: a friend)", LETTERS, []),
        ("(d1)", LETTERS, []),
        ("[d1](https://example.com/price/2024)", LETTERS, ["d1"]),
        ("([d1](https://example.com/p?id=77))", LETTERS, ["d1"]),
        ("[gym|pwd]", WORDS, ["gym", "pwd"]),
        ("[gym/pwd]", WORDS, ["gym", "pwd"]),
        ("[Gym]", WORDS, ["gym"]),
        ("[gym.md]", WORDS, ["gym"]),
        ("[gym#2]", WORDS, ["gym"]),
        ("[hr–4]", CODES, ["hr-4"]),
        ("[HR 4]", CODES, ["hr-4"]),
        ("[источник: hr-4]", CODES, ["hr-4"]),
        ("[см. hr-4, стр. 3]", CODES, ["hr-4"]),
        ("(источник: hr-4)", CODES, ["hr-4"]),
        ("[hr-4 и hr-5]", CODES, ["hr-4", "hr-5"]),
        ("[1-2]", NUMBERS, ["1", "2"]),
        ("[1–2]", NUMBERS, ["1", "2"]),
        ("[Doc 1]", NUMBERS, ["1"]),
        ("[doc1]", NUMBERS, ["1"]),
        ("【1:0†source】", NUMBERS, ["1"]),
        ("[kb/vpn setup]", FILES, ["kb/vpn setup.md"]),
    ],
)
def test_an_id_may_be_cited_in_many_forms(bracket: str, names: tuple[str, ...], ids: list[str]) -> None:
    assert cited(f"It costs $5 {bracket}.", names) == ids


@pytest.mark.parametrize(
    "text",
    [
        "Click **[Save]**.",
        "Нажмите кнопку [Войти].",
        "Press [Ctrl] + [F5] or [OK].",
        "The gym [sic] is open.",
        "The gym is open [sic].",
        "- [x] Done\n- [ ] To do",
        "It says that “[t]he gym is open”.",
        "A picture: ![logo](https://x.example/2024/logo.png)",
        "See the [price list](https://x.example/a).",
        "The first is a[0] or x[i].",
        "Take `items[2]` of them.",
        "```\nfor i in a[0]:\n    print(x[i], list[3])\n```",
        "Choose [menu] and then [exit].",
        "It was in [2024].",
        "It is open [30 days].",
    ],
)
@pytest.mark.parametrize("names", [LETTERS, WORDS, CODES])
def test_other_brackets_cite_nothing(text: str, names: tuple[str, ...]) -> None:
    assert cited(text, names) == []


@pytest.mark.parametrize(
    ("bracket", "names", "unknown"),
    [
        ("[hr-99]", CODES, "hr-99"),
        ("[HR-99]", CODES, "HR-99"),
        ("[doc7]", CODES, "doc7"),
        ("[hr-99]", WORDS, "hr-99"),
        ("[foo]", WORDS, "foo"),
        ("[3]", NUMBERS, "3"),
        ("[1]", LETTERS, "1"),
        ("[Context 1]", LETTERS, "Context 1"),
        ("[^note]", LETTERS, "^note"),
        ("[kb/mail.md#9]", FILES, "kb/mail.md#9"),
        ("([policy](policy.html))", CODES, "policy"),
    ],
)
def test_what_can_be_nothing_but_an_id_is_an_unknown_one(
    bracket: str, names: tuple[str, ...], unknown: str
) -> None:
    assert cited(f"It costs $5 {bracket}.", names) == [unknown]
    assert cited(f"It costs $5 [{names[0]}] {bracket}.", names) == [names[0], unknown]


@pytest.mark.parametrize(
    "text",
    ["It is open.\n\nSources: gym, pwd", "It is open. Source: gym; pwd.", "It is open.\nИсточник: gym, pwd"],
)
def test_a_line_may_name_the_sources_without_brackets(text: str) -> None:
    assert cited(text, WORDS) == ["gym", "pwd"]


def test_a_line_that_names_no_id_is_no_list_of_sources() -> None:
    assert cited("It is open. Source: the gym and the manager", WORDS) == []


def test_a_form_that_two_ids_have_is_of_neither() -> None:
    ids = ids_of(("hr-4", "HR 4", "x"))
    assert ids.one("hr-4") == "hr-4"
    assert ids.one("Hr_4") is None
    assert ids.one("X") == "x"


def test_forms_and_shapes() -> None:
    assert form("HR 4") == form("hr–4") == form("hr4") == "hr4"
    assert shape("hr-14") == shape("it-2") == "aa-9"
    assert shape("Leave") == "Aaa" != shape("leave")
    assert shape("x") != shape("foo")


def test_a_number_beside_an_id_is_not_hidden_by_it() -> None:
    assert cited("It takes [hr-4; 45 days].", CODES) == []
    assert "45" in plain("It takes [hr-4; 45 days].", CODES)


def test_what_stands_in_a_link_claims_nothing_but_stays_in_the_text() -> None:
    text = "See [the list](https://x.example/2024) and https://x.example/30 [d1](https://x.example/7)."
    assert not any(sign.isdigit() for sign in plain(text, LETTERS))


def test_an_index_claims_no_number() -> None:
    assert not any(sign.isdigit() for sign in plain("It is in rows[2] (key [F5]).", LETTERS))


def test_an_unknown_citation_is_not_also_misplaced() -> None:
    context = (Context("hr-4", "Lunch is at 13:00."), Context("hr-5", "Two days at home."))
    found = Citations(Refusals()).judge(
        Case("q", "When is lunch?", context), Answer("q", "Lunch is at 13:00 [hr-9].")
    )
    assert found.reason == "unknown_citation"
    assert found.detail["misplaced"] == []
