"""Where a text can be cut without cutting a word, and how many words lie between two places."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

Interval: TypeAlias = tuple[int, int]
"""Characters ``[start, end)``."""

WORD = re.compile(r"[^\W_]+")


class Words:
    """The words ``[^\\W_]+`` of a text. A place in it counts characters and is never inside a word."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: list[Interval] = [match.span() for match in WORD.finditer(text)]

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.spans]

    def before(self, place: int) -> int:
        """Number of words before `place`."""
        return bisect_left(self._starts, place)

    def count(self, piece: Interval) -> int:
        """Number of words in `piece`."""
        return self.before(piece[1]) - self.before(piece[0])

    def useful(self, borders: Iterable[int]) -> list[int]:
        """Those of the ascending `borders` that have words on both sides.

        Of several borders without a word between them the last is kept: a rule, a closing fence or a bracket
        belongs to what stands before it.
        """
        last = {self.before(border): border for border in borders}
        return [border for at, border in last.items() if 0 < at < len(self.spans)]

    def trimmed(self, pieces: Iterable[Interval]) -> list[Interval]:
        """The pieces without white space at their ends, save at the start and the end of the text."""
        spans = [self._stripped(piece) for piece in pieces]
        spans[0] = (0, spans[0][1])
        spans[-1] = (spans[-1][0], len(self.text))
        return spans

    def _stripped(self, piece: Interval) -> Interval:
        start, end = piece
        inner = self.text[start:end]
        return start + len(inner) - len(inner.lstrip()), start + len(inner.rstrip())

    def glued(self, at: int) -> bool:
        """True if only combining marks part word `at` from the word before.

        A stress mark isn't in ``[^\\W_]+``: «за́мок» is two words of that pattern, but one to a reader.
        """
        gap = self.text[self.spans[at - 1][1] : self.spans[at][0]] if 0 < at < len(self.spans) else ""
        return bool(gap) and all(unicodedata.category(sign).startswith("M") for sign in gap)


def cut(piece: Interval, borders: list[int]) -> list[Interval]:
    """The parts of `piece` between the `borders` (ascending) that lie inside it."""
    start, end = piece
    inside = borders[bisect_left(borders, start + 1) : bisect_left(borders, end)]
    return list(pairwise([start, *inside, end]))


def windows(words: Words, piece: Interval, size: int, overlap: int = 0) -> list[Interval]:
    """Windows of `size` words of `piece`, each starting ``size - overlap`` words after the one before.

    A window reaches from its first word (the first one: from the start of the piece) to the word after its
    last one (the last one: to the end of the piece), so what stands between two words is read with the word
    before it. The last window is the first that reaches the end. A word with combining marks inside isn't
    cut: a window ends before it and the next begins with it, unless it is longer than a whole window.
    """
    first_word, end_word = words.before(piece[0]), words.before(piece[1])
    return [
        (
            piece[0] if first == first_word else words.spans[first][0],
            piece[1] if last == end_word else words.spans[last][0],
        )
        for first, last in _ranges(words, first_word, end_word, size, overlap)
    ]


def _ranges(words: Words, first: int, end: int, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    last = first
    while first + size < end:
        last = _not_glued(words, first + size, last)
        yield first, last
        first = _not_glued(words, last - overlap, first)
    yield first, end


def _not_glued(words: Words, at: int, above: int) -> int:
    """The last word that begins a word with its marks, not after `at` and after `above`; else the nearest."""
    for candidate in range(at, above, -1):
        if not words.glued(candidate):
            return candidate
    return max(at, above + 1)
