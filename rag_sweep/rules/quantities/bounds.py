"""Limits: whether a number is the most or the least of something, by the words and signs beside it."""

from __future__ import annotations

import re
from typing import Literal

Bound = Literal["at most", "at least"]

_UPWARDS = "более|больше|выше|старше|длиннее|дольше|позднее|позже|крупнее|тяжелее|дороже|чаще"
_DOWNWARDS = "менее|меньше|ниже|младше|моложе|короче|ранее|раньше|легче|дешевле|мельче|реже"
_ABOVE = "more|greater|larger|bigger|higher|older|longer|later|taller|heavier"
_BELOW = "less|fewer|smaller|lower|younger|shorter|earlier|lighter|cheaper"
_NOT = r"\b(?:не|no|not) "
_FREE = r"(?<!не )(?<!no )(?<!not )\b"
_THAN = r"(?: чем)?"
_DENIED = r"\b(?:не|not|never|cannot) (?:\w+ )?"
AT_MOST = (
    rf"{_DENIED}(?:превыша\w+|превысит\w*|exceed\w*)"
    rf"|{_NOT}(?:(?:{_UPWARDS}|свыше){_THAN}|(?:{_ABOVE}) than|above|over)"
    rf"|{_FREE}(?:(?:{_DOWNWARDS}){_THAN}|(?:{_BELOW}) than|below|under|beneath)"
    r"|\bдо|\b(?:макс|max)\b|\bмаксимум|\bв течение|\bв пределах|\bup to|\bat (?:the )?most|\bwithin"
    r"|\bmaximum(?: of)?|≤|⩽|<=|(?<![\w<])<"
)
"""What stands before an upper limit."""

AT_LEAST = (
    rf"{_NOT}(?:(?:{_DOWNWARDS}){_THAN}|(?:{_BELOW}) than|below|under)"
    rf"|{_FREE}(?:(?:{_UPWARDS}|свыше){_THAN}|(?:{_ABOVE}) than|above|over)"
    r"|\bпревыша\w+|\bexceed\w*|\bот|(?:\bкак )?\bминимум"
    r"|(?<!\d)(?<!\d[ \u00a0])\b(?:мин|min)\b|\bat (?:the )?least|\bminimum(?: of)?"
    r"|≥|⩾|>=|(?<![\w>=/\n-])(?<=[^\n]) ?>"
)
"""What stands before a lower limit."""

_WORDS_LESS = f"{_DOWNWARDS}|{_BELOW}|below|under"
_WORDS_MORE = f"{_UPWARDS}|{_ABOVE}|above|over"
OR_LESS = rf"(?:и|или|or|and) (?:{_WORDS_LESS})|at (?:the )?most|максимум|(?:at )?maximum"
OR_MORE = rf"(?:и|или|or|and) (?:{_WORDS_MORE})|at (?:the )?least|минимум|minimum"
"""What stands behind a limit."""

BREAK = re.compile(r"[.;:!?()\[\]]|,(?!\d)|\s[—–-]\s|\n(?=\s*(?:\n|[-*•#|>+]|\d{1,3}[.)]\s))")
"""Ends of a clause; a line that is only wrapped goes on."""
BOUNDS = re.compile(rf"(?:{AT_MOST}|{AT_LEAST}|{OR_LESS}|{OR_MORE})(?!\w)")
"""All that makes a limit: its own “not” negates nothing."""

_PREPOSITION = r"(?:\s(?:на|в|во|за|с|по|через|of|for|by|at|in|age|aged?|the age of|возраст\w*))?"
_SIGNS = re.compile(r"(?:[\s\u00a0]|[+~≈$€£₽₸]|\b(?:usd|eur|gbp|rub)\b)+$")
_MOST = re.compile(rf"(?:{AT_MOST}){_PREPOSITION}$")
_LEAST = re.compile(rf"(?:{AT_LEAST}){_PREPOSITION}$")
_NAMED = re.compile(
    r"\b(?:(?P<most>максимальн\w{1,4}|maximum|макс|max)|минимальн\w{1,4}|minimum"
    r"|(?<!\d)(?<!\d[ \u00a0])(?:мин|min))\b\.?"
    r"(?: [^\W\d_]{2,30}){0,2}(?: ?[:—–-]| is| of| составляет| равн\w{1,3})?$"
)
"""«Максимальная доза — 4 г», ``min. length: 8``."""
_SHORTENED = re.compile(r"\b(?:макс|max|мин|min)\.$")
_FROM = re.compile(r"\bfrom$")
_TO = re.compile(r"\s*(?:[-–—−]|до\b|по\b|to\b|and\b|through\b|until\b|till\b)")
_BEHIND = re.compile(rf"(?:\s+[^\W\d_]+){{0,2}}?,?\s+(?:(?P<less>{OR_LESS})|(?P<more>{OR_MORE}))(?!\w)")
_LATER = re.compile(r"(?:\b(?:позднее|позже|раньше|ранее)(?: чем)? за|\b(?:later|earlier) than)\s+$")
_IN_ADVANCE = re.compile(r"(?:\s+[^\W\d_]+)?\s+(?:до|before|prior|in advance|ahead)\b")
"""«Не позднее чем за 2 недели до» is two weeks or more."""
_PLUS = re.compile(r"\d\+(?![\d+])")


def bound_at(text: str, start: int, end: int) -> Bound | None:
    """Whether a number is a limit, by what stands before it, else by what stands behind it."""
    found = _bound_at(text, start, end)
    if found and _LATER.search(text[max(0, start - 30) : start]) and _IN_ADVANCE.match(text, end):
        return "at least" if found == "at most" else "at most"
    return found


def _bound_at(text: str, start: int, end: int) -> Bound | None:
    before = _SIGNS.sub("", text[max(0, start - 48) : start])
    if _SHORTENED.search(before):
        before = before[:-1]
    if before and before[-1] not in ".,;!?()[]":
        if _MOST.search(before):
            return "at most"
        if _LEAST.search(before) or (_FROM.search(before) and not _TO.match(text, end)):
            return "at least"
        if named := _NAMED.search(before):
            return "at most" if named["most"] else "at least"
    behind = _BEHIND.match(BREAK.split(text[end : end + 60])[0])
    if behind is None:
        return "at least" if _PLUS.search(text, start, end + 1) else None
    return "at most" if behind["less"] else "at least"
