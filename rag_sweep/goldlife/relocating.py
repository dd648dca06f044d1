"""Spans of evidence in new documents: where the same text stands now, if that can be told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rag_sweep.dataset.documents import Documents
from rag_sweep.dataset.fields import as_id
from rag_sweep.dataset.jsonl import shown
from rag_sweep.goldlife.idmap import IdMap

Values = Mapping[str, Any]

Target = tuple[str, int | None]
"""A new document, and where the old text begins in it, if the map says so."""


@dataclass(frozen=True)
class PlacedSpan:
    """What became of a span.

    Attributes
    ----------
    old, new
        As it stood in the gold and as it stands now; `new` is `old` itself where nothing changed, and None
        where it is lost or where more must be known.
    evidence
        Its text, as far as it is known.
    lost
        Why its place can't be told.
    needs
        What must be given before anything can be said of it; nothing is written then.
    is_checked
        False where the new document isn't known.
    """

    old: Values
    new: Values | None
    evidence: str | None = None
    lost: str | None = None
    needs: str | None = None
    is_checked: bool = True

    @property
    def doc_id(self) -> str | None:
        """The new document; None where it has none."""
        return None if self.new is None else as_id(self.new["doc_id"])


@dataclass(frozen=True, eq=False)
class Relocator:
    """Places spans by a map, the old documents and the new ones; `new` is None where they aren't known."""

    idmap: IdMap
    old: Documents
    new: Documents | None

    def place(self, span: Values) -> PlacedSpan:
        """Find the place of a sound span, ``{"doc_id", "start", "end"}`` or ``{"doc_id", "quote"}`` or both.

        A span is at its old characters where the document is the same, or where the map says how far it has
        moved; else where its text stands, if that is one place in all the documents that the old one became.
        """
        doc_id = as_id(span["doc_id"]) or ""
        rows = self.idmap.of.get(doc_id)
        targets: list[Target] = [(doc_id, None)]
        if rows is not None:
            targets = [(row.new, row.offset) for row in rows if row.new is not None]
        evidence, start = self._known(span, doc_id)
        if not targets:
            return PlacedSpan(span, None, evidence, lost="its document is gone")
        if self.new is None:
            return self._renamed(span, targets, evidence)
        length = _length(span, evidence)
        moved = list(self._moved(self.new, doc_id, targets, start, evidence, length))
        if len(moved) == 1:
            return PlacedSpan(span, self._at(self.new, span, *moved[0], evidence), evidence)
        if evidence is None:
            told = "is known by its characters alone: give the old documents (dataset.documents=…) too"
            return PlacedSpan(span, None, needs=told)
        return self._searched(self.new, span, [target for target, _ in targets], evidence)

    def _known(self, span: Values, doc_id: str) -> tuple[str | None, int | None]:
        """Text and first character, as far as they can be told."""
        document = self.old.by_id.get(doc_id)
        quote, start = span.get("quote"), span.get("start")
        if document is None:
            return quote, start
        if start is None:
            return quote, document.text.find(str(quote))
        return document.text[start : span["end"]], start

    def _renamed(self, span: Values, targets: list[Target], evidence: str | None) -> PlacedSpan:
        """Without the new documents: what keeps its text keeps its span."""
        target, offset = targets[0]
        by_characters = span.get("start") is not None
        joined = self.idmap.joins(target, self.old.places)
        if len(targets) > 1 or (joined and by_characters and offset is None):
            told = "its document is split" if len(targets) > 1 else f'"{target}" is made of several documents'
            return PlacedSpan(span, None, evidence, needs=f"{told}: give the new ones by --documents")
        if as_id(span["doc_id"]) == target and not offset:
            return PlacedSpan(span, span, evidence)
        moved = {**span, "doc_id": target}
        if by_characters and offset:
            moved.update(start=span["start"] + offset, end=span["end"] + offset)
        if by_characters and moved["start"] < 0:
            return PlacedSpan(span, None, evidence, lost=f'by its offset it stands before "{target}" begins')
        return PlacedSpan(span, moved, evidence, is_checked=False)

    def _moved(
        self,
        new: Documents,
        doc_id: str,
        targets: list[Target],
        start: int | None,
        evidence: str | None,
        length: int | None,
    ) -> Iterator[tuple[str, int]]:
        """Places at a known distance from the old one that hold the same text, as far as that is known."""
        old = self.old.by_id.get(doc_id)
        for target, offset in targets:
            text = new.by_id[target].text
            if offset is None and old is not None and old.text == text:
                offset = 0
            if offset is None or start is None or length is None:
                continue
            at = start + offset
            inside = at >= 0 and at + length <= len(text)
            if inside and (evidence is None or text[at : at + length] == evidence):
                yield target, at

    def _searched(self, new: Documents, span: Values, targets: list[str], evidence: str) -> PlacedSpan:
        found = [(target, at) for target in targets for at in _places(new.by_id[target].text, evidence)]
        if len(found) == 1:
            return PlacedSpan(span, self._at(new, span, *found[0], evidence), evidence)
        named = ", ".join(f'"{target}"' for target in targets)
        if found:
            where = " and ".join(f'{at} of "{target}"' for target, at in found[:2])
            return PlacedSpan(span, None, evidence, lost=f"its text stands at several places: at {where}")
        folded = _folded(evidence)
        near = any(folded in _folded(new.by_id[target].text) for target in targets)
        hint = "; it is there with other white space or letter case" if near else ""
        return PlacedSpan(span, None, evidence, lost=f"its text isn't in {named}{hint}")

    def _at(self, new: Documents, span: Values, target: str, at: int, evidence: str | None) -> Values:
        """The span in its form, at another place; itself where it is the same one."""
        length = _length(span, evidence) or 0
        moved = dict(span) if as_id(span["doc_id"]) == target else {**span, "doc_id": target}
        several = evidence is not None and len(list(_places(new.by_id[target].text, evidence))) > 1
        if span.get("start") is not None or several:
            moved.update(start=at, end=at + length)
        return span if moved == span else moved


def _length(span: Values, evidence: str | None) -> int | None:
    if evidence is not None:
        return len(evidence)
    return None if span.get("start") is None else int(span["end"] - span["start"])


def _places(text: str, evidence: str) -> Iterator[int]:
    """Where a text stands, the first two places."""
    first = text.find(evidence)
    if first >= 0:
        yield first
        second = text.find(evidence, first + 1)
        if second >= 0:
            yield second


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def what_to_do(placed: PlacedSpan) -> str:
    """How to mark the evidence of a lost span again."""
    text = "" if placed.evidence is None else f" (it was {shown(placed.evidence)})"
    return f'mark it again by hand: {{"doc_id": …, "quote": …}} among the spans of the question{text}'
