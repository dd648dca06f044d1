"""Ranges of two numbers: ``3–5 days``, «от 2 до 5 лет», ``1–8 May``."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from rag_sweep.rules.quantities.found import Quantity

_TO = re.compile(r"\s*(?:[-–—−]|до|по|to|и|and)\s*")
_FROM_TO = re.compile(r"\s*(?:[-–—−]|до|по|to|through)\s*")
_BRACKET = re.compile(r"\s*\(\s*")
_AND = re.compile(r"\s*(?:и|and)\s*")
_BETWEEN = re.compile(r"\b(?:between|между)\s+(?:[$€£₽₸]\s?)?$")


def ranges(text: str, found: list[Quantity]) -> tuple[Quantity, ...]:
    """The first end has the unit, or the month, of the second; the ends are a lower and an upper limit."""
    for at, (one, behind) in enumerate(pairwise(found)):
        if one.kind != "amount":
            continue
        if one.unit in (None, "?") and _TO.fullmatch(text, one.end, behind.start):
            if behind.kind == "amount" and one.unit is None and behind.unit not in (None, "?"):
                one = _like(one, behind)
            elif behind.kind == "date":
                one = _day_of(one, behind)
            found[at] = one
        if _is_range(text, one, behind):
            found[at] = replace(one, bound=one.bound or "at least")
            found[at + 1] = replace(behind, bound=behind.bound or "at most")
        elif one.bound and not behind.bound and _is_in_brackets(text, one, behind):
            found[at + 1] = replace(behind, bound=one.bound)
    return tuple(found)


def _is_in_brackets(text: str, one: Quantity, behind: Quantity) -> bool:
    """The same in another unit: ``below 77 °F (25 °C)``."""
    known = all(each.kind == "amount" and each.unit not in (None, "?") for each in (one, behind))
    return known and _BRACKET.fullmatch(text, one.end, behind.start) is not None


def _like(one: Quantity, behind: Quantity) -> Quantity:
    return replace(
        one,
        unit=behind.unit,
        scale=behind.scale,
        also=behind.also,
        negated=behind.negated,
        rates=behind.rates,
        things=(),
    )


def _day_of(one: Quantity, behind: Quantity) -> Quantity:
    days = [int(day) for day in one.readings if isinstance(day, float) and day in range(1, 32)]
    months = [date[:2] for date in behind.readings if isinstance(date, tuple) and date[2]]
    ends = tuple((*month, day) for month in months for day in days)
    return replace(one, kind="date", unit=None, readings=ends, things=()) if ends else one


def _is_range(text: str, one: Quantity, behind: Quantity) -> bool:
    """Two rising amounts of one kind."""
    if one.kind != "amount" or behind.kind != "amount" or one.spelt != behind.spelt:
        return False
    start, end = one.end, behind.start
    signs = re.sub(r"[$€£₽₸]", "", text[start:end])
    joined = _FROM_TO.fullmatch(signs) or (
        _AND.fullmatch(signs) and _BETWEEN.search(text[max(0, one.start - 12) : one.start])
    )
    if not joined:
        return False
    first, last = one.readings[0], behind.readings[0]
    if not isinstance(first, float) or not isinstance(last, float):
        return False
    return first * one.scale < last * behind.scale
