"""Numbers in texts: what they mean, what stands beside them, and what backs them."""

from __future__ import annotations

import time
from datetime import date
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import texts

from rag_sweep.rules.numbers import claims, unbacked
from rag_sweep.rules.quantities.found import Quantity
from rag_sweep.rules.quantities.index import index_of
from rag_sweep.rules.quantities.parse import quantities


def only(text: str) -> Quantity:
    (found,) = quantities(text)
    return found


def backed(answer: str, *context: str) -> bool:
    assert claims(answer, context), f"{answer!r} claims nothing"
    return not unbacked(answer, context)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,5", 1.5),
        ("1 000", 1000),
        ("1\u00a0000,5", 1000.5),
        ("1.000.000", 1_000_000),
        ("1,000.50", 1000.5),
        ("2 тыс.", 2000),
        ("1,5 млн", 1_500_000),
        ("40k", 40_000),
        ("$3M", 3_000_000),
        ("−5", -5),
        ("минус 5", -5),
        ("1/2", 0.5),
        ("двадцать пять", 25),
        ("две тысячи пятьсот", 2500),
        ("two thousand five", 2005),
        ("twenty-five", 25),
        ("a dozen", 12),
        ("полтора", 1.5),
        ("два с половиной", 2.5),
        ("третий", 3),
        ("XIV", 14),
    ],
)
def test_a_number_means_its_value(text: str, value: float) -> None:
    assert only(text).readings == (value,)


def test_a_comma_before_three_digits_may_be_either() -> None:
    assert set(only("1,000").readings) == {1000.0, 1.0}


@pytest.mark.parametrize(
    ("text", "unit", "scale"),
    [
        ("14 дней", "second", 86_400),
        ("две недели", "second", 604_800),
        ("14 рабочих дней", "working day", 1),
        ("14 working days", "working day", 1),
        ("48 рабочих часов", "working hour", 1),
        ("28 оплачиваемых календарных дней", "second", 86_400),
        ("3 months", "month", 1),
        ("год", None, None),
        ("12 м²", "square metre", 1),
        ("12 кв. м", "square metre", 1),
        ("12 м", "metre", 1),
        ("5 %", "percent", 1),
        ("$5", "usd", 1),
        ("900руб/мес", "rub", 1),
        ("14-дневный", "second", 86_400),
        ("5 people", "?", 1),
        ("5", None, 1),
        ("2024 года", None, 1),
    ],
)
def test_a_unit_is_read_in_its_base(text: str, unit: str | None, scale: float | None) -> None:
    found = quantities(text)
    assert [(one.unit, one.scale) for one in found] == ([] if scale is None else [(unit, scale)])


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("не более 4 часов", "at most"),
        ("не менее 4 часов", "at least"),
        ("no fewer than 4 hours", "at least"),
        ("no more than 4 hours", "at most"),
        ("less than 4 hours", "at most"),
        ("4 hours or more", "at least"),
        ("4 guests or more", "at least"),
        ("4 часа и менее", "at most"),
        ("не превышает 4 часов", "at most"),
        ("must exceed 4 hours", "at least"),
        ("4 hours", None),
        ("договор на 4 часа", None),
    ],
)
def test_a_limit_is_known_by_the_words_beside_it(text: str, bound: str | None) -> None:
    assert (only(text).bound, only(text).negated) == (bound, False)


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("не 14 дней", [True]),
        ("не 14 дней, а 21 день", [True, False]),
        ("isn't 20 euros", [True]),
        ("20 euros are never refunded", [True]),
        ("without 2 signatures", [False]),
        ("5 дней без оплаты", [True]),
        ("не более 5 дней", [False]),
        ("No. 5", [False]),
        ("2 hours. Guests don't", [False]),
    ],
)
def test_a_negation_beside_a_number_is_seen(text: str, negated: list[bool]) -> None:
    assert [one.negated for one in quantities(text)] == negated


@pytest.mark.parametrize(
    ("text", "kind", "reading"),
    [
        ("15 марта 2025 года", "date", (2025, 3, 15)),
        ("15.03.2025", "date", (2025, 3, 15)),
        ("2025-03-15", "date", (2025, 3, 15)),
        ("March 15th, 2025", "date", (2025, 3, 15)),
        ("15 March", "date", (0, 3, 15)),
        ("в июле 2023", "date", (2023, 7, 0)),
        ("8:30", "clock", "08:30"),
        ("5:30 pm", "clock", "17:30"),
        ("12 am", "clock", "00:00"),
        ("8 вечера", "clock", "20:00"),
        ("noon", "clock", "12:00"),
        ("E-7126", "code", "e7126"),
        ("№ 15/2", "code", "15/2"),
        ("v5.2.1", "code", "5.2.1"),
        ("8 (900) 555-01-23", "code", "79005550123"),
        ("+7 900 555 01 23", "code", "79005550123"),
    ],
)
def test_dates_clocks_and_codes_have_one_form(text: str, kind: str, reading: Any) -> None:
    assert (only(text).kind, only(text).readings) == (kind, (reading,))


def test_may_is_a_month_only_with_its_capital() -> None:
    assert [one.kind for one in quantities("May 5")] == ["date"]
    assert [one.kind for one in quantities("we may 5 times")] == ["amount"]


def test_a_range_gives_its_unit_to_both_ends() -> None:
    assert [one.unit for one in quantities("3–5 рабочих дней")] == ["working day", "working day"]
    assert [one.readings for one in quantities("с 1 по 8 января")] == [((0, 1, 1),), ((0, 1, 8),)]


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("две недели", "14 дней"),
        ("14 дней", "две недели"),
        ("12 months", "one year"),
        ("120 minutes", "2 hours"),
        ("20 МБ", "0,02 ГБ"),
        ("2 раза в год", "дважды в год"),
        ("50%", "half of it"),
        ("07.11", "7 ноября"),
        ("7 ноября", "07.11.2024"),
        ("до 18 часов", "до 18:00"),
        ("2023", "04.07.2023"),
        ("4 hours", "at most 4 hours"),
        ("14 дней", "| 14 |"),
    ],
)
def test_what_says_the_same_backs_it(answer: str, context: str) -> None:
    assert backed(answer, context)


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("14 дней", "14 рабочих дней"),
        ("14 рабочих дней", "14 дней"),
        ("90 days", "3 months"),
        ("30 дней", "один месяц"),
        ("2 дня", "48 рабочих часов"),
        ("€5", "$5"),
        ("15 рублей", "15 %"),
        ("12 м", "12 м²"),
        ("900 ₽ в год", "900 ₽ в месяц"),
        ("$8 per day", "$8 monthly"),
        ("8 ноября", "7 ноября"),
        ("7 ноября 2023", "7 ноября"),
        ("до 19 часов", "до 18:00"),
        ("не менее 4 часов", "не более 4 часов"),
        ("20 euros", "not 20 euros"),
        ("3 people", "12 people and 3 screens"),
        ("5.2.1", "5.2.0"),
        ("E-4471", "E-4417"),
    ],
)
def test_what_says_something_else_does_not(answer: str, context: str) -> None:
    assert not backed(answer, context)


def test_numbers_of_a_list_claim_nothing_and_a_number_that_begins_a_line_does() -> None:
    assert claims("1. Ask.\n2. Wait.") == []
    assert [one.readings for one in claims("7. Ask there.")] == [(7.0,)]


def test_words_claim_a_number_only_with_a_unit_or_where_the_context_counts_the_same() -> None:
    assert claims("three managers") == []
    assert len(claims("three days")) == 1
    assert not backed("three managers", "two managers sign")
    assert claims("one of the managers", ["two managers sign"]) == []


def thousands(number: int, separator: str) -> str:
    return f"{number:,}".replace(",", separator)


amounts = st.integers(min_value=0, max_value=10**12)


@given(
    amounts, st.sampled_from(["", " ", "\u00a0", "\u202f", ","]), st.sampled_from(["", " ", "\u00a0", ","])
)
def test_a_whole_number_backs_itself_with_any_separator(number: int, one: str, other: str) -> None:
    assert backed(f"It is {thousands(number, one)} roubles.", f"Сумма — {thousands(number, other)} руб.")


@given(st.decimals(min_value=0, max_value=99_999, places=2), st.sampled_from([",", "."]))
def test_a_decimal_backs_itself_with_comma_and_point(number: Any, mark: str) -> None:
    plain = f"{number:.2f}"
    assert backed(f"{plain.replace('.', mark)} %", f"{plain} процентов")


MONTHS = (
    *("января", "февраля", "марта", "апреля", "мая", "июня", "июля"),
    *("августа", "сентября", "октября", "ноября", "декабря"),
)


def forms(day: date) -> list[str]:
    return [
        day.isoformat(),
        f"{day:%d.%m.%Y}",
        f"{day.day} {MONTHS[day.month - 1]} {day.year} года",
        f"{day.day} {day:%B %Y}",
        f"{day:%B} {day.day}, {day.year}",
    ]


dates = st.dates(min_value=date(1990, 1, 1), max_value=date(2089, 12, 31))


@given(dates, dates)
def test_a_date_backs_itself_in_any_form_and_no_other_one(day: date, other: date) -> None:
    for one in forms(day):
        for context in forms(day):
            assert backed(f"on {one}", context)
        assert (day == other) == backed(f"on {one}", forms(other)[0])


@given(st.integers(1, 500), st.sampled_from(["days", "дней", "hours", "часов"]))
def test_another_value_of_the_same_unit_is_not_backed(number: int, unit: str) -> None:
    assert not backed(f"{number} {unit}", f"{number + 1} {unit}")


@given(st.integers(1, 60))
def test_weeks_are_seven_days(number: int) -> None:
    assert backed(f"{number} weeks", f"{7 * number} дней")
    assert not backed(f"{number} weeks", f"{7 * number} рабочих дней")


numbers = st.sampled_from(
    [
        "14 дней",
        "3–5 days",
        "5.03.2024",
        "E-12",
        "не более 7 часов",
        "два менеджера",
        "$5",
        "18:00",
        "not 4 m",
        "1. ",
    ]
)
sentences = st.lists(st.one_of(numbers, texts), max_size=4).map(" ".join)


@given(sentences, sentences, sentences)
@example("5", "5", "5 мая")
def test_another_part_of_the_context_takes_no_backing_away_of_what_has_a_unit(
    answer: str, context: str, other: str
) -> None:
    def missing(*parts: str) -> set[tuple[int, int]]:
        known = [one for one in unbacked(answer, parts) if one.unit != "?" and not one.spelt]
        return {(one.start, one.end) for one in known}

    assert missing(context, other) <= missing(context)
    assert missing(other, context) == missing(context, other)


ALIKE = [
    *("14 дней", "2 недели", "within a week", "раз в неделю", "28 days a year", "once a year", "annually"),
    *("half of the fee", "50 %", "67%", "two thirds", "double pay", "1.5 times", "150 %", "0,5", "¾"),
    *(
        "15 мая 2025",
        "2025",
        "05.2025",
        "15.05",
        "до 18 часов",
        "18:00",
        "until 18",
        "24/7",
        "24 hours a day",
    ),
    *("24 hours", "v3.4", "3.4", "VPN-403", "ошибка 403", "403", "+7 495 123-45-67", "8 495 123-45-67"),
    *("1,000", "1 тыс.", "1000", "2 GB", "2048 MB", "1 час 30 минут", "90 minutes", "полночь", "24:00"),
    *("200 bps", "2 п.п.", "5 ‰", "0,5 %", "III квартал", "3 quarters", "-5 °C", "минус пять градусов"),
]


def test_what_means_the_same_is_looked_up_together() -> None:
    index = index_of("; ".join(ALIKE))
    for claim in index.quantities:
        meant = [one for one in index.quantities if one.means(claim)]
        assert [one for one in index.like(claim) if one.means(claim)] == meant


@given(sentences, sentences)
def test_nothing_that_means_the_same_is_overlooked(one: str, other: str) -> None:
    index = index_of(f"{one} {other}")
    for claim in index_of(one).quantities:
        meant = [known for known in index.quantities if known.means(claim)]
        assert [known for known in index.like(claim) if known.means(claim)] == meant


@given(texts)
@example("0/0, 1/0")
def test_any_text_can_be_read_and_every_number_stands_where_it_says(text: str) -> None:
    found = quantities(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert [one.start for one in found] == sorted(one.start for one in found)


@given(texts)
@settings(max_examples=50)
def test_a_text_backs_its_own_numbers(text: str) -> None:
    assert unbacked(text, [text]) == []


HARD = [
    "1",
    "[",
    "]",
    "«[",
    "1 ",
    "1-",
    "1,",
    "1.",
    "1/",
    "два ",
    "a1-",
    "(",
    "+7 9",
    "123 456 ",
    "5 мая ",
    "1) ",
    "не ",
    "1½ ",
    "час дня ",
    "; и и ",
    "1 час 30 минут ",
]


def seconds(piece: str, length: int) -> float:
    text = (piece * length)[:length]
    began = time.process_time()
    quantities(text)
    return time.process_time() - began


@pytest.mark.parametrize("piece", HARD)
def test_ten_kilobytes_of_anything_take_moments(piece: str) -> None:
    assert seconds(piece, 10_000) < 3


@pytest.mark.full
@pytest.mark.parametrize("piece", HARD)
def test_forty_kilobytes_of_anything_take_seconds(piece: str) -> None:
    assert seconds(piece, 40_000) < 10
