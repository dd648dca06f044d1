"""The shares that docs/answers-sweep.md states; a change of lists or patterns that moves them fails here."""

from __future__ import annotations

from collections import Counter

import pytest
from masking_shares import BY_LOT, HELD_OUT, SEEN, Shares, Text, marks_of, shares, texts_of

from rag_sweep.answers.masking.masker import Masker


def measured(texts: list[Text]) -> Shares:
    return shares(texts, lambda text: Masker().mask(text))


def of_kind(found: Shares, kind: str) -> tuple[int, int, int, int]:
    """Secrets that are masked, of all; marks that take nothing else, of all."""
    return found.hidden[kind], found.secrets[kind], found.right[kind], found.marks[kind]


def all_of(found: Shares) -> tuple[int, int, int, int]:
    return found.hidden.total(), found.secrets.total(), found.right.total(), found.marks.total()


def test_the_stated_shares_of_sixty_texts_of_before() -> None:
    texts = texts_of(HELD_OUT)
    found = measured(texts)
    assert (len(texts), sum(not text.secrets for text in texts)) == (60, 30)
    assert (all_of(found), of_kind(found, "PERSON")) == ((53, 53, 53, 55), (33, 33, 33, 35))
    assert (found.missed, found.wrong) == ([], ["Роза", "Jordan"])


def test_the_stated_shares_of_forty_texts_that_were_used() -> None:
    texts = texts_of(SEEN)
    found = measured(texts)
    assert (len(texts), sum(not text.secrets for text in texts)) == (40, 10)
    assert (all_of(found), of_kind(found, "PERSON")) == ((28, 37, 29, 30), (25, 29, 26, 27))
    assert found.wrong == ["Крылов"]


def test_the_stated_shares_of_forty_texts_with_names_by_lot() -> None:
    texts = texts_of(BY_LOT)
    found = measured(texts)
    assert (len(texts), sum(not text.secrets for text in texts)) == (40, 10)
    assert (all_of(found), of_kind(found, "PERSON")) == ((18, 42, 21, 24), (10, 34, 13, 16))
    assert found.wrong == ["Владимира", "Антивирус Касперского", "Martin Luther King Day"]


def test_the_stated_numbers_of_other_secrets_than_names() -> None:
    found = measured([text for file in (HELD_OUT, SEEN, BY_LOT) for text in texts_of(file)])
    others = {
        kind: (found.hidden[kind], number) for kind, number in found.secrets.items() if kind != "PERSON"
    }
    assert sum(number for _, number in others.values()) == 36
    assert {kind for kind, (hidden, number) in others.items() if hidden < number} == {"EMPLOYEE", "ADDRESS"}
    assert (others["EMPLOYEE"], others["ADDRESS"]) == ((5, 8), (0, 2))
    assert all(found.right[kind] == found.marks[kind] for kind in found.marks if kind != "PERSON")


def test_a_secret_of_which_a_part_remains_is_missed_and_a_mark_that_takes_more_is_wrong() -> None:
    text = Text.of("Ask {PERSON:Ann Lee} or {PERSON:Bob}")
    assert text.given == "Ask Ann Lee or Bob"
    found = shares([text], lambda given: "PERSON_A Lee or PERSON_B")
    assert (found.hidden, found.secrets) == (Counter(PERSON=1), Counter(PERSON=2))
    assert (found.missed, found.wrong) == (["Ann Lee"], ["Ask Ann"])


def test_what_is_no_masked_text_is_refused() -> None:
    with pytest.raises(ValueError, match="is no masked"):
        list(marks_of("one", "two PERSON_A"))
