"""Kinds of things that stand beside a number: what they let through, and what they must not."""

from __future__ import annotations

import pytest

from rag_sweep.rules.numbers import claims, unbacked
from rag_sweep.rules.quantities.parse import quantities


def backed(context: str, answer: str) -> bool:
    return not unbacked(answer, [context])


def refuted(context: str, answer: str) -> bool:
    assert claims(answer, [context]), f"{answer!r} claims nothing"
    return not backed(context, answer)


# Units


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("Доза 250 г.", "Доза 250 граммов."),
        ("Доза 250 грамм.", "Доза 250 г."),
        ("Масса 250 г", "Вес — 0,25 кг."),
        ("Пакет весит 500 г.", "Пакет весит полкило."),
        ("2 kg of flour", "Use 2000 g of flour."),
        ("Максимум 4 г", "Максимум 4000 мг"),
        ("Груз до 5 т.", "Груз до 5 тонн."),
        ("5 т.р.", "5000 рублей"),
        ("It needs 220 V.", "It needs 220 volts."),
        ("220 В", "220 вольт"),
        ("Ток 16 А.", "Сила тока — 16 ампер."),
        ("25 °C", "25 градусов Цельсия"),
        ("350 °F", "350 degrees Fahrenheit"),
        ("Heat to 350°.", "Heat to 350 °F."),
        ("Heat to 350°.", "Heat to 350 °C."),
        ("10 кВт·ч", "10 кВтч"),
        ("10 kWh", "10 kilowatt-hours"),
        ("2,4 ГГц", "2400 МГц"),
        ("2 GB", "2048 MB"),
        ("2 GB", "2000 MB"),
        ("2 GiB", "2048 MiB"),
        ("1 га", "10000 м²"),
        ("12 кв. м", "12 м2"),
        ("3 м³ воды", "3000 литров воды"),
        ("1 foot", "12 inches"),
        ("60 км/ч", "60 километров в час"),
        ("5 lb", "5 pounds"),
        ("£5", "5 pounds"),
        ("В 2024 г.", "В 2024 году"),
        ("Стаж 2 г. 6 мес.", "Стаж 2 года 6 месяцев"),
        ("Задержка 5 с.", "Задержка 5 секунд."),
        ("5 чел. в группе", "5 человек в группе"),
        ("Room 5 opens at noon.", "Room 5 can be booked."),
        ("ст. 81 Трудового кодекса", "ст. 81 ТК"),
        ("3 specialists of IT", "3 IT specialists"),
        ("доза 5 МЕ", "доза 5 МЕ"),
        ("5 abc", "5 abc"),
        ("1,5-литровая бутылка", "бутылка 1,5 л"),
        ("12-вольтовая лампа", "лампа на 12 В"),
        ("5000 мА·ч", "5000 mAh"),
        ("a 6.1-inch screen", "a screen of 6.1 inches"),
    ],
)
def test_a_unit_has_many_forms_and_exact_factors(context: str, answer: str) -> None:
    assert backed(context, answer)


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("Доза 4 г.", "Доза 4 мг."),
        ("Доза 4 г.", "Доза 4 года."),
        ("5 mg", "5 mcg"),
        ("16 GB", "16 GHz"),
        ("350 °F", "350 °C"),
        ("2 kg", "2 lb"),
        ("3 litres", "3 gallons"),
        ("220 V", "220 mV"),
        ("Ток 16 А", "Ток 16 мА"),
        ("10 МЕ", "10 мг"),
        ("12 м", "12 см"),
        ("12 м²", "12 га"),
        ("5 кВт", "5 кВт·ч"),
        ("2000 г муки", "3 кг муки"),
        ("5 abc", "5 xyz"),
        ("5 days", "5 xyz"),
    ],
)
def test_another_unit_is_another_amount(context: str, answer: str) -> None:
    assert refuted(context, answer)


# Number words


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("The first two hours are free.", "The first 2 hours are free."),
        ("Первые 3 дня оплачивает фирма.", "Первые три дня оплачивает фирма."),
        ("двадцать первое заседание", "21-е заседание"),
        ("Одна треть суммы", "1/3 суммы"),
        ("двух третей голосов", "2/3 голосов"),
        ("0,1 %", "одна десятая процента"),
        ("три четверти оклада", "75 % оклада"),
        ("25% of the price", "A quarter of the price"),
        ("Two thirds of the votes", "67% of the votes"),
        ("Half an hour before", "30 minutes before"),
        ("half a year", "6 months"),
        ("0,5 %", "полпроцента"),
        ("полтаблетки утром", "1/2 таблетки утром"),
        ("Полис действителен год.", "Полис действителен 12 месяцев."),
        ("The pass is valid for a year.", "The pass is valid for 12 months."),
        ("в двойном размере", "в 2 раза больше"),
        ("1.5 times the rate", "150% of the rate"),
        ("полуторный размер", "×1,5"),
        ("1.5 times the rate", "1.5x the rate"),
        ("12 сотрудников", "12 сотрудников, два"),
    ],
)
def test_number_words_mean_what_they_say(context: str, answer: str) -> None:
    assert backed(context, answer)


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("The first two hours are free.", "The first three hours are free."),
        ("Первые два часа бесплатны.", "Первые три часа бесплатны."),
        ("One third of the fee", "Two thirds of the fee"),
        ("Две трети голосов", "три четверти голосов"),
        ("Полис действителен год.", "Полис действителен 2 года."),
        ("в двойном размере", "в полуторном размере"),
        ("double pay", "1.5 times the pay"),
    ],
)
def test_other_number_words_back_nothing(context: str, answer: str) -> None:
    assert refuted(context, answer)


def test_three_quarters_of_a_year_are_months() -> None:
    assert [one.unit for one in quantities("three quarters")] == ["month"]
    assert [one.readings for one in quantities("three quarters of the fee")] == [(0.75,)]


# Currency


def test_a_currency_before_a_number_wins_over_words_behind_it() -> None:
    assert backed("USD 12,500.00 within 30 days", "Pay $12,500 within thirty days.")
    assert refuted("$12,500 within 30 days", "€12,500 within thirty days")
    assert [one.unit for one in quantities("900 ₽ 14 дней")] == ["rub", "second"]


# Negation


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("Version 2 is no longer supported.", "Version 2 isn't supported."),
        ("Do not take more than 8 tablets.", "Take at most 8 tablets."),
        ("Нельзя принимать более 8 таблеток.", "Принимайте не более 8 таблеток."),
        ("Do not give to children under 6 years.", "Give it only to children over 6 years."),
        ("Не давать детям до 6 лет.", "Можно детям от 6 лет."),
        ("Не давать детям до 6 лет.", "Детям младше 6 лет не дают."),
        ("Orders under £20 are not delivered.", "Orders of £20 or more are delivered."),
        ("Файлы больше 25 МБ не принимаются.", "Предел — 25 МБ."),
        ("Премию не выплачивают при стаже до 1 года.", "Премию платят при стаже от 1 года."),
        ("The token is no longer valid after 12 hours.", "The token is valid for 12 hours."),
        ("If you do not confirm within 2 days, it ends.", "Confirm within 2 days."),
        ("Если не подтвердить за 2 дня, снимут.", "Подтвердите за 2 дня."),
        ("Delivery is free over $30.", "Orders under $30 pay for delivery."),
        ("Доставка бесплатна от 3000 ₽.", "Дешевле 3000 ₽ доставка платная."),
        ("Files over 25 MB are rejected.", "Files up to 25 MB are accepted."),
        ("Не забудьте вернуть ключ через 3 дня.", "Верните ключ через 3 дня."),
    ],
)
def test_two_ways_to_deny_the_same_agree(context: str, answer: str) -> None:
    assert backed(context, answer)


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("Version 2 is no longer supported.", "Version 2 is supported."),
        ("Форма 12 больше не нужна.", "Форма 12 нужна."),
        ("Do not give to children under 6 years.", "Give to children under 6 years."),
        ("Do not give to children under 6 years.", "Children under 6 may take it."),
        ("Детям до 6 лет нельзя.", "Детям до 6 лет можно."),
        ("Refunds are not available for orders under £20.", "Refunds are available for orders under £20."),
        ("Не выдаётся при стаже менее 3 лет.", "Выдаётся при стаже менее 3 лет."),
        ("Delivery is free over $30.", "Delivery is free under $30."),
        ("Do not take more than 8 tablets.", "Take more than 8 tablets."),
        ("Do not take more than 8 tablets.", "Take at least 8 tablets."),
    ],
)
def test_the_opposite_of_what_a_clause_denies_is_not_backed(context: str, answer: str) -> None:
    assert refuted(context, answer)


# Bounds


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("не ниже 18 °C", "at least"),
        ("не выше 18 °C", "at most"),
        ("старше 12 лет", "at least"),
        ("не старше 12 лет", "at most"),
        ("older than 12", "at least"),
        ("below 25 °C", "at most"),
        ("over $50", "at least"),
        ("under $50", "at most"),
        ("до +25 °C", "at most"),
        ("более чем на 15 минут", "at least"),
        ("не реже 2 раз", "at least"),
        ("max. 3 days", "at most"),
        ("мин. 8 символов", "at least"),
        ("Maximum file size: 10 MB", "at most"),
        ("Минимальный срок — 3 дня", "at least"),
        ("≥ 8", "at least"),
        ("size < 8", "at most"),
        ("> 8 is quoted", None),
        ("10 мин 5 раз", None),
        ("от 7 лет", "at least"),
        ("from 7 years", "at least"),
        ("age 18+", "at least"),
        ("не позднее чем за 2 недели до отъезда", "at least"),
        ("no later than 2 weeks before the trip", "at least"),
        ("no longer 5 days", None),
        ("не ранее чем через 3 дня", "at least"),
    ],
)
def test_a_limit_has_many_words_and_signs(text: str, bound: str | None) -> None:
    assert quantities(text)[-1].bound == bound


@pytest.mark.parametrize("text", ["12–64 characters", "от 12 до 64 символов", "between 12 and 64 characters"])
def test_the_ends_of_a_range_are_limits(text: str) -> None:
    assert [one.bound for one in quantities(text)] == ["at least", "at most"]
    assert backed(text, "at least 12")
    assert backed(text, "at most 64")
    assert refuted(text, "at least 64")
    assert refuted(text, "at most 12")


def test_two_numbers_that_are_no_range_are_no_limits() -> None:
    assert [one.bound for one in quantities("2 and 3 days")] == [None, None]
    assert [one.bound for one in quantities("30 to 20 days")] == [None, None]


def test_the_same_limit_in_brackets_is_one_too() -> None:
    assert backed("Store below 77 °F (25 °C).", "Keep it below 25 °C.")
    assert refuted("Store below 77 °F (25 °C).", "Keep it above 25 °C.")


# Rates


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("700 руб. в день", "700 рублей в сутки"),
        ("900 руб./мес.", "900 ₽ ежемесячно"),
        ("5 days of leave per month", "5 days a month"),
        ("$20 per person per day", "$20 a day"),
        ("$20 per person per day", "$20 per guest"),
        ("500 ₽ за билет", "500 ₽ за вход"),
        ("700 руб. на питание", "700 руб. в день"),
        ("2 книги на 14 дней", "2 книги в месяц"),
        ("$500 in 14 days", "$500 per visit"),
        ("1 раз в неделю", "1 раз в 7 дней"),
        ("8 tablets in 24 hours", "8 tablets a day"),
        ("2 weeks of notice within a month", "2 weeks of notice a year"),
    ],
)
def test_the_same_rate_or_one_that_cannot_be_told_is_backed(context: str, answer: str) -> None:
    assert backed(context, answer)


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("700 руб. в день", "700 руб. в месяц"),
        ("900 руб./мес.", "900 руб. в день"),
        ("100 requests per second", "100 requests per minute"),
        ("2 дня отгула в месяц", "2 дня отгула в неделю"),
        ("$5 per person", "$5 per group"),
        ("500 ₽ за человека", "500 ₽ за группу"),
        ("2500 ₽ в день", "2500 ₽ за поездку"),
        ("$20 a day", "$20 per visit"),
        ("7,5 % годовых", "7,5 % в месяц"),
        ("2 tablets every 6 hours", "2 tablets every 8 hours"),
    ],
)
def test_another_rate_is_not_backed(context: str, answer: str) -> None:
    assert refuted(context, answer)


# Codes, phones and times


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("Тел. 8 495 120 33 44", "+7 (495) 120-33-44"),
        ("Тел. 8-800-555-35-35", "8 800 555-35-35"),
        ("+44 20 7946 0958", "+44 (0)20 7946 0958"),
        ("+44 20 7946 0958", "020 7946 0958"),
        ("+1 800 555 0199", "(800) 555-0199"),
        ("E\u20114417", "E-4417"),
        ("OPEN 8 A.M.", "open at 8:00"),
        ("+44 20 7946\u20130958", "+44 20 7946 0958"),
        ("six-digit code", "a 6-digit code"),
        ("team of 10 people", "a 10-person team"),
        ("Форма 2-НДФЛ", "форма 2-НДФЛ"),
        ("с 6.30 до 22.00", "с 6:30 до 22:00"),
        ("6:30 am", "6.30 am"),
        ("с 01.05 до 10.05", "с 1 мая до 10 мая"),
        ("цена от 6.30 до 22.00 евро", "от 6,30 до 22 евро"),
        ("Часы: 9–18", "до 18:00"),
        ("Open until 18", "until 18:00"),
    ],
)
def test_codes_phones_and_times_have_one_form(context: str, answer: str) -> None:
    assert backed(context, answer)


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        ("Call +44 20 7946 0958", "Open until 8 p.m."),
        ("Комната 18", "до 18:00"),
        ("+44 20 7946 0958", "+44 20 7946 0959"),
        ("E\u20114417", "E-4418"),
        ("six-digit code", "a 4-digit code"),
        ("с 6.30 до 22.00", "с 6.30 до 23.00"),
    ],
)
def test_another_code_phone_or_time_is_not_backed(context: str, answer: str) -> None:
    assert refuted(context, answer)


def test_a_large_number_with_blanks_is_no_phone() -> None:
    assert [one.kind for one in quantities("8 000 000 000 рублей")] == ["amount"]


@pytest.mark.parametrize(
    ("answer", "context", "good"),
    [
        ("Courts cost £12/hour.", "Courts are £12 per hour.", True),
        ("Courts cost £12/hour.", "Courts are £12 per day.", False),
        ("Доставка 500/мес.", "Доставка стоит 500 в месяц.", True),
        ("Приказ № 12/ч.", "Приказ № 12.", False),  # a letter behind the slash is part of the code
    ],
)
def test_behind_a_slash_stands_a_rate_where_it_can_be_one(answer: str, context: str, good: bool) -> None:
    assert (not unbacked(answer, [context])) is good
