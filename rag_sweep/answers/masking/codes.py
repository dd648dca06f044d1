"""Mails, phones, and numbers of documents, cards and contracts: where they are in a text.

Every pattern takes time in proportion to the text: repetitions have a bound or give nothing back, and what
stands before a match keeps it from beginning inside of a run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rag_sweep.answers.masking.amounts import is_harmless, is_stamp
from rag_sweep.answers.masking.numbers import is_card, is_iban, is_inn, is_like_iban, signs

_SEP = r"[ -]?"
_NUMBER = r"(?:№|номер[^\W\d]*+|no\.?|number|num\.?|n|#)"
_KEY = rf"\s*+(?:{_NUMBER}\s*+)?[:=]?\s*+"
_FREE, _ENDS = r"(?<![\w-])", r"(?![\w-])"


class Found(NamedTuple):
    """A secret at the characters ``[start, end)``; `key` is alike for the same one, however it is written."""

    kind: str
    start: int
    end: int
    key: str


class Taken:
    """The characters that something was found in."""

    def __init__(self, length: int) -> None:
        self._taken = bytearray(length)

    def take(self, found: Found) -> bool:
        """True if nothing of it was taken, and it is from now on."""
        if self._taken.find(1, found.start, found.end) >= 0:
            return False
        self._taken[found.start : found.end] = b"\1" * (found.end - found.start)
        return True


class Rule(NamedTuple):
    """What a kind looks like; `sound` tells by the text of a match whether it is one."""

    kind: str
    pattern: re.Pattern[str]
    sound: Callable[[str], bool]


def _rule(kind: str, pattern: str, sound: Callable[[str], bool] = lambda text: True) -> Rule:
    return Rule(kind, re.compile(pattern, re.IGNORECASE), sound)


def _no_stamp(text: str) -> bool:
    return not is_stamp(text)


def _has(fewest: int) -> Callable[[str], bool]:
    return lambda text: sum(sign.isdigit() for sign in text) >= fewest


def _is_called(text: str) -> bool:
    """Behind "phone": seven digits, or fewer in pairs, as numbers of small towns are written."""
    return not is_stamp(text) and (_has(7)(text) or re.fullmatch(r"\d{1,2}-\d{2}-\d{2}", text) is not None)


_GROUPED = r"\d{4}(?:[ .-]?\d{4}){2}[ .-]?\d{1,7}|\d{4}[ .-]?\d{6}[ .-]?\d{5}"
_DOMAIN = r"[\w-]++(?:\.[\w-]++)++"
_CONTRACT = (
    r"(?:(?:договор|контракт|соглашени|полис|(?:лицев|расч[её]тн)[^\W\d]++ сч[её]т|сч[её]т|заявк|заказ"
    r"|обращени)[^\W\d]*+|contract|agreement|policy|account|invoice|order|claim|ticket|iban)"
)
_CODE = r"(?=[A-ZА-Я/.-]{0,20}\d)(?=[A-ZА-Я0-9/.-]{2})[A-ZА-Я0-9]++(?:[/.-]++[A-ZА-Я0-9]++){0,9}+"
_CALLED = (
    r"\b(?:тел(?:ефон[^\W\d]*+|\.)?|моб(?:ильн[^\W\d]*+|\.)?|звоните|phone|call|mobile|cell|tel\.?)"
    r"(?:\s++(?:на|по|me|us|at|on)\b){0,3}"
)

RULES = (
    _rule("EMAIL", rf"(?<![\w.+-])(?P<it>[\w.+-]++@{_DOMAIN})"),
    _rule("EMAIL", rf"(?<![\w.+-])(?P<it>[\w.+-]++ ?[(\[] ?(?:at|собака) ?[)\]] ?{_DOMAIN})"),
    _rule("CARD", rf"(?:\bкарт[^\W\d]*+|\bcard)(?:\s++[^\W\d]{{1,20}})?{_KEY}(?P<it>{_GROUPED})(?!\d)"),
    _rule("CARD", rf"{_FREE}(?P<it>{_GROUPED}){_ENDS}", is_card),
    _rule("IBAN", rf"\biban{_KEY}(?P<it>[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]{{4}}){{2,7}}(?: ?\d{{1,3}})?)\b"),
    *(
        _rule("IBAN", rf"\b(?P<it>[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]{{4}}){{2,7}}{tail})\b", sound)
        for tail, sound in (
            (r" ?[A-Z0-9]{1,3}", is_iban),
            ("", is_iban),
            (r"(?: ?[A-Z0-9]{1,3})?", is_like_iban),
        )
    ),
    _rule("SNILS", rf"{_FREE}(?P<it>\d{{3}}-\d{{3}}-\d{{3}}[ -]\d{{2}}){_ENDS}"),
    _rule(
        "SNILS", rf"(?:\bснилс\w{{0,3}}|\bsnils){_KEY}(?P<it>\d{{3}}{_SEP}\d{{3}}{_SEP}\d{{3}}{_SEP}\d{{2}})"
    ),
    _rule(
        "INN", rf"(?:\bинн|\binn|\btin|\btax id){_KEY}(?P<it>\d{{12}}|\d{{9,10}}|\d{{3}}-\d{{2}}-\d{{4}})\b"
    ),
    _rule(
        "INN",
        r"(?<![\w.,-])(?P<it>\d{12}|\d{10})(?![\w-]|[.,]\d)",
        lambda text: is_inn(text) and not is_stamp(text),
    ),
    _rule("SSN", rf"{_FREE}(?P<it>\d{{3}}-\d{{2}}-\d{{4}}){_ENDS}"),
    _rule(
        "PASSPORT",
        rf"(?:\b(?:загран)?паспорт[^\W\d]*+|\bсери[яию]|\bpassport)(?:\s++рф)?\s*+(?:сери[яию]\s*+)?{_KEY}"
        rf"(?P<it>\d{{2}}{_SEP}\d{{2}}{_SEP},?\s{{0,3}}(?:{_NUMBER}\s{{0,3}})?\d{{6}}"
        rf"|\d{{2}}{_SEP}(?:{_NUMBER}\s{{0,3}})?\d{{7}}|[A-Z]{{0,2}}\d{{6,9}})\b",
        _no_stamp,
    ),
    _rule("PASSPORT", rf"{_FREE}(?P<it>\d{{2}} ?\d{{2}} (?:№ ?)?\d{{6}}){_ENDS}"),
    _rule(
        "LICENCE",
        r"(?:водительск[^\W\d]++ удостоверени[^\W\d]*+|driv(?:er'?s|ing) licen[cs]e)"
        rf"{_KEY}(?P<it>[A-ZА-Я0-9]{{2}}{_SEP}[A-ZА-Я0-9]{{2}}{_SEP}\d{{4,8}}"
        r"|(?=[A-Z]{0,12}\d)[A-Z0-9]{5,20}+)\b",
    ),
    _rule(
        "CONTRACT",
        rf"(?<!\w)[ркл] ?/ ?сч?[её]?т?\.?{_KEY}(?P<it>\d{{20}}|\d{{5}} ?\d{{3}}(?: ?\d{{4}}){{3}})(?!\d)",
    ),
    _rule("CONTRACT", rf"{_FREE}(?P<it>(?:40[5-8]|42[0-6]|301)\d{{17}}){_ENDS}"),
    _rule("CONTRACT", rf"\b{_CONTRACT}(?:\s++[а-яё]{{1,30}}+)?\s*+{_NUMBER}\s*+:?\s*+(?P<it>{_CODE})"),
    _rule(
        "CONTRACT",
        rf"\b{_CONTRACT}\s*+:?\s*+(?P<it>[A-ZА-Я]{{1,5}}[-/]?\d{{4,30}}[A-ZА-Я0-9/-]{{0,30}}|\d{{7,20}})\b",
        _no_stamp,
    ),
    _rule(
        "PHONE",
        r"(?<![\w.])(?P<it>(?:\+ ?7|8|7)[ .-]{0,3}\(?\d{3}\)?[ .-]{0,3}\d{3}[ .-]{0,3}\d{2}[ .-]{0,3}\d{2})"
        rf"{_ENDS}",
    ),
    _rule(
        "PHONE",
        rf"(?<![\w.])(?P<it>\+\d{{1,3}}[ .-]?\(?\d{{1,4}}\)?(?:[ .-]?\d{{2,4}}){{2,4}}){_ENDS}",
        _has(9),
    ),
    _rule("PHONE", rf"(?<![\w-])(?P<it>\(\d{{3}}\) ?\d{{3}}[ -]?\d{{2}}[ -]?\d{{2}}){_ENDS}"),
    _rule(
        "PHONE",
        rf"(?<![\w-])(?P<it>\(\d{{4}}\) ?\d{{2}}-\d{{2}}-\d{{2}}|\(\d{{5}}\) ?\d-\d{{2}}-\d{{2}}){_ENDS}",
    ),
    _rule("PHONE", rf"(?<![\w.,-])(?P<it>\d{{3}}[ -]\d{{3}}-\d{{2}}-\d{{2}}){_ENDS}"),
    _rule("PHONE", rf"(?<![\w.-])(?P<it>\(?\d{{3}}\)?[ .-]\d{{3}}[ .-]\d{{4}}){_ENDS}"),
    _rule(
        "PHONE",
        rf"{_CALLED}{_KEY}(?P<it>\(?\d(?:[ ().-]{{0,3}}\d){{4,14}})(?!\d)",
        _is_called,
    ),
)
"""In the order in which they are looked for; what one has found no other one looks at."""


def codes(text: str) -> Iterator[Found]:
    """Everything that the rules find, without overlaps, in the order of the rules."""
    taken = Taken(len(text))
    for kind, pattern, sound in RULES:
        for match in pattern.finditer(text):
            start, end = match.span("it")
            cued = match.start() < start
            if not sound(match["it"]) or (kind != "EMAIL" and is_harmless(text, start, end, cued)):
                continue
            found = Found(kind, start, end, _key(kind, match["it"]))
            if taken.take(found):
                yield found


def _key(kind: str, text: str) -> str:
    """+7 and 8 begin the same Russian number."""
    if kind == "EMAIL":
        return text.casefold()
    found = signs(text)
    return found[-10:] if kind == "PHONE" else found
