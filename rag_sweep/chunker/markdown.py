"""The lines of a Markdown (or plain) text by kind, and where its blocks, paragraphs and sections begin.

Only what cutting needs, after CommonMark 0.31: ATX headings (4.2) and fenced code (4.5), and table rows and
list items, which begin a block even without an empty line before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}(?=[^`]*$)|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:\s|$)")
_ROW = re.compile(r"\s*\|")
# Numbers of up to three digits, at any depth («1.2.»): a line that begins with a year goes on.
_ITEM = re.compile(r"\s*(?:[-*+•–—]|(?:\d{1,3}\.)*\d{1,3}[.)]|[IVXLC]+\.|[^\W\d_]\))\s")
_WORD = re.compile(r"[^\W_]")


class Kind(Enum):
    """What a line is. EMPTY has no word and is no code or table row: blank, a rule, an underline."""

    EMPTY = auto()
    HEADING = auto()
    ITEM = auto()
    ROW = auto()
    CODE = auto()
    TEXT = auto()


@dataclass(frozen=True, slots=True)
class Line:
    """The characters ``[start, end)`` of a line, its line end included."""

    start: int
    end: int
    kind: Kind


def lines(text: str) -> list[Line]:
    """All lines of `text`. A fence that is never closed makes code of all that follows, as in CommonMark."""
    return list(_lines(text))


def _lines(text: str) -> Iterator[Line]:
    start, fence = 0, ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line.rstrip())
        kind = Kind.CODE if fence or mark else _kind(line)
        if fence:
            fence = "" if _closes(line, fence) else fence
        elif mark:
            fence = mark["mark"]
        yield Line(start, start + len(line), kind)
        start += len(line)


def _closes(line: str, fence: str) -> bool:
    mark = line.strip()
    indent = len(line) - len(line.lstrip(" "))
    return indent <= 3 and len(mark) >= len(fence) and mark == fence[0] * len(mark)


def _kind(line: str) -> Kind:
    if _HEADING.match(line):
        return Kind.HEADING
    if _ROW.match(line):
        return Kind.ROW
    if not _WORD.search(line):
        return Kind.EMPTY
    return Kind.ITEM if _ITEM.match(line) else Kind.TEXT


def section_starts(of: list[Line]) -> list[int]:
    """Where the ATX headings stand."""
    return [line.start for line in of if line.kind is Kind.HEADING]


def paragraph_starts(of: list[Line]) -> list[int]:
    """Where paragraphs begin: after an empty line, at and after a heading, at the borders of code.

    A list or a table without empty lines is one paragraph.
    """
    return [line.start for before, line in pairwise(of) if _parts(before, line)]


def _parts(before: Line, line: Line) -> bool:
    apart = {Kind.EMPTY, Kind.HEADING} & {before.kind, line.kind}
    return bool(apart) or (before.kind is Kind.CODE) != (line.kind is Kind.CODE)


def block_starts(of: list[Line]) -> list[int]:
    """Where blocks begin: paragraphs, list items, table rows, each line of code."""
    return [line.start for before, line in pairwise(of) if not _continues(before, line)]


def _continues(before: Line, line: Line) -> bool:
    return line.kind is Kind.TEXT and before.kind in (Kind.TEXT, Kind.ITEM)
