"""Dates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_sweep.rules.quantities.beside import unit_behind
from rag_sweep.rules.quantities.bounds import direction_at
from rag_sweep.rules.quantities.found import Quantity
from rag_sweep.rules.quantities.lexicon import MONTH_WORD, ORDINALS, month_of
from rag_sweep.rules.quantities.negation import clause_of, is_negated

_SHORT = "jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec"
_YEAR = r"(?:19|20)\d\d"
_DATE = re.compile(
    rf"""
    (?P<iso>\b\d{{4}}(?P<sign>[-/])\d{{2}}(?P=sign)\d{{2}}\b)
    | (?P<dotted>(?<![\w.,/])\d{{1,2}}[./]\d{{1,2}}[./](?:\d{{4}}|\d{{2}})(?![\d/]|[.,]\d))
    | (?P<of_year>(?<![\w.,/№\#-])(?<!№\s)(?:(?:0[1-9]|1[0-2])[./]|[1-9]/){_YEAR}(?![\w/-]|[.,]\d))
    | (?P<day>(?<!\d\.)\b\d{{1,2}})(?:-?(?:го|е|ое|st|nd|rd|th))?\s+(?:of\s+)?(?P<month>{MONTH_WORD})\b
      (?:\s*,?\s*(?P<year>{_YEAR})\b)?
    | \b(?P<month2>{MONTH_WORD})(?:(?<=\b(?:{_SHORT}))\.|(?<=\bsept)\.)?(?!\s*\n\s*\d{{1,3}}[.)]\s)
      \s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\s*(?:%|:|\d))
      (?:\s*,?\s*(?P<year2>{_YEAR})\b)?
    | \b(?P<month3>{MONTH_WORD})\s+(?P<year3>{_YEAR})\b
    """,
    re.VERBOSE,
)
"""A full stop behind a whole month's name ends a sentence: “paid in March. 5 days later”."""
_NTH = "|".join(word for word in ORDINALS if word.endswith(("ого", "его", "ое", "ье")))
_OF = "|".join(word for word in ORDINALS if word.isascii())
_SPELT = re.compile(
    rf"\b(?P<day>(?:(?P<tens>двадцать|тридцать)\s+)?(?P<nth>{_NTH})|(?P<of>{_OF})\s+of)\s+(?P<month>{MONTH_WORD})\b"
    rf"(?:\s*,?\s*(?P<year>{_YEAR})\b)?"
)
"""«Двадцать первого марта», ``the second of May``."""


def dates(text: str, original: str) -> Iterator[Quantity]:
    """The dates of a folded text; ``may`` is a month only with its capital in the `original`."""
    for match in _DATE.finditer(text):
        readings = _readings(match)
        month = next((name for name in ("month", "month2", "month3") if match[name]), "iso")
        is_verb = match[month] == "may" and original[slice(*match.span(month))] == "may"
        if readings and not is_verb and not _is_amount(text, match):
            yield _found(text, match, readings)
    for match in _SPELT.finditer(text):
        tens = {"двадцать": 20, "тридцать": 30}.get(match["tens"] or "", 0)
        day = tens + int(ORDINALS[match["nth"] or match["of"]])
        if found := _real([(int(match["year"] or 0), month_of(match["month"]), day)]):
            yield _found(text, match, found)


def _is_amount(text: str, match: re.Match[str]) -> bool:
    """“In March 5 days”; «06.2022 руб.»."""
    open_end = (match["day2"] and not match["year2"]) or match["of_year"]
    return bool(open_end) and unit_behind(text, match.end()).known


def _found(text: str, match: re.Match[str], readings: tuple[tuple[int, int, int], ...]) -> Quantity:
    at = match.span()
    bound, clause = direction_at(text, *at), clause_of(text, *at)
    return Quantity(
        match[0], *at, "date", readings, negated=is_negated(text, *at), bound=bound, clause=clause
    )


def _readings(match: re.Match[str]) -> tuple[tuple[int, int, int], ...]:
    parts = match.groupdict()
    if parts["iso"]:
        year, month, day = map(int, parts["iso"].split(parts["sign"]))
        return _real([(year, month, day)])
    if parts["of_year"]:
        month, year = map(int, re.split(r"[./]", parts["of_year"]))
        return _real([(year, month, 0)])
    if parts["dotted"]:
        first, second, year = map(int, re.split(r"[./]", parts["dotted"]))
        year += 2000 if year < 100 else 0
        return _real([(year, second, first), *([(year, first, second)] if "/" in parts["dotted"] else [])])
    month = month_of(parts["month"] or parts["month2"] or parts["month3"])
    day = int(parts["day"] or parts["day2"] or 0)
    return _real([(int(parts["year"] or parts["year2"] or parts["year3"] or 0), month, day)])


def _real(dates: list[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    return tuple(one for one in dates if 1 <= one[1] <= 12 and 0 <= one[2] <= 31)
