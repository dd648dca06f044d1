"""What has many digits and is nobody's: dates, lists of years, and amounts with a unit."""

from __future__ import annotations

import re

_DAY, _MONTH, _YEAR = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])", r"(?:19|20)\d{2}"
_SHORT = r"(?:1[5-9]|2\d|3\d)"
_DATE = re.compile(
    rf"(?<![\d/-])(?<!\d\.)(?:{_DAY}(?P<a>[./-]){_MONTH}(?P=a)(?:{_YEAR}|{_SHORT})"
    rf"|{_MONTH}(?P<b>[/-]){_DAY}(?P=b)(?:{_YEAR}|{_SHORT})"
    rf"|{_YEAR}(?P<c>[./-]){_MONTH}(?P=c){_DAY})(?![./-]?\d)"
)
_WHOLE_DATE = re.compile(rf"{_DAY} {_MONTH} {_YEAR}(?: [012]?\d)?|{_YEAR} {_MONTH} {_DAY}(?: [012]?\d)?")
_STAMP = re.compile(
    rf"{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?)?"
)
_YEARS = re.compile(rf"{_YEAR}(?:[ .,;/()-]{{1,3}}{_YEAR})++")

_CURRENCY = (
    r"[$€£¥₽₴₸%‰](?!\s?\d)|руб(?:\.|л(?:ь|я|ей|ю|ям|ями|ях|ем|ём))?(?!\w)|р\.|коп(?:\.|е(?:йка|йки|ек))?(?!\w)"
    r"|(?:долл(?:\.|ар\w{0,3})?|евро|тенге|гривен\w?|юан\w{1,2}|тыс\.?|млн\.?|млрд\.?|трлн\.?"
    r"|тысяч\w?|миллион\w{0,2}|миллиард\w{0,2}|rub|usd|eur|gbp|cny|kzt|rubles?|roubles?|dollars?|euros?|cents?"
    r"|pounds?|thousand|million|billion)(?!\w)"
)
_COUNTED = (
    r"(?:человек\w?|люд(?:ей|и)|штук\w?|шт\.?|экземпляр\w{0,2}|раз|чел\.?|клиент\w{1,2}|сотрудник\w{1,2}"
    r"|пользовател\w{1,2}|заказ(?:ов|а)|договор(?:ов|а)|единиц\w?|документ(?:ов|а)|запис(?:ей|и)|строк\w?"
    r"|жител\w{1,2}|лиц|суток|дн(?:ей|я)|час(?:ов|а)|минут\w?|секунд\w?|месяц(?:ев|а)|недел[ьи]|лет"
    r"|кг|км|мм|см|м[23²³]|тонн\w?|литр\w{0,2}|квт|байт\w?|мб|гб"
    r"|people|persons|pieces|pcs\.?|items|units|customers|users|clients|employees|orders|records|rows|copies"
    r"|times|days|hours|minutes|seconds|weeks|months|years|bytes|tokens|words|kg|km|mb|gb|tons|tonnes|litres"
    r"|liters|miles|visitors|residents|households|shares|inhabitants|tickets)(?!\w)"
)
_ADJECTIVE = r"(?:(?:[а-яё]{2,20}(?:ых|их)|us|new|active|registered|former|other|more)[ ])?"
_BEHIND = r"(?:[.,]\d{1,2}(?!\d))?\s{0,2}"
_PRICED = re.compile(rf"{_BEHIND}{_ADJECTIVE}(?:{_CURRENCY})", re.IGNORECASE)
_UNITS = re.compile(rf"{_BEHIND}{_ADJECTIVE}(?:{_COUNTED})", re.IGNORECASE)
_PLURAL = re.compile(
    r"(?:[.,]\d{1,2}(?!\d))? (?:[a-zа-яё]{2,20} )?"
    r"(?!(?:always|besides|unless|across|perhaps|thanks|works|rings|expires|belongs|answers|this)\b)"
    r"(?:[a-z]{3,20}[a-rt-z]s|[а-яё]{3,20}(?:ов|ев|ей|ек|ок))(?!\w)"
)
_BEFORE = re.compile(r"(?<!\d)(?<!\d\s)(?:[$€£¥]|\b(?:usd|eur|rub|gbp|cny))\s?$", re.IGNORECASE)
_SOLID = re.compile(r"\+?\d[\d .,]*+")
_THREES = re.compile(r"\+?\d{1,3}(?:([ .,])\d{3})(?:\1\d{3})*+")
_OTHERWISE = re.compile(r"\d{4}[ .]\d{4}[ .]\d{4}|\d[ .]\d{2}[ .]\d{2}$")
_OF_A_YEAR = re.compile(
    r"\b(?:за|на|в|с|со|по|до|от|из|in|for|of|by|from|since|until|to)\s{1,3}$", re.IGNORECASE
)
_AND_YEAR = re.compile(rf"{_YEAR} \d+")


MOST_COUNTED = 10
"""Digits in one run from which on they count nothing but money: "89123456789 days ago" has a phone."""


def is_harmless(text: str, start: int, end: int, cued: bool) -> bool:
    """True for digits that are a date, years, or an amount, at the characters ``[start, end)``.

    Behind a cue only one number is an amount: in "passport 4510 123456" two are none, whatever follows.
    """
    own = text[start:end]
    if _DATE.search(own) or _WHOLE_DATE.fullmatch(own) or _YEARS.fullmatch(own):
        return True
    if _AND_YEAR.fullmatch(own) and _OF_A_YEAR.search(text[max(0, start - 10) : start]):
        return True  # "in 2024 123456"
    one = own.isdigit() or _THREES.fullmatch(own) is not None
    return (one or not cued) and _is_amount(text, start, end)


def is_stamp(text: str) -> bool:
    """True for 20250315, with or without a time of day."""
    return _STAMP.fullmatch(text) is not None


def _is_amount(text: str, start: int, end: int) -> bool:
    own = text[start:end]
    if not _SOLID.fullmatch(own) or _OTHERWISE.search(own):
        return False
    if _PRICED.match(text, end) or _BEFORE.search(text[max(0, start - 7) : start]):
        return True
    if len(own) < MOST_COUNTED or not own.isdigit():
        return _UNITS.match(text, end) is not None or (
            _THREES.fullmatch(own) is not None and _PLURAL.match(text, end) is not None
        )
    return False
