"""Numbers that are names: codes, versions, phone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_sweep.rules.quantities.beside import unit_behind
from rag_sweep.rules.quantities.bounds import bound_at
from rag_sweep.rules.quantities.found import Quantity
from rag_sweep.rules.quantities.negation import clause_of, is_negated

_SIGN = r"[\s\u2010-\u2015-]"
_GAP = rf"{_SIGN}?"
_PHONE = re.compile(
    r"(?<![\w+])(?:\+[17](?:[\s()\u2010-\u2015-]{0,2}\d){10}(?!\d)"
    r"|\+\d{1,3}[\s\u2010-\u2015-]?(?:(?:\d{1,5}|\(\d{1,5}\))[\s\u2010-\u2015-]{0,2}){1,5}\d{1,4}"
    rf"|8{_GAP}\(\d{{3,5}}\)(?:{_GAP}\d{{2,4}}){{2,4}}"
    rf"|8{_GAP}(?:\d{{3}}{_GAP}\d{{3}}|\d{{4}}{_GAP}\d{{2}}){_GAP}\d{{2}}{_GAP}\d{{2}}"
    rf"|(?:1{_GAP})?(?:\(\d{{3}}\){_GAP}|\d{{3}}[\u2010-\u2015-])\d{{3}}[\u2010-\u2015-]\d{{4}}"
    rf"|\(\d{{3,5}}\){_GAP}\d{{2,4}}(?:{_GAP}\d{{2,4}}){{1,3}}"
    rf"|\(?0\d{{2,4}}\)?(?:{_SIGN}\d{{3,4}}){{2}})(?![\w-])"
)
_VERSION = re.compile(
    r"(?<![\w.,])(?:v\d{1,9}(?:\.\d{1,9}){0,9}|\d{1,9}(?:\.\d{1,9}){2,9}"
    r"|(?:(?<=\bversion )|(?<=\bver\. )|(?<=\bрелиз )|(?<=\brelease )"
    r"|(?<=\bверсия )|(?<=\bверсии )|(?<=\bверсию )|(?<=\bверсией ))\d{1,4}(?:\.\d{1,9}){1,9})"
    r"(?![\w]|[.,]\d)"
)
_SHORT_VERSION = re.compile(r"\bv\. ?(?P<number>\d{1,4}(?:\.\d{1,9}){0,9})(?![\w]|[.,]\d)")
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_CODE = re.compile(
    r"№\s?\d[\w/-]{0,99}"
    r"|(?<![\w])(?=[\w./-]{0,60}[^\W\d_])(?=[\w./-]{0,60}\d)[^\W_]+(?:[-./_][^\W_]+)*(?!\w)"
)
_REFERENCE = re.compile(r"(?:п|пп|подп|ч|ст|абз|гл|разд|прил|стр|рис|табл)\.\d+(?:\.\d+)*")
"""«ст.93» is a number behind a short word."""
_FAULT = re.compile(
    r"\b(?:ошибк\w+|код\w{0,3}|error|code)\s(?:№\s?|#)?(?P<number>\d{3,6})(?![\w%-]|[.,/]\d|\s\d)"
)
"""Letters and digits in one word; also numbers with what is attached to them, which are told apart later."""
_PARTED = re.compile(r"[\s_№-]+")


def phones(text: str) -> Iterator[Quantity]:
    """Phone numbers by their digits: blanks, brackets and hyphens, and the 8 for +7, don't count."""
    for match in _PHONE.finditer(text):
        digits = re.sub(r"\(0\)|\D", "", match[0])
        if 10 <= len(digits) <= 15:
            yield Quantity(match[0], *match.span(), "code", (re.sub(r"^8(?=\d{10}$)", "7", digits),))


def versions(text: str) -> Iterator[Quantity]:
    """``5.2.1``, an address, a section, ``v3.4``, ``version 3.4``; not ``1.000.000``."""
    for match in _VERSION.finditer(text):
        if not _GROUPED.fullmatch(match[0]):
            yield _version(text, match[0].removeprefix("v"), match[0], match.span())
    for match in _SHORT_VERSION.finditer(text):
        yield _version(text, match["number"], match[0], match.span())


def _version(of: str, number: str, text: str, span: tuple[int, int]) -> Quantity:
    """``2.0`` may also be called 2."""
    whole = number.removesuffix(".0")
    readings = (number,) if whole == number else (number, whole)
    return Quantity(
        text,
        *span,
        "code",
        readings,
        negated=is_negated(of, *span),
        bound=bound_at(of, *span),
        clause=clause_of(of, *span),
    )


def faults(text: str) -> Iterator[Quantity]:
    """The bare number of an error: ``error 404``."""
    for match in _FAULT.finditer(text):
        if not unit_behind(text, match.end()).known:
            yield Quantity(match["number"], *match.span("number"), "code", (match["number"],))


def codes(text: str) -> Iterator[Quantity]:
    """Everything that looks like one: ``E-7126`` is ``e7126``."""
    for match in _CODE.finditer(text):
        if _REFERENCE.fullmatch(match[0]):
            continue
        yield Quantity(match[0], *match.span(), "code", (_PARTED.sub("", match[0]),))
