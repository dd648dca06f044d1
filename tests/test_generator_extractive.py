"""The offline generator: it says nothing that its context doesn't."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from rag_sweep.cases.records import Answer, Case, Context
from rag_sweep.errors import ConfigError
from rag_sweep.generator.extractive import REFUSAL, Extractive
from rag_sweep.generator.generator import Desk
from rag_sweep.llm.prompts import Prompts
from rag_sweep.rules.judging import Judged, Rules


def write(*cases: Case, sentences: int = 1, least: float = 0.3) -> list[Answer]:
    generator = Extractive(sentences, least)
    return generator.write(cases, Desk(Prompts(())), lambda done, of: None)


def judged(case: Case, answer: Answer) -> Judged:
    return Rules(pass_rules=("citations", "numbers")).judge(case, answer)


def case(question: str, *parts: str) -> Case:
    return Case("q", question, tuple(Context(f"d{at}", text) for at, text in enumerate(parts, 1)))


def test_it_takes_the_sentence_with_the_rarest_words_of_the_question() -> None:
    (answer,) = write(
        case("How long is sick leave?", "Leave is paid. Leave is granted.", "Sick leave is 5 days!")
    )
    assert (answer.text, answer.model) == ("Sick leave is 5 days [d2]!", "extractive")


def test_several_sentences_each_have_their_citation_and_stand_in_their_order() -> None:
    given = case("sick leave days?", "Sick leave is paid.", "Days of sick leave: 5.")
    (answer,) = write(given, sentences=2)
    assert answer.text == "Sick leave is paid [d1]. Days of sick leave: 5 [d2]."


@pytest.mark.parametrize(("question", "language"), [("Сколько стоит обед?", "ru"), ("What is lunch?", "en")])
def test_where_nothing_fits_it_refuses_in_the_language_of_the_question(question: str, language: str) -> None:
    (answer,) = write(case(question, "Xyz."))
    assert answer.text == REFUSAL[language]
    found = judged(case(question, "Xyz."), answer)
    assert found.passed
    assert found.verdicts[0].reason == "refused"


def test_it_refuses_without_any_context() -> None:
    (answer,) = write(case("What is lunch?"))
    assert answer.text == REFUSAL["en"]


TABLE = """# Limits of accommodation

| Destination | Limit, roubles |
|:---|---:|
| Verkhny Log | 3,800 |
| Cape | 4,200 |
"""


def test_a_row_of_a_table_is_told_with_the_heads_of_its_columns() -> None:
    (answer,) = write(case("limit for Verkhny Log", TABLE))
    assert answer.text == "Destination: Verkhny Log; Limit, roubles: 3,800 [d1]."
    assert judged(case("limit for Verkhny Log", TABLE), answer).passed


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "| Cape | 4,200 |\nThe shuttle goes daily.",
            "Cape; 4,200 [d1].",
        ),  # a passage that begins in a table
        ("| A | B |\n|---|---|\n| Cape | 4,200 | more |", "A: Cape; B: 4,200; more [d1]."),
        ("| A | B |\n|---|---|\n| Cape |  |", "A: Cape [d1]."),
        ("## Cape limits\nCape has 4,200.", "Cape has 4,200 [d1]."),
        ("## Cape limits", "Cape limits [d1]."),  # nothing else is there
        ("| Cape limits |\n|---|", "Cape limits [d1]."),
    ],
)
def test_a_heading_and_the_head_of_a_table_answer_nothing_where_there_is_more(text: str, told: str) -> None:
    assert write(case("Cape limits?", text))[0].text == told


words = st.sampled_from(
    [
        *(
            "отпуск",
            "leave",
            "14 дней",
            "не более 3 часов",
            "3–5 working days",
            "1.",
            "[d9]",
            "E-12",
            "5.03.2024",
        ),
        *(
            "$5",
            "две недели",
            "№ 7",
            "not",
            "18:00",
            "May 5",
            "1/2",
            "…",
            "- ",
            "\n",
            ". ",
            "!",
            "Deadline",
            "«[",
            "1 000",
        ),
    ]
)
contexts = st.one_of(texts, st.lists(words, max_size=25).map(" ".join))


@given(st.lists(contexts, max_size=4), texts, st.integers(1, 3))
def test_its_answers_pass_numbers_and_citations_whatever_the_context(
    parts: list[str], question: str, sentences: int
) -> None:
    given = case(f"leave отпуск deadline {question}", *parts)
    (answer,) = write(given, sentences=sentences, least=0.0)
    assert answer.failure is None
    numbers = judged(given, answer).verdict("numbers")
    assert numbers is not None
    assert numbers.state == "pass", (answer.text, numbers.detail)


@given(st.lists(contexts.filter(lambda text: "[" not in text), max_size=4), texts)
def test_its_answers_cite_only_what_they_were_given(parts: list[str], question: str) -> None:
    given = case(f"leave отпуск deadline {question}", *parts)
    (answer,) = write(given, least=0.0)
    citations = judged(given, answer).verdict("citations")
    assert citations is not None
    assert citations.state != "fail", (answer.text, citations)


def test_it_tells_how_far_it_is() -> None:
    seen: list[tuple[int, int]] = []
    Extractive().write(
        [case("a?", "a."), case("b?", "b.")], Desk(Prompts(())), lambda done, of: seen.append((done, of))
    )
    assert seen == [(0, 2), (1, 2), (2, 2)]


@pytest.mark.parametrize(("parameter", "value"), [("sentences", 0), ("least", 1.5), ("least", -1)])
def test_a_parameter_that_cannot_be_is_refused(parameter: str, value: float) -> None:
    with pytest.raises(ConfigError, match=rf"generator\.{parameter} must be"):
        Extractive(**{parameter: value})  # type: ignore[arg-type]
