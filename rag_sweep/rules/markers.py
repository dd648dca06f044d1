"""Citation markers in an answer, its sentences, and its text without the markers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise

from rag_sweep.chunker.boundaries import Words
from rag_sweep.chunker.sentences import sentence_starts

_BRACKETS = re.compile(r"\\?\[([^\[\]\n]{1,300}?)\\?\]")
"""Also as Markdown escapes them, ``\\[id\\]``."""
_SOME = re.compile(r"[^\W_]")
_ID = re.compile(r"[^\s,;\[\]]+")


@dataclass(frozen=True, slots=True)
class Marker:
    """One ``[id]``, or ``[id, id]``, at the characters ``[start, end)`` of the answer."""

    ids: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without its markers, and what it cites."""

    text: str
    cites: tuple[str, ...]


def markers(text: str, citable: Collection[str]) -> tuple[Marker, ...]:
    """The citations of an answer.

    Parameters
    ----------
    citable
        Ids that may have spaces in them; any other bracket is a citation if it holds words without spaces,
        parted by commas or semicolons.
    """
    return tuple(
        Marker(ids, match.start(), match.end())
        for match in _BRACKETS.finditer(text)
        if (ids := _ids(match[1], citable))
    )


def _ids(inside: str, citable: Collection[str]) -> tuple[str, ...]:
    if inside.strip() in citable:
        return (inside.strip(),)
    if not _SOME.search(inside):
        return ()  # […]
    parts = [_footnote(part.strip(), citable) for part in re.split(r"[,;]", inside)]
    sound = all(part in citable or _ID.fullmatch(part) for part in parts)
    return tuple(parts) if sound else ()


def _footnote(name: str, citable: Collection[str]) -> str:
    """Markdown's ``[^id]``."""
    return name[1:] if name.startswith("^") and name[1:] in citable else name


def without(text: str, found: Collection[Marker]) -> str:
    """The text with blanks in place of its markers, so that every character stays where it was."""
    parts, at = [], 0
    for marker in found:
        parts += [text[at : marker.start], " " * (marker.end - marker.start)]
        at = marker.end
    return "".join([*parts, text[at:]])


def sentences(
    text: str, citable: Collection[str], parted: Callable[[str], Iterable[int]] = lambda text: ()
) -> tuple[Sentence, ...]:
    """The sentences of an answer; a marker behind the full stop belongs to the sentence before it.

    Where the answer begins with a marker they all stand before their sentences.

    Parameters
    ----------
    parted
        Where each sentence is to be parted further.
    """
    found = markers(text, citable)
    plain = without(text, found)
    spans = [
        part
        for start, end in _spans(plain)
        for part in pairwise([start, *(start + at for at in parted(plain[start:end])), end])
        if plain[slice(*part)].strip()
    ]
    leading = bool(found) and not plain[: found[0].end].strip()
    starts = [start + _blank(plain[start:end]) for start, end in spans]
    ends = [start + len(plain[start:end].rstrip()) for start, end in spans]
    cited: list[list[str]] = [[] for _ in spans]
    for marker in found if cited else ():
        behind = bisect_left(starts, marker.start)
        starts_next = behind < len(starts) and (behind == 0 or marker.start >= ends[behind - 1])
        at = behind if leading and starts_next else behind - 1
        cited[max(at, 0)].extend(marker.ids)
    return tuple(
        Sentence(plain[start:end].strip(), tuple(dict.fromkeys(ids)))
        for (start, end), ids in zip(spans, cited, strict=True)
    )


def _blank(text: str) -> int:
    return len(text) - len(text.lstrip())


def plain(text: str, citable: Collection[str]) -> str:
    """The text without its markers, and without other mentions of ids: «(d1)» claims no number."""
    text = without(text, markers(text, citable))
    named = [re.escape(name) for name in sorted(citable, key=len, reverse=True) if not name.isdigit()]
    if not named:
        return text
    return re.sub(rf"(?<![\w-])(?:{'|'.join(named)})(?![\w-])", lambda match: " " * len(match[0]), text)


def _spans(text: str) -> list[tuple[int, int]]:
    borders = [0, *sentence_starts(Words(text)), len(text)] if text.strip() else []
    return [span for span in pairwise(borders) if text[slice(*span)].strip()]
