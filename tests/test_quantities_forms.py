"""Forms of a number that say the same, and what looks like them and says something else."""

from __future__ import annotations

import pytest

from rag_sweep.cases.cleaning import clean
from rag_sweep.rules.numbers import unbacked


def backed(context: str, answer: str) -> bool:
    return not unbacked(clean(answer), [clean(context)])


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("90 минут", "1 час 30 минут", True),
        ("1 час 30 минут", "90 минут", True),
        ("1 час 30 минут", "1,5 часа", True),
        ("1 час 30 минут", "полтора часа", True),
        ("1,5 часа", "1 ч 30 мин", True),
        ("1.5 hours", "1 hour 30 minutes", True),
        ("1 час 30 минут", "1 ч. 30 мин.", True),
        ("2 hours 30 minutes", "2.5 hours", True),
        ("2 hours 30 minutes", "two and a half hours", True),
        ("2 hours 30 minutes", "2h 30m", True),
        ("2 hours 30 minutes", "2h30", True),
        ("2 hours 30 minutes", "2 hours and 30 minutes", True),
        ("2 hours and 30 minutes", "150 minutes", True),
        ("5 рублей 50 копеек", "5,50 руб.", True),
        ("5,50 руб.", "5 рублей 50 копеек", True),
        ("5 руб. 50 коп.", "5,5 рубля", True),
        ("1 год 6 месяцев", "18 месяцев", True),
        ("1 год 6 месяцев", "полтора года", True),
        ("1,5 года", "1 год и 6 месяцев", True),
        ("1.5 years", "one year and six months", True),
        ("Рост 1 м 75 см", "Рост 175 см", True),
        ("1 кг 200 г", "1,2 кг", True),
        ("1200 г", "1 кг 200 г", True),
        ("100 тыс. руб. 50 коп.", "100 000,50 рублей", True),
        ("100 тыс. руб. 50 коп.", "100 000 рублей 50 копеек", True),
        ("Стаж 2 г. 6 мес.", "2 года 6 месяцев", True),
        ("5 футов 10 дюймов", "5 футов 10 дюймов", True),
        ("1 hour 30 minutes a day", "1.5 hours per day", True),
        ("не более 1 часа 30 минут", "до 90 минут", True),
        ("5 рублей 00 копеек", "5 рублей", True),
        ("1 час 30 минут", "1 час 40 минут", False),
        ("90 минут", "1 час 20 минут", False),
        ("5 рублей 50 копеек", "5,60 руб.", False),
        ("2 hours, 30 minutes", "2.6 hours", False),
        ("1 год 6 месяцев", "16 месяцев", False),
        ("не более 1 часа 30 минут", "не менее 90 минут", False),
        ("5 feet 10 inches", "5'10\"", True),
    ],
)
def test_an_amount_of_two_units_is_one(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("It supersedes version 3.4 of June.", "It replaces v3.4", True),
        ("version 3.4", "v3.4", True),
        ("version 3.4", "version 3.4", True),
        ("v3.4", "version 3.4", True),
        ("v3.4", "3.4", True),
        ("Требуется версия 3.4.", "Нужна v3.4.", True),
        ("Python 3.11 or newer.", "Python v3.11+", True),
        ("версия 2.10", "v2.10", True),
        ("iOS 17.2", "iOS v17.2", True),
        ("version 2.0", "v2", True),
        ("version 2", "v2", True),
        ("version 2", "v.2", True),
        ("Client version 5.2.1", "v5.2.1", True),
        ("version 3.2", "version 3.2", True),
        ("версия 2.10", "v2.1", False),
        ("версия 2.10", "версия 2.1", False),
        ("version 3.2", "version 3.20", False),
        ("version 3.4", "v3.5", False),
        ("Version 2", "v3", False),
    ],
)
def test_a_version_is_the_same_with_a_letter_or_a_word(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("Сумма — от 50 000 до 750 000 рублей.", "от 50 до 750 тысяч рублей", True),
        ("от 50 000 до 750 000 рублей", "от 50 до 750 тыс. руб.", True),
        ("от 50 000 до 750 000 рублей", "50–750 тыс. руб.", True),
        ("от 1 000 000 до 3 000 000 рублей", "от 1 до 3 млн рублей", True),
        ("From $1,000,000 to $3,000,000.", "from $1 to $3 million", True),
        ("From $1,000,000 to $3,000,000.", "$1-3 million", True),
        ("From 10,000 to 20,000 dollars", "between 10 and 20 thousand dollars", True),
        ("От 10 до 20 тысяч рублей.", "от 10 000 до 20 000 рублей", True),
        ("От 50 до 750 тысяч рублей.", "от 50 тысяч до 750 тысяч рублей", True),
        ("От 1 до 3 млн рублей.", "1 000 000 – 3 000 000 ₽", True),
        ("From $10,000 to $20,000", "$10-20k", True),
        ("1,000,000 to 3,000,000 dollars", "between one and three million dollars", True),
        ("10 000–20 000", "от 10 до 20 тысяч", True),
        ("from 500 to 2 thousand roubles", "from 500 to 2000 roubles", True),
        ("от 50 000 до 750 000 рублей", "от 60 до 750 тысяч рублей", False),
        ("от 50 до 750 рублей", "от 50 до 750 тысяч рублей", False),
        ("From $1 to $3.", "$1-3 million", False),
        ("от 10 до 20 тысяч рублей", "от 10 рублей", False),
    ],
)
def test_a_range_shares_its_multiplier(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("пункт 4 части 1 статьи 93", "п. 4 ч. 1 ст. 93", True),
        ("пункт 4 части 1 статьи 93", "п.4 ч.1 ст.93", True),
        ("часть 2 статьи 115", "ч. 2 ст. 115", True),
        ("часть 3 статьи 81", "ст. 81 ч. 3", True),
        ("п. 4 ч. 1 ст. 93", "пункт 4 части 1 статьи 93", True),
        ("п.4 ч.1 ст.93", "п. 4 ч. 1 ст. 93", True),
        ("2 ч. 30 мин.", "150 минут", True),
        ("длится 2 ч.", "2 часа", True),
        ("пункт 4 части 1 статьи 93", "п. 5 ч. 1 ст. 93", False),
        ("п.4 ч.1 ст.93", "п.4 ч.2 ст.93", False),
    ],
)
def test_a_reference_to_a_law_has_no_units(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        (
            "Appointments: +44 20 7946 0958 (8 am to 6.30 pm).",
            "Call 020 7946 0958 between 8:00 and 18:30",
            True,
        ),
        ("+44 20 7946 0958 (8 am to 6.30 pm)", "+44 20 7946 0958", True),
        ("8 800 555-35-35 (9:00–18:00)", "8-800-555-35-35 с 9:00 до 18:00", True),
        ("8 800 555-35-35 (2 линии)", "8-800-555-35-35", True),
        ("8 (800) 555-35-35 (24 часа)", "8-800-555-35-35, 24 часа", True),
        ("+7 495 123-45-67 (1 — продажи, 2 — поддержка)", "+7 (495) 123-45-67, нажмите 2", True),
        ("+1 (555) 123-4567", "555-123-4567", True),
        ("+44 (0)20 7946 0958", "+44 20 7946 0958", True),
        ("+375 (29) 123-45-67", "+375291234567", True),
        ("+44 20 7946 0958 (8 am", "+44 20 7946 0959", False),
    ],
)
def test_a_number_in_brackets_is_no_part_of_a_phone_number(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("€12.99 per month", "EUR 12.99/month", True),
        ("€12.99 per month", "€12.99/mo", True),
        ("€12.99 per month", "12.99/mo", True),
        ("€12.99 per month", "12.99 EUR/month", True),
        ("€12.99 per month", "12.99 €/mo", True),
        ("0.30 euros per km", "€0.30/km", True),
        ("Area 25 m².", "25 m^2", True),
        ("Area 25 m².", "25 square metres", True),
        ("Area 25 m².", "25 sq m", True),
        ("Площадь 25 м².", "25 квадратных метров", True),
        ("Площадь 25 м².", "25 кв. м", True),
        ("25 m³", "25 cubic metres", True),
        ("25 куб. м", "25 кубических метров", True),
        ("37 °C", "37C", True),
        ("37 °C", "37 C", True),
        ("$1 million", "1M dollars", True),
        ("$1 million", "$1mn", True),
        ("$1 million", "$1m", True),
        ("$1.5 billion", "$1.5B", True),
        ("$1.5B", "1.5 billion dollars", True),
        ("limit £250,000", "a quarter of a million pounds", True),
        ("limit £500,000", "half a million pounds", True),
        ("лимит 500 000 рублей", "полмиллиона рублей", True),
        ("лимит 250 000 рублей", "четверть миллиона рублей", True),
        ("3 рабочих дня", "3 раб. дня", True),
        ("3 раб. дней", "3 рабочих дня", True),
        ("VPN-403 — нет доступа", "Ошибка 403", True),
        ("Ошибка VPN-403", "ошибка VPN-403", True),
        ("HTTP 404", "error 404", True),
        ("код 404", "ошибка 404", True),
        ("1 000 000 ₽", "1М ₽", True),
        ("€12.99 per month", "EUR 12.99/year", False),
        ("area is 5 m", "area is 5 m^2", False),
        ("area is 5 m²", "area is 5 m", False),
        ("лимит 400 000 рублей", "полмиллиона рублей", False),
        ("£200,000", "a quarter of a million pounds", False),
        ("3 рабочих дня", "3 кал. дня", False),
        ("VPN-403", "Ошибка 404", False),
        ("revenue $5B", "revenue $5", False),
        ("VPN-403", "403 рубля", False),
        ("37 °C", "37F", False),
    ],
)
def test_units_and_currencies_have_short_forms(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("2,5 млн рублей", "два с половиной миллиона рублей", True),
        ("Budget 2.5 million dollars", "two and a half million dollars", True),
        ("1,500,000 rubles", "one and a half million rubles", True),
        ("120 days", "one hundred and twenty days", True),
        ("305 rubles", "three hundred and five rubles", True),
        ("2005 rubles", "two thousand and five rubles", True),
        ("-5 degrees", "minus five degrees", True),
        ("минус пять градусов", "-5 градусов", True),
        ("-18 °C", "минус восемнадцать градусов", True),
        ("на 200 базисных пунктов", "на 2 процентных пункта", True),
        ("by 50 basis points", "by 0.5 percentage points", True),
        ("на 2 процентных пункта", "на 2 п. п.", True),
        ("на 2 процентных пункта", "на 2 п.п.", True),
        ("50 bps", "50 basis points", True),
        ("by 0.5 percentage points", "by half a percentage point", True),
        ("2,5 рубля", "два с половиной миллиона рублей", False),
        ("The fee is 1.5 rubles", "one and a half million rubles", False),
        ("100 days, plus 20 days grace", "lasts one hundred and twenty days", False),
        ("minus five degrees", "5 degrees", False),
        ("минус пять градусов", "5 градусов", False),
        ("на 100 базисных пунктов", "на 2 процентных пункта", False),
        ("5 basis points", "5 %", False),
    ],
)
def test_words_make_one_number(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        ("It takes 1.5 hours", "It takes 1½ hours", True),
        ("1½ hours", "90 minutes", True),
        ("½ cup", "1/2 cup", True),
        ("1 ½ hours", "1.5 hours", True),
        ("Не менее 2/3 голосов", "⅔ голосов", True),
        ("Rate ¾ of pay", "Rate is 75 % of pay", True),
        ("2½ percent", "2.5 percent", True),
        ("CHF 500", "500 CHF", True),
        ("¥500", "500 yen", True),
        ("500 франков", "CHF 500", True),
        ("500 юаней", "500 CNY", True),
        ("5 ‰", "0,5 %", True),
        ("5 ‰", "5 промилле", True),
        ("Photo 10 × 15 cm", "Photo is 10 x 15 cm", True),
        ("Photo 10х15 см", "Фото 10 x 15 см", True),
        ("Фото 10 х 15 см", "Фото 10×15 см", True),
        ("1920x1080", "1920×1080", True),
        ("0x80070005", "0x80070005", True),
        ("5 £", "£5", True),
        ("10 000 ₸", "KZT 10,000", True),
        ("It takes 1 hour", "It takes 1½ hours", False),
        ("Add 1 cup", "Add ½ cup", False),
        ("2½ percent", "2 percent", False),
        ("Rate ¾ of pay", "Rate is ¼ of pay", False),
        ("10,000 CHF", "10,000 JPY", False),
        ("¥500", "$500", False),
        ("CHF 500", "USD 500", False),
        ("5 %", "5 ‰", False),
        ("5 ‰", "5 %", False),
        ("500 yen", "500 dollars", False),
        ("10×15 cm", "10×20 cm", False),
    ],
)
def test_signs_are_numbers_and_units(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good


@pytest.mark.parametrize(
    ("context", "answer", "good"),
    [
        (
            "In weeks 1 and 2 three quarters of the tuition, in weeks 3 and 4 one third is refunded",
            "half of the tuition is refunded",
            False,
        ),
        ("one third of the tuition is refunded", "half the tuition is refunded", False),
        ("возвращается треть оплаты", "возвращается половина оплаты", False),
        ("возвращается 30 % оплаты", "возвращается половина оплаты", False),
        ("limited to 2 hours", "for up to an hour and a quarter", False),
        ("2 hours", "an hour and a half", False),
        ("двухнедельный срок", "трёхнедельный срок", False),
        ("Срок 14 дней.", "трёхнедельный срок", False),
        ("15 марта", "шестнадцатого марта", False),
        ("30% of the price", "a quarter of the price", False),
        ("50% is refunded", "half of the tuition is refunded", True),
        ("90 minutes", "an hour and a half", True),
        ("Срок 14 дней.", "двухнедельный срок", True),
        ("Срок 14 дней.", "четырнадцатидневный срок", True),
        ("Действует с 15 марта 2025 года.", "Действует с пятнадцатого марта 2025", True),
        ("21 марта", "двадцать первого марта", True),
        ("September 2", "the second of September", True),
        ("A 14-day trial.", "a two-week trial; a fortnight", True),
        ("The office is full.", "half of the staff work from home", True),
        ("90 минут", "час с половиной", True),
        ("1 января", "первого января", True),
    ],
)
def test_parts_and_long_words_claim_their_number(context: str, answer: str, good: bool) -> None:
    assert backed(context, answer) is good
