"""Finding quantities in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from rag_sweep.rules.quantities.beside import bound_at, is_negated, per_behind, things_behind, unit_behind
from rag_sweep.rules.quantities.codes import codes, phones, versions
from rag_sweep.rules.quantities.dates import clocks, dates
from rag_sweep.rules.quantities.found import Quantity
from rag_sweep.rules.quantities.lexicon import ATTACHED, MULTIPLIERS, SUFFIXED, UNITS
from rag_sweep.rules.quantities.spelt import roman, spelt

_COUNTED = re.compile(r"\d+(?:[.,]\d+)?(?:-\d+)*(?P<attached>-?[^\W\d_]+)(?:/[^\W\d_]+)?")
_GAP = "[ \u00a0\u202f\u2009']"
_NUMBER = re.compile(
    rf"(?P<minus>(?<![\w\d)])[-−–]|\b(?:минус|minus) )?(?<![\w])"
    rf"(?P<number>\d{{1,3}}(?:{_GAP}\d{{3}})+(?!\d)(?:[.,]\d+)?"
    r"|[1-9]\d?/[1-9]\d?(?![\w/])|\d+(?:[.,]\d+)*)"
)
_FRACTION = re.compile(r"([1-9]\d?)/([1-9]\d?)")
_DAY_MONTH = re.compile(r"(0?[1-9]|[12]\d|3[01])\.(0[1-9]|1[0-2])")
_LISTED = re.compile(r"\d+(?:,\d+){2,}")
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*")
_INFLECTED = re.compile(r"-?(?:ти|х|ми|мя|го|му|й|я|ю|е|ой|ый|ая|ое|st|nd|rd|th)(?![\w])")
_ATTACHED = re.compile(r"-(?P<word>[^\W\d_]+)")
_TO = re.compile(r"\s*(?:[-–—−]|до|по|to|и|and)\s*")
_CURRENCY = re.compile(r"(?:(?P<sign>[$€£₽₸])|\b(?P<word>usd|eur|rub|gbp))\s?$")
_FACTOR = re.compile(r"[\s\u00a0-]*([^\W\d_]+)\.?")
_LARGEST = 300


@lru_cache(maxsize=4096)
def quantities(text: str) -> tuple[Quantity, ...]:
    """All numbers of a text in order, each with its unit, its bound and a negation beside it."""
    folded = text.casefold().replace("ё", "е")
    if len(folded) != len(text):  # a letter that folds to two would move every place behind it
        folded = text.lower().replace("ё", "е") if len(text.lower()) == len(text) else text
    taken = bytearray(len(folded))
    found = [
        *_taken(dates(folded, text), taken),
        *_taken(clocks(folded), taken),
        *_taken(phones(folded), taken),
        *_taken(versions(folded), taken),
        *_taken((one for one in codes(folded) if not _is_counted(folded, one)), taken),
        *_numbers(folded, taken),
        *_taken(roman(text), taken),
        *spelt(folded, taken),
    ]
    return _ranges(folded, sorted(found, key=lambda one: one.start))


def _ranges(text: str, found: list[Quantity]) -> tuple[Quantity, ...]:
    """The first end of a range has the unit, or the month, of the second: ``3–5 days``, ``1–8 May``."""
    for at, (one, behind) in enumerate(pairwise(found)):
        if (
            one.kind != "amount"
            or one.unit not in (None, "?")
            or not _TO.fullmatch(text, one.end, behind.start)
        ):
            continue
        if behind.kind == "amount" and one.unit is None and behind.unit not in (None, "?"):
            found[at] = replace(
                one, unit=behind.unit, scale=behind.scale, negated=behind.negated, per=behind.per, things=()
            )
        elif behind.kind == "date":
            days = [int(day) for day in one.readings if isinstance(day, float) and day in range(1, 32)]
            months = [date[:2] for date in behind.readings if isinstance(date, tuple) and date[2]]
            ends = tuple((*month, day) for month in months for day in days)
            found[at] = replace(one, kind="date", unit=None, readings=ends, things=()) if ends else one
    return tuple(found)


def _claim(taken: bytearray, start: int, end: int) -> bool:
    """Take characters that nothing has taken yet."""
    if any(taken[start:end]):
        return False
    taken[start:end] = b"\1" * (end - start)
    return True


def _taken(found: Iterator[Quantity], taken: bytearray) -> Iterator[Quantity]:
    return (one for one in found if _claim(taken, one.start, one.end))


def _is_counted(text: str, code: Quantity) -> bool:
    """True if what is attached to digits inflects them, multiplies them or is their unit."""
    whole = _COUNTED.fullmatch(code.text)
    if whole is None:
        return False
    at = code.start + whole.start("attached")
    word = whole["attached"].lstrip("-")
    known = unit_behind(text, at)[0] not in (None, "?")
    return (
        bool(_INFLECTED.fullmatch(whole["attached"]))
        or known
        or word in MULTIPLIERS
        or word in ATTACHED
        or _suffix(word) is not None
    )


def _numbers(text: str, taken: bytearray) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        if any(taken[match.start("number") : match.end("number")]):
            continue
        if _LISTED.fullmatch(match["number"]) and not _GROUPED.fullmatch(match["number"]):
            for one in re.finditer(r"\d+", match["number"]):
                start, end = (match.start("number") + at for at in one.span())
                yield Quantity(one[0], start, end, "amount", (float(one[0][:_LARGEST]),))
        else:
            yield _number(text, match, taken)


def _days(number: str, unit: str | None) -> list[tuple[int, int, int]]:
    """The day that ``07.11`` may be."""
    day = _DAY_MONTH.fullmatch(number) if unit in (None, "?") else None
    return [(0, int(day[2]), int(day[1]))] if day else []


def _suffix(word: str) -> str | None:
    return next((start for start in SUFFIXED if word.startswith(start)), None)


def _number(text: str, match: re.Match[str], taken: bytearray) -> Quantity:
    start, end = match.start(), match.end()
    start = start if match["minus"] in ("-", "−", "–") else match.start("number")
    sign = -1.0 if match["minus"] else 1.0
    inflected = _INFLECTED.match(text, end)
    at = inflected.end() if inflected else end
    at, factor = _multiplied(text, at, start)
    unit, scale, at = _unit(text, at, start)
    values = [sign * value * factor for value in _values(match["number"])]
    if unit == "month" and scale == 12.0 and any(1900 <= value <= 2100 for value in values):
        unit, scale = None, 1.0  # 2024 года is a year, not an age
    _claim(taken, start, end)
    taken[start:at] = b"\1" * (at - start)
    return Quantity(
        text[start:end],
        start,
        at,
        "amount",
        (*values, *_days(match["number"], unit)),
        unit,
        scale,
        is_negated(text, start, at),
        bound_at(text, start, at),
        per=per_behind(text, at),
        things=things_behind(text, at) if unit == "?" else (),
    )


def _multiplied(text: str, at: int, start: int) -> tuple[int, float]:
    """Past ``тыс.`` and its like, with their product."""
    factor = 1.0
    attached = re.compile(r"(?P<word>k|m|bn)(?!\w)").match(text, at)
    if attached and (attached["word"] != "m" or _CURRENCY.search(text[max(0, start - 5) : start])):
        return attached.end(), ATTACHED[attached["word"]]
    while (word := _FACTOR.match(text, at)) and word[1] in MULTIPLIERS:
        factor *= MULTIPLIERS[word[1]]
        at = word.end()
    return at, factor


def _unit(text: str, at: int, start: int) -> tuple[str | None, float, int]:
    """The unit of a number, how many base units it is, and where it ends."""
    attached = _ATTACHED.match(text, at)
    suffix = _suffix(attached["word"]) if attached else None
    if attached and suffix:
        base, scale = SUFFIXED[suffix]
        return base, scale, attached.end()
    unit, scale, end = unit_behind(text, at)
    before = _CURRENCY.search(text[max(0, start - 5) : start])
    if before and unit in (None, "?"):
        return UNITS[before["sign"] or before["word"]][0], 1.0, at
    return unit, scale, end


def _values(number: str) -> list[float]:
    """What digits may mean: ``1,000`` is a thousand or one, ``1,5`` only the latter kind."""
    if fraction := _FRACTION.fullmatch(number):
        return [int(fraction[1]) / int(fraction[2])]
    plain = re.sub(_GAP, "", number)[:_LARGEST]
    separators = re.findall(r"[.,]", plain)
    if not separators:
        return [float(plain)]
    head, _, tail = plain.rpartition(separators[-1])
    decimal = float(f"{re.sub('[.,]', '', head)}.{tail}")
    if _GROUPED.fullmatch(plain) and not plain.startswith("0"):
        whole = float(re.sub("[.,]", "", plain))
        return [whole] if len(separators) > 1 else [whole, decimal]
    return [decimal]
