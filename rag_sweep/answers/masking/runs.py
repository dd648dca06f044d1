"""Names that are told by their words: a first name, what stands beside it, and surnames in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_sweep.answers.masking.names import (
    is_ambiguous,
    is_calendar,
    is_first_name,
    is_place_too,
    is_stop,
    is_sure_surname,
    is_surname,
)
from rag_sweep.answers.masking.ordinary import (
    BEGINNINGS,
    CITY_BEFORE,
    DETERMINERS,
    SAFE_BEFORE,
    SAFE_BEHIND,
    SPEECH,
)
from rag_sweep.answers.masking.shapes import OF, PARTICLES, PATRONYMIC, RU_UP, UP, Word, words_of

MOST = 4
"""Words of a name."""
FEWEST = 4
"""Letters of a first name that is told in small letters."""

_GAP = re.compile(rf"[^\S\n]{{1,3}}(?:[{RU_UP}{UP}]\.?[^\S\n]{{1,2}}){{0,2}}{OF}")
_SPACE = re.compile(r"[^\S\n]{1,3}")
_SHORT_FOR = re.compile(r"\.?[^\S\n]{0,3}")
SMALL_PATRONYMIC = re.compile(
    r"[а-я]{2,20}(?:(?:[ое]вич|ьич|мич|кич)(?:а|у|ем|ом|е)?|(?:[ое]вн|ичн)(?:а|ы|е|у|ой|ою))"
)
"""In small letters, with е for ё."""
_PATRONYMIC = re.compile(PATRONYMIC)
_PARTICLES = frozenset(PARTICLES)


class Runs:
    """The names of a text, each by the words ``[first, last]`` that it has."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = words_of(text)

    def spans(self) -> Iterator[tuple[int, int]]:
        """Where names stand, in the text's order; none overlaps another."""
        done = -1
        for at in range(len(self._words)):
            name = self._name(at, done) if at > done else None
            while name is not None:
                first, done = name
                if self._is_place(first, done):
                    break
                yield self._words[first].start, self._words[done].end
                beside = self._joined(done)
                name = None if beside is None else (beside, self._right(beside))

    def _name(self, at: int, done: int) -> tuple[int, int] | None:
        """The first and the last word of the name that the word is in, behind the words that are done."""
        if self._is_person(at):
            first, last = self._left(at, done), self._right(at)
            return None if self._words[at].upper and first == last else (first, last)
        return (at, at) if self._is_lone_surname(at) else None

    def _is_person(self, at: int) -> bool:
        word = self._words[at]
        if is_ambiguous(word.own):
            return word.title and self._is_person_here(at)
        return is_first_name(word.own) and (word.title or word.upper or self._is_typed_small(word))

    def _is_typed_small(self, word: Word) -> bool:
        """In small letters, as in a chat; not as part of an address or of a program's name."""
        around = self._text[max(0, word.start - 1) : word.start] + self._text[word.end : word.end + 1]
        return len(word.own) >= FEWEST and not word.capital and not set(around) & set("@/\\_-.#$")

    def _is_person_here(self, at: int) -> bool:
        """Of a first name that is a word as well: what stands around it tells."""
        word, behind, before = self._words[at], self._beside(at, 1), self._beside(at, -1)
        verb = word.begins and word.own in BEGINNINGS
        if behind is not None and behind.title and not is_first_name(behind.own) and is_surname(behind.own):
            return not (verb or is_calendar(word.own)) or self._speaks(at + 1)
        if behind is not None and behind.title and _PATRONYMIC.fullmatch(self._given(behind)):
            return True
        if before is not None and before.title and before.cyrillic and is_surname(before.own):
            return True
        if self._speaks(at) and not is_calendar(word.own):
            return True
        if is_place_too(word.own) or is_calendar(word.own) or verb:
            return False
        return self._stands_alone(at)

    def _stands_alone(self, at: int) -> bool:
        """With no capital beside it; at a sentence's beginning, as who is spoken to or has something."""
        word, behind, before = self._words[at], self._beside(at, 1), self._beside(at, -1)
        if word.begins:
            return word.possessive or self._text[word.end : word.end + 1] == ","
        beside = (one for one in (before, behind) if one is not None and one.capital)
        quoted = self._text[word.start - 1] in "«\"“„'/"
        after = before is not None and before.own in DETERMINERS
        return not (quoted or after or any(one.upper or not one.begins for one in beside))

    def _is_lone_surname(self, at: int) -> bool:
        word, before, behind = self._words[at], self._beside(at, -1), self._beside(at, 1)
        if not word.title or word.begins or is_ambiguous(word.own) or not is_sure_surname(word.own):
            return False
        if before is not None and ((before.capital and not before.begins) or before.own in DETERMINERS):
            return False
        if before is not None and before.begins and before.capital and not is_stop(before.own):
            return False
        return behind is None or not behind.capital

    def _left(self, at: int, done: int) -> int:
        """The first word of a name: a surname before a first name."""
        word, before = self._words[at], self._beside(at, -1)
        if before is None or at - 1 <= done or before.possessive:
            return at
        if not word.capital or not before.capital:
            return at - 1 if before.capital == word.capital and is_sure_surname(before.own) else at
        if is_stop(before.own) or before.own in SAFE_BEFORE:
            return at
        if before.cyrillic != word.cyrillic or is_ambiguous(before.own):
            return at if not is_surname(before.own) else at - 1
        if before.upper != word.upper and not (before.upper and is_surname(before.own)):
            return at
        return at - 1 if not before.begins or is_surname(before.own) else at

    def _right(self, at: int) -> int:
        """The last word of a name."""
        first, last = at, at
        while last - first < MOST + 2:
            behind = self._next(last)
            if behind is None or not self._goes_on(first, last, behind):
                break
            last = behind
        return last

    def _goes_on(self, first: int, last: int, behind: int) -> bool:
        word, before, start = self._words[behind], self._words[last], self._words[first]
        if not start.capital or not word.capital:
            return not word.capital and self._goes_on_small(first, last, word)
        if before.possessive or word.cyrillic != start.cyrillic or word.upper != start.upper:
            return False
        if is_stop(word.own) or word.own in SAFE_BEHIND:
            return False
        if first == last:
            return True
        if word.upper:
            return False
        if is_first_name(word.own) and not is_surname(word.own):
            return is_first_name(before.own)
        named = is_surname(word.own) or _PATRONYMIC.fullmatch(self._given(word)) is not None
        return named or not word.cyrillic

    def _goes_on_small(self, first: int, last: int, word: Word) -> bool:
        """In small letters: a surname that is hardly anything else, or a patronymic and what it goes with."""
        if SMALL_PATRONYMIC.fullmatch(word.own) or (first == last and is_sure_surname(word.own)):
            return True
        fathered = SMALL_PATRONYMIC.fullmatch(self._words[last].own) is not None
        return fathered and is_surname(word.own) and not is_stop(word.own)

    def _joined(self, last: int) -> int | None:
        """The word behind "and", if it may be somebody's name as well."""
        at = last + 1
        if at < len(self._words) and self._words[at].own == "and":
            at += 1
        elif self._text[self._words[last].end : self._words[last].end + 3] != " и ":
            return None
        if at >= len(self._words):
            return None
        word = self._words[at]
        before = self._words[last]
        if not word.title or word.begins or is_stop(word.own) or word.cyrillic != before.cyrillic:
            return None
        return at if word.start - before.end <= len(" and  ") else None

    def _next(self, at: int) -> int | None:
        """The next word with a capital that may belong to the same name."""
        to = at + 1
        while to < len(self._words) and to - at <= MOST and self._words[to].own in _PARTICLES:
            to += 1
        if to >= len(self._words) or (self._words[at].capital and not self._words[to].capital):
            return None
        gap = _GAP.fullmatch(self._text, self._words[at].end, self._words[to].start)
        return to if gap else None

    def _beside(self, at: int, step: int) -> Word | None:
        """The word before or behind, with blanks in between only."""
        to = at + step
        if not 0 <= to < len(self._words):
            return None
        one, two = sorted((self._words[at], self._words[to]))
        end = one.end + 2 * one.possessive
        return self._words[to] if _SPACE.fullmatch(self._text, end, two.start) else None

    def _speaks(self, at: int) -> bool:
        """True if what follows is what people do."""
        behind = self._beside(at, 1) if at < len(self._words) else None
        return behind is not None and behind.own in SPEECH

    def _is_place(self, first: int, last: int) -> bool:
        """True for streets, institutions, and a town that is called so."""
        behind = self._beside(last, 1)
        if behind is not None and behind.title and behind.own in SAFE_BEHIND:
            return True
        if not first:
            return False
        before = self._words[first - 1]
        if not _SHORT_FOR.fullmatch(self._text, before.end, self._words[first].start):
            return False
        return before.own in SAFE_BEFORE or (first == last and before.own in CITY_BEFORE)

    def _given(self, word: Word) -> str:
        return self._text[word.start : word.end]
