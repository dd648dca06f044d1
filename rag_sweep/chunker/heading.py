"""Markdown sections, bounded in length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rag_sweep.checks import is_count, require
from rag_sweep.chunker.boundaries import Interval, Words, cut, windows
from rag_sweep.chunker.markdown import Kind, Line, lines, paragraph_starts, section_starts
from rag_sweep.chunker.sentences import sentence_starts


@dataclass(frozen=True)
class HeadingChunker:
    r"""Markdown sections by their ATX headings (``#`` to ``######``, not those inside fenced code).

    A heading belongs to its section, and is never parted from what follows it: one without text of its own
    goes with the next section. A section that is too long is cut at paragraphs, which are put together again
    as far as they fit; a paragraph that is too long at sentences, a sentence that is too long at words. A
    text without headings is one section.

    Parameters
    ----------
    max_words
        No passage has more words ``[^\W_]+`` than this, >= 1.
    min_words
        A passage with fewer is put together with the one that follows, as long as both fit into `max_words`;
        0 to max_words.

    Raises
    ------
    ConfigError
        For bounds that cannot be.
    """

    max_words: int = 300
    min_words: int = 0

    def __post_init__(self) -> None:
        require("chunker.max_words", self.max_words, "an int >= 1", is_count(self.max_words))
        allowed = f"an int from 0 to max_words (chunker.max_words is {self.max_words})"
        holds = is_count(self.min_words, 0) and self.min_words <= self.max_words
        require("chunker.min_words", self.min_words, allowed, holds)

    def split(self, text: str) -> list[tuple[int, int]]:
        """Character spans of the sections or their parts, none overlapping."""
        words = Words(text)
        of = lines(text)
        headings = _after_headings(words, of)
        sections = cut((0, len(text)), _allowed(words, section_starts(of), headings))
        finer = [
            _allowed(words, paragraph_starts(of), headings),
            _allowed(words, sentence_starts(words), headings),
        ]
        bounded = [part for section in sections for part in self._bounded(words, section, finer)]
        return words.trimmed(_merged(bounded, lambda left, both: self._belong(words, left, both)))

    def _bounded(self, words: Words, piece: Interval, finer: list[list[int]]) -> list[Interval]:
        """`piece` in parts of at most `max_words` words, cut at the first of the `finer` borders that do."""
        if words.count(piece) <= self.max_words:
            return [piece]
        if not finer:
            return windows(words, piece, self.max_words)
        parts = _merged(cut(piece, finer[0]), lambda _, both: words.count(both) <= self.max_words)
        return [small for part in parts for small in self._bounded(words, part, finer[1:])]

    def _belong(self, words: Words, left: Interval, both: Interval) -> bool:
        return words.count(left) < self.min_words and words.count(both) <= self.max_words


def _after_headings(words: Words, of: list[Line]) -> frozenset[int]:
    """Numbers of the words that come next after a heading."""
    return frozenset(words.before(line.end) for line in of if line.kind is Kind.HEADING)


def _allowed(words: Words, borders: list[int], headings: frozenset[int]) -> list[int]:
    """The borders that part words from words, but no heading from what follows it."""
    return [border for border in words.useful(borders) if words.before(border) not in headings]


def _merged(pieces: list[Interval], fits: Callable[[Interval, Interval], bool]) -> list[Interval]:
    """Neighbouring pieces put together, from left to right, while ``fits(left, both)``."""
    merged = pieces[:1]
    for piece in pieces[1:]:
        both = (merged[-1][0], piece[1])
        if fits(merged[-1], both):
            merged[-1] = both
        else:
            merged.append(piece)
    return merged
