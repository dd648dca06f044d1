"""Amounts of two units or more: ``1 hour 30 minutes``, «5 рублей 50 копеек»."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rag_sweep.rules.quantities.bounds import bound_at
from rag_sweep.rules.quantities.found import Quantity
from rag_sweep.rules.quantities.negation import clause_of, is_negated
from rag_sweep.rules.quantities.rates import rates_behind
from rag_sweep.rules.quantities.units import MONTH, SECOND, UNITS, Unit

_BASES = frozenset({SECOND, MONTH, "metre", "gram", "litre", "rub", "usd", "eur", "gbp"})
_AND = re.compile(r"\s*(?:(?:и|and)\s+)?")
_DOT_AND = re.compile(r"\.\s*(?:(?:и|and)\s+)?")
_SHORT = re.compile(r"\b(?:руб|р|ч|час|мин|г|кг|м|см|мес|нед|сут|дн|hrs?|h|yrs?|mos?|ft|lbs?|m|kg|wks?)$")
_BETWEEN = re.compile(r"\b(?:between|между)\s+$")
_HOURS_MINUTES = re.compile(
    r"(?<![\w.,:/-])(?P<hours>\d{1,2})(?:\s?[hч](?P<minutes>[0-5]\d)|\s?[hч]\s?(?P<marked>[0-5]?\d)\s?[mм])(?![\w:])"
)
"""``2h30``, ``2h 30m``, whose m are minutes."""


_FEET_INCHES = re.compile(r"""(?<![\w.,'])(?P<feet>[1-9])\s?['’′]\s?(?P<inches>\d|1[01])\s?(?:"|″|”|''|’’)""")


def hours_minutes(text: str) -> Iterator[Quantity]:
    """Hours with minutes in one word: ``2h30``; and ``5'10"``."""
    for match in _HOURS_MINUTES.finditer(text):
        minutes = int(match["minutes"] or match["marked"])
        yield _of(text, match, float(60 * int(match["hours"]) + minutes), (SECOND, 60.0))
    for match in _FEET_INCHES.finditer(text):
        yield _of(text, match, float(12 * int(match["feet"]) + int(match["inches"])), UNITS["inch"])


def _of(text: str, match: re.Match[str], value: float, unit: Unit) -> Quantity:
    at = match.span()
    return Quantity(
        match[0],
        *at,
        "amount",
        (value,),
        *unit,
        is_negated(text, *at),
        bound_at(text, *at),
        rates=rates_behind(text, at[1]),
        clause=clause_of(text, *at),
    )


def joined(text: str, found: list[Quantity]) -> list[Quantity]:
    """Each amount with those of smaller units behind it as one."""
    whole: list[Quantity] = []
    for one in found:
        if whole and _goes_on(text, whole[-1], one):
            whole[-1] = _sum(text, whole[-1], one)
        else:
            whole.append(one)
    return whole


def _goes_on(text: str, one: Quantity, behind: Quantity) -> bool:
    """Less than one of the unit before it, with nothing or ``and`` between them."""
    if (one.kind, behind.kind) != ("amount", "amount") or one.unit != behind.unit or one.unit not in _BASES:
        return False
    if one.spelt or behind.spelt or one.rates or behind.scale >= one.scale:
        return False
    values = [value for value in (*one.readings, *behind.readings) if isinstance(value, float)]
    if len(values) != 2 or values[0] % 1 or not 0 <= values[1] * behind.scale < one.scale:
        return False
    gap = _DOT_AND if _SHORT.search(text[max(0, one.end - 5) : one.end]) else _AND
    between = gap.fullmatch(text, one.end, behind.start) or _AND.fullmatch(text, one.end, behind.start)
    return between is not None and not _BETWEEN.search(text[max(0, one.start - 10) : one.start])


def _sum(text: str, one: Quantity, behind: Quantity) -> Quantity:
    parts = [value for value in (*one.readings, *behind.readings) if isinstance(value, float)]
    return replace(
        one,
        text=text[one.start : behind.start + len(behind.text)],
        end=behind.end,
        readings=(parts[0] * one.scale / behind.scale + parts[1],),
        scale=behind.scale,
        bound=one.bound or behind.bound,
        negated=one.negated or behind.negated,
        rates=behind.rates,
        side=behind.side,
    )
