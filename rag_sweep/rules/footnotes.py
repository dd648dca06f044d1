"""What an answer says itself that its footnotes and numbers stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rag_sweep.rules.ids import Ids

RAISED = "\u2070\xb9\xb2\xb3\u2074-\u2079"
_LINE = re.compile(
    r"^[ \t]*(?:[-*•][ \t]+)?(?P<front>\\?\[(?P<note>\^)?(?P<label>[\w-]{1,20})\\?\](?P<colon>:)?"
    rf"|(?P<raised>[{RAISED}]{{1,3}})[.:)]?|(?P<item>\d{{1,3}})[.)])[ \t]+(?P<rest>\S[^\n]{{0,400}})$",
    re.MULTILINE,
)
_NUMBER = re.compile(r"\[(\d{1,3})\]")
_HEAD = re.compile(r"\s+[—–-]\s+|:\s|\s*\(|,\s")
_BRACKETED = re.compile(r"\\?\[([^\[\]\n]{1,300})\\?\](?:\(\S*\))?")


@dataclass(frozen=True)
class Footnotes:
    """Labels with the ids that they stand for, and where each is explained.

    A label with no ids is of a note, which cites nothing.

    Attributes
    ----------
    lines
        Characters ``[start, end)`` of each explanation; of a note only its label.
    """

    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lines: Mapping[tuple[int, int], str] = field(default_factory=dict)


def footnotes(text: str, ids: Ids) -> Footnotes:
    """``[^1]: hr-4``, ``[1] hr-4``, ``1. hr-4`` and ``¹ hr-4``, each on a line of its own.

    A label that is an id itself stands for nothing else; one of the numbers of a list must be cited.
    """
    labels: dict[str, tuple[str, ...]] = {}
    lines: dict[tuple[int, int], str] = {}
    found = list(_LINE.finditer(text))
    cited = set(_NUMBER.findall(text))
    listed = any(match["item"] in cited for match in found)
    for match in found:
        label = match["label"] or match["raised"] or match["item"]
        if label in ids or label in labels or (match["item"] and not listed):
            continue
        names = _names(match["rest"], ids)
        is_note = not names and match["note"] and match["colon"]
        if names or is_note:
            labels[label] = names
            lines[match.span("front") if is_note else match.span()] = label
    return Footnotes(labels, lines)


def _names(rest: str, ids: Ids) -> tuple[str, ...]:
    """The ids of an explanation: the whole of it, or what stands before its first dash, colon or comma."""
    rest = _BRACKETED.sub(r"\1", rest).strip()
    head = _HEAD.split(rest, maxsplit=1)[0]
    for one in (rest, head):
        names = ids.read(one, {}) or ()
        if names and all(name in ids for name in names):
            return names
    unknown = rest.rstrip(".;")
    looks = not unknown.isdigit() and not ids.only_by_words(unknown) and ids.looks_like_one(unknown)
    return (unknown,) if looks else ()
