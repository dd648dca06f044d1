"""Dates, times of the day, periods without a number, and on which side of them something lies."""

from __future__ import annotations

import pytest

from rag_sweep.cases.cleaning import clean
from rag_sweep.rules.numbers import unbacked


def backed(context: str, answer: str) -> bool:
    return not unbacked(clean(answer), [clean(context)])


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("сб 10:00–15:00", "с десяти утра до трёх часов дня", True),
        ("сб 10:00–15:00", "с 10 утра до 3 часов дня", True),
        ("сб 10:00–15:00", "с 10 утра до 3 дня", True),
        ("до 21:00", "до 9 вечера", True),
        ("до 21:00", "до девяти часов вечера", True),
        ("до 21:00", "до девяти вечера", True),
        ("Уроки в 8:30", "Уроки начинаются в половине девятого", True),
        ("Уроки в 8:30", "в полдевятого", True),
        ("Открыты до 17:30", "до половины шестого", True),
        ("Open until 17:30.", "Open until half past five", True),
        ("до 15:00", "до трёх дня", True),
        ("до 18:00", "до шести часов вечера", True),
        ("с 7:00", "с 7 часов утра; с семи часов утра", True),
        ("10:00–18:00", "с десяти утра до шести вечера", True),
        ("в 13:00", "в час дня", True),
        ("в час ночи", "в 1:00", True),
        ("до девяти вечера", "до 21:00", True),
        ("3 дня", "три дня", True),
        ("от трёх дней", "от 3 дней", True),
        ("платит с 4 дня болезни", "с 4-го дня болезни", True),
        ("до 18:00", "до шести вечера", True),
        ("Работаем до 21:00", "до восьми вечера", False),
        ("Уроки в 8:30", "в половине десятого", False),
        ("Open until 17:30.", "until half past six", False),
        ("10:00–18:00", "с десяти утра до семи вечера", False),
        ("до 15:00", "до 4 часов дня", False),
    ],
)
def test_a_time_of_the_day_is_read_in_words(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("In June 2022.", "In 06/2022", True),
        ("В июне 2022 года.", "В 06.2022", True),
        ("Effective March 1, 2025.", "Effective 2025/03/01", True),
        ("до 24:00", "до 00:00", True),
        ("до 00:00", "до 24:00", True),
        ("Линия круглосуточная", "Линия 24/7", True),
        ("звонок бесплатный, круглосуточно", "24/7", True),
        ("open around the clock", "Open 24/7", True),
        ("open 24 hours a day, seven days a week", "Open 24/7", True),
        ("24/7", "Open 24 hours a day, 7 days a week", True),
        ("Линия работает круглосуточно", "Линия работает 24 часа в сутки", True),
        ("24/7", "24 часа в сутки, 7 дней в неделю", True),
        ("24/7", "круглосуточно", True),
        (
            "The bonus is paid in March. A letter follows 5 days later.",
            "The bonus is paid in March. 5 days later a letter follows",
            True,
        ),
        ("Apply in March. Then wait.", "1. Apply in March.\n2. Then wait", True),
        ("Заявление подают в мае. Ответ через 3 дня.", "Заявление подают в мае. 3 дня ждут ответа", True),
        ("Mar. 5, 2025", "March 5, 2025", True),
        ("paid on 5 March", "paid Mar. 5", True),
        ("12/31/2024", "December 31, 2024", True),
        ("2023/2024 учебный год", "2023–2024 учебный год", True),
        ("May 5", "5 May", True),
        ("В марте 5 дней отпуска", "5 дней отпуска в марте", True),
        ("Pay in May. 31 people work here.", "Pay is due on May 31", False),
        ("In June 2022.", "In 07/2022", False),
        ("с 9:00 до 18:00", "24/7", False),
        ("Effective March 1, 2025.", "Effective 2025/04/01", False),
    ],
)
def test_dates_and_round_the_clock_have_many_forms(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("Reply within one month of receipt.", "Reply within a week", False),
        ("Reply within a month of receipt.", "Reply within a year", False),
        ("Ответ даётся в течение 30 дней.", "Ответ дадут в течение недели", False),
        ("Ответ даётся в течение месяца.", "Ответ дадут в течение года", False),
        ("Meters are read monthly.", "Meters are read every 3 months", False),
        ("Meters are read every 3 months.", "Meters are read monthly", False),
        ("один раз в 6 месяцев", "раз в год", False),
        ("every 6 months", "once a year", False),
        ("every 6 months", "annually", False),
        ("Занятие 90 минут", "не больше часа", False),
        ("limited to 90 minutes", "for up to an hour", False),
        ("Проверка раз в год", "Проверка раз в месяц", False),
        ("ежемесячно", "ежеквартально", False),
        ("Подайте за 14 дней до начала", "за месяц до начала", False),
        ("Apply 14 days before", "Apply a month before", False),
        ("по истечении полугода", "через год", False),
        ("once a year", "every month", False),
        ("Ответ даётся в течение месяца.", "Ответ дадут в течение 1 месяца", True),
        ("Reply within one month.", "Reply within a month", True),
        ("Reply within 60 minutes", "Reply within an hour", True),
        ("в течение 7 дней", "в течение недели", True),
        ("every 12 months", "once a year", True),
        ("28 дней в год", "28 дней в течение года", True),
        ("в течение 24 часов", "в течение суток", True),
        ("раз в 3 месяца", "раз в квартал", True),
        ("a day to remember", "a week to remember", True),
        ("$5 a month", "Paid monthly", True),
        ("ежегодный отпуск", "ежегодно", True),
        ("за 7 дней до начала", "за неделю до начала", True),
        ("by the 5th of each month", "monthly", True),
        ("Meters are read monthly", "once a month", True),
        ("пока действует договор", "за время работы", True),
        ("90 days", "valid for 90 days in a year", True),
        ("The reports are weekly.", "every week", True),
        ("до начала месяца", "в начале месяца", True),
    ],
)
def test_a_period_without_a_number_claims_one(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("до 1 сентября", "после 1 сентября", False),
        ("before 1 September", "after September 1", False),
        ("from 1 September", "until September 1", False),
        ("с 1 сентября", "до 1 сентября", False),
        ("Pay within 3 days.", "Pay only after 3 days", False),
        ("30 minutes before a meal", "30 minutes after a meal", False),
        ("за 30 минут до еды", "через 30 минут после еды", False),
        ("Open until 18:00", "Open from 18:00", False),
        ("действует по 31 мая", "действует с 31 мая", False),
        ("Submit by 5 May", "Submit after 5 May", False),
        ("не позднее 1 сентября", "до 1 сентября включительно", True),
        ("from 1 September", "starting 1 September", True),
        ("с 1 по 8 января", "до 8 января", True),
        ("с 1 по 8 января", "с 1 января", True),
        ("Late fee applies after 30 days.", "Pay within 30 days to avoid the fee", True),
        ("by 1 September", "before September 1", True),
        ("в период с 1 марта по 5 мая", "с 1 марта; до 5 мая", True),
        ("Сдать до 5 мая", "Сдать не позже 5 мая", True),
        ("Open 9:00–18:00", "Open until 18:00, from 9:00", True),
        ("on 1 September", "from 1 September", True),
        ("30 minutes before a meal", "half an hour before eating", True),
        ("закрыто до 9:00", "открыто с 9:00", True),
    ],
)
def test_a_date_ends_something_or_begins_it(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("Разовая доза для детей 6–12 лет — 250–500 мг.", "Детям от 6 до 12 лет дают 250–500 мг", True),
        ("Children aged 6–12 years — 250–500 mg", "Children from 6 to 12 years get 250–500 mg", True),
        ("детям 6–12 лет — 250–500 мг", "детям до 12 лет", True),
        ("$5–10", "от $5 до $10", True),
        ("детей 6–12 лет — 250–500 мг", "не менее 500 мг", False),
    ],
)
def test_the_end_of_a_range_begins_no_other(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("Up to 200 euros: manager; above that, the director.", "Above 200 euros the director decides", True),
        (
            "Расходы до 200 евро утверждает руководитель, свыше — финансовый директор.",
            "Свыше 200 евро — финансовый директор",
            True,
        ),
        (
            "Расходы до 200 евро утверждает руководитель, а всё, что больше, — финансовый директор.",
            "Свыше 200 евро — финансовый директор",
            True,
        ),
        ("Свыше 100 000 рублей — комиссия 0,5 %.", "До 100 000 рублей комиссии нет, дальше 0,5 %", True),
        ("Orders up to $35 pay for shipping, larger orders ship free.", "Orders over $35 ship free", True),
        ("в первый день до 10:00", "до десяти утра первого дня", True),
        ("не более 4 часов", "не менее 4 часов", False),
        ("Расходы до 200 евро утверждает руководитель.", "Свыше 200 евро утверждает руководитель.", False),
    ],
)
def test_no_limit_is_told_where_both_sides_are(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("at least 3 days", "3 days max", False),
        ("at most 3 days", "3 days minimum", False),
        ("не менее 3 дней", "3 дня максимум", False),
        ("at least 3 days", "3 days tops", False),
        ("не более 3 дней", "минимум 3 дня", False),
        ("не более 3 дней", "3 дня минимум", False),
        ("at most 3 days", "3 days min", False),
        ("at most 3 days", "3 days max", True),
        ("at most 3 days", "3 days tops; a maximum of 3 days", True),
        ("не более 3 дней", "3 дня максимум", True),
        ("5 hours 30 min", "5 hours 30 min", True),
    ],
)
def test_a_limit_may_stand_behind_its_number(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good
