"""What stands beside a number: its unit, or what it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rag_sweep.rules.quantities.lexicon import CARDINALS
from rag_sweep.rules.quantities.units import ALSO, AMBIGUOUS, CURRENCY_SIGNS, SECOND, UNITS, Unit, compound

_NEXT = re.compile(
    rf"\+?[\s\u00a0-]*(?P<word>[%‰{CURRENCY_SIGNS}×℃℉]|(?:[ксдcdk]?[мm]|ft)[23](?!\w)|[^\W\d_]+(?:['’][a-z]+)?)"
)
_RUSSIAN = (
    "и|или|а|но|в|во|на|по|с|со|из|к|до|от|за|для|о|об|у|что|это|как|при|после|перед|через|если|чем|нет|не|"
    "каждый|каждую|каждые|каждое"
)
_ENGLISH = (
    "and|or|of|in|on|at|to|by|for|from|per|is|are|was|as|the|a|an|with|after|before|if|when|than|not|no|"
    "every|each"
)
_CONNECTIVES = frozenset(f"{_RUSSIAN}|{_ENGLISH}".split("|"))
_STANDS_ALONE = re.compile(r"(?=\s*(?:[,;:!?)|]|\.(?!\s?\w\.)|$))")
_ALONE = {"с": (SECOND, 1.0), "in": ("metre", 0.0254)}
"""Prepositions that are a unit where nothing follows: «задержка 5 с»."""
LOOKED_AT = 3
"""Words behind a number among which its unit is looked for: «28 оплачиваемых календарных дней»."""
SHORTEST_THING = 4
"""Letters of a word that may name what is counted."""
_GOING_ON = (
    "can may has had did was are our its his her any all but who you she they will must have be do so it we "
    "he i new old top max min via too off out own day use one two six ten few per now "
    "вы до он она они мы их его ее вас вам нас нам уже еще все тут там где кто же ли бы без под над про ко "
    "мой наш ваш обе оба"
)
_COUNTERS = "pcs pc pax шт чел стр п пп ст уп эт гл таб кап"
_NO_UNIT = frozenset(f"{_GOING_ON} {_COUNTERS}".split())
"""Short words behind a number that are no unit: counters, and words that go on with the sentence."""
_PLAIN_PARTS = frozenset(
    {"half", "половина", "половины", "половину", "один", "одна", "одно", "одного", "one"}
)
_NUMBER_WORDS = frozenset(CARDINALS) - _PLAIN_PARTS
"""Behind a number they begin another one: «12 сотрудников два дня»."""
_POSSESSIVE = re.compile(r"['’]s$")
_BY_NUMBER = re.compile(r"\.?\s*\d")
_WORKING = re.compile(r"раб|рабоч\w*|working|business|банковск\w*|banking")
"""Makes a day, or an hour, another unit: fourteen of them are more than fourteen days."""
_SHORTENED = frozenset({"раб", "рабоч", "кал", "календ", "банк"})
"""Of a day, with a full stop: «3 раб. дня»."""
_DAY_OF_MONTH = frozenset({"число", "числа", "числу", "числе", "числом"})
"""What stands behind it is no unit: «25-го числа каждого месяца»."""
_WORKING_TIMES = {3600.0: "working hour", 86_400.0: "working day", 604_800.0: "working week"}


class Measure(NamedTuple):
    """The unit behind a number.

    Attributes
    ----------
    unit
        In its base; None where nothing follows that could be one, ``?`` where an unknown word follows.
    scale
        How many base units one is.
    end
        Where its word ends.
    also
        What else the word may mean: a gallon isn't the same everywhere.
    short
        A word of up to three letters right behind the number that looks like a unit and is none we know.
    """

    unit: str | None
    scale: float
    end: int
    also: tuple[Unit, ...] = ()
    short: str = ""

    @property
    def known(self) -> bool:
        """True for one of our units."""
        return self.unit not in (None, "?")


def unit_behind(text: str, at: int) -> Measure:
    """The unit behind a number; a word of it may stand between, as in «28 календарных дней»."""
    if found := compound(text, at):
        (base, scale), *others = found[0]
        return Measure(base, scale, found[1], tuple(others))
    words, working = [], False
    for nth, (word, end) in enumerate(_words_behind(text, at)):
        if word in _DAY_OF_MONTH:
            words.append(word)
            break
        if word in UNITS and _is_unit(text, word, nth, end):
            base, scale = UNITS[word]
            if base == SECOND and working and scale in _WORKING_TIMES:
                return Measure(_WORKING_TIMES[scale], 1.0, end)
            return Measure(base, scale, end, ALSO.get(word, ()))
        working = working or bool(_WORKING.fullmatch(word))
        words.append(word)
    if not words:
        return _alone(text, at)
    looks_like_unit = len(words[0]) < SHORTEST_THING and words[0] not in _NO_UNIT
    return Measure("?", 1.0, at, short=words[0] if looks_like_unit else "")


def _is_unit(text: str, word: str, nth: int, end: int) -> bool:
    """Short ones only right behind the number; no «кв. 5», which is a flat, and no ``10 x 15``."""
    if text[end : end + 1].isdigit() or (word in ("кв", "x", "х", "×") and _BY_NUMBER.match(text, end)):
        return False
    return nth == 0 or word not in AMBIGUOUS


def _alone(text: str, at: int) -> Measure:
    match = _NEXT.match(text, at)
    if match and match["word"] in _ALONE and _STANDS_ALONE.match(text, match.end()):
        return Measure(*_ALONE[match["word"]], match.end())
    return Measure(None, 1.0, at)


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
        word = _POSSESSIVE.sub("", match["word"])  # one week's notice
        if word in _CONNECTIVES or word in _NUMBER_WORDS:
            return
        yield word, match.end()
        end = match.end()
        if word in _SHORTENED and text.startswith(".", end):
            end += 1
