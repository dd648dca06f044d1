"""All sweeps and runs that are kept: those of the journals, then those that only MLflow has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rag_sweep.comparing.finding import Finder, Place
from rag_sweep.comparing.request import Request
from rag_sweep.errors import DataError, JournalError, TrackingError
from rag_sweep.goldlife.aligned import Alignment, aligned, of_sweep
from rag_sweep.journal.journal import read_head
from rag_sweep.journal.shelf import HEAD
from rag_sweep.matrix.data import SweepData
from rag_sweep.matrix.layout import ARTIFACT
from rag_sweep.records import Gold

Kept = tuple[SweepData, list[int], Alignment]
"""A sweep, the indexes of the configurations that are meant, and its questions beside those of the gold."""


@dataclass
class Stored:
    """Goes through what is kept; `told` says what it passed over."""

    request: Request
    partial: bool
    notes: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    @property
    def told(self) -> tuple[str, ...]:
        """What was passed over, and why."""
        number, some = len(self.strangers), ", ".join(self.strangers[:3])
        more = ", …" if number > 3 else ""
        others = [f"without a question of this gold, so left out: {number} ({some}{more})"] if number else []
        return (*self.notes, *others)

    def sweeps(self, names: Sequence[str], gold: Gold) -> Iterator[Kept]:
        """The sweeps that are named, or all that share a question with the gold, with their configurations.

        Raises
        ------
        UsageError, DataError, TrackingError
            For a name that stands for nothing; never for one of all.
        """
        if not names:
            yield from self._all(gold)
            return
        places = Finder(self.request, self.partial).find(names).places
        for sweep in {one.sweep_id: one for one, _ in places}.values():
            yield sweep, _indexes(places, sweep), of_sweep(sweep, gold)

    def _all(self, gold: Gold) -> Iterator[Kept]:
        seen: set[str] = set()
        finder = Finder(self.request, self.partial)
        for folder in self._folders():
            head = read_head(folder)
            if head is None:
                self.notes.append(f"{folder} is left out: no journal of this version of rag-sweep")
                continue
            sweep_id = head.record.sweep_id
            seen.add(sweep_id)
            if self._is_of(sweep_id, aligned(head.basis, head.has_text, gold)):
                sweep = self._read(finder, folder)
                if sweep is not None:
                    yield _whole(sweep, gold)
        yield from self._tracked(finder, seen, gold)

    def _read(self, finder: Finder, folder: Path) -> SweepData | None:
        try:
            return finder.sweep(str(folder))
        except (DataError, JournalError) as error:
            self.notes.append(f"left out: {error}")
            return None

    def _tracked(self, finder: Finder, seen: set[str], gold: Gold) -> Iterator[Kept]:
        try:
            for fetched in finder.runs.files(ARTIFACT):
                sweep = SweepData(fetched.file, fetched.owner)
                if sweep.sweep_id in seen or not (sweep.is_complete or self.partial):
                    continue
                seen.add(sweep.sweep_id)
                if self._is_of(sweep.sweep_id, of_sweep(sweep, gold)):
                    yield _whole(sweep, gold)
        except (TrackingError, DataError) as error:
            self.notes.append(f"sweeps that only MLflow has are left out: {error}")

    def _folders(self) -> list[Path]:
        journal = self.request.journal
        found = [] if journal is None else Path(journal).absolute().glob("*.*")
        return sorted(
            (folder for folder in found if (folder / HEAD).is_file()), key=lambda f: f.name.partition(".")[2]
        )

    def _is_of(self, sweep_id: str, alignment: Alignment) -> bool:
        if not alignment.at:
            self.strangers.append(sweep_id)
        return bool(alignment.at)


def _whole(sweep: SweepData, gold: Gold) -> Kept:
    return sweep, [one.index for one in sweep.configurations], of_sweep(sweep, gold)


def _indexes(places: Sequence[Place], sweep: SweepData) -> list[int]:
    return [index for one, index in places if one is sweep]
