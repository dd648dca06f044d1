"""Parts and multiples in words: halves, thirds, tenths, double."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rag_sweep.rules.quantities.lexicon import CARDINALS, ENDINGS, ENGLISH_ORDINALS, ORDINAL_STEMS, table

HALVED = re.compile(
    r"пол(?P<thing>таблетки|страницы|ставки|оклада|ложки|стакана|порции|дозы|цены|смены|пачки)"
)
"""One word for half a thing."""

_FACTOR_STEMS = {
    2.0: "двойн|двукратн",
    1.5: "полуторн|полуторакратн",
    3.0: "тройн|трехкратн",
    4.0: "четырехкратн",
}
FACTORS: Mapping[str, float] = {
    f"{stem}{end}": value
    for value, stems in _FACTOR_STEMS.items()
    for stem in stems.split("|")
    for end in ENDINGS.split("|")
} | table(
    """
    2 вдвое вдвойне double doubled twofold
    1.5 полуторакратно
    3 втрое triple tripled threefold
    4 вчетверо quadruple fourfold
    """
)
"""Words for so many times; they back such a number, and claim one only beside what is multiplied."""

MULTIPLIED = re.compile(
    r"\s+(?:the\s+)?(?:размер\w*|объем\w*|тариф\w*|ставк\w*|оклад\w*|оплат\w*|rate|pay|wages?|fee|price|amount|salary)(?!\w)"
)
"""What a factor beside it multiplies."""

_PARTS = """
    3 треть трети третей третью third thirds
    4 четверть четверти четвертей четвертью quarter quarters fourth fourths
    100 hundredth hundredths
    1000 thousandth thousandths
    """


def _parts() -> dict[str, float]:
    """``третьих``, ``десятая``, ``fifths``: what a number before them is divided by."""
    feminine = [*enumerate(ORDINAL_STEMS.split("|"), 1), (30, "тридцат"), (100, "сот"), (1000, "тысячн")]
    found = {
        f"{stem}{end}": float(number)
        for number, stem in feminine
        if stem and number > 3
        for end in ("ая", "ой", "ую", "ых")
    }
    found |= dict.fromkeys(("третья", "третьей", "третью", "третьих"), 3.0)
    english = [*enumerate(ENGLISH_ORDINALS.split("|"), 1)]
    found |= {f"{word}{end}": float(number) for number, word in english if number > 2 for end in ("", "s")}
    return found | table(_PARTS)


PARTS: Mapping[str, float] = _parts()
"""Denominators in words."""

_FRACTION = re.compile(r"(?P<count>[^\W\d_]+)[\s\u00a0-]+(?P<part>[^\W\d_]+)(?!\w)")
_OF_TIME = re.compile(
    r"\s+(?:of\s+(?!(?:\d|the\s+year))|оклад\w*|ставк\w*|сумм\w*|цен\w*|част\w*|стоимост\w*)"
)
_OF = re.compile(r"\s+of\s+(?:(?:the|an?|your|their|his|her|its|our|all)\s+)?(?=[^\W\d_])")
_HALF = re.compile(r"\s+(?:an?|of an?)\s+(?=[^\W\d_])")


_WHOLE = re.compile(
    r"\s+(?:(?:of\s+)?(?:the|an?|your|their|his|her|its|our|all)\s+(?P<en>[a-z]+)|(?P<ru>[а-я]{4,}))(?!\w)"
)
_NO_WHOLE = frozenset(
    ["time", "day", "way", "year", "month", "week", "hour", "дня", "дела", "года", "часа", "пути"]
)
_ONE_OF_TWO = re.compile(
    r"\b(?:first|second|other|latter|former|перв\w{2,3}|втор\w{2,3}|друг\w{2,3}|эт\w{1,2})\s+$"
)


def is_part_of_something(text: str, start: int, end: int) -> bool:
    """``half of the tuition``, «половина оплаты»; not ``half the time``, nor the first half of something."""
    whole = _WHOLE.match(text, end)
    if whole is None or (whole["en"] or whole["ru"]) in _NO_WHOLE:
        return False
    return _ONE_OF_TWO.search(text[max(0, start - 16) : start]) is None


def fraction(text: str, at: int) -> tuple[float, int] | None:
    """``two thirds``, «одна десятая», «три четверти», and where it ends; not ``three quarters of 2024``."""
    match = _FRACTION.match(text, at)
    if match is None:
        return None
    count = 1.0 if match["count"] in ("a", "an") else CARDINALS.get(match["count"], 0.0)
    part, word = PARTS.get(match["part"], 0.0), match["part"]
    if not 1 <= count < part or count % 1:
        return None
    if word.startswith("quarter") and not _OF_TIME.match(text, match.end()):
        return None
    if word.isascii() and word.endswith("s") != (count > 1):
        return None
    return count / part, match.end()


def behind_part(text: str, at: int) -> int:
    """Where the unit of a part is: behind the small words of ``half an hour``, ``two thirds of the fee``."""
    small = _OF.match(text, at) or _HALF.match(text, at)
    return small.end() if small else at
