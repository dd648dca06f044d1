"""`rag-sweep gold add`: one more question, with where it comes from."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.dataset.documents import Documents
from rag_sweep.dataset.gold import read_gold
from rag_sweep.errors import DataError, Fault, UsageError
from rag_sweep.goldlife.asking import NewQuestion, values_of
from rag_sweep.goldlife.lines import GoldLines
from rag_sweep.goldlife.opened import OpenedGold, open_gold
from rag_sweep.goldlife.sound import sound_gold
from rag_sweep.goldlife.versions import new_version
from rag_sweep.goldlife.writing import alone_with, append_line, log_bytes, log_of, refuse_existing, write_new
from rag_sweep.records import Gold


@dataclass(frozen=True)
class Place:
    """Which GOLD gets the question.

    Attributes
    ----------
    gold, documents
        A GOLD file and its documents in place of the dataset's.
    out, version
        A file for a new version and its name; without it the question is appended to the GOLD itself.
    """

    gold: Path | None = None
    documents: Path | None = None
    out: Path | None = None
    version: str | None = None


@dataclass(frozen=True, eq=False)
class Added:
    """A question that was added.

    Attributes
    ----------
    file
        Where it stands now.
    values
        Its line.
    before, after
        The gold without and with it.
    """

    file: Path
    values: dict[str, Any]
    before: Gold
    after: Gold
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "file": str(self.file),
            "added": self.values,
            "questions": len(self.after.questions),
            "answerable": len(self.after.answerable),
            "negatives": len(self.after.negatives),
            "version": self.after.version,
            "gold_before": self.before.fingerprint,
            "gold": self.after.fingerprint,
            "notes": list(self.notes),
        }


def add(overrides: Sequence[str], asked: NewQuestion, place: Place) -> Added:
    """Append a question: to the GOLD file, all of whose bytes stay, or to a new version of it.

    Raises
    ------
    UsageError
        For a gold that can't be appended to, and for a file that is there already.
    DataError
        With all that is wrong in the question.
    """
    if place.out is not None:
        refuse_existing([place.out, log_of(place.out)])
    old = open_gold(overrides, place.gold, place.documents)
    _check_place(old, place)
    with nullcontext() if place.out is not None else alone_with(old.path):
        if place.out is None and _read(old.path, old.documents).fingerprint != old.gold.fingerprint:
            old = open_gold(overrides, place.gold, place.documents)  # another one has appended meanwhile
        values = values_of(asked, old)
        lines = GoldLines.of(old.path)
        if place.out is None:
            _append(old, lines, values)
        else:
            _write(old, lines, values, place.out, new_version(old.gold.version, place.version))
    file = place.out or old.path
    after = _read(file, old.documents)
    kept = after.version == old.gold.version and after.version is not None
    note = f"the version is still {after.version!r}, for another gold now: --out FILE writes a new version"
    return Added(file, values, old.gold, after, (*old.warnings, *([note] if kept else [])))


def _check_place(old: OpenedGold, place: Place) -> None:
    if old.layout == "beir":
        raise UsageError(
            "gold add appends to a GOLD file, and a collection in BEIR layout has three; keep new ones in "
            "a GOLD file of your own: dataset=files dataset.documents=… dataset.gold=…"
        )
    if not old.documents.whole:
        raise UsageError(
            "ids and evidence can't be checked without the documents: give them by --documents, or by "
            "dataset=files dataset.documents=… dataset.gold=…"
        )
    if place.out is None and old.is_bundled:
        raise UsageError(
            "the GOLD that ships in the package isn't changed: --out FILE writes a copy of your own"
        )
    if place.out is None and place.version is not None:
        raise UsageError("--version names a new version, so it needs --out")


def _append(old: OpenedGold, lines: GoldLines, values: dict[str, Any]) -> None:
    append_line(
        old.path, lines.content, lines.with_line(values), check=lambda file: _check(file, old.documents)
    )


def _write(old: OpenedGold, lines: GoldLines, values: dict[str, Any], out: Path, version: str) -> None:
    content = lines.changed(version, {}) + lines.with_line(values)
    gold = sound_gold(old, {out: content}, old.documents, version)
    head = {
        "command": "gold add",
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "from": {"file": old.path.name, "version": old.gold.version, "gold": old.gold.fingerprint},
        "to": {"version": version, "gold": gold.fingerprint},
    }
    change = {"what": "question added", "question": values["id"], "reason": values["reason"]}
    write_new({log_of(out): log_bytes(head, [change]), out: content})


def _check(file: Path, documents: Documents) -> None:
    _read(file, documents)


def _read(file: Path, documents: Documents) -> Gold:
    faults: list[Fault] = []
    judged = read_gold(file, documents, None, faults)
    if errors := [fault for fault in faults if fault.level == "error"]:
        raise DataError(errors)
    return Gold(tuple(judged.questions), judged.version, judged.unjudged)
