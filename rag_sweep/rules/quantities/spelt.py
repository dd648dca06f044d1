"""Numbers in words, and Roman ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rag_sweep.rules.quantities.beside import Measure, things_behind, unit_behind
from rag_sweep.rules.quantities.bounds import bound_at, side_at
from rag_sweep.rules.quantities.found import Quantity
from rag_sweep.rules.quantities.lexicon import (
    CARDINALS,
    ENDINGS,
    JOINED_COUNTS,
    MULTIPLIERS,
    ONCE,
    ONE_WORD,
    ORDINALS,
    SUFFIXED,
)
from rag_sweep.rules.quantities.negation import clause_of, is_negated
from rag_sweep.rules.quantities.rates import rates_behind, rates_of
from rag_sweep.rules.quantities.shares import FACTORS, HALVED, MULTIPLIED, PARTS, behind_part, fraction
from rag_sweep.rules.quantities.units import MONTH, SECOND, TIMES, UNITS

_WORD = re.compile(r"[^\W\d_]+")
_AND_HALF = re.compile(r"\s+(?:с половиной|and a half)(?!\w)")
_AND = re.compile(r"\s+and\s+(?=(?P<word>[a-z]+))")
_BETWEEN = re.compile(r"(?:[ \u00a0-]|\s+and\s+)*")
_MINUS = re.compile(r"\b(?:минус|minus)\s+$")
_HALVES = {"half": 0.5, "quarter": 0.25, "половиной": 0.5, "четвертью": 0.25}
_AND_PART = re.compile(
    r"(?P<one>\b(?:an?\s+)?)(?P<unit>hour|year|month|week|day|час|год|месяц|метр|километр|литр|миллион|тысяча)"
    r"\s+(?:and\s+a\s+(?P<en>half|quarter)|с\s+(?P<ru>половиной|четвертью))(?!\w)"
)
"""``an hour and a half``, «час с половиной»."""
_LONG = re.compile(rf"(?P<count>{'|'.join(JOINED_COUNTS)})(?P<unit>{'|'.join(SUFFIXED)})(?:{ENDINGS})")
"""«Трехнедельный»."""
_ONE_OF = re.compile(
    r"\b(?:раза?|once|twice|times|дважды|трижды) (?:в|an?|per|every|each) $"
    r"|(?:\bvalid|\bfor|\blasts|\bwithin|\bдействует|\bдействител\w{1,3}|\bгод(?:ен|на|но|ны)|\bв течение"
    r"|\bсрок\w{0,2}(?: действия)?)"
    r"(?: for| на| в течение| [—–-])?(?: an?| one)? $"
)
"""Before a time without a number, which is one of it: «действителен год», «раз в неделю»."""
_LARGE = re.compile(r"\s*([^\W\d_]+)")
_LONE_PARTS = frozenset({"третью", "четверти"})
_ROMAN = re.compile(r"(?<![\w.-])(?=[IVX]{2}|[IVX]\s)X{0,3}(?:IX|IV|V?I{0,3})(?![\w.-])")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}


def spelt(text: str, taken: bytearray) -> Iterator[Quantity]:
    """Numbers in words of a folded text: claims where a unit follows."""
    at = 0
    while match := _WORD.search(text, at):
        at, word = match.end(), match[0]
        if any(taken[match.start() : match.end()]):
            continue
        if whole := _AND_PART.match(text, match.start()):
            at = whole.end()
            yield _with_part(text, whole)
        elif part := fraction(text, match.start()):
            value, end = part
            one, at = _counted(text, match.start(), end, value)
            certain = not word.isascii() or behind_part(text, end) > end
            yield replace(one, spelt=False) if certain else one
        elif _value_of(word) is not None or word in MULTIPLIERS:
            value, at = _sum(text, match.start())
            one, at = _counted(text, match.start(), at, value)
            yield one
        elif one_word := _one_word(text, match):
            yield one_word


def _counted(text: str, start: int, at: int, value: float) -> tuple[Quantity, int]:
    """A number in words with its unit, and where it ends."""
    behind = behind_part(text, at) if value < 1 else at
    if value < 1 and (large := _LARGE.match(text, behind)) and large[1] in MULTIPLIERS:
        value, at = value * MULTIPLIERS[large[1]], large.end()
        behind = at
    unit = unit_behind(text, behind)
    end = unit.end if unit.known else at
    return _in_words(text, start, end, value, unit), end


def _with_part(text: str, match: re.Match[str]) -> Quantity:
    value, start, end = 1.0 + _HALVES[match["en"] or match["ru"]], match.start(), match.end()
    if match["unit"] in MULTIPLIERS:
        return _counted(text, start, end, value * MULTIPLIERS[match["unit"]])[0]
    return _in_words(text, start, end, value, Measure(*UNITS[match["unit"]], end))


def _one_word(text: str, match: re.Match[str]) -> Quantity | None:
    """A number that is in one word with its unit, or that no word says: ``twice``, ``a year`` of validity."""
    word, start, end = match[0], match.start(), match.end()
    if word in ONE_WORD:
        value, (base, scale) = ONE_WORD[word]
        return _in_words(text, start, end, value, Measure(base, scale, end))
    if long := _LONG.fullmatch(word):
        return _in_words(
            text, start, end, JOINED_COUNTS[long["count"]], Measure(*SUFFIXED[long["unit"]], end)
        )
    if word in FACTORS:
        claims = MULTIPLIED.match(text, end) is not None
        found = _in_words(text, start, end, FACTORS[word], Measure(*TIMES, end))
        return found if claims else replace(found, spelt=True)
    if word in ONCE:
        rates = rates_behind(text, end)
        return Quantity(word, start, end, "amount", (1.0,), *TIMES, spelt=True, rates=rates)
    if half := HALVED.fullmatch(word):
        return Quantity(word, start, end, "amount", (0.5,), "?", spelt=True, things=(half["thing"],))
    if word in PARTS and word in _LONE_PARTS:
        return Quantity(word, start, end, "amount", (1.0 / PARTS[word],), "?", spelt=True)
    if UNITS.get(word, TIMES)[0] in (SECOND, MONTH) and _ONE_OF.search(text[max(0, start - 40) : start]):
        return Quantity(word, start, end, "amount", (1.0,), *UNITS[word], spelt=True)
    return None


def roman(original: str) -> Iterator[Quantity]:
    """``III квартал``, ``class II``: they back a claim, but are none, since ``I`` is also a word."""
    folded = original.casefold()
    for match in _ROMAN.finditer(original):
        unit = unit_behind(folded, match.end())
        if len(match[0]) > 1 or (unit.known and match[0] != "X"):
            digits = [_ROMAN_DIGITS[sign] for sign in match[0]]
            value = sum(
                -one if one < behind else one for one, behind in zip(digits, [*digits[1:], 0], strict=True)
            )
            yield Quantity(
                match[0], *match.span(), "amount", (float(value),), unit.unit, unit.scale, spelt=True
            )


def _value_of(word: str) -> float | None:
    return CARDINALS.get(word, ORDINALS.get(word))


def _in_words(text: str, start: int, end: int, value: float, unit: Measure) -> Quantity:
    first = text[start:end].split()[0] in ORDINALS and value == 1.0
    minus = _MINUS.search(text[max(0, start - 8) : start])
    if minus and unit.known:
        start, value = start - len(minus[0]), -value
    return Quantity(
        text[start:end],
        start,
        end,
        "amount",
        (value,),
        unit.unit,
        unit.scale,
        is_negated(text, start, end),
        bound_at(text, start, end),
        spelt=not unit.known or first,
        rates=rates_of(text, start, end),
        things=() if unit.known or unit.unit is None else things_behind(text, end),
        also=unit.also,
        clause=clause_of(text, start, end),
        side=side_at(text, start, end) if unit.unit in (SECOND, MONTH) else None,
    )


def _sum(text: str, start: int) -> tuple[float, int]:
    """The value of number words in a row, and where they end: ``двадцать пять``, ``two thousand five``."""
    total, part, end, last = 0.0, 0.0, start, float("inf")
    for match in _WORD.finditer(text, start):
        word, value = match[0], _value_of(match[0])
        if word == "and" and _goes_on(text, end, part, total):
            continue
        if _BETWEEN.fullmatch(text, end, match.start()) is None or (
            value is None and word not in MULTIPLIERS
        ):
            break
        if word in MULTIPLIERS:
            part = (part or 1.0) * MULTIPLIERS[word]
            if MULTIPLIERS[word] > 100:
                total, part = total + part, 0.0
            last = float("inf")
        elif value is None or value >= last:
            break
        else:
            part, last = part + value, (value if value >= 20 else 0.0)
        end = match.end()
        if word in ORDINALS:
            break  # «первые два часа» are two hours
    half = _AND_HALF.match(text, end)
    if half is None:
        return total + part, end
    large = _LARGE.match(text, half.end())
    if large and large[1] in MULTIPLIERS:
        return (total + part + 0.5) * MULTIPLIERS[large[1]], large.end()
    return total + part + 0.5, half.end()


def _goes_on(text: str, end: int, part: float, total: float) -> bool:
    """``One hundred and twenty``, ``two thousand and five``."""
    behind = _AND.match(text, end)
    hundreds = part >= 100 and part % 100 == 0
    return (
        behind is not None
        and (hundreds or (total > 0 and part == 0))
        and CARDINALS.get(behind["word"], 100) < 100
    )
