"""One form of a text: changes that mean nothing change no verdict, and those that do still do."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from rag_sweep.cases.cleaning import clean
from rag_sweep.cases.records import Answer, Case, Context, Rubric
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
    "entities": lambda text: text.replace(" ", "&nbsp;").replace("14", "&#49;4").replace("—", "&mdash;"),
    "escaped twice": lambda text: text.replace(" 500", "&amp;nbsp;500"),
    "tags": lambda text: f'<p style="font-size:24px">{text.replace("14", "<b class=x>14</b>")}</p>',
    "formula": lambda text: text.replace("2 500", r"$2\,500$").replace("14 рабочих", r"14\,\text{рабочих}"),
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
        (r"\*not bold\*", "not bold"),
        ("> 5 days: none", "> 5 days: none"),
        ("> 1. Open\n> 2. Close", "1. Open\n2. Close"),
        ("№ 15/2", "№ 15/2"),
        ("minus −5, 3‒4", "minus -5, 3-4"),
        ("## Head\ntext\ngoes on\n\nnext", "## Head\ntext goes on\n\nnext"),
        ("| a | 1 |\n| b | 2 |", "| a | 1 |\n| b | 2 |"),
        ("Room\t12\t345", "Room 12\t345"),
        ("12\n345\n678", "12\n345\n678"),
        ("Суточные — 2\n500 рублей", "Суточные — 2 500 рублей"),
        ("50&#160;GB &amp; 3&#8211;5 days, &le; 2", "50 GB & 3–5 days, ≤ 2"),
        ("&amp;amp; and &unknown; & more", "& and &unknown; & more"),
        ("<b>5</b> GB<br/>10 GB", "5 GB\n\n10 GB"),
        ("<table><tr><td>A</td><td>50 GB</td></tr></table>", "| A | 50 GB"),
        ("25 m<sup>2</sup><!-- not 30 -->", "25 m²"),
        ("a < b and c > d, x <b and c> y", "a < b and c > d, x <b and c> y"),
        (r"$15\%$ of $1\,200$ and $1{,}200$", "15% of 1 200 and 1,200"),
        (r"\(\frac{2}{3}\) and $\frac12$ of 1\frac{1}{2}", "2/3 and 1/2 of 1 1/2"),
        (r"$m \le 2.5\,\mathrm{kg}$, $n\geq3$", "m ≤ 2.5 kg, n≥3"),
        (r"$3\times10^{8}$", "3×10^8"),
        (r"$\$5$ a month", "$5 a month"),
        ("$5 and $10, $5–$15, 5$ or 6$ more", "$5 and $10, $5–$15, 5$ or 6$ more"),
        (r"C:\le.txt", r"C:\le.txt"),
        ("1️⃣ Open\n2️⃣ Wait 1️⃣0️⃣", "1) Open\n2) Wait 10)"),
        ("It is $5.¹\n\n¹ d1", "It is $5. ¹\n\n¹ d1"),
        ("25 m² and 10⁸", "25 m² and 10⁸"),
        ("`a[0]` of `b`", "`a[0]` of b"),
        ("So [1].\n[1] hr-4\n[2] hr-5", "So [1].\n[1] hr-4\n[2] hr-5"),
        (r"\\\[a\]", "[a]"),
    ],
)
def test_a_text_has_one_form(text: str, form: str) -> None:
    assert clean(text) == form


def test_what_is_nothing_but_tags_stays() -> None:
    assert clean("<br>") == "<br>"
    case = Case("q", "How long?", (), Rubric(must_not_include=("<br>",)))
    found = Rules().judge(case, Answer("q", "14 days.")).verdict("must_not_include")
    assert found is not None
    assert found.state == "pass"


def test_ids_are_cleaned_with_their_citations() -> None:
    case = Case("q", "What?", (Context("Leave\u00a0policy", "It is 5 days."), Context("_x_", "No.")))
    judged = Rules().judge(case, Answer("q", "It is 5 days [Leave policy] [_x_]."))
    assert judged.to_dict()["citations_ok"]
    assert judged.case is case


def test_ids_that_would_become_one_stay_as_they_are() -> None:
    case = Case("q", "What?", (Context("*a*", "x"), Context("a", "y")))
    assert [part.id for part in case.cleaned.context] == ["*a*", "a"]


def test_an_answer_of_signs_that_nobody_sees_is_empty() -> None:
    verdict = Rules().judge(CASE, Answer("q", "\u200b\ufeff")).verdict("citations")
    assert verdict is not None
    assert verdict.reason == "empty_answer"


@given(texts)
def test_any_text_can_be_cleaned(text: str) -> None:
    assert "\r" not in clean(text)
    assert "\xa0" not in clean(text)


PIECES = [
    *("&amp;", "&nbsp;", "nbsp;", "&#38;", "&lt;", "&gt;", "<b>", "</b>", "<br>", "<p>", "<!--", "-->"),
    *(
        "\\",
        "$",
        "{",
        "}",
        "\\frac",
        "\\text",
        "\\,",
        "\\le",
        "^",
        "{,}",
        "*",
        "**",
        "_",
        "`",
        "[",
        "]",
        "(",
        ")",
    ),
    *(
        "a",
        "1",
        "2",
        " ",
        "\n",
        "\n\n",
        "> ",
        "|",
        "- ",
        "1.",
        "¹",
        "1️⃣",
        "\xad",
        "\u0301",
        "\t",
        "#",
        "\r\n",
        ".",
    ),
]


@given(st.one_of(texts, st.lists(st.sampled_from(PIECES), max_size=16).map("".join)))
def test_a_clean_text_stays_as_it_is(text: str) -> None:
    assert clean(clean(text)) == clean(text)


def test_an_address_is_found_where_it_is_asked_for_but_claims_no_number() -> None:
    case = Case(
        "q",
        "Where is the form?",
        (Context("d1", "The form is at https://x.example/f/2024."),),
        Rubric(must_include=(("x.example/f/2024",),)),
    )
    for answer in ("It is at https://x.example/f/2024 [d1].", "It is [here](https://x.example/f/2024) [d1]."):
        assert Rules().judge(case, Answer("q", answer)).passed
    assert Rules().judge(case, Answer("q", "[It](https://x.example/7) is x.example/f/2024 [d1].")).passed


@pytest.mark.parametrize(
    "piece",
    [
        *("*", "**a ", "_a", "`", "[a ", "> ", "a\n", "\t", "\\", "*[", "1) ", "(1) ", "1. a\n", "$", "&"),
        *("&amp;", "<b ", "<!--", "$1\\", "\\(", "\\frac{1}", "1️⃣", "<br>", "\\*", "5.¹", "[1] a\n"),
    ],
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
