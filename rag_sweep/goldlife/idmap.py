"""A map from old documents to new ones: what became of each, and why."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rag_sweep.dataset.documents import Documents
from rag_sweep.dataset.places import Place
from rag_sweep.dataset.spreadsheet import Line, read_table
from rag_sweep.errors import DataError, Fault

COLUMNS, MORE = ("old", "new"), ("reason", "offset")
_OFFSET = re.compile("-?[0-9]{1,18}")


@dataclass(frozen=True)
class MapRow:
    """One old document and one that it became.

    Attributes
    ----------
    new
        None where the document is gone.
    offset
        Where the old text begins in the new one, in characters; negative where the new one begins inside the
        old one; None where nothing is said.
    """

    place: Place
    old: str
    new: str | None
    reason: str
    offset: int | None = None

    @property
    def changes(self) -> bool:
        """False for a document that stays what it is."""
        return self.old != self.new or bool(self.offset)


@dataclass(frozen=True, eq=False)
class IdMap:
    """All rows are applied at once, never one after another: old ids on the left, new ones on the right.

    Attributes
    ----------
    path, sha256
        The file, and the hash of what is in it.
    """

    path: Path
    sha256: str
    rows: tuple[MapRow, ...]

    @classmethod
    def read(cls, path: Path, reason: str | None) -> IdMap:
        """Read a map; `reason` stands where a row has none.

        Raises
        ------
        DataError
            With every row that is wrong by itself, or that contradicts another one.
        """
        faults: list[Fault] = []
        lines = read_table(path, COLUMNS, MORE)
        rows = [row for line in lines if (row := _row(line, reason, faults)) is not None]
        faults += _contradictions(rows)
        if not lines:
            faults.append(Fault("has no rows", path))
        if faults:
            raise DataError(sorted(faults, key=lambda fault: fault.line or 0))
        return cls(path, hashlib.sha256(path.read_bytes()).hexdigest(), tuple(rows))

    @cached_property
    def of(self) -> Mapping[str, tuple[MapRow, ...]]:
        """The rows of each old id, in the order of the file."""
        found: dict[str, list[MapRow]] = {}
        for row in self.rows:
            found.setdefault(row.old, []).append(row)
        return {old: tuple(rows) for old, rows in found.items()}

    @cached_property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """The old ids that each new one is made of."""
        found: dict[str, dict[str, None]] = {}
        for row in self.rows:
            if row.new is not None:
                found.setdefault(row.new, {})[row.old] = None
        return {new: tuple(old) for new, old in found.items()}

    def joins(self, new: str, there: Collection[str]) -> bool:
        """True if a new document is made of several, one of `there` that the map doesn't name included."""
        own = {new} if new in there and new not in self.of else set()
        return len(own.union(self.sources.get(new, ()))) > 1

    def check(self, old: Documents, new: Documents | None, judged: Mapping[str, Place]) -> tuple[str, ...]:
        """Look at the map beside the documents; notes for the user.

        Parameters
        ----------
        old
            The old documents; not `whole` where they aren't known.
        new
            The new ones; None where they aren't known.
        judged
            Every document that the gold names, with the place of the first question that does.

        Raises
        ------
        DataError
            For ids that no document has, for documents of the gold that aren't among the new ones and that
            the map says nothing of, and for chains where the new documents aren't known.
        """
        faults = [*self._unknown(old, judged), *self._nowhere(new, judged)]
        chains = self._chains()
        if new is None:
            faults += [row.place.fault(_chain(row), row.old) for row in chains]
        if faults:
            raise DataError(faults)
        notes = [f"{len(self._swapped)} documents change places"] if self._swapped else []
        unused = sum(row.old not in judged for row in self.rows)
        return (
            *notes,
            *(
                [f"{unused} of {len(self.rows)} rows are about documents that no question names"]
                * bool(unused)
            ),
        )

    def _unknown(self, old: Documents, judged: Mapping[str, Place]) -> list[Fault]:
        if not old.whole and not any(row.old in judged for row in self.rows):
            told = f"none of its {len(self.rows)} old ids is named by a question of the gold"
            return [Fault(f"{told}: is it another gold's map?", self.path)]
        told_of = ((row, old.unknown(row.old)) for row in self.rows)
        return [row.place.fault(f"{what} among the old documents", row.old) for row, what in told_of if what]

    def _nowhere(self, new: Documents | None, judged: Mapping[str, Place]) -> list[Fault]:
        if new is None:
            return []
        found = [
            row.place.fault(f"{what} among the new documents", row.old)
            for row in self.rows
            if row.new is not None and (what := new.unknown(row.new))
        ]
        return found + [
            place.fault(
                f"{what} among the new documents, and {self.path} says nothing of it: add "
                f'"{doc_id},<new id>,…", or "{doc_id},,…" if it is gone'
            )
            for doc_id, place in judged.items()
            if doc_id not in self.of and (what := new.unknown(doc_id))
        ]

    @cached_property
    def _swapped(self) -> set[str]:
        """Ids that are renamed in a circle: each of them is an old and a new one."""
        step = {old: rows[0].new for old, rows in self.of.items() if len(rows) == 1 and rows[0].changes}
        found: set[str] = set()
        seen: set[str] = set()
        for old in step:
            path: dict[str, None] = {}
            at: str | None = old
            while at is not None and at in step and at not in seen:
                seen.add(at)
                path[at] = None
                at = step[at]
            if at in path:
                walked = list(path)
                found.update(walked[walked.index(at) :])
        return found

    def _chains(self) -> list[MapRow]:
        """Rows whose new id is an old one that becomes something else, and not in a circle."""
        changed = {row.old for row in self.rows if row.changes}
        kept = {row.old for row in self.rows if row.old == row.new}
        ring = self._swapped
        return [
            row
            for row in self.rows
            if row.changes and row.new in changed - kept and not {row.old, row.new} <= ring
        ]


def _chain(row: MapRow) -> str:
    return (
        f'becomes "{row.new}", which is itself an old document that becomes something else: all rows are '
        "applied at once, so write where it ends; if both are meant, give the new documents by --documents"
    )


def _row(line: Line, reason: str | None, faults: list[Fault]) -> MapRow | None:
    cells, place = line.cells, line.place
    old, new = cells["old"], cells["new"] or None
    before = len(faults)
    if not old:
        faults.append(place.fault("has no old id"))
    offset, given = None, cells.get("offset", "")
    if given:
        if not _OFFSET.fullmatch(given) or new is None:
            faults.append(place.fault(f'"offset" must be an int beside a new id, got {given!r:.60}', old))
        else:
            offset = int(given)
    row = MapRow(place, old, new, cells.get("reason", "") or reason or "", offset)
    if row.changes and not row.reason:
        faults.append(
            place.fault("has no reason: fill the column reason, or give one for all by --reason", old)
        )
    return row if len(faults) == before else None


def _contradictions(rows: Sequence[MapRow]) -> list[Fault]:
    faults = []
    seen: dict[tuple[str, str | None], MapRow] = {}
    fate: dict[str, MapRow] = {}
    for row in rows:
        first = seen.setdefault((row.old, row.new), row)
        other = fate.setdefault(row.old, row)
        if first is not row:
            faults.append(row.place.fault(f"the same as line {first.place.line}", row.old))
        elif (other.new is None) != (row.new is None):
            gone, kept = (row, other) if row.new is None else (other, row)
            told = f'is gone by line {gone.place.line}, yet becomes "{kept.new}" by line {kept.place.line}'
            faults.append(row.place.fault(told, row.old))
    return faults
