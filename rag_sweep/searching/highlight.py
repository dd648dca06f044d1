"""Where a text has the words of a question, as its analyzer sees them: stems match stems."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rag_sweep.analyzer import Analyzer

_PIECE = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Match:
    """Characters ``[start, end)`` of a text that have these tokens of the question."""

    start: int
    end: int
    tokens: tuple[str, ...]

    def to_dict(self, offset: int = 0) -> dict[str, Any]:
        """As plain data, the places moved by `offset`."""
        return {"start": self.start + offset, "end": self.end + offset, "tokens": list(self.tokens)}


@dataclass(frozen=True, eq=False)
class Highlighter:
    """Finds the words of a text whose tokens a question has.

    An analyzer tells tokens, not where they stand. So it is asked about each piece between white space, and
    about each word of a piece in which it finds something; a piece that only matches as a whole is marked as
    a whole.
    """

    analyzer: Analyzer
    wanted: Collection[str]

    def matches(self, text: str) -> tuple[Match, ...]:
        """The matching words, in order."""
        return tuple(match for piece in _PIECE.finditer(text) for match in self._in_piece(piece))

    def words(self, text: str) -> dict[str, str]:
        """The first word of a text that each token comes from."""
        found: dict[str, str] = {}
        for match in self.matches(text):
            for token in match.tokens:
                found.setdefault(token, text[match.start : match.end])
        return found

    def _in_piece(self, piece: re.Match[str]) -> Iterator[Match]:
        if not self._tokens_of(piece[0]):
            return
        found = False
        for start, end in words(piece[0]):
            if tokens := self._tokens_of(piece[0][start:end]):
                found = True
                yield Match(piece.start() + start, piece.start() + end, tokens)
        if not found:
            yield Match(piece.start(), piece.end(), self._tokens_of(piece[0]))

    def _tokens_of(self, text: str) -> tuple[str, ...]:
        """The question's tokens in a text."""
        if text not in self._known:
            tokens = dict.fromkeys(self.analyzer.tokens(text))
            self._known[text] = tuple(token for token in tokens if token in self.wanted)
        return self._known[text]

    @cached_property
    def _known(self) -> dict[str, tuple[str, ...]]:
        return {}


def words(text: str) -> Iterator[tuple[int, int]]:
    """Runs of letters and digits with the marks on them, as ``[start, end)``; an accent parts no word."""
    start = None
    for at, sign in enumerate(text):
        inside = sign.isalnum() or (start is not None and unicodedata.category(sign).startswith("M"))
        if inside and start is None:
            start = at
        elif not inside and start is not None:
            yield start, at
            start = None
    if start is not None:
        yield start, len(text)
