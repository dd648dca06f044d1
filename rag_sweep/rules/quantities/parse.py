"""Finding quantities in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from rag_sweep.rules.quantities.beside import Measure, things_behind, unit_behind
from rag_sweep.rules.quantities.bounds import bound_at, side_at
from rag_sweep.rules.quantities.clocks import always, clocks
from rag_sweep.rules.quantities.codes import codes, faults, phones, versions
from rag_sweep.rules.quantities.dates import dates
from rag_sweep.rules.quantities.found import Quantity
from rag_sweep.rules.quantities.joined import hours_minutes, joined
from rag_sweep.rules.quantities.lexicon import ATTACHED, MULTIPLIERS, SUFFIXED
from rag_sweep.rules.quantities.negation import clause_of, is_negated
from rag_sweep.rules.quantities.ranges import ranges
from rag_sweep.rules.quantities.rates import is_rate, rates_of
from rag_sweep.rules.quantities.spelt import roman, spelt
from rag_sweep.rules.quantities.units import (
    ALSO,
    CAPITALS,
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    MONTH,
    SECOND,
    UNITS,
    YEAR,
)

_COUNTED = re.compile(r"\d+(?:[.,]\d+)?(?:-\d+)*(?P<attached>-?[^\W\d_]+)(?:/[^\W\d_]+)?")
_GAP = "[ \u00a0\u202f\u2009']"
_VULGAR = "¼-¾⅐-⅞"
"""½ and its like."""
_NUMBER = re.compile(
    rf"(?P<minus>(?<![\w\d)])[-−–]|\b(?:минус|minus) )?(?<![\w])"
    rf"(?P<number>(?:\d{{1,3}} ?)?[{_VULGAR}]|\d{{1,3}}(?:{_GAP}\d{{3}})+(?!\d)(?:[.,]\d+)?"
    r"|[1-9]\d?/[1-9]\d?(?![\w/])|\d+(?:[.,]\d+)*)"
)
_MIXED = re.compile(rf"(\d{{0,3}}) ?([{_VULGAR}])")
_FRACTION = re.compile(r"([1-9]\d?)/([1-9]\d?)")
_DAY_MONTH = re.compile(r"(0?[1-9]|[12]\d|3[01])\.(0[1-9]|1[0-2])")
_LISTED = re.compile(r"\d+(?:,\d+){2,}")
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*")
_INFLECTED = re.compile(r"-?(?:ти|х|ми|мя|го|му|й|я|ю|е|ой|ый|ая|ое|st|nd|rd|th)(?![\w])")
_SLASHED = re.compile(r"\d{1,12}(?:[.,]\d{1,4})?/(?P<word>[^\W\d_]{2,30})")
_ATTACHED = re.compile(r"-(?P<word>[^\W\d_]+)")
_CURRENCY = re.compile(rf"(?<!\d)(?<!\d\s)(?:(?P<sign>[{CURRENCY_SIGNS}])|\b(?P<word>{CURRENCY_WORDS}))\s?$")
"""Before a number, and not behind another one."""
_CAPITAL = re.compile(rf"(?<=\d)[ \u00a0\u202f][{CAPITALS}](?![\w'’]|\.\w|\s+[A-ZА-ЯЁ])")
_DEGREES = re.compile(r"(?<=\d\d)[CFС](?!\w)")
"""Right behind two digits: ``37C``."""
_BY = re.compile(r"(?<![\w.,-])(?:[1-9]\d*|0[.,]\d+)(?:[.,]\d+)?(?P<by> ?[xх*] ?)(?=\d)")
"""One sign between sizes: ``10x15``."""
_HYPHENS = str.maketrans("\u2010\u2011\u2012", "---")
_POWERED = re.compile(r"(?<=\d)[\s\u00a0]?$")
_HOUR_WORD = re.compile(
    r"(?:\b(?:до|с|со|к|после|от|в|from|until|till|to|by|at|after|before|between|and|и|по)|[-–—])\s*$"
)
_HOUR_BEHIND = re.compile(r"\s*[-–—]\s*\d|\s+(?:до|to)\s+\d")
_THOUSAND = re.compile(r"[\s\u00a0]?т\.?[\s\u00a0]?(?=р(?:уб\w*|\.|(?!\w)))")
"""«5 т.р.» are thousands."""
_ONLY_G = re.compile(r"(?:^|[\W\d])г$")
_MONTHS_BEHIND = re.compile(r"\.?\s*(?:и\s+)?\d{1,2}\s*мес")
_FACTOR = re.compile(r"[\s\u00a0-]*([^\W\d_]+)\.?")
_LARGEST = 300
_SHORTEST_THING = 4
_LARGE = re.compile(r"(?P<word>bn|mn|mln|b|k|к|[mм])(?!\w)")
_MONEY_BEHIND = re.compile(
    rf"\s?(?:[{CURRENCY_SIGNS}]|(?:us )?dollars?|euros?|pounds?|руб\w*|долл\w*|евро|(?:{CURRENCY_WORDS})\b)"
)
_NAMED = re.compile(
    r"\b(?:пп?|подп|ч|ст|абз|гл|пункт\w{0,2}|подпункт\w{0,2}|част[ьи]\w{0,2}|стать\w{1,2})\.? ?$"
)
_REFERRING = re.compile(r" ?(?:ч|п|пп|ст|абз|т|г|л|с|к)\. ?(?=\d)")
"""«П. 4 ч. 1 ст. 93» has no hours, grams or tonnes."""


@lru_cache(maxsize=4096)
def quantities(text: str) -> tuple[Quantity, ...]:
    """All numbers of a text in order, each with its unit, its bound and a negation beside it."""
    low = folded(text)
    taken = bytearray(len(low))
    found = [
        *_taken(dates(low, text), taken),
        *_taken(phones(low), taken),
        *_taken(always(low), taken),
        *_taken(clocks(low), taken),
        *_taken(versions(low), taken),
        *_taken(faults(low), taken),
        *_taken(hours_minutes(low), taken),
        *_taken((one for one in codes(low) if not _is_counted(low, one, text)), taken),
        *_numbers(low, taken),
        *_taken(roman(text), taken),
        *spelt(low, taken),
    ]
    return ranges(low, joined(low, sorted(found, key=lambda one: one.start)))


def folded(text: str) -> str:
    """In lower case, character by character, but for capitals that are a unit: ``16 A``."""
    low = text.casefold()
    if len(low) != len(text):  # a letter that folds to two would move every place behind it
        low = text.lower() if len(text.lower()) == len(text) else text
    low = low.replace("ё", "е").translate(_HYPHENS)
    signs = list(low)
    for match in (*_CAPITAL.finditer(text), *_DEGREES.finditer(text)):
        signs[match.end() - 1] = text[match.end() - 1]
    for match in _BY.finditer(low):
        signs[slice(*match.span("by"))] = match["by"].replace(match["by"].strip(), "×")
    return "".join(signs)


def _claim(taken: bytearray, start: int, end: int) -> bool:
    """Take characters that nothing has taken yet."""
    if any(taken[start:end]):
        return False
    taken[start:end] = b"\1" * (end - start)
    return True


def _taken(found: Iterator[Quantity], taken: bytearray) -> Iterator[Quantity]:
    return (one for one in found if _claim(taken, one.start, one.end))


def _is_counted(text: str, code: Quantity, original: str) -> bool:
    """True if what is attached to digits inflects or multiplies them, is their unit, or a thing."""
    if _MIXED.fullmatch(code.text):
        return True  # 1½
    if code.text in UNITS and _POWERED.search(text[max(0, code.start - 2) : code.start]):
        return True  # 12 m2
    slashed = _SLASHED.fullmatch(code.text)
    if slashed is not None and is_rate(slashed["word"]):
        return True  # 12/hour
    whole = _COUNTED.fullmatch(code.text)
    if whole is None:
        return False
    at = code.start + whole.start("attached")
    word = whole["attached"].lstrip("-")
    thing = whole["attached"][0] == "-" and len(word) >= _SHORTEST_THING
    return (
        bool(_INFLECTED.fullmatch(whole["attached"]))
        or unit_behind(text, at).known
        or word in MULTIPLIERS
        or (word in ATTACHED and (word != "b" or _is_money(text, code.start, at + 1)))
        or _suffix(word) is not None
        or (thing and original[at + 2 : code.start + whole.end("attached")].islower())
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
    named = _NAMED.search(text[max(0, start - 12) : start]) is not None
    unit = Measure(None, 1.0, at) if named and _REFERRING.match(text, at) else _unit(text, at, start)
    values = [sign * value * factor for value in _values(match["number"])]
    unit = _gram_or_year(text, unit, values)
    at = unit.end
    _claim(taken, start, end)
    taken[start:at] = b"\1" * (at - start)
    return Quantity(
        text[start:end],
        start,
        at,
        "amount",
        (*values, *_days(match["number"], unit.unit)),
        unit.unit,
        unit.scale,
        is_negated(text, start, at),
        bound_at(text, start, at),
        rates=rates_of(text, start, at),
        things=things_behind(text, at) if unit.unit == "?" else (),
        also=unit.also,
        short=unit.short,
        clause=clause_of(text, start, at),
        hourly=unit.unit is None and _is_hourly(text, start, end),
        factor=factor,
        side=side_at(text, start, at) if unit.unit in (SECOND, MONTH) else None,
    )


def _gram_or_year(text: str, unit: Measure, values: list[float]) -> Measure:
    """«2024 года» is a year, not an age; «2000 г» may be one, or grams, and «2 г. 6 мес.» are an age."""
    written_g = unit.unit == "gram" and _ONLY_G.search(text[max(0, unit.end - 2) : unit.end]) is not None
    if written_g and _MONTHS_BEHIND.match(text, unit.end):
        return Measure(*YEAR, unit.end)
    if not any(1900 <= value <= 2100 for value in values):
        return unit
    if (unit.unit, unit.scale) == YEAR:
        return Measure(None, 1.0, unit.end)
    return Measure(None, 1.0, unit.end, (("gram", 1.0),)) if written_g else unit


def _is_hourly(text: str, start: int, end: int) -> bool:
    behind = _HOUR_BEHIND.match(text, end)
    return behind is not None or _HOUR_WORD.search(text[max(0, start - 10) : start]) is not None


def _multiplied(text: str, at: int, start: int) -> tuple[int, float]:
    """Past ``тыс.`` and its like, with their product."""
    factor = 1.0
    attached = _LARGE.match(text, at)
    if attached and (attached["word"] not in ("m", "м", "b") or _is_money(text, start, attached.end())):
        return attached.end(), ATTACHED[attached["word"]]
    if thousand := _THOUSAND.match(text, at):
        return thousand.end(), 1000.0
    while (word := _FACTOR.match(text, at)) and word[1] in MULTIPLIERS:
        factor *= MULTIPLIERS[word[1]]
        at = word.end()
    return at, factor


def _is_money(text: str, start: int, end: int) -> bool:
    before = _CURRENCY.search(text[max(0, start - 5) : start])
    return before is not None or _MONEY_BEHIND.match(text, end) is not None


def _unit(text: str, at: int, start: int) -> Measure:
    """The unit of a number: a currency before it wins over what stands behind it."""
    attached = _ATTACHED.match(text, at)
    suffix = _suffix(attached["word"]) if attached else None
    if attached and suffix:
        return Measure(*SUFFIXED[suffix], attached.end())
    unit = unit_behind(text, at)
    before = _CURRENCY.search(text[max(0, start - 6) : start])
    if before:
        word = before["sign"] or before["word"]
        base = UNITS[word][0]
        return Measure(base, 1.0, unit.end if unit.unit == base else at, ALSO.get(word, ()))
    return unit


def _values(number: str) -> list[float]:
    """What digits may mean: ``1,000`` is a thousand or one, ``1,5`` only the latter kind."""
    if mixed := _MIXED.fullmatch(number):
        return [int(mixed[1] or 0) + unicodedata.numeric(mixed[2])]
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
