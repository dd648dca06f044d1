"""Names of people, in Russian and English: by patronymics, initials, titles, cues and common first names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from rag_sweep.answers.masking.codes import Found
from rag_sweep.answers.masking.cues import cued
from rag_sweep.answers.masking.names import is_ambiguous, is_calendar, is_stop, own_form
from rag_sweep.answers.masking.names_short import full_name
from rag_sweep.answers.masking.ordinary import BEGINNINGS
from rag_sweep.answers.masking.runs import MOST, Runs
from rag_sweep.answers.masking.shapes import (
    EDGE,
    EN,
    INITIALS,
    OF,
    PATRONYMIC,
    PATRONYMIC_CAPITALS,
    RU,
    RU_CAPITALS,
    RU_UP,
    SURNAME,
    UP,
    WORD,
    Word,
    words_of,
)

_TITLED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Doctor|Lady|Lord)\b\.?\s++"
    rf"(?P<it>(?:[{UP}]\.\s*+){{0,4}}{OF}{EN}(?:\s++{OF}{EN}){{0,2}})"
)
_WHOLE = r"[^\W\d_]"
_LOWER = re.compile(
    rf"(?i:\bменя\s++зовут|\bmy\s++name\s++is)\s++(?P<it>{_WHOLE}{{3,}}+(?:\s++{_WHOLE}{{4,}}+(?=[.,!\n]|$))?)"
)
_NO_INITIALS = (
    r"(?!(?:U\.\s?[SKN]|E\.\s?U|P\.\s?[SMO]|D\.\s?C|N\.\s?[BY]|L\.\s?A|A\.\s?[MD]|B\.\s?C|Q\.\s?A)\.)"
)

_PATTERNS = (
    re.compile(rf"{EDGE}(?P<it>{SURNAME}\s++{RU}\s++(?:{PATRONYMIC}))(?!\w)"),
    re.compile(rf"{EDGE}(?P<it>{RU}\s++(?:{PATRONYMIC})(?:\s++{SURNAME})?)(?!\w)"),
    re.compile(rf"{EDGE}(?P<it>(?:{RU_CAPITALS}\s++){{1,2}}(?:{PATRONYMIC_CAPITALS}))(?!\w)"),
    re.compile(rf"{EDGE}(?P<it>{RU}\s++{INITIALS})"),
    re.compile(rf"{EDGE}(?P<it>{RU_CAPITALS}\s++[{RU_UP}]\.\s?[{RU_UP}]\.)"),
    re.compile(rf"(?<!\w)(?P<it>[{RU_UP}]\.\s?(?:[{RU_UP}]\.\s?)?{RU})(?!\w)"),
    re.compile(rf"(?<![\w.]){_NO_INITIALS}(?P<it>[{UP}]\.\s?(?:[{UP}]\.\s?){{1,2}}{OF}{EN})(?!\w)"),
    *(_TITLED, _LOWER),
)
_ENDING = re.compile(
    r"(?<=[а-я]{2})(?:ым|им|ом|ем|ою|ею|ой|ей|ую|юю|ая|яя|ого|его|ому|ему|[аеиоуыьэюяй])$|['’]s$"
)
FEWEST = 4
"""Letters of a word from which on it may have an ending."""


def people(text: str) -> Iterator[Found]:
    """Names with what tells that they are names; of those that overlap one from the first to the last.

    The key holds the name's words without their endings, so that cases of Russian are one person.
    """
    matches = (match.span("it") for pattern in _PATTERNS for match in pattern.finditer(text))
    spans = [span for start, end in (*matches, *cued(text)) if (span := _trimmed(text, start, end))]
    for start, end in _joined(text, [*spans, *Runs(text).spans()]):
        yield Found("PERSON", start, end, key_of(text[start:end]))


def _joined(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Those that overlap as one, unless it had more words than a name has."""
    last: tuple[int, int] | None = None
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if last is None or start >= last[1]:
            if last is not None:
                yield last
            last = start, end
        elif end > last[1]:
            whole = len(WORD.findall(text, last[0], end)) <= MOST + 2
            if whole:
                last = last[0], end
    if last is not None:
        yield last


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Without the words that begin or end it and are no names."""
    words = [(m.start(), m.end()) for m in WORD.finditer(text, start, end)]
    while words and _is_none(text[slice(*words[0])]):
        words = words[1:]
    while words and _is_none(text[slice(*words[-1])]):
        words = words[:-1]
    if not any(stop - begin > 1 for begin, stop in words):
        return None
    first, last = words[0][0], words[-1][1]
    last -= 2 * text.endswith(("'s", "’s"), first, last)
    return first, last + (text[last : last + 1] == "." and last < end)  # of an initial


def _is_none(word: str) -> bool:
    own = own_form(word)
    return len(word) > 1 and is_stop(own) and not is_ambiguous(own)


def key_of(name: str) -> str:
    """Its words without their endings, and without initials, in one order."""
    return " ".join(sorted({_without_ending(word) for word in WORD.findall(name) if len(word) > 1}))


def _without_ending(word: str) -> str:
    """Endings of cases only: a stemmer takes Иванов for a form of Иван, and Иванова for another word."""
    own = full_name(own_form(word))
    return own if len(own) < FEWEST else _ENDING.sub("", own)


def mentions(text: str, stems: set[str]) -> Iterator[Found]:
    """Words with a capital that are parts of names which are known by now; in small letters two of them."""
    words = words_of(text)
    yield from _small(text, words, stems)
    for word in words:
        if word.capital and word.end - word.start > 2 and not _is_word_here(word):
            key = key_of(text[word.start : word.end])
            if key and stems.issuperset(key.split()):
                yield Found("PERSON", word.start, word.end, key)


def _small(text: str, words: list[Word], stems: set[str]) -> Iterator[Found]:
    """Of a known name two words that stand beside each other."""
    for one, two in pairwise(words):
        if one.capital or two.capital or text[one.end : two.start] != " ":
            continue
        key = key_of(text[one.start : two.end])
        if " " in key and stems.issuperset(key.split()) and not (is_stop(one.own) or is_stop(two.own)):
            yield Found("PERSON", one.start, two.end, key)


def _is_word_here(word: Word) -> bool:
    """True for a month, and for what begins a sentence as a word, once May Lee and Will Lee are known."""
    if is_calendar(word.own):
        return True
    return word.begins and (word.own in BEGINNINGS or is_ambiguous(word.own) or is_stop(word.own))
