"""Times of the day, in digits and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_sweep.rules.quantities.beside import unit_behind
from rag_sweep.rules.quantities.bounds import direction_at
from rag_sweep.rules.quantities.found import ALWAYS, Quantity
from rag_sweep.rules.quantities.lexicon import CARDINALS, ORDINALS
from rag_sweep.rules.quantities.negation import clause_of, is_negated

_PARTS = "утра|вечера|ночи"
_CLOCK = re.compile(
    rf"(?<![\d:.,])(?P<hour>[01]?\d|2[0-4])(?:(?::|\.(?=[0-5]\d(?:\s?[ap]\.?m(?!\w)|\s+(?:{_PARTS})(?!\w))))"
    r"(?P<minute>[0-5]\d))?"
    rf"(?:\s?(?P<half>[ap])\.?m(?:\.|(?!\w))|(?:\s+час(?:ов|а)?)?\s+(?P<part>{_PARTS})(?!\w)|(?![\d:]))"
)
_DOTTED = r"(?:[01]?\d|2[0-4])\.[0-5]\d"
_OPENING = re.compile(
    rf"\b(?:с|from)\s+(?P<first>{_DOTTED})\s+(?:до|to|until|till)\s+(?P<last>{_DOTTED})(?![\w%]|[.,]\d)"
)
"""«С 6.30 до 22.00», unless both could be days of a month."""
_NAMED = re.compile(r"\b(?:(?P<noon>полдень|полудня|полудню|noon|midday)|полночь|полуночи|midnight)\b")

_HOURS = {word: int(value) for word, value in CARDINALS.items() if value % 1 == 0 and 1 <= value <= 12}
_SPELT_HOURS = "|".join(sorted(_HOURS, key=len, reverse=True))
_SPOKEN = re.compile(
    rf"\b(?:(?:(?P<hour>1\d|2[0-4]|[1-9]|{_SPELT_HOURS})\s+час(?:ов|а)?|(?<!\d )час[ау]?)"
    rf"\s+(?P<part>{_PARTS}|дня)"
    rf"|(?P<bare>{_SPELT_HOURS})\s+(?P<bare_part>{_PARTS}))(?!\w)"
)
"""«Три часа дня», «час ночи», «девять вечера»."""
_UNTIL = re.compile(
    rf"\b(?P<word>до|к|после)\s+(?P<hour>[1-6]|{_SPELT_HOURS})\s+дня(?=\s*(?:[.,;:!?)\]\n]|$))"
)
"""«До трёх дня» is a time; «до трёх дней» is as long."""
_HALVES = re.compile(
    r"\b(?:(?:половин[аыеу]\s+|пол-?)(?P<next>[а-я]+)|half[\s-]past\s+(?P<past>[a-z]+))(?!\w)"
    rf"(?:\s+(?P<part>{_PARTS}|дня)(?!\w))?"
)
"""«Половина десятого», «полдевятого», ``half past five``."""
_NEXT_HOURS = {
    word: int(value)
    for word, value in ORDINALS.items()
    if 1 <= value <= 12 and word.endswith(("ого", "его")) and not word.isascii()
}
_ALWAYS = re.compile(
    r"(?<![\w/.,])(?P<sign>24\s?[/x×х]\s?7)(?![\w/]|[.,]\d)"
    r"|(?<!\w)(?P<hours>24\s?(?:hours|hrs|часа|ч)\s(?:a|per|in a|в|/)\s?(?:day|сутки|день))"
    r"(?:(?:,?\sand|\sи|,)?\s(?:7|seven|семь)\s(?:days|дней)\s(?:a|per|в)\s(?:week|неделю))?(?!\w)"
    r"|\b(?:круглосуточн\w{1,3}|(?:a)?round[\s-]the[\s-]clock)(?!\w)"
)


def clocks(text: str) -> Iterator[Quantity]:
    """The times of the day of a folded text: ``9:30`` and ``09:30 am`` are one."""
    yield from _spoken(text)
    for match in _CLOCK.finditer(text):
        half = match["half"] or match["part"]
        if match["minute"] or half:
            hour = _hour(int(match["hour"]), half)
            yield _found(text, match.span(), _readings(hour, match["minute"] or "00"))
    for match in _OPENING.finditer(text):
        ends = [match[name].split(".") for name in ("first", "last")]
        if (
            any(int(minute) == 0 or int(minute) > 12 for _, minute in ends)
            and not unit_behind(text, match.end()).known
        ):
            for name, (begin, minute) in zip(("first", "last"), ends, strict=True):
                yield _found(text, match.span(name), _readings(int(begin), minute))
    for match in _NAMED.finditer(text):
        yield _found(text, match.span(), ("12:00",) if match["noon"] else ("00:00", "24:00"))


def always(text: str) -> Iterator[Quantity]:
    """``24/7`` in its forms; a word alone backs it, but claims nothing."""
    for match in _ALWAYS.finditer(text):
        spelt = not (match["sign"] or match["hours"])
        yield Quantity(match[0], *match.span(), "code", (ALWAYS,), spelt=spelt)


def _spoken(text: str) -> Iterator[Quantity]:
    """Times in words; a half hour without its part of the day may be either."""
    for match in _SPOKEN.finditer(text):
        said = match["hour"] or match["bare"] or "1"
        yield _found(text, match.span(), _readings(_hour(_number(said), match["part"] or match["bare_part"])))
    for match in _UNTIL.finditer(text):
        start = match.start("hour")
        if _number(match["hour"]) <= 6:
            yield _found(text, (start, match.end()), _readings(_hour(_number(match["hour"]), "дня")))
    for match in _HALVES.finditer(text):
        hour = _NEXT_HOURS.get(match["next"] or "", 0) - 1 if match["next"] else _HOURS.get(match["past"], -1)
        if hour >= 0:
            hours = {_hour(hour, match["part"])} if match["part"] else {hour % 12, hour % 12 + 12}
            yield _found(text, match.span(), tuple(f"{one:02}:30" for one in sorted(hours)))


def _number(said: str) -> int:
    return int(said) if said.isdigit() else _HOURS[said]


def _hour(hour: int, part: str | None) -> int:
    """Of 24: in the evening and by day from noon on, at night from midnight on."""
    if part == "ночи" and 10 <= hour < 12:
        return hour + 12
    later = part in ("p", "вечера", "дня") and hour < 12 and not (part == "дня" and hour > 9)
    earlier = part in ("a", "ночи") and hour == 12
    return hour + (12 if later else -12 if earlier else 0)


def _readings(hour: int, minute: str = "00") -> tuple[str, ...]:
    """24:00 is also the beginning of the next day."""
    return (f"{hour:02}:{minute}", "00:00") if (hour, minute) == (24, "00") else (f"{hour:02}:{minute}",)


def _found(text: str, at: tuple[int, int], readings: tuple[str, ...]) -> Quantity:
    return Quantity(
        text[slice(*at)],
        *at,
        "clock",
        readings,
        negated=is_negated(text, *at),
        bound=direction_at(text, *at),
        clause=clause_of(text, *at),
    )
