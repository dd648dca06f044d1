"""GOLD lines: the questions, what is relevant to them, and where the evidence stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.dataset.documents import Documents
from rag_sweep.dataset.fields import (
    LARGEST_GRADE,
    as_id,
    errors_at,
    id_of,
    ids_of,
    nearest,
    question_text,
    text_of,
    twice,
)
from rag_sweep.dataset.jsonl import Row, read_rows, shown
from rag_sweep.dataset.source import Judged
from rag_sweep.dataset.spans import checked_spans, read_span
from rag_sweep.errors import DataError, Fault
from rag_sweep.records import Gold, Question, Span

SOURCES = ("feature", "incident", "log", "invented")
"""Where a question comes from; a reference may follow: ``incident-123``."""
KEYS = (
    *("id", "question", "relevant", "expected_doc_ids", "grades", "spans", "tags", "answer"),
    *("source", "author", "date", "reason", "disputed"),
)


def read_gold(path: Path, documents: Documents, version: str | None, faults: list[Fault]) -> Judged:
    """The questions of a GOLD file; a line without an id gets the number of its question, from "1".

    The number counts every question of the file, also those that have an id of their own, but neither
    the line that declares the version nor empty lines. `version` wins over the declared one.
    """
    before = len(faults)
    rows = read_rows(path, faults)
    judged = Judged(version=version)
    lines = _questions(rows or [], judged, faults)
    for number, row in enumerate(lines, 1):
        name, sound = _register(row, number, judged, faults)
        question = _Line(row, documents, name, faults, sound).question()
        if question is not None:
            judged.questions.append(question)
    if rows is not None and not lines and len(faults) == before:
        faults.append(Fault("has no questions", path))
    return judged


def kind_of_source(source: str) -> str | None:
    """One of `SOURCES`, also where a reference stands behind it; None for anything else."""
    kind, dash, reference = source.partition("-")
    return kind if kind in SOURCES and bool(reference.strip()) == bool(dash) else None


def gold_alone(path: Path) -> Gold:
    """A GOLD file without its documents, so that no id can be called unknown.

    Raises
    ------
    DataError
        With every error of the file.
    """
    faults: list[Fault] = []
    judged = read_gold(path, Documents(whole=False), None, faults)
    errors = [fault for fault in faults if fault.level == "error"]
    if errors:
        raise DataError(errors)
    return Gold(tuple(judged.questions), judged.version, judged.unjudged)


def _questions(rows: list[Row], judged: Judged, faults: list[Fault]) -> list[Row]:
    """The rows that are questions; a first one that declares the version is taken out."""
    found = []
    for at, row in enumerate(rows):
        if "gold" not in row.values or "question" in row.values:
            found.append(row)
        elif at > 0:
            faults.append(row.place.fault('the line {"gold": …} must be the first'))
        else:
            declared = _declared_version(row, faults)
            judged.version = judged.version if judged.version is not None else declared
    return found


def _declared_version(row: Row, faults: list[Fault]) -> str | None:
    head = row.values["gold"]
    if not isinstance(head, dict):
        faults.append(row.place.fault(f'"gold" must be an object with "version", got {shown(head)}'))
        return None
    others = [key for key in (*row.values, *head) if key not in ("gold", "version")]
    for key in others:
        faults.append(row.place.fault(f'unknown key "{key}" beside the version', level="warning"))
    return id_of(head, "version", errors_at(row.place, faults))


def _register(row: Row, number: int, judged: Judged, faults: list[Fault]) -> tuple[str | None, bool]:
    """The id of a question, and whether it is one that no question before has."""
    numbered = row.values.get("id") is None
    name = str(number) if numbered else id_of(row.values, "id", errors_at(row.place, faults))
    if name is None:
        return None, False
    first = judged.places.setdefault(name, row.place)
    if first is row.place:
        return name, True
    why = "; this line has no id and so its number in the file" if numbered else ""
    faults.append(
        row.place.fault(f"duplicate question id: it is also the id of line {first.line}{why}", name)
    )
    return name, False


@dataclass
class _Line:
    """One question being read; an error in any part makes it none."""

    row: Row
    documents: Documents
    query_id: str | None
    faults: list[Fault]
    sound: bool

    def error(self, what: str) -> None:
        self.sound = False
        self.faults.append(self.row.place.fault(what, self.query_id))

    def warn(self, what: str) -> None:
        self.faults.append(self.row.place.fault(what, self.query_id, "warning"))

    def question(self) -> Question | None:
        self._check_keys()
        text = question_text(self.row.values, "question", self.error)
        grades = self._grades()
        span_rows = self._span_rows()
        spans = self._spans(span_rows, grades)
        self._check_documents([*grades, *(as_id(row.get("doc_id")) for row in span_rows)])
        tags, answer, provenance = self._tags(), self._text("answer"), self._provenance()
        if not self.sound or self.query_id is None:
            return None
        return Question(self.query_id, text, grades, spans, tags, answer, provenance)

    def _check_keys(self) -> None:
        for key in self.row.values:
            if key not in KEYS:
                near = nearest(key, KEYS)
                self.warn(f'unknown key "{key}"' + (f' (is it "{near}"?)' if near else ""))

    def _grades(self) -> dict[str, int]:
        """Every judged document: grade 1 for a relevant one, unless `grades` says otherwise."""
        relevant = self._relevant()
        given = self._given_grades()
        for doc_id, grade in given.items():
            if grade < 0:
                self.warn(f'grade below 0, it counts as not relevant: "{doc_id}" has {grade}')
            if grade <= 0 and doc_id in (relevant or ()):
                self.error(f'"{doc_id}" is relevant, yet its grade is {grade}')
        positive = [doc_id for doc_id, grade in given.items() if grade > 0]
        if relevant == [] and positive:
            self.error(f'no document is relevant, yet "{positive[0]}" has the grade {given[positive[0]]}')
        return {**dict.fromkeys(relevant or [], 1), **given}

    def _relevant(self) -> list[str] | None:
        values = self.row.values
        given = [key for key in ("relevant", "expected_doc_ids") if values.get(key) is not None]
        if len(given) == 2:
            self.error('has both "relevant" and "expected_doc_ids"; give one of them')
        found = ids_of(values, given[0] if given else "relevant", self.error)
        for doc_id in twice(found or []):
            self.warn(f'a document is relevant twice: "{doc_id}"')
        return found

    def _given_grades(self) -> dict[str, int]:
        grades = self.row.values.get("grades")
        if grades is None:
            return {}
        if not isinstance(grades, dict):
            self.error(f'"grades" must be an object {{"document id": int}}, got {shown(grades)}')
            return {}
        return {doc_id: grade for doc_id, grade in grades.items() if self._is_grade(doc_id, grade)}

    def _is_grade(self, doc_id: str, grade: Any) -> bool:
        good = isinstance(grade, int) and not isinstance(grade, bool) and abs(grade) <= LARGEST_GRADE
        if not good:
            self.error(f'the grade of "{doc_id}" must be an int up to {LARGEST_GRADE}, got {shown(grade)}')
        return good

    def _span_rows(self) -> list[dict[str, Any]]:
        rows = self.row.values.get("spans")
        if rows is None:
            return []
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            return rows
        self.error(f'"spans" must be a list of objects, got {shown(rows)}')
        return []

    def _spans(self, rows: list[dict[str, Any]], grades: Mapping[str, int]) -> tuple[Span, ...]:
        read = [self._span(number, row) for number, row in enumerate(rows, 1)]
        placed = [(self.row.place, span) for span in read if span is not None]
        return checked_spans(placed, self.query_id, grades, self.faults)

    def _span(self, number: int, row: dict[str, Any]) -> Span | None:
        return read_span(row, self.documents, lambda what: self.error(f"span {number}: {what}"))

    def _check_documents(self, doc_ids: list[str | None]) -> None:
        for doc_id in dict.fromkeys(doc_ids):
            what = None if doc_id is None else self.documents.unknown(doc_id)
            if what is not None:
                self.error(what)

    def _tags(self) -> tuple[str, ...]:
        tags = self.row.values.get("tags")
        if tags is None:
            return ()
        if isinstance(tags, list) and all(isinstance(tag, str) and tag.strip() for tag in tags):
            return tuple(dict.fromkeys(tags))
        self.error(f'"tags" must be a list of non-empty strings, got {shown(tags)}')
        return ()

    def _text(self, key: str) -> str | None:
        return text_of(self.row.values, key, self.error) if self.row.values.get(key) is not None else None

    def _provenance(self) -> dict[str, str | bool]:
        texts = {key: self._text(key) for key in ("source", "author", "date", "reason")}
        found: dict[str, str | bool] = {key: text for key, text in texts.items() if text is not None}
        if "source" in found and kind_of_source(str(found["source"])) is None:
            self.error(f'"source" must be one of {", ".join(SOURCES)}, got {shown(found["source"])}')
        disputed = self.row.values.get("disputed")
        if isinstance(disputed, bool):
            found["disputed"] = disputed
        elif disputed is not None:
            self.error(f'"disputed" must be true or false, got {shown(disputed)}')
        return found
