"""`rag-sweep gold add-judgements`: a labelled table becomes a new version of the GOLD."""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.dataset.fields import LARGEST_GRADE
from rag_sweep.dataset.places import Place
from rag_sweep.dataset.spreadsheet import Line, read_table
from rag_sweep.errors import DataError, Fault
from rag_sweep.goldlife.in_beir import ENDING, BeirFiles
from rag_sweep.goldlife.in_jsonl import judged_values
from rag_sweep.goldlife.lines import GoldLines
from rag_sweep.goldlife.opened import OpenedGold, open_gold
from rag_sweep.goldlife.sound import sound_gold
from rag_sweep.goldlife.versions import new_version
from rag_sweep.goldlife.writing import log_bytes, log_of, refuse_existing, write_new
from rag_sweep.records import Gold

NEEDED, OPTIONAL = ("query_id", "doc_id", "grade"), ("reason", "author")

_GRADE = re.compile(r"[+-]?[0-9]{1,9}")


@dataclass(frozen=True)
class Judgement:
    """A row that has a grade."""

    place: Place
    query_id: str
    doc_id: str
    grade: int
    author: str
    reason: str
    before: int | None = None


@dataclass(frozen=True)
class Wish:
    """What is to be done with a labelled table.

    Attributes
    ----------
    table, out
        The table; the new version, which mustn't be there.
    gold, documents
        A GOLD file and its documents in place of the dataset's.
    author, reason
        For rows that have none.
    replace
        Take the table's grade where the gold has another one.
    """

    table: Path
    out: Path
    gold: Path | None = None
    documents: Path | None = None
    version: str | None = None
    author: str = ""
    reason: str = ""
    replace: bool = False


@dataclass(frozen=True, eq=False)
class Judged:
    """A new version with further judgements.

    Attributes
    ----------
    taken
        Those that are new or have another grade now.
    known, unlabelled
        Rows whose grade the gold had already; rows without a grade.
    answerable_now, emptied
        Questions that had no relevant document and have one now; and the other way round.
    """

    gold: Gold
    files: tuple[Path, ...]
    taken: tuple[Judgement, ...]
    known: int
    unlabelled: int
    answerable_now: tuple[str, ...]
    emptied: tuple[str, ...]
    fingerprint: str | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "files": [str(file) for file in self.files],
            "version": self.gold.version,
            "gold": self.fingerprint,
            "taken": [_change(one) for one in self.taken],
            "relevant": sum(one.grade > 0 for one in self.taken),
            "known": self.known,
            "unlabelled": self.unlabelled,
            "answerable_now": list(self.answerable_now),
            "without_relevant_now": list(self.emptied),
            "notes": list(self.notes),
        }


def add_judgements(overrides: Sequence[str], wish: Wish) -> Judged:
    """Write a new version of a GOLD with the grades of a table, and a log of them.

    Raises
    ------
    UsageError
        If a file is there already, or can't be written.
    DataError
        With every row that is wrong, or contradicts the gold.
    """
    old = open_gold(overrides, wish.gold, wish.documents)
    in_folder = old.layout == "beir" and wish.out.suffix != ENDING
    log = log_of(wish.out / "gold" if in_folder else wish.out)
    refuse_existing([log, *([] if in_folder else [wish.out])], folders=in_folder)
    lines = read_table(wish.table, NEEDED, OPTIONAL)
    labelled = [line for line in lines if line.cells["grade"]]
    found = _judgements(labelled, old, wish)
    taken = [one for one in found if one.before != one.grade]
    if not taken:
        what = "has no grade in any row: fill the column grade" if not labelled else "says nothing new"
        raise DataError(Fault(what, wish.table))
    version = new_version(old.gold.version, wish.version)
    files = _files(old, taken, wish.out, version)
    gold = sound_gold(old, files, old.documents, version)
    whole = old.documents.whole or not _has_spans(old)
    hashes = [one.fingerprint if whole else None for one in (old.gold, gold)]
    everything = {log: log_bytes(_head(old, wish, version, hashes), map(_change, taken)), **files}
    write_new(everything, folders=in_folder)
    before, after = ({q.query_id for q in one.answerable} for one in (old.gold, gold))
    return Judged(
        gold=gold,
        files=tuple(everything),
        taken=tuple(taken),
        known=len(found) - len(taken),
        unlabelled=len(lines) - len(labelled),
        answerable_now=tuple(sorted(after - before)),
        emptied=tuple(sorted(before - after)),
        fingerprint=hashes[1],
        notes=old.warnings,
    )


def _judgements(lines: Sequence[Line], old: OpenedGold, wish: Wish) -> list[Judgement]:
    questions = {question.query_id: question for question in old.gold.questions}
    faults: list[Fault] = []
    found: dict[tuple[str, str], Judgement] = {}
    for line in lines:
        one = _judgement(line, wish, faults)
        if one is None:
            continue
        name = (one.query_id, one.doc_id)
        other = found.setdefault(name, one)
        question = questions.get(one.query_id)
        unknown = old.documents.unknown(one.doc_id)
        if question is None:
            what = f'unknown question "{one.query_id}"{_spoilt(one.query_id, questions)}'
            faults.append(one.place.fault(what, one.query_id))
        elif unknown is not None:
            what = f"{unknown}{_spoilt(one.doc_id, old.documents.places)}"
            faults.append(one.place.fault(what, one.query_id))
        elif other.grade != one.grade:
            grades = f"{one.grade} here and {other.grade} in line {other.place.line}"
            faults.append(one.place.fault(f'"{one.doc_id}" has the grade {grades}', one.query_id))
        elif other is one:
            before = question.grades.get(one.doc_id)
            if before not in (None, one.grade) and not wish.replace:
                told = f'"{one.doc_id}" has the grade {before} in the gold and {one.grade} here'
                faults.append(one.place.fault(f"{told}: --replace takes the table's", one.query_id))
            found[name] = Judgement(**{**vars(one), "before": before})
    if faults:
        raise DataError(faults)
    return list(found.values())


def _judgement(line: Line, wish: Wish, faults: list[Fault]) -> Judgement | None:
    cells = line.cells
    query_id, doc_id, grade = cells["query_id"], cells["doc_id"], cells["grade"]
    before = len(faults)
    if not query_id or not doc_id:
        faults.append(line.place.fault("has a grade, but no query_id or no doc_id"))
    if not _GRADE.fullmatch(grade) or abs(int(grade)) > LARGEST_GRADE:
        told = f"the grade must be an int up to {LARGEST_GRADE}, 0 for not relevant, got {grade!r}"
        faults.append(line.place.fault(told, query_id or None))
    if len(faults) > before:
        return None
    author, reason = cells.get("author", "") or wish.author, cells.get("reason", "") or wish.reason
    return Judgement(line.place, query_id, doc_id, int(grade), author, reason)


def _spoilt(name: str, known: Collection[str]) -> str:
    """What a spreadsheet may have made of an id: ``007`` becomes 7."""
    if not name.isdecimal():
        return ""
    same = next((one for one in known if one.isdecimal() and one.lstrip("0") == name.lstrip("0")), None)
    return "" if same is None else f'; a spreadsheet may have made it of "{same}": import that column as text'


def _files(old: OpenedGold, taken: Sequence[Judgement], out: Path, version: str) -> dict[Path, bytes]:
    grades: dict[str, dict[str, int]] = {}
    for one in taken:
        grades.setdefault(one.query_id, {})[one.doc_id] = one.grade
    if old.layout == "beir":
        collection = BeirFiles.of(old.path, old.split)
        spans = None if collection.spans is None else collection.spans.content
        return collection.files(out, collection.judged(grades), spans)
    lines = GoldLines.of(old.path)
    changes: dict[int, Mapping[str, Any] | None] = {}
    for query_id, new in grades.items():
        line = old.places[query_id].line or 0
        changes[line] = judged_values(lines.values[line], new)
    return {out: lines.changed(version, changes)}


def _has_spans(old: OpenedGold) -> bool:
    if old.layout == "beir":
        return BeirFiles.of(old.path, old.split).spans is not None
    return any(values.get("spans") for values in GoldLines.of(old.path).values.values())


def _head(old: OpenedGold, wish: Wish, version: str, hashes: Sequence[str | None]) -> dict[str, Any]:
    return {
        "command": "gold add-judgements",
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "from": {"file": old.path.name, "version": old.gold.version, "gold": hashes[0]},
        "to": {"version": version, "gold": hashes[1]},
        "table": {"file": wish.table.name, "sha256": hashlib.sha256(wish.table.read_bytes()).hexdigest()},
    }


def _change(one: Judgement) -> dict[str, Any]:
    told = {
        "what": "judged",
        "question": one.query_id,
        "document": one.doc_id,
        "grade": one.grade,
        "grade_before": one.before,
        "author": one.author or None,
        "reason": one.reason or f"labelled in {one.place.file.name}",
    }
    return {key: value for key, value in told.items() if value is not None}
