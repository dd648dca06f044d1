"""`rag-sweep gold migrate`: a GOLD for documents that were renamed, split, joined or removed."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.dataset.documents import Documents
from rag_sweep.dataset.fields import as_id
from rag_sweep.dataset.places import Place
from rag_sweep.errors import DataError, Fault
from rag_sweep.goldlife.idmap import IdMap
from rag_sweep.goldlife.in_beir import ENDING, BeirFiles
from rag_sweep.goldlife.in_jsonl import migrated_values
from rag_sweep.goldlife.lines import GoldLines
from rag_sweep.goldlife.migrating import Change, Migrated, migrated
from rag_sweep.goldlife.opened import OpenedGold, documents_at, open_gold
from rag_sweep.goldlife.relocating import Relocator
from rag_sweep.goldlife.sound import sound_gold
from rag_sweep.goldlife.versions import new_version
from rag_sweep.goldlife.writing import log_bytes, log_of, refuse_existing, write_new
from rag_sweep.records import Gold, Question

Files = dict[Path, bytes]


@dataclass(frozen=True)
class Wanted:
    """What a migration is to do.

    Attributes
    ----------
    map, out
        The table of old and new ids; the file or folder that is written, which mustn't be there.
    gold, documents
        A GOLD file in place of the dataset's; the new documents.
    reason, version
        For rows of the map that have none; the name of the new version.
    drop_emptied
        Leave out questions that have no relevant document any more.
    """

    map: Path
    out: Path
    gold: Path | None = None
    documents: Path | None = None
    reason: str | None = None
    version: str | None = None
    drop_emptied: bool = False


@dataclass(frozen=True, eq=False)
class Migration:
    """A new version that was written.

    Attributes
    ----------
    gold
        As it reads now.
    fingerprint
        Its hash; None where it has spans and the new documents aren't known, which they are part of.
    files
        What was written, the log first.
    notes
        For the user.
    """

    old: OpenedGold
    gold: Gold
    fingerprint: str | None
    files: tuple[Path, ...]
    results: tuple[Migrated, ...]
    notes: tuple[str, ...]

    @property
    def changes(self) -> list[Change]:
        """Every change, in the order of the questions."""
        return [change for one in self.results for change in one.changes]

    @property
    def emptied(self) -> tuple[str, ...]:
        """Questions that have no relevant document any more and count as negatives now."""
        there = {question.query_id for question in self.gold.questions}
        return tuple(one.query_id for one in self.results if one.is_emptied and one.query_id in there)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Questions that aren't in the new version."""
        there = {question.query_id for question in self.gold.questions}
        known = (question.query_id for question in self.old.gold.questions)
        return tuple(query_id for query_id in known if query_id not in there)

    @property
    def unchecked(self) -> int:
        """Spans whose document was renamed without a look at the new one."""
        return sum(not span.is_checked for one in self.results for span in one.spans)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "files": [str(file) for file in self.files],
            "version": self.gold.version,
            "gold": self.fingerprint,
            "questions": len(self.gold.questions),
            "answerable": len(self.gold.answerable),
            "negatives": len(self.gold.negatives),
            "without_relevant_now": list(self.emptied),
            "left_out": list(self.left_out),
            "spans_unchecked": self.unchecked,
            "changes": self.changes,
            "notes": list(self.notes),
        }


def migrate(overrides: Sequence[str], wanted: Wanted) -> Migration:
    """Write a new version of a GOLD, with a log of every change; the old one stays as it is.

    Raises
    ------
    UsageError
        If a file is there already, or can't be written; for a version of the old name.
    DataError
        For a map, a gold or documents that are wrong, with every fault.
    """
    old = open_gold(overrides, wanted.gold)
    log = _log(old, wanted.out)
    refuse_existing([log] if wanted.out.is_dir() and old.layout == "beir" else [log, wanted.out])
    idmap = IdMap.read(wanted.map, wanted.reason)
    new = None if wanted.documents is None else documents_at(wanted.documents)
    notes = idmap.check(old.documents, new, _judged(old))
    version = new_version(old.gold.version, wanted.version)
    files, results = _written(old, Relocator(idmap, old.documents, new), wanted, version)
    gold = sound_gold(old, files, new or Documents(whole=False), version)
    spans = any(one.spans for one in results)
    hashes = (
        old.gold.fingerprint if old.documents.whole or not spans else None,
        gold.fingerprint if new is not None or not spans else None,
    )
    head = _head(old, hashes, idmap, version)
    everything = {log: log_bytes(head, [change for one in results for change in one.changes]), **files}
    write_new(everything, folders=old.layout == "beir")
    return Migration(old, gold, hashes[1], tuple(everything), results, (*old.warnings, *notes))


def _log(old: OpenedGold, out: Path) -> Path:
    return log_of(out / "gold" if old.layout == "beir" and out.suffix != ENDING else out)


def _judged(old: OpenedGold) -> dict[str, Place]:
    """Every document that a question names, with the first one's place."""
    found: dict[str, Place] = {}
    for question in old.gold.questions:
        for doc_id in (*question.grades, *(span.doc_id for span in question.spans)):
            found.setdefault(doc_id, old.places[question.query_id])
    return found


def _written(
    old: OpenedGold, relocator: Relocator, wanted: Wanted, version: str
) -> tuple[Files, tuple[Migrated, ...]]:
    """The files of the new version, and what became of each question."""
    if old.layout == "beir":
        collection = BeirFiles.of(old.path, old.split)
        rows = collection.span_rows()
        known = {question.query_id for question in old.gold.questions}
        others = [Question(query_id, "") for query_id in rows if query_id not in known]
        results = _results([*old.gold.questions, *others], rows, relocator, old)
        by_id = {one.query_id: one for one in results}
        dropped = {one.query_id for one in results if one.is_emptied and wanted.drop_emptied}
        qrels, spans = collection.migrated(by_id, dropped)
        return collection.files(wanted.out, qrels, spans), results
    lines = GoldLines.of(old.path)
    at = {question.query_id: old.places[question.query_id].line or 0 for question in old.gold.questions}
    rows = {query_id: list(lines.values[line].get("spans") or []) for query_id, line in at.items()}
    results = _results(old.gold.questions, rows, relocator, old)
    if wanted.drop_emptied:
        _refuse_numbered(old, lines)
    changes: dict[int, Mapping[str, Any] | None] = {}
    for one in results:
        if one.changes:
            line = at[one.query_id]
            gone = one.is_emptied and wanted.drop_emptied
            changes[line] = None if gone else migrated_values(lines.values[line], one)
    return {wanted.out: lines.changed(version, changes)}, results


def _refuse_numbered(old: OpenedGold, lines: GoldLines) -> None:
    """A question without an id has its number for one: leaving one out would rename those behind it."""
    without = [
        number for number, values in lines.values.items() if "question" in values and "id" not in values
    ]
    if without:
        told = (
            "has no id and so its number in the file, which changes when a question before it is left out: "
        )
        raise DataError(Fault(f"{told}give every question an id first", old.path, without[0]))


def _results(
    questions: Sequence[Question],
    rows: Mapping[str, Sequence[Mapping[str, Any]]],
    relocator: Relocator,
    old: OpenedGold,
) -> tuple[Migrated, ...]:
    results = tuple(migrated(question, rows.get(question.query_id, ()), relocator) for question in questions)
    needs = [
        Fault(
            f'a span in "{as_id(span.old["doc_id"])}": {span.needs}', *_place(old, one.query_id), one.query_id
        )
        for one in results
        for span in one.spans
        if span.needs is not None
    ]
    if needs:
        raise DataError(needs)
    return results


def _place(old: OpenedGold, query_id: str) -> tuple[Path, int | None]:
    place = old.places.get(query_id)
    return (old.path, None) if place is None else (place.file, place.line)


def _head(
    old: OpenedGold, hashes: tuple[str | None, str | None], idmap: IdMap, version: str
) -> dict[str, Any]:
    return {
        "command": "gold migrate",
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "from": {"file": old.path.name, "version": old.gold.version, "gold": hashes[0]},
        "to": {"version": version, "gold": hashes[1]},
        "map": {"file": idmap.path.name, "sha256": idmap.sha256},
    }
