"""One form of a text: changes that mean nothing change no verdict, and those that do still do."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from strategies import texts

from rag_sweep.cases.records import Answer, Case, Context, Rubric
from rag_sweep.rules.cleaning import clean, cleaned
from rag_sweep.rules.judging import Rules
from rag_sweep.rules.labels import labels, unlabelled
from rag_sweep.rules.wording import script

CASE = Case(
    "q",
    "Какой срок?",
    (
        Context("d-1", "Срок — не более 14 рабочих дней. Найденный пропуск E-4417 стоит 2 500 рублей."),
        Context("d-2", "The notice isn't longer than 3 days."),
    ),
    Rubric(must_include=(("14 рабочих",),)),
)
RIGHT = "Срок — не более 14 рабочих дней, пропуск E-4417 стоит 2 500 рублей [d-1]."
WRONG = "Срок — не более 14 дней, пропуск E-4418 стоит 2 500 рублей [d-3]."


def states(case: Case, answer: str) -> dict[str, str]:
    verdicts = Rules().judge(case, Answer("q", answer)).verdicts
    return {one.rule: one.state for one in verdicts if one.rule != "overlap"}


CHANGES: dict[str, Callable[[str], str]] = {
    "CRLF": lambda text: text.replace(" ", "\r\n") if "2 5" not in text else f"{text}\r\n",
    "NBSP": lambda text: text.replace(" ", "\u00a0"),
    "narrow": lambda text: text.replace(" ", "\u202f"),
    "double": lambda text: text.replace(" ", "  "),
    "tabs": lambda text: text.replace(" — ", "\t—\t"),
    "wrapped": lambda text: text.replace(" рабочих", "\nрабочих").replace(" стоит", "\n  стоит"),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "hyphens": lambda text: text.replace("-", "\u2011"),
    "apostrophe": lambda text: text.replace("'", "ʼ"),
    "soft hyphen": lambda text: text.replace("рабочих", "рабо\u00adчих").replace("стоит", "сто\u00ad\nит"),
    "zero width": lambda text: text.replace(" ", " \u200b"),
    "BOM": lambda text: f"\ufeff{text}",
    "bold": lambda text: text.replace("14", "**14**").replace("500", "500").replace("2 500", "__2 500__"),
    "code": lambda text: text.replace("14", "`14`").replace("E-4417", "``E-4417``"),
    "all bold": lambda text: f"***{text}***",
    "starred": lambda text: text.replace("14 рабочих", "*14* _рабочих_"),
    "escaped": lambda text: text.replace("[", "\\[").replace("]", "\\]").replace("-", "\\-"),
    "quoted": lambda text: f"> {text}",
    "item": lambda text: f"1. {text}",
    "headed": lambda text: f"**Ответ:** {text}",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("answer", [RIGHT, WRONG])
def test_a_harmless_change_of_the_answer_changes_no_verdict(
    change: Callable[[str], str], answer: str
) -> None:
    assert states(CASE, change(answer)) == states(CASE, answer)


@pytest.mark.parametrize("change", [*CHANGES.values()][:15], ids=[*CHANGES][:15])
@pytest.mark.parametrize("answer", [RIGHT, WRONG])
def test_a_harmless_change_of_the_context_changes_no_verdict(
    change: Callable[[str], str], answer: str
) -> None:
    parts = tuple(Context(part.id, change(part.text)) for part in CASE.context)
    assert states(Case("q", CASE.question, parts, CASE.rubric), answer) == states(CASE, answer)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Цена 100* и 200*\n\n*без НДС", "Цена 100* и 200*\n\n*без НДС"),
        ("* one\n* two", "* one\n* two"),
        ("2*3*4 and a_b_c", "2*3*4 and a_b_c"),
        ("f(**first, **rest)", "f(**first, **rest)"),
        ("`a*b` and **`c`**", "a*b and c"),
        ("**14 дней [a].** Да", "14 дней [a]. Да"),
        ("*[a] and [b*", "*[a] and [b*"),
        (r"\*not bold\*", "*not bold*"),
        ("> 5 days: none", "> 5 days: none"),
        ("> 1. Open\n> 2. Close", "1. Open\n2. Close"),
        ("№ 15/2", "№ 15/2"),
        ("minus −5, 3‒4", "minus -5, 3-4"),
        ("## Head\ntext\ngoes on\n\nnext", "## Head\ntext goes on\n\nnext"),
        ("| a | 1 |\n| b | 2 |", "| a | 1 |\n| b | 2 |"),
        ("Room\t12\t345", "Room 12\t345"),
        ("12\n345\n678", "12\n345\n678"),
        ("Суточные — 2\n500 рублей", "Суточные — 2 500 рублей"),
    ],
)
def test_a_text_has_one_form(text: str, form: str) -> None:
    assert clean(text) == form


def test_ids_are_cleaned_with_their_citations() -> None:
    case = Case("q", "What?", (Context("Leave\u00a0policy", "It is 5 days."), Context("_x_", "No.")))
    judged = Rules().judge(case, Answer("q", "It is 5 days [Leave policy] [_x_]."))
    assert judged.to_dict()["citations_ok"]
    assert judged.case is case


def test_ids_that_would_become_one_stay_as_they_are() -> None:
    case = Case("q", "What?", (Context("*a*", "x"), Context("a", "y")))
    assert [part.id for part in cleaned(case).context] == ["*a*", "a"]


def test_an_answer_of_signs_that_nobody_sees_is_empty() -> None:
    verdict = Rules().judge(CASE, Answer("q", "\u200b\ufeff")).verdict("citations")
    assert verdict is not None
    assert verdict.reason == "empty_answer"


@given(texts)
def test_any_text_can_be_cleaned(text: str) -> None:
    assert "\r" not in clean(text)
    assert "\xa0" not in clean(text)


@pytest.mark.parametrize(
    "piece", ["*", "**a ", "_a", "`", "[a ", "> ", "a\n", "\t", "\\", "*[", "1) ", "(1) ", "1. a\n"]
)
def test_a_hundred_kilobytes_are_cleaned_in_moments(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    began = time.process_time()
    labels(clean(text))
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1. Open.\n2. Close.", "12"),
        ("1. Open.", "1"),
        ("Step 1: open. Step 2: choose.", "12"),
        ("Шаг 1. Откройте. Шаг 2. Нажмите.", "12"),
        ("Сначала: 1) откройте; 2) нажмите.", "12"),
        ("(1) Open, (2) choose.", "12"),
        ("Ответ: 1. Откройте портал. 2. Нажмите.", "12"),
        ("1. A\n1. a\n2. b\n2. B", "1122"),
        ("3. Third\n4. Fourth", "34"),
        ("14. Это предел.", ""),
        ("Ответ: 1. Только одна копия.", ""),
        ("Нужен 1 день (пункт 1) и ещё 2 (пункт 2) дня.", ""),
        ("Thirty (30) days.", ""),
        ("In step 2 you choose.", ""),
        ("2 days. 3 days.", ""),
    ],
)
def test_labels_claim_no_number(text: str, numbers: str) -> None:
    assert "".join(text[at] for at in sorted(labels(text))) == numbers


def test_a_sentence_may_stand_without_its_label() -> None:
    assert unlabelled("2. Choose 3 items").strip() == "Choose 3 items"
    assert unlabelled("Шаг 2: нажмите").strip() == "нажмите"
    assert unlabelled("2 days").strip() == "2 days"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("THE FORM IS DUE ON FRIDAY", "en"),
        ("The Form Is Due On Friday", "en"),
        ("Microsoft Teams", None),
        ("СРОК — 5 ДНЕЙ В MICROSOFT TEAMS OF AMERICA", "ru"),
        ("Откройте Microsoft Teams For Work", "ru"),
    ],
)
def test_capitals_have_a_language(text: str, language: str | None) -> None:
    assert script(text) == language


def test_signs_that_nobody_sees_are_no_answer_whatever_counts() -> None:
    rules = Rules(pass_rules=("must_include",))
    assert not rules.judge(Case("q", "How long?", ()), Answer("q", "\u200b\xad")).passed
    assert rules.judge(Case("q", "How long?", ()), Answer("q", "14\u200b")).passed
