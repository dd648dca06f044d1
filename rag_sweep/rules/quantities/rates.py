"""For each of what an amount is: a time, a person, a trip."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rag_sweep.rules.quantities.bounds import BREAK
from rag_sweep.rules.quantities.units import DAY, MONTH, SECOND, UNITS, YEAR, Unit

_ADVERBS: Mapping[str, Unit] = {
    **dict.fromkeys(("ежедневно", "daily"), DAY),
    **dict.fromkeys(("еженедельно", "weekly"), (SECOND, 604_800.0)),
    **dict.fromkeys(("ежемесячно", "monthly"), (MONTH, 1.0)),
    **dict.fromkeys(("ежегодно", "годовых", "annually", "yearly"), YEAR),
    "hourly": (SECOND, 3600.0),
}
"""One word for ``per`` and its unit."""
_NAMES = {
    **dict.fromkeys(("night", "ночь", "diem"), DAY),
    "annum": YEAR,
    **dict.fromkeys(("seconds", "secs"), (SECOND, 1.0)),
}
_KINDS = {
    "person": r"person|people|guest|visitor|head|adult|child|passenger|user|employee|participant|capita"
    r"|чел|человек\w?|гост\w"
    r"|посетител\w|взросл\w{2}|ребен\w{2,3}|пассажир\w|сотрудник\w|участник\w|пользовател\w",
    "group": r"group|team|family|company|couple|групп\w|команд\w|семь\w|компани\w",
    "visit": r"visit|session|lesson|визит\w?|посещени\w|сеанс\w?|заняти\w",
    "trip": r"trip|journey|ride|поездк\w|рейс\w?|командировк\w",
    "item": r"item|piece|штук\w|шт|товар\w?",
    "order": r"order|purchase|заказ\w?|покупк\w",
    "intake": r"dose|intake|прием\w?",
    "page": r"page|sheet|страниц\w|лист\w?",
}
"""What isn't measured in units, by kinds whose words mean much the same."""
_KIND = re.compile("|".join(f"(?P<{kind}>{words})" for kind, words in _KINDS.items()))
_EACH = r"(?:кажд\w+\s+|один\s+|одну\s+|одного\s+|одно\s+|one\s+|each\s+|every\s+)?"
_RATE = re.compile(
    rf"\s*(?:(?P<slash>/)\s*|\b(?P<by>в|за|на|per|a|an|each|every|кажды[ей]|in)\s+){_EACH}"
    r"(?:(?P<count>\d{1,4})\s+)?(?P<word>[^\W\d_]+)(?!\w)"
)
_ADVERB = re.compile(rf"\s+(?P<word>{'|'.join(_ADVERBS)})(?!\w)")
_DOT = re.compile(r"\.(?=\s*(?:в|за|/|per|на|a|each|every)\b)|\.(?=/)")
_SHORT = re.compile(
    r"(?:руб|коп|мин|сек|мес|тыс|млн|млрд|чел|шт|сут|нед|таб|[а-я]{1,2}|pcs|hrs?|min|sec|tab)$"
)
_APART = re.compile(
    r"(?:\s+[^\W\d_]+){1,4}?\s+(?P<by>в|per|an?|each|every|кажды[ей])\s+(?:кажд\w+\s+)?(?P<word>[^\W\d_]+)(?!\w)"
)
"""A rate with words between: ``5 days of leave per month``."""
_TIMES_IN = "секунду|минуту|час|день|сутки|неделю|месяц|квартал|полугодие|год"
_TIMES_AN = "second|minute|hour|day|night|week|month|quarter|year"
_IN, _AN = frozenset(_TIMES_IN.split("|")), frozenset(_TIMES_AN.split("|"))
_PREPOSITIONS = re.compile(
    r"\b(?:in|within|after|before|for|of|at|on|by|to|from|until|till|since|than|is|as|with|during|over|once|twice"
    r"|and|or)$"
)
_INTAKE: Unit = ("each intake", 1.0)
_DOSED = re.compile(
    r"\b(?:(?P<daily>суточн\w+|дневн\w+|daily)|разов\w+|однократн\w+|single)\s+"
    r"(?:доз\w+|норм\w+|количеств\w+|dos(?:e|age)(?! of)|intake|amount)\b[^.;,:!?()\d]{0,24}:?\s*$"
)
_HOW_OFTEN = re.compile(r"\b(?:times|раза?|дважды|трижды)$")
"""``2 tablets three times a day`` are not two a day."""
_WHOLE = ("24", "7", "12", "60")
"""``8 tablets in 24 hours`` are so many a day, ``$500 in 14 days`` are not."""
_BEFORE = re.compile(r"\s+(?:до|before|prior)\b")


def rates_behind(text: str, at: int) -> tuple[Unit, ...]:
    """All for each of which an amount is: ``900 ₽ в месяц``, ``$8 per person per day``."""
    if adverb := _ADVERB.match(text, at):
        return (_ADVERBS[adverb["word"]],)
    dot = _DOT.match(text, at)
    if dot and _SHORT.search(text[max(0, at - 4) : at]):
        at = dot.end()
    found: list[Unit] = []
    while len(found) < 3 and (match := _RATE.match(text, at)):
        rate = _rate(text, match)
        if rate is None:
            break
        found.append(rate)
        at = match.end()
    return tuple(found) or _apart(text, at)


def rates_of(text: str, start: int, at: int) -> tuple[Unit, ...]:
    """Also of what is named before it: «суточная доза — 4 г», ``a single dose of 4 g``."""
    found = rates_behind(text, at)
    named = _DOSED.search(text[max(0, start - 60) : start])
    if named is None or any(_times(one) for one in found):
        return found
    return (*found, DAY if named["daily"] else _INTAKE)


def _rate(text: str, match: re.Match[str]) -> Unit | None:
    word, by, count = match["word"], match["by"], float(match["count"] or 1)
    by_mass = by == "на" and UNITS.get(word, ("", 0.0))[0] == "gram"
    if (by == "in" and match["count"] not in _WHOLE) or (by == "на" and match["count"] and not by_mass):
        return None
    if word == "раз":
        return _INTAKE if by == "за" else None
    if match["count"] and by in ("в", "за", "in") and _BEFORE.match(text, match.end()):
        return None
    unit = _unit(word)
    if unit is not None:
        return (unit[0], unit[1] * count) if count else None
    if kind := _KIND.fullmatch(word):
        return f"each {kind.lastgroup}", count
    return (f"each {word}", count) if by == "per" and len(word) > 3 else None


def is_rate(word: str) -> bool:
    """True for what something can be for each of: an hour, a person."""
    return _unit(word) is not None or _KIND.fullmatch(word) is not None


def _unit(word: str) -> Unit | None:
    return UNITS.get(word) or _NAMES.get(word)


def _apart(text: str, at: int) -> tuple[Unit, ...]:
    """Only a time, or what ``per`` says."""
    clause = BREAK.split(text[at : at + 60])[0]
    match = _APART.match(clause)
    if match is None:
        return ()
    word, by = match["word"], match["by"]
    timed = word in _IN if by in ("в", "каждый", "каждые", "каждое") else word in _AN
    if by == "per" and (kind := _KIND.fullmatch(word)):
        return ((f"each {kind.lastgroup}", 1.0),)
    if not timed or _HOW_OFTEN.search(clause[: match.start("by")].rstrip()):
        return ()
    if not timed or (by in ("a", "an") and _PREPOSITIONS.search(clause[: match.start("by")].rstrip())):
        return ()
    unit = _unit(word)
    return () if unit is None else (unit,)


def _times(rate: Unit) -> bool:
    """True for a time, or an intake: how often it is."""
    return rate[0] in (SECOND, MONTH, _INTAKE[0])


def other_rate(own: tuple[Unit, ...], its: tuple[Unit, ...]) -> bool:
    """True if two amounts are for different things; two things that we don't know may be one."""
    often = [{one for one in rates if _times(one)} for rates in (own, its)]
    if all(often) and not often[0] & often[1]:
        return True
    if not own or not its or set(own) & set(its):
        return False
    return all(_differ(one, other) for one in own for other in its)


def _differ(one: Unit, other: Unit) -> bool:
    named = [rate[0].startswith("each ") for rate in (one, other)]
    known = [rate[0].removeprefix("each ") in _KINDS for rate in (one, other)]
    return not all(named) or all(known)
