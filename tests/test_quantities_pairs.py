"""Numbers in minimal pairs: what one word beside a number changes, and what it doesn't."""

from __future__ import annotations

import pytest

from rag_sweep.cases.cleaning import clean
from rag_sweep.rules.numbers import claims, unbacked

ELIGIBLE = "Managers in grade 8 and above are not eligible."
DOCTOR = "Do not use for longer than 10 days unless your doctor tells you to."
FROZEN = "Keep at 2 °C to 8 °C. Do not freeze."
DAILY = "Максимальная суточная доза — 30 мг на 1 кг."


def backed(context: str, answer: str) -> bool:
    return not unbacked(clean(answer), [clean(context)])


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("Either can end it with one week's notice.", "You need 7 days' notice", True),
        ("Either can end it with one week’s notice.", "You need 8 days' notice", False),
        ("The notice is 7 days.", "You need one week's notice", True),
        ("The notice is 7 days.", "You need three weeks' notice", False),
        ("Three months' notice is needed.", "One month's notice is needed", False),
        ("Three months' notice is needed.", "3 months' notice is needed", True),
        ("1 year's experience is needed.", "12 months of experience are needed", True),
        ("1 year's experience is needed.", "2 years' experience is needed", False),
        ("The notice is one month.", "A month's written notice is needed", True),
        ("The notice is three months.", "A month's written notice is needed", False),
        ("A month's rent is due.", "One month's rent is due", True),
        ("Two months' rent is due.", "A month's rent is due", False),
    ],
)
def test_a_period_may_possess_something(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        (FROZEN, "Keep it between 2 and 8 °C and never freeze it", True),
        (FROZEN, "Keep it between 2 and 8 °C but do not freeze it", True),
        (FROZEN, "Never keep it between 2 and 8 °C", False),
        ("Храните при 25 °C и не замораживайте.", "Храните при 25 °C", True),
        ("Не храните при 25 °C.", "Храните при 25 °C и не замораживайте", False),
        (DOCTOR, "Don't use it for more than ten days without medical advice", True),
        (DOCTOR, "Don't use it for more than ten days", True),
        (DOCTOR, "You may use it for more than ten days if your doctor tells you", True),
        (DOCTOR, "You may use it for more than ten days", False),
        ("Do not use it for longer than 10 days without advice.", "Use it for at least 10 days", False),
        ("No fee is charged unless you pay over 5 times.", "A fee is charged over 5 times", True),
        ("Без консультации — не дольше 3 дней.", "Не дольше 3 дней без консультации", True),
        ("Не применяйте дольше 10 дней без консультации.", "Применяйте дольше 10 дней", False),
        ("Оплатите за 5 дней.", "Оплатите за 5 дней без документов", False),
    ],
)
def test_a_denial_is_of_its_own_verb(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("We deliver within 3 to 7 working days.", "Delivery takes 3–7 working days", True),
        ("Доставим в течение 3–7 рабочих дней.", "Доставка занимает от 3 до 7 рабочих дней", True),
        ("Up to 3-7 days.", "It takes 3 to 7 days", True),
        ("We deliver within 3 to 7 days.", "Delivery takes up to 7 days", True),
        ("We deliver within 3 to 7 days.", "Delivery takes at least 7 days", False),
        ("We deliver within 3 to 7 days.", "We deliver within 3 days", False),
        ("До 1 часа — 5000 рублей.", "Больше 1 часа — 5000 рублей", False),
    ],
)
def test_a_limit_of_a_range_is_of_its_end(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        (ELIGIBLE, "Managers from grade 8 up are eligible", False),
        (ELIGIBLE, "Managers in grade 8 are eligible", False),
        (ELIGIBLE, "Managers from grade 8 up are not eligible", True),
        (ELIGIBLE, "Managers below grade 8 are eligible", True),
        ("Managers in grade 8 and up are eligible.", "Managers in grade 8 and above are eligible", True),
        ("С 8 разряда и выше не имеют права на доплату.", "С 8 разряда имеют право на доплату", False),
        ("С 8 разряда и выше имеют право на доплату.", "С 8 разряда имеют право на доплату", True),
        ("Files over 25 MB are not accepted.", "Files of 25 MB are accepted", True),
        ("Files of 25 MB and over are not accepted.", "Files of 25 MB are accepted", False),
    ],
)
def test_what_is_denied_from_a_number_up_is_denied_of_it(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("Loans last one month.", "Loans last for a month", True),
        ("Loans last 4 weeks.", "Loans last for a month", False),
        ("Borrow 15 books for 4 weeks.", "You can borrow up to 15 books for a month", False),
        ("Loans last one month.", "You may keep it a month", True),
        ("Loans last a month.", "You may keep it a year", False),
        ("Certificates expire after 12 months.", "The certificate lasts a year", True),
        ("Certificates expire after 365 days.", "The certificate lasts a year", True),
        ("Certificates expire after 360 days.", "The certificate lasts a year", False),
        ("Data are stored for a year.", "Data are stored for 12 months", True),
        ("Data are stored for a year.", "Data are stored for 6 months", False),
        ("Книги выдают на один месяц.", "Книги выдают на месяц", True),
        ("Книги выдают на 4 недели.", "Книги выдают на месяц", False),
        ("Data are stored for 2 years for $5 a month.", "Storing data costs $5 a month", True),
        ("Хранение 30 дней, 500 рублей в месяц.", "Хранение стоит 500 рублей в месяц", True),
    ],
)
def test_what_is_lent_or_kept_for_a_period_claims_one(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


def test_a_period_that_something_lasts_claims_nothing_where_the_context_has_none() -> None:
    assert not claims("You may keep it for a month.", ["Ask the librarian for 2 books by 18:00."])
    assert claims("You may keep it for a month.", ["Bring it back after 30 days."])


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("Late work receives zero.", "Late work gets 0", True),
        ("Late work receives 0 points.", "Late work gets zero points", True),
        ("Late work receives 10 points.", "Late work gets zero points", False),
        ("Late work receives ten.", "Late work gets 0", False),
        ("Комиссия 0 %.", "Комиссия — ноль процентов", True),
        ("Комиссия 5 %.", "Комиссия — ноль процентов", False),
        ("Курс для начинающих, 5 занятий.", "Учат с нуля", True),
    ],
)
def test_zero_is_a_number(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        (DAILY, "Не более 30 мг/кг в сутки", True),
        (DAILY, "Не более 30 мг/кг", True),
        (DAILY, "Не более 30 мг/кг за один приём", False),
        ("Разовая доза — 10 мг.", "За один приём — 10 мг", True),
        ("Разовая доза — 10 мг.", "Суточная доза — 10 мг", False),
        ("По 5 мг на приём дважды в сутки.", "По 5 мг за раз", True),
        ("По 5 мг в сутки.", "По 5 мг за раз", False),
        ("The daily dose is 4 g.", "At most 4 g a day", True),
        ("The daily dose is 4 g.", "At most 4 g per dose", False),
        ("A single dose of 150 mg is taken daily.", "150 mg a day", True),
        ("Take 2 tablets three times a day.", "Take 2 tablets per dose", True),
        ("$8 per person per day.", "$8 a day per person", True),
        ("$8 per person per day.", "$8 per person per month", False),
    ],
)
def test_a_dose_of_a_day_is_none_of_an_intake(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good
