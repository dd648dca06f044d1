"""Ranges of two numbers: ``3–5 days``, «от 2 до 5 лет», ``1–8 May``."""

from __future__ import annotations

import re
from dataclasses import replace

from rag_sweep.rules.quantities.found import Quantity
from rag_sweep.rules.quantities.lexicon import MULTIPLIERS
from rag_sweep.rules.quantities.units import CURRENCY_SIGNS

_TO = re.compile(r"\s*(?:[-–—−]|до|по|to|и|and)\s*")
_FROM_TO = re.compile(r"\s*(?:[-–—−]|до|по|to|through)\s*")
_BRACKET = re.compile(r"\s*\(\s*")
_AND = re.compile(r"\s*(?:и|and)\s*")
_SIGN = re.compile(f"[{CURRENCY_SIGNS}]")
_WITHIN = re.compile(r"\b(?:within|в течение|в пределах)\s+$")
_UP_TO = re.compile(r"\b(?:up to|до)\s+$")
_DASH = re.compile(r"[-–—−]")
_BETWEEN = re.compile(rf"\b(?:between|между)\s+(?:[{CURRENCY_SIGNS}]\s?)?$")


def ranges(text: str, found: list[Quantity]) -> tuple[Quantity, ...]:
    """The first end has the unit, the month or the multiplier of the second; the ends are two limits.

    The end of one range is no beginning of the next: «детям 6–12 лет — 250–500 мг».
    """
    ends = -1
    for at in range(len(found) - 1):
        one, behind = found[at], found[at + 1]
        if one.kind != "amount":
            continue
        one = _as_large(text, one, behind)
        behind = _as_much_money(text, one, behind)
        found[at], found[at + 1] = one, behind
        if one.unit in (None, "?") and _TO.fullmatch(text, one.end, behind.start):
            if behind.kind == "amount" and one.unit is None and behind.unit not in (None, "?"):
                one = _like(one, behind)
            elif behind.kind == "date":
                one = _day_of(one, behind)
            found[at] = one
        if at != ends and _is_range(text, one, behind):
            ends = at + 1
            limit = None if _is_of_the_range(text, one, behind) else one.bound
            found[at] = replace(one, bound=limit or "at least")
            found[at + 1] = replace(behind, bound=behind.bound or "at most")
        elif one.bound and not behind.bound and _is_in_brackets(text, one, behind):
            found[at + 1] = replace(behind, bound=one.bound)
    return tuple(found)


def _is_of_the_range(text: str, one: Quantity, behind: Quantity) -> bool:
    """What limits a range limits its end: ``within 3 to 7 days``, ``up to 3-7 days``."""
    before = text[max(0, one.start - 12) : one.start]
    tight = _DASH.fullmatch(text, one.end, behind.start) is not None
    limited = _WITHIN.search(before) is not None or (tight and _UP_TO.search(before) is not None)
    return limited and one.unit == behind.unit


def _is_in_brackets(text: str, one: Quantity, behind: Quantity) -> bool:
    """The same in another unit: ``below 77 °F (25 °C)``."""
    known = all(each.kind == "amount" and each.unit not in (None, "?") for each in (one, behind))
    return known and _BRACKET.fullmatch(text, one.end, behind.start) is not None


def _are_joined(text: str, one: Quantity, behind: Quantity) -> bool:
    signs = _SIGN.sub("", text[one.end : behind.start])
    return _FROM_TO.fullmatch(signs) is not None or (
        _AND.fullmatch(signs) is not None
        and _BETWEEN.search(text[max(0, one.start - 12) : one.start]) is not None
    )


def _as_large(text: str, one: Quantity, behind: Quantity) -> Quantity:
    """«От 10 до 20 тысяч» begins with ten thousand; ``from 500 to 2 thousand`` doesn't with so many."""
    factor, value, last = _factor(behind), one.readings[0], behind.readings[0]
    bare = one.factor == 1.0 and one.end == one.start + len(one.text) and _factor(one) == 1.0
    if factor == 1.0 or not bare or not isinstance(value, float) or not isinstance(last, float):
        return one
    if not 0 < value < last / factor < 1000 or not _are_joined(text, one, behind):
        return one
    return replace(one, readings=(value * factor,), factor=factor)


def _factor(one: Quantity) -> float:
    """A thousand or more, in words behind digits or in a number in words."""
    if one.kind != "amount" or one.factor > 1.0:
        return one.factor if one.factor >= 1000.0 else 1.0
    return (
        max((MULTIPLIERS.get(word, 1.0) for word in one.text.split()), default=1.0) if _is_word(one) else 1.0
    )


def _is_word(one: Quantity) -> bool:
    return one.text[:1].isalpha()


def _as_much_money(text: str, one: Quantity, behind: Quantity) -> Quantity:
    """``$1-3``: both are dollars."""
    before = _SIGN.match(text, max(0, one.start - 1)) is not None and one.end == one.start + len(one.text)
    if (
        before
        and behind.kind == "amount"
        and behind.unit is None
        and _FROM_TO.fullmatch(text, one.end, behind.start)
    ):
        return replace(behind, unit=one.unit, scale=one.scale, also=one.also)
    return behind


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
    if not _are_joined(text, one, behind):
        return False
    first, last = one.readings[0], behind.readings[0]
    if not isinstance(first, float) or not isinstance(last, float):
        return False
    return first * one.scale < last * behind.scale
