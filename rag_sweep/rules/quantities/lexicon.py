"""Words that make numbers and units, as they are compared: case-folded, with е for ё."""

from __future__ import annotations

import re
from collections.abc import Mapping


def _table(text: str) -> dict[str, float]:
    found = {}
    for line in text.strip().splitlines():
        number, _, words = line.strip().partition(" ")
        found.update(dict.fromkeys(words.split(), float(number)))
    return found


CARDINALS: Mapping[str, float] = {"треть": 1 / 3} | _table(
    """
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
    1.5 полтора полторы полутора
    0.5 половина половины половину половиной half
    0.25 четверть
    """
)
"""Words that are numbers; those of one number add up."""


_ENDINGS = "ый|ий|ой|ого|его|ому|ему|ым|им|ом|ем|ая|яя|ую|юю|ое|ее|ые|ие|ых|их|ыми|ими"
_STEMS = (
    "перв|втор||четверт|пят|шест|седьм|восьм|девят|десят|одиннадцат|двенадцат|тринадцат|четырнадцат|"
    "пятнадцат|шестнадцат|семнадцат|восемнадцат|девятнадцат|двадцат"
)
_THIRD = "третий|третьего|третьему|третьим|третьем|третья|третьей|третью|третье"
_IN_ENGLISH = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"


def _ordinals() -> dict[str, float]:
    """``третьего``, ``двадцатый``, ``third``: they add up with the words before them."""
    stems = [*enumerate(_STEMS.split("|"), 1), (30, "тридцат")]
    found = {f"{stem}{end}": float(number) for number, stem in stems if stem for end in _ENDINGS.split("|")}
    found |= dict.fromkeys(_THIRD.split("|"), 3.0)
    return found | {word: float(number) for number, word in enumerate(_IN_ENGLISH.split("|"), 1)}


ORDINALS: Mapping[str, float] = _ordinals()
"""Words for a place in a row; the first of something claims no number."""

MULTIPLIERS: Mapping[str, float] = _table(
    """
    12 дюжина дюжины дюжину дюжин dozen
    100 hundred
    1000 тыс тысяча тысячи тысяч тысячу тысячам thousand
    1000000 млн миллион миллиона миллионов миллиону million mln
    1000000000 млрд миллиард миллиарда миллиардов billion bn
    """
)
"""Words that multiply the number before them; alone they are one of it."""

ATTACHED: Mapping[str, float] = {"k": 1_000.0, "m": 1_000_000.0, "bn": 1e9}
"""What multiplies right behind digits; ``m`` only behind a currency."""

Unit = tuple[str, float]
"""The base unit, and how many of it one is."""

SECOND, MONTH = "second", "month"
DAY: Unit = (SECOND, 86_400.0)
YEAR: Unit = (MONTH, 12.0)


def _units(text: str) -> dict[str, Unit]:
    found = {}
    for line in text.strip().splitlines():
        base, factor, words = (part.strip() for part in line.split("|"))
        found.update({word: (base, float(factor)) for word in words.split()})
    return found


UNITS: Mapping[str, Unit] = _units(
    """
    second | 86400 | день дня дней дню днем днями днях дн сутки суток суткам сутками day days
    second | 604800 | неделя недели недель неделю неделе неделям неделями week weeks wk wks
    second | 3600 | час часа часов часу часом часам часы ч hour hours h hr hrs
    second | 60 | минута минуты минут минуту минуте мин minute minutes min mins
    second | 1 | секунда секунды секунд секунду сек second seconds sec secs
    second | 0.001 | миллисекунда миллисекунды миллисекунд мс millisecond milliseconds ms
    month | 1 | месяц месяца месяцев месяцу месяцем месяцам месяцы мес month months
    month | 3 | квартал квартала кварталов кварталу quarter quarters
    month | 6 | полугодие полугодия полгода полугода
    month | 12 | год года годов году годом годам годы лет г гг year years yr yrs
    times | 1 | раз раза times
    percent | 1 | % процент процента процентов проценту процентами percent pct
    rub | 1 | ₽ руб рубль рубля рублей рублю рублям рублями р rub rubles roubles ruble rouble
    rub | 0.01 | коп копейка копейки копеек
    usd | 1 | $ usd доллар доллара долларов долларам dollar dollars
    usd | 0.01 | цент цента центов cent cents
    eur | 1 | € eur евро euro euros
    gbp | 1 | £ gbp фунт фунта фунтов стерлингов pound pounds sterling
    kzt | 1 | ₸ kzt тенге
    gram | 1 | грамм грамма граммов gram grams
    gram | 1000 | кг килограмм килограмма килограммов kg kilogram kilograms kilo kilos
    gram | 1000000 | тонна тонны тонн тонну ton tons tonne tonnes
    metre | 1 | м метр метра метров метрах metre metres meter meters
    metre | 1000 | км километр километра километров km kilometre kilometres kilometer kilometers
    metre | 0.01 | см сантиметр сантиметра сантиметров cm centimetre centimetres centimeter centimeters
    metre | 0.001 | мм миллиметр миллиметра миллиметров mm millimetre millimetres millimeter millimeters
    mile | 1 | миля мили миль mile miles
    square metre | 1 | м² m² кв.м sqm
    litre | 1 | л литр литра литров litre litres liter liters
    litre | 0.001 | мл миллилитр миллилитра миллилитров ml
    byte | 1000 | кб kb
    byte | 1000000 | мб мегабайт мегабайта мегабайтов mb megabyte megabytes
    byte | 1000000000 | гб гигабайт гигабайта гигабайтов gb gigabyte gigabytes
    byte | 1000000000000 | тб терабайт терабайта tb terabyte terabytes
    degree celsius | 1 | °c °с градус градуса градусов °
    volt | 1 | вольт вольта volt volts
    watt | 1 | вт ватт ватта watt watts
    watt | 1000 | квт киловатт киловатта kw kilowatt kilowatts
    """
)
"""Units by their words; 7 days and 1 week are the same amount, 30 days and 1 month are not."""

AMBIGUOUS = frozenset({"г", "м", "л", "р", "ч", "h", "min", "мин", "k"})
"""Short words that are a unit only right behind digits."""

TIMES: Unit = ("times", 1.0)
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
}
"""One word for a number with its unit."""

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
}
"""Beginnings of what stands behind the hyphen of ``14-дневный``."""

ONCE = frozenset({"раз", "однажды", "once"})
"""Back «1 раз», but claim nothing: once you have signed."""

WORKING = re.compile(r"рабоч\w*|working|business|банковск\w*|banking")
"""Makes a day, or an hour, another unit: fourteen of them are more than fourteen days."""

PER = re.compile(
    r"\s*(?:/\s*|(?:в|за|per|a|an|each|every|на)\s+)(?:кажд\w+\s+|один\s+|одну\s+|one\s+)?(?P<word>[^\W\d_]+)(?!\w)"
)
"""For which time, or other unit, an amount is: ``$8 per day``."""

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


NEGATIONS = frozenset(
    [
        "не",
        "нет",
        "ни",
        "без",
        "никогда",
        "нельзя",
        "not",
        "no",
        "never",
        "without",
        "none",
        "cannot",
        "isn't",
        "aren't",
        "don't",
        "doesn't",
        "won't",
        "can't",
    ]
)
PER_ADVERBS: Mapping[str, Unit] = {
    **dict.fromkeys(("ежедневно", "daily"), DAY),
    **dict.fromkeys(("еженедельно", "weekly"), (SECOND, 604_800.0)),
    **dict.fromkeys(("ежемесячно", "monthly"), (MONTH, 1.0)),
    **dict.fromkeys(("ежегодно", "annually", "yearly"), YEAR),
    "hourly": (SECOND, 3600.0),
}
"""One word for ``per`` and its unit."""

_NOT = r"(?:\b(?:не|no|not) )"
_TOP = r"более|больше|позднее|позже|свыше|дольше|more|later|longer|greater|higher"
_BOTTOM = r"менее|меньше|ранее|раньше|less|fewer|earlier|shorter|lower"
AT_MOST = (
    r"\b(?:не|not|never|cannot) (?:\w+ )?(?:превыша\w+|превысит\w*|exceed\w*)|"
    rf"{_NOT}(?:{_TOP})(?: чем| than)?|(?<!не )(?<!no )(?<!not )\b(?:менее|меньше|(?:less|fewer) than)"
    r"|\bдо|\bмаксимум|\bв течение|\bup to|\bat (?:the )?most|\bwithin|\bunder|\bmaximum(?: of)?"
)
"""What stands before an upper limit."""

AT_LEAST = (
    rf"{_NOT}(?:{_BOTTOM})(?: чем| than)?|(?<!не )(?<!no )(?<!not )\b(?:более|больше|свыше|more than|over)"
    r"|\bпревыша\w+|\bexceed\w*|\bот|(?:\bкак )?\bминимум|\bat (?:the )?least|\bminimum(?: of)?"
)
"""What stands before a lower limit."""

OR_LESS = (
    r"(?:и|или|or|and) (?:менее|меньше|ниже|less|fewer|below|under)|at (?:the )?most|максимум|(?:at )?maximum"
)
OR_MORE = (
    r"(?:и|или|or|and) (?:более|больше|выше|дольше|more|longer|above|over)|at (?:the )?least|минимум|minimum"
)
"""What stands behind a limit."""
