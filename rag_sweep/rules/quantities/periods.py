"""Periods without a number: ``within a week``, «раз в год», ``monthly``; each claims one of it.

Only where a word says that a period is meant: “a day to remember” and “the weekly report” claim none. Not
«в течение дня», which is also “by day”, nor ``daily``, which is also “from Monday to Sunday”.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rag_sweep.rules.quantities.bounds import bound_at, side_at
from rag_sweep.rules.quantities.found import Quantity, Told
from rag_sweep.rules.quantities.negation import clause_of, is_negated
from rag_sweep.rules.quantities.parse import folded, quantities
from rag_sweep.rules.quantities.units import DAY, MONTH, SECOND, UNITS, YEAR, Unit

_ENGLISH = "minute|hour|day|week|month|quarter|year"
_RUSSIAN = "минут[аыу]|часа?|день|дня|сутки|суток|недел[яиюе]|месяца?|квартала?|полугоди[ея]|год[ау]?|числа"
_ADVERBS = "weekly|monthly|quarterly|yearly|annually|еженедельно|ежемесячно|ежеквартально|ежегодно"
_ADJECTIVES = (
    r"annual|daily|еженедельн\w{2,3}|ежемесячн\w{2,3}|ежеквартальн\w{2,3}|ежегодн\w{2,3}|ежедневн\w{1,3}"
    r"|недельн\w{2,3}|месячн\w{2,3}|суточн\w{2,3}|годов\w{2,3}|годичн\w{2,3}"
)
_WORD = re.compile(
    rf"(?<![\w-])(?!quarter of)"
    rf"(?:(?P<noun>{_ENGLISH}|{_RUSSIAN})|(?P<adverb>{_ADVERBS})|(?P<adjective>{_ADJECTIVES}))(?!\w)"
)
_STEMS: tuple[tuple[str, Unit], ...] = (
    *((stem, DAY) for stem in ("dai", "ежедн", "суточн")),
    *((stem, (SECOND, 604_800.0)) for stem in ("week", "еженед", "недел")),
    *((stem, (MONTH, 1.0)) for stem in ("month", "ежемес", "месяч", "числа")),
    *((stem, (MONTH, 3.0)) for stem in ("quarter", "ежекв")),
    *((stem, YEAR) for stem in ("year", "annual", "ежегод", "год")),
)
_LONGER = r"(?:не )?(?:более|больше|дольше|менее|меньше|свыше)(?: чем)?"
_THAN = r"(?:up to|at (?:the )?(?:most|least)|(?:more|less|longer) than|over|under|maximum of|minimum of)"
_SPAN = re.compile(
    rf"(?:\b(?:within|{_THAN}) (?P<article>an? )"
    rf"|(?P<ru>\b(?:в течение|в пределах|{_LONGER}) )|(?P<after>\bчерез ))$"
)
_BEFORE = re.compile(r"(?<!of )(?<!half )(?<!once )(?<!twice )(?<!times )(?P<article>\ban? )$|(?P<ru>\bза )$")
_LASTING = (
    "notice|warning|pay|salary|wages?|rent|deposit|fees?|leave|supply|grace|delay|extension|probation|experience"
    "|subscription|membership|time"
)
"""What may be a month's, or a year's."""
_BEFORE_BEHIND = re.compile(
    rf" (?:до|перед|before|in advance|prior to|ahead|from now|after|later)\b"
    rf"|['’]s (?:(?:prior|written|advance|further|paid|unpaid) ){{0,2}}(?:{_LASTING})\b"
)
_LASTS = re.compile(
    r"\b(?:(?:last|lend|borrow|keep|hold|store|retain|loan)(?:s|ed|ing)?|lent|kept|held|stored|storing"
    r"|(?:выда|хран|держ|продл|арендова|одолж)\w*)\b[^.;:!?\n]{0,40}?(?P<for> (?P<article>an? )| на )$"
)
"""Before how long something lasts, or is lent: ``keep it a month``, «выдают на месяц»."""
_FOR = re.compile(r"\b(?:for|на|it|them|lasts?|lasted) (?:an? )?$")
_TERM = re.compile(r" срок\w{0,2}\b")
_RATE = re.compile(r"\b(?:раз в|once (?:an?|per|every|each)) $")
_EVERY = re.compile(r"\b(?:every|each|кажд(?:ый|ую|ое)) $")
_OTHER = re.compile(r"(?:\b(?:в|за|на|через|per|an?|one|each|every|in|within|for|кажд\w+) |/ ?)$")
_DIGIT_NEAR = re.compile(r"\d[^.;,\n]{0,20}$")
_STANDS = re.compile(
    r"(?:\s*(?:[.,;:!?)\]\n]|$)|\s+(?:on|by|at|in|from|and|or|as|until|до|в|на|с|по|и|не)\b)"
)
_ENDS = re.compile(
    r"\s*(?:[.,;:!?)\]\n]|$)|\s+(?:and|or|but|if|unless|from|after|и|или|но|а|если|с|со|после)\b"
)
_DAYS_OF_A_YEAR: Unit = (SECOND, 365 * DAY[1])
_VAGUE = frozenset({"день", "дня", "day"})
"""Of what may be said without a number in mind: «каждый день», «в течение дня»."""


@lru_cache(maxsize=4096)
def periods(text: str) -> tuple[Quantity, ...]:
    """The periods of a text that have no number: claims, and what backs them (`spelt`)."""
    low = folded(text)
    taken = bytearray(len(low))
    for one in quantities(text):
        if one.readings != (1.0,) or one.text != low[one.start : one.end] or " " in one.text:
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
    return tuple(_found(low, match, taken) for match in _WORD.finditer(low) if not taken[match.start()])


def _found(text: str, match: re.Match[str], taken: bytearray) -> Quantity:
    start, told = _told(text, match)
    claims = told in ("span", "rate", "term")
    unit, scale = _unit(match[0])
    return Quantity(
        text[start : match.end()],
        start,
        match.end(),
        "period",
        (1.0,),
        unit,
        scale,
        is_negated(text, start, match.end()) if claims else False,
        bound_at(text, start, match.end()) if claims else None,
        spelt=not claims,
        clause=clause_of(text, start, match.end()) if claims else "",
        side=side_at(text, start, match.end()),
        told=told,
        also=(_DAYS_OF_A_YEAR,) if told == "term" and (unit, scale) == YEAR else (),
    )


def _unit(word: str) -> Unit:
    return UNITS.get(word) or next(unit for stem, unit in _STEMS if word.startswith(stem))


def _told(text: str, match: re.Match[str]) -> tuple[int, Told]:
    """Where a period begins, with its article, and how it is told."""
    start, end = match.span()
    before = text[max(0, start - 40) : start]
    if match["adverb"]:
        alone = _STANDS.match(text, end) and not _DIGIT_NEAR.search(before)
        return start, "rate" if alone else "other"
    if match["adjective"]:
        is_term = match[0].startswith(("недел", "месяч", "суточ", "годич")) and _TERM.match(text, end)
        return start, "span" if is_term else "other"
    if span := _SPAN.search(before):
        vague = match[0] in _VAGUE and (span["ru"] or span["after"])
        return start - len(span["article"] or ""), "other" if vague else "span"
    if (ahead := _BEFORE.search(before)) and _BEFORE_BEHIND.match(text, end):
        if _DIGIT_NEAR.search(before) and ahead["article"]:
            return start, "other"
        return start - len(ahead["article"] or ""), "span"
    if _RATE.search(before):
        return start, "rate"
    if (lasting := _LASTS.search(before)) and _FOR.search(before) and _ENDS.match(text, end):
        return start - len(lasting["article"] or ""), "other" if match[0] in _VAGUE else "term"
    if _EVERY.search(before):
        vague = match[0] in _VAGUE or match[0].startswith(("minute", "минут")) or _DIGIT_NEAR.search(before)
        return start, "other" if vague else "rate"
    return start, "other" if _OTHER.search(before) else "mention"
