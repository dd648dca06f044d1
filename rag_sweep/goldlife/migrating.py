"""What a map of documents makes of a question's judgements and evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_sweep.goldlife.idmap import IdMap, MapRow
from rag_sweep.goldlife.relocating import PlacedSpan, Relocator, Values, what_to_do
from rag_sweep.records import Question

Change = dict[str, Any]
"""A line of the log: what, question, document, why; plain data."""


@dataclass(frozen=True)
class Migrated:
    """A question after a migration.

    Attributes
    ----------
    targets
        For each document that it judged, the ones that have the judgement now.
    grades
        Of the new documents; where several came together, the highest.
    spans
        What became of each span, in the order of the gold.
    changes
        For the log; empty where nothing changed.
    """

    query_id: str
    targets: Mapping[str, tuple[str, ...]]
    grades: Mapping[str, int]
    spans: tuple[PlacedSpan, ...]
    changes: tuple[Change, ...]
    is_emptied: bool

    @property
    def lost(self) -> tuple[PlacedSpan, ...]:
        """The spans whose place can't be told."""
        return tuple(span for span in self.spans if span.lost is not None)


def migrated(question: Question, spans: Sequence[Values], relocator: Relocator) -> Migrated:
    """Apply a map to one question.

    A document that was split hands its judgement to the parts that hold the question's evidence, the other
    parts have none then; without evidence, and where it isn't relevant, every part has it. Of documents that
    were joined the highest grade stays.

    Parameters
    ----------
    spans
        Its spans as they stand in the gold.
    """
    placed = tuple(map(relocator.place, spans))
    targets = {
        doc_id: _targets(relocator.idmap, doc_id, grade, placed) for doc_id, grade in question.grades.items()
    }
    grades: dict[str, int] = {}
    for doc_id, new in targets.items():
        for target in new:
            grade = question.grades[doc_id]
            grades[target] = max(grade, grades.get(target, grade))
    emptied = not question.is_negative and not any(grade > 0 for grade in grades.values())
    changes = [
        *_of_documents(question, relocator.idmap, targets, grades, placed),
        *_of_spans(question, relocator.idmap, placed),
        *([_emptied(question, relocator.idmap)] if emptied else []),
    ]
    return Migrated(question.query_id, targets, grades, placed, tuple(changes), emptied)


def _targets(idmap: IdMap, doc_id: str, grade: int, placed: Sequence[PlacedSpan]) -> tuple[str, ...]:
    rows = idmap.of.get(doc_id)
    if rows is None:
        return (doc_id,)
    new = tuple(row.new for row in rows if row.new is not None)
    if len(new) < 2 or grade <= 0:
        return new
    holding = _holding(doc_id, placed)
    return tuple(target for target in new if target in holding) or new


def _holding(doc_id: str, placed: Sequence[PlacedSpan]) -> set[str]:
    """The parts of a document that hold evidence which stood in it."""
    return {span.doc_id for span in placed if str(span.old["doc_id"]) == doc_id and span.doc_id is not None}


def _of_documents(
    question: Question,
    idmap: IdMap,
    targets: Mapping[str, tuple[str, ...]],
    grades: Mapping[str, int],
    placed: Sequence[PlacedSpan],
) -> list[Change]:
    found: list[Change] = []
    for doc_id, new in targets.items():
        rows = idmap.of.get(doc_id, ())
        grade = question.grades[doc_id]
        now = max((grades[target] for target in new), default=grade)
        if not any(row.changes for row in rows) and now == grade:
            continue
        change: Change = {
            "what": _kind(idmap, rows, new, question.grades),
            "question": question.query_id,
            "document": doc_id,
            "to": list(new),
            "grade": grade,
        }
        if now != grade:
            change["new_grade"] = now
        parts = [row.new for row in rows if row.new is not None]
        if len(parts) > 1:
            change["unjudged_now"] = [part for part in parts if part not in new]
            change["look_at_it"] = grade > 0 and not _holding(doc_id, placed)
        found.append({**change, "reason": _reason(rows)})
    return found


def _kind(idmap: IdMap, rows: Sequence[MapRow], new: Sequence[str], judged: Mapping[str, int]) -> str:
    if rows and all(row.new is None for row in rows):
        return "removed"
    if sum(row.new is not None for row in rows) > 1:
        return "split"
    return "joined" if any(idmap.joins(target, judged) for target in new) else "renamed"


def _of_spans(question: Question, idmap: IdMap, placed: Sequence[PlacedSpan]) -> list[Change]:
    found: list[Change] = []
    for span in placed:
        if span.new is span.old or span.needs is not None:
            continue
        change: Change = {"what": "span moved", "question": question.query_id, "from": dict(span.old)}
        if span.new is not None:
            change["to"] = dict(span.new)
        else:
            change.update(what="span lost", evidence=span.evidence, why=span.lost, to_do=what_to_do(span))
        rows = idmap.of.get(str(span.old["doc_id"]), ())
        found.append({**change, "reason": _reason(rows) or "the text of the document has changed"})
    return found


def _emptied(question: Question, idmap: IdMap) -> Change:
    rows = [row for doc_id in question.relevant for row in idmap.of.get(doc_id, ())]
    return {"what": "no relevant document left", "question": question.query_id, "reason": _reason(rows)}


def _reason(rows: Sequence[MapRow]) -> str:
    return "; ".join(dict.fromkeys(row.reason for row in rows if row.reason))
