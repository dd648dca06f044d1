"""Mails, phones, and numbers of documents, cards and contracts: where they are in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_SEP = r"[ \u00a0\u202f-]?"
_NUMBER = r"(?:№|номер\w*|no\.?|number|num\.?|n|#)"
_KEY = rf"\s*(?:{_NUMBER}\s*)?[:=]?\s*"


class Found(NamedTuple):
    """A secret at the characters ``[start, end)``; `key` is alike for the same one, however it is written."""

    kind: str
    start: int
    end: int
    key: str


def _digits(text: str) -> str:
    return re.sub(r"\W|_", "", text).upper()


def _luhn(text: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    numbers = [int(sign) for sign in reversed(_digits(text))]
    doubled = [sum(divmod(2 * number, 10)) for number in numbers[1::2]]
    return 13 <= len(numbers) <= 19 and (sum(numbers[::2]) + sum(doubled)) % 10 == 0


def _is_inn(text: str) -> bool:
    """Check digits of a Russian taxpayer's number of 10 or 12 digits."""
    own = [int(sign) for sign in text]
    weights = (2, 4, 10, 3, 5, 9, 4, 6, 8)
    if len(own) == 10:
        return _check(own, weights) == own[9]
    first, second = (7, *weights), (3, 7, *weights)
    return len(own) == 12 and (_check(own, first), _check(own, second)) == (own[10], own[11])


def _check(own: list[int], weights: tuple[int, ...]) -> int:
    return sum(number * weight for number, weight in zip(own, weights, strict=False)) % 11 % 10


def _always(text: str) -> bool:
    return True


def _rule(
    kind: str, pattern: str, sound: Callable[[str], bool] = _always
) -> tuple[str, re.Pattern[str], Callable[[str], bool]]:
    return kind, re.compile(pattern, re.IGNORECASE), sound


_GROUPED = r"\d{4}(?:[ \u00a0-]?\d{4}){2}[ \u00a0-]?\d{1,7}"
_CONTRACT = (
    r"(?:договор|контракт|соглашени|полис|(?:лицев|расч[её]тн)\w+ сч[её]т|сч[её]т|заявк|заказ|обращени)\w*"
    r"|contract|agreement|policy|account|invoice|order|claim|ticket|iban"
)
_CODE = r"[A-ZА-Я0-9][A-ZА-Я0-9/.-]*\d[A-ZА-Я0-9/-]*"

RULES = (
    _rule("EMAIL", r"(?P<it>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"),
    _rule("CARD", rf"(?:\bкарт\w*|\bcard)(?:\s+\w+)?{_KEY}(?P<it>{_GROUPED})"),
    _rule("CARD", rf"(?<![\w-])(?P<it>{_GROUPED})(?![\w-])", _luhn),
    _rule(
        "IBAN",
        r"\b(?P<it>[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?)\b",
        lambda text: text[:2].isupper(),
    ),
    _rule("SNILS", r"(?<![\w-])(?P<it>\d{3}-\d{3}-\d{3}[ -]\d{2})(?![\w-])"),
    _rule("SNILS", rf"(?:\bснилс\w*|\bsnils){_KEY}(?P<it>\d{{3}}{_SEP}\d{{3}}{_SEP}\d{{3}}{_SEP}\d{{2}})"),
    _rule(
        "INN",
        rf"(?:\bинн|\binn|\btin|\btax id){_KEY}(?P<it>\d{{12}}|\d{{10}}|\d{{9}}|\d{{3}}-\d{{2}}-\d{{4}})\b",
    ),
    _rule("INN", r"(?<![\w.,-])(?P<it>\d{12}|\d{10})(?![\w-]|[.,]\d)", _is_inn),
    _rule("SSN", r"(?<![\w-])(?P<it>\d{3}-\d{2}-\d{4})(?![\w-])"),
    _rule(
        "PASSPORT",
        rf"(?:\bпаспорт\w*|\bсери[яию]|\bpassport)(?:\s+рф)?\s*(?:сери[яию]\s*)?{_KEY}"
        rf"(?P<it>\d{{2}}{_SEP}\d{{2}}{_SEP},?\s*(?:{_NUMBER}\s*)?\d{{6}}|[A-Z]{{0,2}}\d{{6,9}})\b",
    ),
    _rule("PASSPORT", r"(?<![\w-])(?P<it>\d{2} ?\d{2} (?:№ ?)?\d{6})(?![\w-])"),
    _rule(
        "LICENCE",
        r"(?:водительск\w+ удостоверени\w*|driv(?:er'?s|ing) licen[cs]e)"
        rf"{_KEY}(?P<it>[A-ZА-Я0-9]{{2}}{_SEP}[A-ZА-Я0-9]{{2}}{_SEP}\d{{4,8}}|[A-Z0-9]*\d[A-Z0-9]{{4,}})\b",
    ),
    _rule("CONTRACT", rf"\b(?:{_CONTRACT})(?:\s+[а-яё]+)?\s*(?:{_NUMBER})\s*:?\s*(?P<it>{_CODE})"),
    _rule(
        "CONTRACT",
        rf"\b(?:{_CONTRACT})\s*:?\s*(?P<it>[A-ZА-Я]{{1,5}}[-/]?\d{{4,}}[A-ZА-Я0-9/-]*|\d{{7,20}})\b",
    ),
    _rule(
        "PHONE",
        r"(?<![\w.])(?P<it>(?:\+\s?7|8|7)[\s-]*\(?\d{3}\)?[\s-]*\d{3}[\s-]*\d{2}[\s-]*\d{2})(?![\w-])",
    ),
    _rule("PHONE", r"(?<![\w.])(?P<it>\+\d{1,3}[\s.-]?\(?\d{1,4}\)?(?:[\s.-]?\d{2,4}){2,4})(?![\w-])"),
    _rule("PHONE", r"(?<![\w.-])(?P<it>\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})(?![\w-])"),
    _rule(
        "PHONE",
        r"(?:\bтел(?:ефон\w*|\.)?|\bмоб(?:ильн\w*|\.)?|\bзвоните|\bphone|\bcall|\bmobile|\bcell|\btel\.?)"
        rf"(?:\s+(?:на|по|me|us|at|on))*{_KEY}(?P<it>\d[\d\s().-]{{4,16}}\d)",
    ),
)
"""In the order in which they are looked for; what one has found no other one looks at."""


def codes(text: str) -> Iterator[Found]:
    """Everything that the rules find, without overlaps, in the order of the rules."""
    taken: list[tuple[int, int]] = []
    for kind, pattern, sound in RULES:
        for match in pattern.finditer(text):
            start, end = match.span("it")
            if any(start < there[1] and end > there[0] for there in taken) or not sound(match["it"]):
                continue
            taken.append((start, end))
            yield Found(kind, start, end, _key(kind, match["it"]))


def _key(kind: str, text: str) -> str:
    """+7 and 8 begin the same Russian number."""
    if kind == "EMAIL":
        return text.casefold()
    found = _digits(text)
    return found[-10:] if kind == "PHONE" else found
