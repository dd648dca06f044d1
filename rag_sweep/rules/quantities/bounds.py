"""Limits: whether a number is the most or the least of something, by the words and signs beside it."""

from __future__ import annotations

import re
from typing import Literal

from rag_sweep.rules.quantities.units import CURRENCY_SIGNS, CURRENCY_WORDS

Bound = Literal["at most", "at least"]
Side = Literal["before", "after"]

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
    r"|\bonly after|\bтолько (?:через|после|спустя)"
    r"|\bпревыша\w+|\bexceed\w*|\bот|(?:\bкак )?\bминимум"
    r"|(?<!\d)(?<!\d[ \u00a0])\b(?:мин|min)\b|\bat (?:the )?least|\bminimum(?: of)?"
    r"|≥|⩾|>=|(?<![\w>=/\n-])(?<=[^\n]) ?>"
)
"""What stands before a lower limit."""

_WORDS_LESS = f"{_DOWNWARDS}|{_BELOW}|below|under"
_WORDS_MORE = f"{_UPWARDS}|{_ABOVE}|above|over"
OR_LESS = (
    rf"(?:и|или|or|and) (?:{_WORDS_LESS})|at (?:the )?most|максимум|(?:at )?maximum|max|tops|at the latest"
)
OR_MORE = rf"(?:и|или|or|and) (?:{_WORDS_MORE}|up|upwards?)|at (?:the )?least|минимум|minimum|min(?!\.?\s?\d)"
"""What stands behind a limit."""

BREAK = re.compile(r"[.;:!?()\[\]]|,(?!\d)|\s[—–-]\s|\n(?=\s*(?:\n|[-*•#|>+]|\d{1,3}[.)]\s))")
"""Ends of a clause; a line that is only wrapped goes on."""
BOUNDS = re.compile(rf"(?:{AT_MOST}|{AT_LEAST}|{OR_LESS}|{OR_MORE})(?!\w)")
"""All that makes a limit: its own “not” negates nothing."""

_PREPOSITION = r"(?:\s(?:на|в|во|за|с|по|через|of|for|by|at|in|age|aged?|the age of|возраст\w*))?"
_SIGNS = re.compile(rf"(?:[\s\u00a0]|[+~≈{CURRENCY_SIGNS}]|\b(?:{CURRENCY_WORDS})\b)+$")
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
_AGED = re.compile(r"\bс$")
_YEARS = re.compile(r"\d+(?: лет|-лет\w+|[\s-]летн\w+| года)\b")
_TO = re.compile(r"\s*(?:[-–—−]|до\b|по\b|to\b|and\b|through\b|until\b|till\b)")
_BEHIND = re.compile(rf"(?:\s+[^\W\d_]+){{0,2}}?,?\s+(?:(?P<less>{OR_LESS})|(?P<more>{OR_MORE}))(?!\w)")
_LATER = re.compile(r"(?:\b(?:позднее|позже|раньше|ранее)(?: чем)? за|\b(?:later|earlier) than)\s+$")
_IN_ADVANCE = re.compile(r"(?:\s+[^\W\d_]+)?\s+(?:до|before|prior|in advance|ahead)\b")
"""«Не позднее чем за 2 недели до» is two weeks or more."""
_AFTER = re.compile(
    r"(?<!not )(?<!не )\b(?:after|since|from|starting(?: on| from)?|effective(?: from)?|as of|после|с|со)"
    r"(?: the)?\s*$"
)
_UNTIL = re.compile(r"(?<!not )(?<!не )\b(?:before|until|till|by|prior to|through|до|по|к)(?: the)?\s*$")
"""Before dates and times of the day, which they part in two."""
_BEFORE_IT = re.compile(r"\s+(?:before|prior to|до(?!\s*\d)|перед)(?!\w)")
_AFTER_IT = re.compile(r"\s+(?:after|following|после)(?!\w)")
_THAT = r"(?:\s+(?:that|this|it|этого|этой суммы|него|нее))?"
_BEYOND = (
    "above|over|beyond|more|below|under|less|older|younger|свыше|сверх|выше|больше|более|меньше|ниже|дальше|далее"
    "|старше|младше"
)
_COMPARED = "larger|bigger|higher|smaller|lower|longer|shorter|older|younger"
_ALL = "and|but|а|и|все,? что|anything|everything|amounts?|sums?|files?|orders?|суммы?|расходы|файлы|заказы"
_OTHER_SIDE = re.compile(
    rf"[.,;:(—–-]\s+(?:(?:{_ALL})\s+){{0,2}}(?:(?:{_BEYOND}){_THAT}"
    r"(?=\s*[,:—–-]|\s+(?:the|a|an|is|are|по|за|комисси|действу|утвержда|соглас|нуж|треб)"
    r"|\s+(?:than )?(?:that|this|it)\b)|(?:after|before) (?:that|this|it)\b|thereafter|после этого"
    rf"|otherwise|the rest|the others?|(?:{_COMPARED})\s[a-z]+|остальн\w+|иначе|в противном случае"
    r"|более (?:крупн|дорог|длинн)\w+)"
)
"""Speaks of what lies behind a limit, without its number: “up to 200 a manager; above that, the director”."""
_PLUS = re.compile(r"\d\+(?![\d+])")


def bound_at(text: str, start: int, end: int) -> Bound | None:
    """Whether a number is a limit, by what stands before it, else by what stands behind it.

    None also where both of its sides are told.
    """
    found = _bound_of(text, start, end)
    return None if found and _is_told_of_both(text, end) else found


def direction_at(text: str, start: int, end: int) -> Bound | None:
    """Likewise of a date or a time of the day: something ends there, or begins."""
    before = text[max(0, start - 24) : start]
    found = _bound_of(text, start, end)
    if found is None and _UNTIL.search(before):
        found = "at most"
    elif found is None and _AFTER.search(before):
        found = "at least"
    return None if found and _is_told_of_both(text, end) else found


def _is_told_of_both(text: str, end: int) -> bool:
    other = _OTHER_SIDE.search(text, end, end + 120)
    return other is not None and not BOUNDS.search(text, end, other.start())


def _bound_of(text: str, start: int, end: int) -> Bound | None:
    found = _bound_at(text, start, end)
    if found and _LATER.search(text[max(0, start - 30) : start]) and _IN_ADVANCE.match(text, end):
        return "at least" if found == "at most" else "at most"
    return found


def side_at(text: str, start: int, end: int) -> Side | None:
    """On which side of something a time lies, by the word behind it."""
    if _BEFORE_IT.match(text, end):
        return None if re.search(r"\b(?:от|с|from)\s$", text[max(0, start - 6) : start]) else "before"
    return "after" if _AFTER_IT.match(text, end) else None


def _is_from(text: str, before: str, start: int) -> bool:
    """``From 6``; «с» also stands for “with”, but not before an age or a year."""
    aged = _AGED.search(before) is not None and _YEARS.match(text, start) is not None
    return aged or _FROM.search(before) is not None


def _bound_at(text: str, start: int, end: int) -> Bound | None:
    before = _SIGNS.sub("", text[max(0, start - 48) : start])
    if _SHORTENED.search(before):
        before = before[:-1]
    if before and before[-1] not in ".,;!?()[]":
        if _MOST.search(before):
            return "at most"
        if _LEAST.search(before) or (_is_from(text, before, start) and not _TO.match(text, end)):
            return "at least"
        if named := _NAMED.search(before):
            return "at most" if named["most"] else "at least"
    behind = _BEHIND.match(BREAK.split(text[end : end + 60])[0])
    if behind is None:
        return "at least" if _PLUS.search(text, start, end + 1) else None
    return "at most" if behind["less"] else "at least"
