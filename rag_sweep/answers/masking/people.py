"""Names of people, in Russian and English: by patronymics, initials, titles, cues and common first names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_sweep.analyzer import normalised
from rag_sweep.answers.masking.codes import Found
from rag_sweep.answers.masking.names import ENGLISH, NO_NAMES, RUSSIAN

_RU = r"[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?"
_EN = r"[A-Z][a-z'’]+(?:[A-Z][a-z]+)?(?:-[A-Z][a-z]+)?"
_PATRONYMIC = (
    r"[А-ЯЁ][а-яё]+(?:[ое]вич|[ьи]ич|[км]ич)(?:а|у|ем|ом|е)?|[А-ЯЁ][а-яё]+(?:[ое]вн|ичн)(?:а|ы|е|у|ой|ою)"
)
_INITIALS = r"[А-ЯЁA-Z]\.\s?(?:[А-ЯЁA-Z]\.)?"


_CUED_RU = re.compile(
    r"\b(?i:меня\s+зовут|моё\s+имя|мое\s+имя|зовут|фио|имя|клиент|сотрудни(?:к|ца|ку|це|ка|цы)|пациент\w*|"
    r"господин\w*|госпож\w+|г-н\w?|г-ж\w|гр\.|гражданин\w*|гражданк\w+|уважаем\w+|с\s+уважением,?|подпись|менеджер\w*|"
    r"руководител\w+|директор\w*|бухгалтер\w*|инженер\w*|врач\w*)\s*[:—–-]?\s*"
    rf"(?P<it>{_RU}(?:\s+{_RU}){{0,2}})(?![\w])",
)
_CUED_EN = re.compile(
    r"\b(?i:my\s+name\s+is|[Nn]ame(?:d)?|[Cc]alled|Dear|[Hh]i,?|[Hh]ello,?|[Rr]egards,?|[Ss]incerely,?|[Ss]igned(?:\s+by)?|"
    r"[Cc]ustomer|[Ee]mployee|[Pp]atient|[Mm]anager|[Aa]ttn\.?|[Cc]ontact)\s*:?\s*"
    rf"(?P<it>{_EN}(?:\s+(?:[A-Z]\.\s*)?{_EN}){{0,2}})(?![\w])",
)
_TITLED = re.compile(
    rf"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Doctor|Lady|Lord)\b\.?\s+(?P<it>(?:[A-Z]\.\s*)*{_EN}(?:\s+{_EN}){{0,2}})"
)
_LOWER = re.compile(
    r"(?i:\bменя\s+зовут|\bmy\s+name\s+is)\s+(?P<it>[a-zа-яё]{3,}(?:\s+[a-zа-яё]{4,}(?=[.,!\n]|$))?)"
)

_PATTERNS = (
    re.compile(rf"\b(?P<it>{_RU}\s+{_RU}\s+(?:{_PATRONYMIC}))(?!\w)"),
    re.compile(rf"\b(?P<it>{_RU}\s+(?:{_PATRONYMIC})(?:\s+{_RU})?)(?!\w)"),
    re.compile(rf"\b(?P<it>{_RU}\s+{_INITIALS})"),
    re.compile(rf"(?<!\w)(?P<it>[А-ЯЁ]\.\s?(?:[А-ЯЁ]\.\s?)?{_RU})(?!\w)"),
    *(_TITLED, _CUED_RU, _CUED_EN, _LOWER),
)
_PAIRS = tuple(re.compile(rf"\b(?=(?P<it>{one}\s+(?:[A-Z]\.\s*)?{one})(?!\w))") for one in (_RU, _EN))
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_ENDING = re.compile(
    r"(?<=[а-я]{2})(?:ым|им|ом|ем|ою|ею|ой|ей|ую|юю|ая|яя|ого|его|ому|ему|[аеиоуыьэюяй])$|['’]s$"
)
FEWEST = 4
"""Letters of a word from which on it may have an ending."""


def people(text: str) -> Iterator[Found]:
    """Names with what tells that they are names, the surest first; they may overlap.

    The key holds the name's words without their endings, so that cases of Russian are one person.
    """
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            found = _trimmed(text, *match.span("it"))
            if found is not None:
                yield found
    # a first name in front is surer than one behind: "Пишет Дмитрий Соколов" begins with no name
    for at in (0, -1):
        for pattern in _PAIRS:
            for match in pattern.finditer(text):
                words = [one for one in _WORD.findall(match["it"]) if len(one) > 1]
                if is_first_name(words[at]) and not NO_NAMES & {word.casefold() for word in words}:
                    yield Found("PERSON", *match.span("it"), key_of(match["it"]))


def _trimmed(text: str, start: int, end: int) -> Found | None:
    """Without the words that begin or end it and are no names."""
    words = [(m.start() + start, m.end() + start) for m in _WORD.finditer(text[start:end])]
    while words and text[slice(*words[0])].casefold() in NO_NAMES:
        words = words[1:]
    while words and text[slice(*words[-1])].casefold() in NO_NAMES:
        words = words[:-1]
    if not any(stop - begin > 1 for begin, stop in words):
        return None
    first, last = words[0][0], words[-1][1]
    last += text[last : last + 1] == "." and last < end  # of an initial
    return Found("PERSON", first, last, key_of(text[first:last]))


def key_of(name: str) -> str:
    """Its words without their endings, and without initials, in one order."""
    return " ".join(sorted({_without_ending(word) for word in _WORD.findall(name) if len(word) > 1}))


def _without_ending(word: str) -> str:
    """Endings of cases only: a stemmer takes Иванов for a form of Иван, and Иванова for another word."""
    own = normalised(word)
    return own if len(own) < FEWEST else _ENDING.sub("", own)


def is_first_name(word: str) -> bool:
    """True for a common first name, in any case of Russian."""
    own = normalised(word)
    if own in ENGLISH:
        return True
    return any(
        own[:cut] in RUSSIAN for cut in range(max(2, len(own) - 3), len(own) + 1) if len(own) - cut <= 3
    )


def mentions(text: str, stems: frozenset[str]) -> Iterator[Found]:
    """Words with a capital that are parts of names which are known by now."""
    for match in _WORD.finditer(text):
        if match[0][0].isupper() and len(match[0]) > 2:
            key = key_of(match[0])
            if key and set(key.split()) <= stems:
                yield Found("PERSON", *match.span(), key)
