"""What stands beside a number: its unit, a bound, a negation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_sweep.rules.quantities.found import Bound
from rag_sweep.rules.quantities.lexicon import (
    AMBIGUOUS,
    AT_LEAST,
    AT_MOST,
    NEGATIONS,
    OR_LESS,
    OR_MORE,
    PER,
    PER_ADVERBS,
    SECOND,
    UNITS,
    WORKING,
    Unit,
)

_NEXT = re.compile(r"[\s\u00a0-]*(?P<word>%|[₽$€£₸]|°\s?[cс]?|м²|m²|[^\W\d_]+(?:['’][a-z]+)?)")
_RUSSIAN = (
    "и|или|а|но|в|во|на|по|с|со|из|к|до|от|за|для|о|об|у|что|это|как|при|после|перед|через|если|чем|нет|не"
)
_ENGLISH = (
    "and|or|of|in|on|at|to|by|for|from|per|is|are|was|as|the|a|an|with|after|before|if|when|than|not|no"
)
_CONNECTIVES = frozenset(f"{_RUSSIAN}|{_ENGLISH}".split("|"))
LOOKED_AT = 3
"""Words behind a number among which its unit is looked for: «28 оплачиваемых календарных дней»."""
SHORTEST_THING = 4
"""Letters of a word that may name what is counted."""
_BREAK = re.compile(r"[.;:!?()\[\]]|,(?!\d)|\s[—–-]\s|\n(?=\s*(?:\n|[-*•#|>+]|\d{1,3}[.)]\s))")
"""Ends of a clause; a line that is only wrapped goes on."""
_WORDS = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")
_NUMBER_SIGN = re.compile(r"\bno\.\s*$")
_SQUARE = re.compile(r"[\s\u00a0]*(?:кв\.?\s?м(?:етр\w*)?|sq\.?\s?m|square met(?:re|er)s?)(?!\w)\.?")
_ADVERB = re.compile(rf"\s+(?P<word>{'|'.join(PER_ADVERBS)})(?!\w)")
_WORKING_TIMES = {3600.0: "working hour", 86_400.0: "working day", 604_800.0: "working week"}
_CONDITIONS = frozenset({"без", "without"})
"""Before a number they set a condition («без 2 подписей»); behind it they say what it lacks."""
_MOST, _LEAST = re.compile(rf"(?:{AT_MOST})\s*$"), re.compile(rf"(?:{AT_LEAST})\s*$")
_BEHIND = re.compile(rf"(?:\s+[^\W\d_]+){{0,2}}?,?\s+(?:(?P<less>{OR_LESS})|(?P<more>{OR_MORE}))(?!\w)")
_BOUNDS = re.compile(rf"(?:{AT_MOST}|{AT_LEAST}|{OR_LESS}|{OR_MORE})(?!\w)")


def unit_behind(text: str, at: int) -> tuple[str | None, float, int]:
    """The base unit behind a number, how many of it one is, and where its word ends.

    None where nothing follows that could be one, ``?`` where a word follows that isn't known.
    """
    if square := _SQUARE.match(text, at):
        return "square metre", 1.0, square.end()
    first, working = None, False
    for nth, (word, end) in enumerate(_words_behind(text, at)):
        if word in UNITS and (word not in AMBIGUOUS or nth == 0):
            base, scale = UNITS[word]
            if base == SECOND and working and scale in _WORKING_TIMES:
                return _WORKING_TIMES[scale], 1.0, end
            return base, scale, end
        working = working or bool(WORKING.fullmatch(word))
        first = first or word
    return (None if first is None else "?"), 1.0, at


def things_behind(text: str, at: int) -> tuple[str, ...]:
    """The words behind a number that may name what it counts."""
    return tuple(word for word, _ in _words_behind(text, at) if len(word) >= SHORTEST_THING)


def _words_behind(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Up to `LOOKED_AT` words with their ends, as far as nothing parts them from the number."""
    end = at
    for nth in range(LOOKED_AT):
        match = _NEXT.match(text, end)
        if match is None or (nth and text[end : match.start("word")].strip(" \u00a0-")):
            return
        word = re.sub(r"\s", "", match["word"])
        if word in _CONNECTIVES:
            return
        yield word, match.end()
        end = match.end()


def per_behind(text: str, at: int) -> Unit | None:
    """The unit for each of which an amount is: ``900 ₽ в месяц``."""
    if adverb := _ADVERB.match(text, at):
        return PER_ADVERBS[adverb["word"]]
    match = PER.match(text, at)
    return UNITS.get(match["word"]) if match else None


def bound_at(text: str, start: int, end: int) -> Bound | None:
    """Whether a number is a limit, by the words before it, else by those behind it."""
    before = text[max(0, start - 40) : start].rstrip()
    if before[-1:].isalpha():
        if _MOST.search(before):
            return "at most"
        if _LEAST.search(before):
            return "at least"
    behind = _BEHIND.match(_BREAK.split(text[end : end + 60])[0])
    return None if behind is None else "at most" if behind["less"] else "at least"


def is_negated(text: str, start: int, end: int) -> bool:
    """True if a negation stands up to two words before a number or three behind it, in the same clause."""
    around = f"{text[max(0, start - 60) : start]} {text[end : end + 80]}"
    if not any(map(_negates, _WORDS.findall(around))):
        return False  # nearly always, and cheap to know
    before = _BOUNDS.sub("", _BREAK.split(text[max(0, start - 60) : start])[-1])  # "not more than" is a limit
    if _NUMBER_SIGN.search(text[max(0, start - 6) : start]):
        before = ""
    behind = _BOUNDS.sub("", _BREAK.split(text[end : end + 80])[0])
    near = [word for word in _WORDS.findall(before)[-2:] if word not in _CONDITIONS]
    near += _words_to_next_number(behind)[:3]
    return any(map(_negates, near))


def _negates(word: str) -> bool:
    word = word.replace("’", "'")
    return word in NEGATIONS or word.endswith("n't")


def _words_to_next_number(text: str) -> list[str]:
    """The words up to the next number, whose own negation is none of this one's."""
    return _WORDS.findall(re.split(r"\d", text, maxsplit=1)[0])
