"""Dates and times of the day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from rag_sweep.rules.quantities.beside import unit_behind
from rag_sweep.rules.quantities.bounds import bound_at
from rag_sweep.rules.quantities.found import Quantity, Reading
from rag_sweep.rules.quantities.lexicon import MONTH_WORD, month_of
from rag_sweep.rules.quantities.negation import clause_of, is_negated

_DATE = re.compile(
    rf"""
    (?P<iso>\b\d{{4}}-\d{{2}}-\d{{2}}\b)
    | (?P<dotted>(?<![\w.,/])\d{{1,2}}[./]\d{{1,2}}[./](?:\d{{4}}|\d{{2}})(?![\d/]|[.,]\d))
    | (?P<day>\b\d{{1,2}})(?:-?(?:го|е|ое|st|nd|rd|th))?\s+(?:of\s+)?(?P<month>{MONTH_WORD})\b
      (?:\s*,?\s*(?P<year>(?:19|20)\d\d)\b)?
    | \b(?P<month2>{MONTH_WORD})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\s*(?:%|:|\d))
      (?:\s*,?\s*(?P<year2>(?:19|20)\d\d)\b)?
    | \b(?P<month3>{MONTH_WORD})\s+(?P<year3>(?:19|20)\d\d)\b
    """,
    re.VERBOSE,
)
_CLOCK = re.compile(
    r"(?<![\d:.,])(?P<hour>[01]?\d|2[0-4])(?:(?::|\.(?=[0-5]\d(?:\s?[ap]\.?m(?!\w)|\s+(?:утра|вечера|ночи)(?!\w))))"
    r"(?P<minute>[0-5]\d))?"
    r"(?:\s?(?P<half>[ap])\.?m(?:\.|(?!\w))|(?:\s+час(?:ов|а)?)?\s+(?P<part>утра|вечера|ночи)(?!\w)|(?![\d:]))"
)
_DOTTED = r"(?:[01]?\d|2[0-4])\.[0-5]\d"
_OPENING = re.compile(
    rf"\b(?:с|from)\s+(?P<first>{_DOTTED})\s+(?:до|to|until|till)\s+(?P<last>{_DOTTED})(?![\w%]|[.,]\d)"
)
"""«С 6.30 до 22.00», unless both could be days of a month."""
_NAMED = re.compile(r"\b(?:(?P<noon>полдень|полудня|полудню|noon|midday)|полночь|полуночи|midnight)\b")


def dates(text: str, original: str) -> Iterator[Quantity]:
    """The dates of a folded text; ``may`` is a month only with its capital in the `original`."""
    for match in _DATE.finditer(text):
        readings = _readings(match)
        month = next((name for name in ("month", "month2", "month3") if match[name]), "iso")
        is_verb = match[month] == "may" and original[slice(*match.span(month))] == "may"
        if readings and not is_verb:
            yield _found(text, match, "date", readings)


def clocks(text: str) -> Iterator[Quantity]:
    """The times of the day of a folded text: ``9:30`` and ``09:30 am`` are one."""
    for match in _CLOCK.finditer(text):
        half = match["half"] or match["part"]
        if match["minute"] or half:
            hour = int(match["hour"])
            later = half in ("p", "вечера") and hour < 12
            earlier = half in ("a", "ночи") and hour == 12
            hour += 12 if later else -12 if earlier else 0
            yield _found(text, match, "clock", (f"{hour:02}:{match['minute'] or '00'}",))
    for match in _OPENING.finditer(text):
        ends = [match[name].split(".") for name in ("first", "last")]
        if (
            any(int(minute) == 0 or int(minute) > 12 for _, minute in ends)
            and not unit_behind(text, match.end()).known
        ):
            for name, (begin, minute) in zip(("first", "last"), ends, strict=True):
                yield _clock(text, *match.span(name), f"{int(begin):02}:{minute}")
    for match in _NAMED.finditer(text):
        yield _found(text, match, "clock", ("12:00",) if match["noon"] else ("00:00", "24:00"))


def _clock(text: str, start: int, end: int, reading: str) -> Quantity:
    return Quantity(text[start:end], start, end, "clock", (reading,), bound=bound_at(text, start, end))


def _found(
    text: str, match: re.Match[str], kind: Literal["date", "clock"], readings: tuple[Reading, ...]
) -> Quantity:
    at = match.span()
    bound, clause = bound_at(text, *at), clause_of(text, *at)
    return Quantity(match[0], *at, kind, readings, negated=is_negated(text, *at), bound=bound, clause=clause)


def _readings(match: re.Match[str]) -> tuple[tuple[int, int, int], ...]:
    parts = match.groupdict()
    if parts["iso"]:
        year, month, day = map(int, parts["iso"].split("-"))
        return _real([(year, month, day)])
    if parts["dotted"]:
        first, second, year = map(int, re.split(r"[./]", parts["dotted"]))
        year += 2000 if year < 100 else 0
        return _real([(year, second, first), *([(year, first, second)] if "/" in parts["dotted"] else [])])
    month = month_of(parts["month"] or parts["month2"] or parts["month3"])
    day = int(parts["day"] or parts["day2"] or 0)
    return _real([(int(parts["year"] or parts["year2"] or parts["year3"] or 0), month, day)])


def _real(dates: list[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    return tuple(one for one in dates if 1 <= one[1] <= 12 and 0 <= one[2] <= 31)
