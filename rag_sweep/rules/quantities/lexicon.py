"""Words that make numbers and units, as they are compared: case-folded, with е for ё."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rag_sweep.rules.quantities.units import DAY, MONTH, SECOND, TIMES, YEAR, Unit


def table(text: str) -> dict[str, float]:
    """Words by their number, from lines of a number with its words."""
    found = {}
    for line in text.strip().splitlines():
        number, _, words = line.strip().partition(" ")
        found.update(dict.fromkeys(words.split(), float(number)))
    return found


CARDINALS: Mapping[str, float] = {"треть": 1 / 3} | table(
    """
    0 zero ноль нуль нуля нулю нулем
    1 один одна одно одного одной одному одним одну one
    2 два две двух двум двумя двое two
    3 три трех трем тремя трое three
    4 четыре четырех четырем четырьмя четверо four
    5 пять пяти пятью пятеро five
    6 шесть шести шестью six
    7 семь семи семью seven
    8 восемь восьми восемью eight
    9 девять девяти девятью nine
    10 десять десяти десятью ten
    11 одиннадцать одиннадцати eleven
    12 двенадцать двенадцати twelve
    13 тринадцать тринадцати thirteen
    14 четырнадцать четырнадцати fourteen
    15 пятнадцать пятнадцати fifteen
    16 шестнадцать шестнадцати sixteen
    17 семнадцать семнадцати seventeen
    18 восемнадцать восемнадцати eighteen
    19 девятнадцать девятнадцати nineteen
    20 двадцать двадцати twenty
    30 тридцать тридцати thirty
    40 сорок сорока forty
    50 пятьдесят пятидесяти fifty
    60 шестьдесят шестидесяти sixty
    70 семьдесят семидесяти seventy
    80 восемьдесят восьмидесяти eighty
    90 девяносто девяноста ninety
    100 сто ста
    200 двести двухсот
    300 триста трехсот
    400 четыреста четырехсот
    500 пятьсот пятисот
    600 шестьсот шестисот
    700 семьсот семисот
    800 восемьсот восьмисот
    900 девятьсот девятисот
    500 полтысячи полутысячи
    500000 полмиллиона полумиллиона
    1.5 полтора полторы полутора
    0.5 половина половины половину половиной half
    0.25 четверть четвертью
    """
)
"""Words that are numbers; those of one number add up."""


ENDINGS = "ый|ий|ой|ого|его|ому|ему|ым|им|ом|ем|ая|яя|ую|юю|ое|ее|ые|ие|ых|их|ыми|ими"
"""Of adjectives."""
ORDINAL_STEMS = (
    "перв|втор||четверт|пят|шест|седьм|восьм|девят|десят|одиннадцат|двенадцат|тринадцат|четырнадцат|"
    "пятнадцат|шестнадцат|семнадцат|восемнадцат|девятнадцат|двадцат"
)
_THIRD = "третий|третьего|третьему|третьим|третьем|третья|третьей|третью|третье"
ENGLISH_ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"


def _ordinals() -> dict[str, float]:
    """``третьего``, ``двадцатый``, ``third``: they add up with the words before them."""
    stems = [*enumerate(ORDINAL_STEMS.split("|"), 1), (30, "тридцат")]
    found = {f"{stem}{end}": float(number) for number, stem in stems if stem for end in ENDINGS.split("|")}
    found |= dict.fromkeys(_THIRD.split("|"), 3.0)
    return found | {word: float(number) for number, word in enumerate(ENGLISH_ORDINALS.split("|"), 1)}


ORDINALS: Mapping[str, float] = _ordinals()
"""Words for a place in a row; the first of something claims no number."""

MULTIPLIERS: Mapping[str, float] = table(
    """
    12 дюжина дюжины дюжину дюжин dozen
    100 hundred
    1000 тыс тысяча тысячи тысяч тысячу тысячам thousand
    1000000 млн миллион миллиона миллионов миллиону million mln
    1000000000 млрд миллиард миллиарда миллиардов billion bn
    """
)
"""Words that multiply the number before them; alone they are one of it."""

ATTACHED: Mapping[str, float] = (
    {"k": 1_000.0, "к": 1_000.0, "bn": 1e9, "mn": 1e6, "mln": 1e6} | dict.fromkeys("mм", 1e6) | {"b": 1e9}
)
"""What multiplies right behind digits; ``m`` and ``b`` only beside a currency."""

ONE_WORD: Mapping[str, tuple[float, Unit]] = {
    "дважды": (2.0, TIMES),
    "трижды": (3.0, TIMES),
    "twice": (2.0, TIMES),
    "thrice": (3.0, TIMES),
    "полгода": (6.0, (MONTH, 1.0)),
    "полугода": (6.0, (MONTH, 1.0)),
    "полчаса": (30.0, (SECOND, 60.0)),
    "получаса": (30.0, (SECOND, 60.0)),
    "полдня": (12.0, (SECOND, 3600.0)),
    "полмесяца": (0.5, (MONTH, 1.0)),
    **dict.fromkeys(("полпроцента", "полупроцента"), (0.5, ("percent", 1.0))),
    **dict.fromkeys(("поллитра", "полулитра"), (0.5, ("litre", 1.0))),
    **dict.fromkeys(("полкило", "полкилограмма"), (0.5, ("gram", 1000.0))),
    **dict.fromkeys(("полметра", "полуметра"), (0.5, ("metre", 1.0))),
    **dict.fromkeys(("полминуты", "полуминуты"), (30.0, (SECOND, 1.0))),
    "fortnight": (14.0, DAY),
    "полтонны": (0.5, ("gram", 1e6)),
}
"""One word for a number with its unit."""

JOINED_COUNTS: Mapping[str, float] = table(
    """
    1 одно
    2 двух
    3 трех
    4 четырех
    5 пяти
    6 шести
    7 семи
    8 восьми
    9 девяти
    10 десяти
    12 двенадцати
    14 четырнадцати
    15 пятнадцати
    20 двадцати
    24 двадцатичетырех
    30 тридцати
    40 сорока
    45 сорокапяти
    50 пятидесяти
    60 шестидесяти
    90 девяноста девяносто
    100 сто ста
    1.5 полутора
    """
)
"""Beginnings of «трехнедельный»."""

SUFFIXED: Mapping[str, Unit] = {
    "дневн": DAY,
    "суточн": DAY,
    "недельн": (SECOND, 604_800.0),
    "часов": (SECOND, 3600.0),
    "минутн": (SECOND, 60.0),
    "месячн": (MONTH, 1.0),
    "летн": YEAR,
    "годичн": YEAR,
    "процентн": ("percent", 1.0),
    "рублев": ("rub", 1.0),
    "литров": ("litre", 1.0),
    "миллилитров": ("litre", 0.001),
    "килограммов": ("gram", 1000.0),
    "граммов": ("gram", 1.0),
    "тонн": ("gram", 1e6),
    "метров": ("metre", 1.0),
    "километров": ("metre", 1000.0),
    "сантиметров": ("metre", 0.01),
    "миллиметров": ("metre", 0.001),
    "дюймов": ("metre", 0.0254),
    "вольтов": ("volt", 1.0),
    "ваттн": ("watt", 1.0),
}
"""Beginnings of what stands behind the hyphen of ``14-дневный``."""

ONCE = frozenset({"раз", "однажды", "once"})
"""Back «1 раз», but claim nothing: once you have signed."""

_MONTHS = (
    ("январ", "jan"),
    ("феврал", "feb"),
    ("март", "mar"),
    ("апрел", "apr"),
    ("ма[йяею]", "may"),
    ("июн", "jun"),
    ("июл", "jul"),
    ("август", "aug"),
    ("сентябр", "sep"),
    ("октябр", "oct"),
    ("ноябр", "nov"),
    ("декабр", "dec"),
)
_ENGLISH_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
MONTH_WORD = (
    rf"(?:{'|'.join(ru + (r'[а-я]*' if '[' not in ru else '') for ru, _ in _MONTHS)}|{_ENGLISH_MONTHS})"
)
"""The pattern of a month's name."""


def month_of(word: str) -> int:
    """The number of a month's name, from 1."""
    for number, (russian, english) in enumerate(_MONTHS, 1):
        if re.match(russian, word) or word.startswith(english):
            return number
    raise ValueError(f"{word} is no month")
