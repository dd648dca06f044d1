"""Numbers in words, and Roman ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_sweep.rules.quantities.beside import bound_at, is_negated, per_behind, things_behind, unit_behind
from rag_sweep.rules.quantities.found import Quantity
from rag_sweep.rules.quantities.lexicon import CARDINALS, MULTIPLIERS, ONCE, ONE_WORD, ORDINALS, TIMES

_WORD = re.compile(r"[^\W\d_]+")
_AND_HALF = re.compile(r"\s+(?:с половиной|and a half)(?!\w)")
_ROMAN = re.compile(r"(?<![\w.-])(?=[IVX]{2}|[IVX]\s)X{0,3}(?:IX|IV|V?I{0,3})(?![\w.-])")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}


def spelt(text: str, taken: bytearray) -> Iterator[Quantity]:
    """Numbers in words of a folded text: claims where a unit follows."""
    at = 0
    while match := _WORD.search(text, at):
        at, word = match.end(), match[0]
        if any(taken[match.start() : match.end()]):
            continue
        if word in ONE_WORD:
            value, (base, scale) = ONE_WORD[word]
            yield _in_words(text, match.start(), match.end(), value, base, scale)
        elif word in ONCE:
            yield Quantity(word, *match.span(), "amount", (1.0,), *TIMES, spelt=True)
        elif _value_of(word) is not None or word in MULTIPLIERS:
            value, at = _sum(text, match.start())
            unit, scale, behind = unit_behind(text, at)
            known = unit not in (None, "?")
            at = behind if known else at
            yield _in_words(text, match.start(), at, value, unit, scale)


def roman(original: str) -> Iterator[Quantity]:
    """``III квартал``, ``class II``: they back a claim, but are none, since ``I`` is also a word."""
    folded = original.casefold()
    for match in _ROMAN.finditer(original):
        unit, scale, _ = unit_behind(folded, match.end())
        if len(match[0]) > 1 or (unit not in (None, "?") and match[0] != "X"):
            digits = [_ROMAN_DIGITS[sign] for sign in match[0]]
            value = sum(
                -one if one < behind else one for one, behind in zip(digits, [*digits[1:], 0], strict=True)
            )
            yield Quantity(match[0], *match.span(), "amount", (float(value),), unit, scale, spelt=True)


def _value_of(word: str) -> float | None:
    return CARDINALS.get(word, ORDINALS.get(word))


def _in_words(text: str, start: int, end: int, value: float, unit: str | None, scale: float) -> Quantity:
    first = text[start:end].split()[0] in ORDINALS and value == 1.0
    return Quantity(
        text[start:end],
        start,
        end,
        "amount",
        (value,),
        unit,
        scale,
        is_negated(text, start, end),
        bound_at(text, start, end),
        spelt=unit in (None, "?") or first,
        per=per_behind(text, end),
        things=things_behind(text, end) if unit == "?" else (),
    )


def _sum(text: str, start: int) -> tuple[float, int]:
    """The value of number words in a row, and where they end: ``двадцать пять``, ``two thousand five``."""
    total, part, end, last = 0.0, 0.0, start, float("inf")
    for match in _WORD.finditer(text, start):
        word, value = match[0], _value_of(match[0])
        if text[end : match.start()].strip(" \u00a0-") or (value is None and word not in MULTIPLIERS):
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
    half = _AND_HALF.match(text, end)
    return (total + part + 0.5, half.end()) if half else (total + part, end)
