"""What a word is: a first name, one that is a word as well, a surname, or no name at all."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rag_sweep.analyzer import normalised
from rag_sweep.answers.masking.names_en import ENGLISH, ENGLISH_PLACES, ENGLISH_WORDS, SURNAME_WORDS, SURNAMES
from rag_sweep.answers.masking.names_ru import RUSSIAN, RUSSIAN_PLACES, RUSSIAN_WORDS
from rag_sweep.answers.masking.ordinary import CALENDAR, ENDED_AS_SURNAMES, STOP

LONGEST = 30
"""Letters up to which a word may be a name."""

_OV = r"(?:[оеё]в(?:а|у|ым|е|ой|ою)?)"
_IN = r"(?:[иы]н(?:а|у|ым|е|ой|ою)?)"
_SKY = r"(?:[сц]к(?:ий|ого|ому|им|ом|ая|ой|ую))"
_OTHERS = r"(?:енко|дзе|швили|оглы|заде|(?:[чщцн]ук|юк)(?:а|у|ом|е)?|ян(?:а|у|ом|е)?|вич(?:а|у|ем|е)?)"
_SURE = re.compile(rf"[а-я-]{{2,}}(?:{_OV}|енко|дзе|швили)")
_LIKELY = re.compile(rf"[а-я-]{{2,}}(?:{_OV}|{_IN}|{_SKY}|{_OTHERS})")
_LETTERS = str.maketrans("łøđıəæ", "lodiea")


def own_form(word: str) -> str:
    """A word as words are compared, without 's; long ones, which are no names, aren't kept in mind."""
    return _short(word) if len(word) <= LONGEST else normalised(word)


@lru_cache(maxsize=2**14)
def _short(word: str) -> str:
    return re.sub(r"['’]s$", "", normalised(word))


def plain(own: str) -> str:
    """Latin letters without accents, as the lists have them."""
    if own.isascii() or "а" <= own[:1] <= "я":
        return own
    return unicodedata.normalize("NFD", own.translate(_LETTERS)).encode("ascii", "ignore").decode()


def is_first_name(own: str) -> bool:
    """True for a common first name that is no other word, in any case of Russian, also as half of one."""
    return any(plain(part) in ENGLISH or part in RUSSIAN for part in _parts(own))


def is_ambiguous(own: str) -> bool:
    """True for a first name that is a word, a month, a place or a product as well."""
    return plain(own) in ENGLISH_WORDS or own in RUSSIAN_WORDS


def is_place_too(own: str) -> bool:
    """True for a first name that has a capital within a sentence when it is none: a place, a month."""
    return plain(own) in ENGLISH_PLACES or own in RUSSIAN_PLACES


def is_stop(own: str) -> bool:
    """True for what is part of no name; a first name that is a month as well may be."""
    return own in STOP or own in ENDED_AS_SURNAMES


def is_calendar(own: str) -> bool:
    """True for names of months and days."""
    return own in CALENDAR


def is_surname(own: str) -> bool:
    """True for what ends as Russian surnames do, in any case, or is a common one in Latin letters."""
    if own in ENDED_AS_SURNAMES or (own in STOP and own not in SURNAMES):
        return False
    return _LIKELY.fullmatch(own) is not None or _latin(own, SURNAMES) or _latin(own, SURNAME_WORDS)


def is_sure_surname(own: str) -> bool:
    """True for a surname that is hardly anything else, as Кузнецову is within a sentence."""
    if is_stop(own):
        return False
    return (len(own) > 4 and _SURE.fullmatch(own) is not None) or _latin(own, SURNAMES)


def _latin(own: str, names: frozenset[str]) -> bool:
    return plain(own).replace("’", "'") in names


def _parts(own: str) -> list[str]:
    return own.split("-") if len(own) <= LONGEST else []
