"""Mails, phones, and numbers of documents, cards and contracts: where they are in a text.

Every pattern takes time in proportion to the text: repetitions have a bound or give nothing back, and what
stands before a match keeps it from beginning inside of a run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rag_sweep.answers.masking.amounts import is_harmless, is_stamp
from rag_sweep.answers.masking.announced import ANNOUNCED, FURTHER, KEY, NUMBER
from rag_sweep.answers.masking.numbers import is_card, is_iban, is_inn, is_like_iban, signs

_SEP = r"[ -]?"
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


def _is_domain(text: str) -> bool:
    """numpy@1.26 is no mail."""
    return text.rsplit(".", 1)[1][0].isalpha()


def _is_called(text: str) -> bool:
    """Behind "phone": seven digits, or fewer in pairs, as numbers of small towns are written."""
    return not is_stamp(text) and (_has(7)(text) or re.fullmatch(r"\d{1,2}-\d{2}-\d{2}", text) is not None)


def _is_coded(text: str) -> bool:
    """Letters and digits in three parts, without small letters: ABC-123/45; COVID-19 is no contract."""
    parts = re.split("[/-]++", text)
    kinds = {sign.isdigit() for sign in text if sign.isalnum()}
    return len(parts) > 2 and len(kinds) > 1 and text == text.upper()


_GROUPED = r"\d{4}(?:[ .-]?\d{4}){2}[ .-]?\d{1,7}|\d{4}[ .-]?\d{6}[ .-]?\d{5}"
_DOMAIN = r"[\w-]++(?:\.[\w-]++)++"
_CONTRACT = (
    r"(?:(?:договор|контракт|соглашени|полис|(?:лицев|расч[её]тн)[^\W\d]++ сч[её]т|сч[её]т|заявк|заказ"
    r"|обращени)[^\W\d]*+|contract|agreement|policy|account|invoice|order|claim|ticket|iban)"
)
_CODE = (
    r"(?!(?:ISO|IEC|ГОСТ)(?![A-ZА-Я]))(?=[A-ZА-Я/.-]{0,20}\d)(?=[A-ZА-Я0-9/.-]{2})"
    r"[A-ZА-Я0-9]++(?:[/.-]++[A-ZА-Я0-9]++){0,9}+"
)
_LICENCE = (
    r"(?:(?-i:[A-Z]{1,5})[ -])?(?=[A-Z]{0,12}\d)[A-Z0-9]{2,20}+"
    r"(?:-[A-Z0-9]{1,12}+|[ ](?=[A-Z]{0,12}\d)[A-Z0-9]{4,12}+){0,5}"
)
FEWEST = 5
"""Letters and digits of a driving licence."""
_CALLED = (
    r"\b(?:тел(?:ефон[^\W\d]*+|\.)?|моб(?:ильн[^\W\d]*+|\.)?|звоните|phones?|call|mobile|cell|tel\.?)"
    r"(?:\s++(?:на|по|me|us|at|on)\b){0,3}"
)

RULES = (
    _rule("EMAIL", rf"(?<![\w.+-])(?P<it>[\w.+-]++@{_DOMAIN})", _is_domain),
    _rule(
        "EMAIL",
        r"(?<![\w.+-])(?P<it>[\w.+-]{2,64}+ (?:at|собака) [\w-]{2,64}+"
        r"(?: (?:dot|точка) [\w-]{2,20}+){1,3})(?!\w)",
        lambda text: re.search(r"[\d._+-]", text.split(" ")[0]) is not None,
    ),
    _rule("EMAIL", rf"(?<![\w.+-])(?P<it>[\w.+-]++ ?[(\[] ?(?:at|собака) ?[)\]] ?{_DOMAIN})", _is_domain),
    *(_rule(kind, pattern) for kind, pattern in ANNOUNCED if kind == "BIRTH"),
    _rule("CARD", rf"(?:\bкарт[^\W\d]*+|\bcard)(?:\s++[^\W\d]{{1,20}})?{KEY}(?P<it>{_GROUPED})(?!\d)"),
    _rule("CARD", rf"{_FREE}(?P<it>{_GROUPED}){_ENDS}", is_card),
    _rule("IBAN", rf"\biban{KEY}(?P<it>[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]{{4}}){{2,7}}(?: ?\d{{1,3}})?)\b"),
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
        "SNILS", rf"(?:\bснилс\w{{0,3}}|\bsnils){KEY}(?P<it>\d{{3}}{_SEP}\d{{3}}{_SEP}\d{{3}}{_SEP}\d{{2}})"
    ),
    _rule(
        "INN", rf"(?:\bинн|\binn|\btin|\btax id){KEY}(?P<it>\d{{12}}|\d{{9,10}}|\d{{3}}-\d{{2}}-\d{{4}})\b"
    ),
    _rule(
        "INN",
        r"(?<![\w.,-])(?P<it>\d{12}|\d{10})(?![\w-]|[.,]\d)",
        lambda text: is_inn(text) and not is_stamp(text),
    ),
    _rule(
        "SSN",
        rf"(?:\bssn|\bsocial security|\bitin)(?:\s++(?:card|id))?{KEY}"
        rf"(?P<it>\d{{3}}{_SEP}\d{{2}}{_SEP}\d{{4}})\b",
    ),
    _rule("SSN", rf"{_FREE}(?P<it>\d{{3}}-\d{{2}}-\d{{4}}){_ENDS}"),
    _rule(
        "PASSPORT",
        rf"(?:\b(?:загран)?паспорт[^\W\d]*+|\bсери[яию]|\bpassport)(?:\s++рф)?\s*+(?:сери[яию]\s*+)?{KEY}"
        rf"(?P<it>\d{{2}}{_SEP}\d{{2}}{_SEP},?\s{{0,3}}(?:{NUMBER}\s{{0,3}})?\d{{6}}"
        rf"|\d{{2}}{_SEP}(?:{NUMBER}\s{{0,3}})?\d{{7}}|[A-Z]{{0,2}}\d{{6,9}}|P[A-Z<][A-Z]{{3}}[A-Z0-9<]{{4,40}}+)",
        _no_stamp,
    ),
    _rule("PASSPORT", rf"{_FREE}(?P<it>\d{{2}} ?\d{{2}} (?:№ ?)?\d{{6}}){_ENDS}"),
    _rule(
        "LICENCE",
        r"(?:водительск[^\W\d]++ удостоверени[^\W\d]*+|driv(?:er['’]?s?|ing) licen[cs]e)"
        rf"{KEY}(?P<it>[A-ZА-Я0-9]{{2}}{_SEP}[A-ZА-Я0-9]{{2}}{_SEP}\d{{4,8}}|{_LICENCE})(?!\w|[.,]\d)",
        lambda text: len(signs(text)) >= FEWEST,
    ),
    _rule(
        "CONTRACT",
        rf"(?<!\w)[ркл] ?/ ?сч?[её]?т?\.?{KEY}(?P<it>\d{{20}}|\d{{5}} ?\d{{3}}(?: ?\d{{4}}){{3}})(?!\d)",
    ),
    _rule("CONTRACT", rf"{_FREE}(?P<it>(?:40[5-8]|42[0-6]|301)\d{{17}}){_ENDS}"),
    _rule(
        "CONTRACT",
        rf"\b{_CONTRACT}(?:\s++[а-яё]{{1,30}}+)?\s*+{NUMBER}\s*+(?:is\s++|это\s++)?:?\s*+(?P<it>{_CODE})",
    ),
    _rule("CONTRACT", rf"\b{_CONTRACT}(?:\s++[а-яё]{{1,30}}+)?{KEY}(?P<it>{_CODE})", _is_coded),
    _rule(
        "CONTRACT",
        rf"\b{_CONTRACT}\s*+:?\s*+(?P<it>(?!(?:ISO|IEC|ГОСТ)[-/])[A-ZА-Я]{{1,5}}[-/]?\d{{4,30}}[A-ZА-Я0-9/-]{{0,30}}|\d{{7,20}})\b",
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
        rf"{_CALLED}{KEY}(?P<it>\(?\d(?:[ ().-]{{0,3}}\d){{4,14}})(?!\d)",
        _is_called,
    ),
    *(_rule(kind, pattern) for kind, pattern in ANNOUNCED if kind != "BIRTH"),
)
"""In the order in which they are looked for; what one has found no other one looks at."""


_NO_AMOUNT = frozenset({"EMAIL", "HANDLE", "BIRTH"})
_CODES = frozenset({"CARD", "IBAN", "SNILS", "INN", "SSN", "PASSPORT", "LICENCE", "CONTRACT"})
_REST = re.compile(
    r"[A-Z0-9]++(?![а-яё])(?:[/-][A-Z0-9]{0,9}\d[A-Z0-9]{0,9})*|(?:[/-][A-Z0-9]{0,9}\d[A-Z0-9]{0,9}|[/-][A-Z]{1,3}(?!\w))+(?![.,]\d)"
)
_FURTHER = re.compile(FURTHER, re.IGNORECASE)


def codes(text: str) -> Iterator[Found]:
    """Everything that the rules find, without overlaps, in the order of the rules."""
    taken = Taken(len(text))
    for kind, pattern, sound in RULES:
        for match in pattern.finditer(text):
            start, end = match.span("it")
            cued = match.start() < start
            if not sound(match["it"]) or (kind not in _NO_AMOUNT and is_harmless(text, start, end, cued)):
                continue
            end = _whole(text, end) if cued and kind in _CODES else end
            found = Found(kind, start, end, _key(kind, text[start:end]))
            if taken.take(found):
                yield found
                yield from _further(text, found, taken)


def _whole(text: str, end: int) -> int:
    """The end of a code that goes on: of an announced one nothing may remain."""
    rest = _REST.match(text, end)
    return end if rest is None else rest.end()


def _further(text: str, found: Found, taken: Taken) -> Iterator[Found]:
    """The other phones of a list: "555-0134 or 555-0135"."""
    while found.kind == "PHONE" and (match := _FURTHER.match(text, found.end)):
        start, end = match.span("it")
        found = Found("PHONE", start, end, _key("PHONE", match["it"]))
        if is_harmless(text, start, end, True) or is_stamp(match["it"]) or not taken.take(found):
            return
        yield found


def _key(kind: str, text: str) -> str:
    """+7 and 8 begin the same Russian number."""
    if kind in ("EMAIL", "HANDLE"):
        return text.casefold()
    found = signs(text)
    return found[-10:] if kind == "PHONE" else found
