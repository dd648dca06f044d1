"""Citation markers in an answer, its sentences, and its text without the markers."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from rag_sweep.chunker.boundaries import Words
from rag_sweep.chunker.sentences import sentence_starts
from rag_sweep.rules.footnotes import RAISED, Footnotes, footnotes
from rag_sweep.rules.ids import SOURCE, Ids, ids_of

_Span: TypeAlias = tuple[int, int]

_ADDRESS = (
    r"(?:[\w./-]{1,200}\.[a-z]{2,5}(?=[)#\s])|[a-z][a-z0-9+.-]{1,20}:|www\.|[/#]|\.{1,2}/)"
    r"[^\s()<>]*+(?:\([^\s()<>]*+\)[^\s()<>]*+)*+"
)
_BRACKETS = re.compile(
    r"\\?\[(?P<inside>[^\[\]\n]{1,300}?)\\?\]|【(?P<wide>[^【】\n]{1,300})】"
    rf"|\((?P<said>{SOURCE}\s*:[^()\[\]\n]{{1,300}})\)"
    rf"|(?:^[ \t]*|(?<=[.!?]\s))(?P<line>{SOURCE}\s*:[^()\[\]\n]{{1,300}})$",
    re.IGNORECASE | re.MULTILINE,
)
"""Also as Markdown escapes them, ``\\[id\\]``; ``(source: id)``, and the same at the end of a line."""
_LINK = re.compile(rf"\((?:{_ADDRESS})(?:\s+\"[^\"\n]{{0,200}}\")?\)", re.IGNORECASE)
_RAISED = re.compile(rf"[{RAISED}]{{1,3}}")
_URL = re.compile(r"\b(?:https?://|www\.)[^\s<>\[\]«»\"]++", re.IGNORECASE)
_CODE = re.compile(
    r"^(```|~~~)[^\n]*\n(?:(?!\1)[^\n]*+(?:\n|\Z))*+(?:\1|\Z)|(`{1,2})[^`\n]++\2", re.MULTILINE
)
_INDEX = re.compile(r"(?<=[\w)\]])\[\d{1,3}\]|\[F\d{1,2}\]")
"""Of code, and keys: what is left of brackets when the citations are gone."""
_CHECKBOX = re.compile(r"(?:^|\n)[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+$")
_INDEXED = re.compile(r"(?:(?<![^\W_])[A-Za-z]|\w*_\w*|[)\]])$")
_PRESSED = re.compile(
    r"\b(?:press|click|tap|hit|select|choose|push|open|type|enter|buttons?|keys?|fields?|menu|tab|link"
    r"|наж\w+|выб[еи]р\w+|кнопк\w+|клавиш\w*|пол[еяю]|вкладк\w+|пункт\w*|введ\w+|откр\w+|перейд\w+)"
    r"(?:\W+\w+){0,2}\W*$",
    re.IGNORECASE,
)
_SOURCE_LINE = re.compile(r"\W*(?:sources?|ref(?:erence)?s?|citations?|источник\w*)\s*:", re.IGNORECASE)
"""Not ``Documents: 5``, nor «См.: НДФЛ-2», which may tell something."""
_CLAUSE_ENDS = re.compile(r"\s*(?:$|[.,;:!?)»”\"\[\n])")
LOOKED_BACK = 60
"""Characters before a bracket that tell what it is."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One ``[id]``, or ``[id, id]``, at the characters ``[start, end)`` of the answer.

    Without ids it is a footnote that cites nothing. One that `explains` a label, ``[^1]: id``, stands beside
    no sentence.
    """

    ids: tuple[str, ...]
    start: int
    end: int
    explains: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without its markers, and what it cites."""

    text: str
    cites: tuple[str, ...]


def markers(text: str, citable: Collection[str]) -> tuple[Marker, ...]:
    """The citations of an answer, in its order.

    A bracket cites if it names ids that may be cited, in any of their forms, or what can be nothing but an
    id: letters with digits, a short number, a word of the same form as an id at the end of a clause.

    Parameters
    ----------
    citable
        Ids that may be cited.
    """
    return _markers(text, tuple(citable))


@lru_cache(maxsize=256)
def _markers(text: str, citable: tuple[str, ...]) -> tuple[Marker, ...]:
    ids = ids_of(citable)
    notes = footnotes(text, ids)
    code = [match.span() for match in _CODE.finditer(text)] if "`" in text or "~~~" in text else []
    explained = sorted(notes.lines)
    found = list(_brackets(text, ids, notes, code, explained))
    used = {label for _, label in found}
    found += [
        (Marker(notes.labels[label], start, end, bool(used & notes.labels.keys())), "")
        for (start, end), label in notes.lines.items()
    ]
    return tuple(sorted((marker for marker, _ in found), key=lambda marker: marker.start))


def _brackets(
    text: str, ids: Ids, notes: Footnotes, code: Sequence[_Span], explained: Sequence[_Span]
) -> Iterator[tuple[Marker, str]]:
    """Each citing bracket, with the label that it is of."""
    for match in _BRACKETS.finditer(text):
        inside = match[match.lastgroup or 0]
        link = _LINK.match(text, match.end())
        before = text[match.start() - 1 : match.start()]
        if (link and before == "!") or _within(match.start(), explained):
            continue
        names, end = ids.read(inside, notes.labels), (link or match).end()
        if names is None and (lead := _SOURCE_LINE.match(inside)) and (match["said"] or match["line"]):
            names = ids.read(inside[lead.end() :].strip(" \t.`"), notes.labels)
        if names is None and link and before == "(" and text.startswith(")", end):
            yield Marker((inside,), match.start(), end), ""  # a link alone in brackets cites what is no id
        elif names is not None and _stands_as_one(match, names, ids, _within(match.start(), code)):
            yield Marker(names, match.start(), end), inside.strip().removeprefix("^")
    yield from _raised(text, notes, explained)


def _raised(text: str, notes: Footnotes, explained: Sequence[_Span]) -> Iterator[tuple[Marker, str]]:
    """Small numbers above the line, of those that are explained."""
    if any(_RAISED.fullmatch(label) for label in notes.labels):
        for match in _RAISED.finditer(text):
            if match[0] in notes.labels and not _within(match.start(), explained):
                yield Marker(notes.labels[match[0]], *match.span()), match[0]


def _within(place: int, spans: Sequence[_Span]) -> bool:
    at = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return at >= 0 and place < spans[at][1]


def _stands_as_one(match: re.Match[str], names: tuple[str, ...], ids: Ids, in_code: bool) -> bool:
    """False for an index (``x[1]``), a box to check, a key to press, and a letter of a word (``[t]he``)."""
    text, start, end = match.string, match.start(), match.end()
    before = text[max(0, start - LOOKED_BACK) : start]
    unknown = [name for name in names if name not in ids]
    numbers = all(name.isdigit() for name in names)
    if in_code and before[-1:].strip() and (unknown or numbers):
        return False
    if not unknown or match["said"] or match["line"]:
        return not unknown or (bool(_SOURCE_LINE.match(match[0])) and all(map(ids.is_like, unknown)))
    if in_code or text[end : end + 1].isalpha() or _INDEXED.search(before) or _CHECKBOX.search(before):
        return text[start - 1 : start] == "]" and not in_code
    words = any(ids.only_by_words(name) for name in unknown)
    return not words or (bool(_CLAUSE_ENDS.match(text, end)) and not _PRESSED.search(before))


def without(text: str, found: Collection[Marker]) -> str:
    """The text with blanks in place of its markers, so that every character stays where it was."""
    parts, at = [], 0
    for marker in found:
        parts += [text[at : marker.start], " " * (marker.end - marker.start)]
        at = marker.end
    return "".join([*parts, text[at:]])


def without_addresses(text: str) -> str:
    """The text with blanks in place of URLs, whose digits claim nothing."""
    return _URL.sub(lambda match: " " * len(match[0]), text) if "www." in text or "://" in text else text


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
    found = tuple(marker for marker in found if marker.ids and not marker.explains)
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
    """The text without markers, addresses, indexes, and other mentions of ids: «(d1)» claims no number."""
    text = without_addresses(without(text, markers(text, citable)))
    text = _INDEX.sub(lambda match: " " * len(match[0]), text)
    mixed = [name for name in citable if any(map(str.isdigit, name)) and not name.isdigit()]
    named = [re.escape(name) for name in sorted(mixed, key=len, reverse=True)]
    if not named:  # an id of letters alone may be a word, such as "a", and claims no number
        return text
    return re.sub(rf"(?<![\w-])(?:{'|'.join(named)})(?![\w-])", lambda match: " " * len(match[0]), text)


def _spans(text: str) -> list[tuple[int, int]]:
    borders = [0, *sentence_starts(Words(text)), len(text)] if text.strip() else []
    return [span for span in pairwise(borders) if text[slice(*span)].strip()]
