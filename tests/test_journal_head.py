"""What a journal says of its sweep, as plain data and back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from journals import DATASET, PIPELINES, cards_of, configurations_of, head_of
from pipelines import run_one

from rag_sweep.journal import lines
from rag_sweep.journal.head import Head, basis_json, basis_of, card_json, card_of
from rag_sweep.pipeline import Settings
from rag_sweep.records import Basis, Gold, Question, Span
from rag_sweep.report.questions import question_table
from rag_sweep.tracking.artifacts import table_json

CONFIGURATIONS = configurations_of(*PIPELINES, settings=Settings(3, (1, 7)))

names = st.text(max_size=8)
questions = st.builds(
    Question,
    names,
    st.text(st.characters(), max_size=20),
    st.dictionaries(names, st.integers(-2, 5), max_size=3),
    st.lists(st.builds(Span, names, st.integers(0, 99), st.integers(0, 99)), max_size=2).map(tuple),
    st.lists(names, max_size=2).map(tuple),
)
bases = st.builds(
    Basis,
    names,
    st.lists(names, max_size=4).map(tuple),
    st.builds(Gold, st.lists(questions, max_size=4).map(tuple), st.none() | names, st.integers(0, 9)),
    names,
    names,
)


def over_a_line(plain: Any) -> Any:
    """As it comes back from the disk."""
    return json.loads(lines.encoded(plain).split(b" ", 1)[1].decode("utf-8", "surrogatepass"))


@given(bases)
def test_any_basis_comes_back(basis: Basis) -> None:
    assert basis_of(over_a_line(basis_json(basis, has_text=True))) == basis


@given(bases)
def test_without_texts_everything_else_comes_back(basis: Basis) -> None:
    blank = tuple(replace(question, text="") for question in basis.gold.questions)
    expected = replace(basis, gold=replace(basis.gold, questions=blank))
    assert basis_of(over_a_line(basis_json(basis, has_text=False))) == expected


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"identity": None, "configurations": None},
        {"is_sweep": False, "tracking": {"_target_": "a.B", "uri": None, "trec": True}},
        {"settings": Settings(4, ())},
    ],
)
def test_a_head_comes_back(changes: dict[str, Any]) -> None:
    head = head_of(CONFIGURATIONS, **changes)
    assert Head.from_json(over_a_line(head.to_json())) == head


def test_a_head_without_texts_has_none() -> None:
    head = head_of(CONFIGURATIONS, tracking={"text": "none"})
    assert not head.has_text
    written = lines.encoded(head.to_json()).decode()
    assert not any(question.text in written for question in DATASET.gold.questions if question.text)
    assert Head.from_json(over_a_line(head.to_json())).basis.gold_hash == DATASET.gold.fingerprint


def test_tables_made_from_what_came_back_are_the_same_bytes() -> None:
    basis = Head.from_json(over_a_line(head_of(CONFIGURATIONS).to_json())).basis
    for pipeline in PIPELINES:
        outcome = run_one(DATASET, pipeline)
        assert table_json(question_table(outcome, basis)) == table_json(
            question_table(outcome, DATASET.basis)
        )


def test_a_card_comes_back() -> None:
    for card in cards_of(CONFIGURATIONS):
        found = card_of(over_a_line(card_json(card)))
        assert found == card
        assert found.text == card.text


@pytest.mark.parametrize(
    "plain",
    [
        {"format": 2},
        {**head_of(CONFIGURATIONS).to_json(), "format": 99},
        {key: value for key, value in head_of(CONFIGURATIONS).to_json().items() if key != "basis"},
        {**head_of(CONFIGURATIONS).to_json(), "record": {"something": "else"}},
        [],
        None,
    ],
)
def test_anything_else_is_no_head(plain: Any) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        Head.from_json(plain)


CARD = card_json(cards_of(CONFIGURATIONS)[0])


@pytest.mark.parametrize(
    "plain",
    [{}, [], None, 3, "index", {**CARD, "pack": None}, {**CARD, "index": "0"}, {**CARD, "fingerprint": 1}],
)
def test_anything_else_is_no_card(plain: Any) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        card_of(plain)
