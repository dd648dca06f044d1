"""What was measured on a gold before: every configuration of the journals and of MLflow, read, never made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.config import build
from rag_sweep.config.asked import Asked
from rag_sweep.errors import ConfigError, DataError, JournalError, TrackingError
from rag_sweep.journal.journal import read_head
from rag_sweep.journal.shelf import HEAD
from rag_sweep.matrix.data import SweepData
from rag_sweep.matrix.layout import ARTIFACT
from rag_sweep.matrix.load import load_sweep
from rag_sweep.tracking.fetch import TrackedSweeps

MOST = 30
"""Sweeps that are read, the newest ones."""


@dataclass(frozen=True, eq=False)
class History:
    """Sweeps and single runs on one gold, the newest first.

    Attributes
    ----------
    notes
        What wasn't read, and why.
    """

    sweeps: tuple[SweepData, ...]
    notes: tuple[str, ...]

    @property
    def runs(self) -> int:
        """Configurations that were measured."""
        return sum(one.failure is None for sweep in self.sweeps for one in sweep.configurations)

    def values(self, measure: str, fingerprint: str | None = None) -> FloatArray:
        """Values of every configuration, or of one by its fingerprint, shape (runs, answerable questions)."""
        found = []
        for sweep in self.sweeps:
            rows = [
                row
                for row, one in enumerate(sweep.configurations)
                if one.failure is None and fingerprint in (None, one.fingerprint)
            ]
            with suppress(ConfigError):  # a cutoff beyond the ranks that were kept
                found.append(sweep.column(measure)[rows][:, sweep.judgements.answerable])
        return np.concatenate(found) if found else np.empty((0, 0))


def history_of(asked: Asked, gold_hash: str) -> History:
    """All that the journals have of a gold, and what MLflow has beside; what can't be read is a note."""
    found: dict[str, SweepData] = {}
    notes: list[str] = []
    for sweep in (*_of_journals(asked, gold_hash, notes), *_of_mlflow(asked, gold_hash, notes)):
        found.setdefault(sweep.sweep_id, sweep)
    ordered = [found[name] for name in sorted(found, reverse=True)]
    if len(ordered) > MOST:
        notes.append(f"of {len(ordered)} sweeps on this gold the newest {MOST} are taken")
    return History(tuple(ordered[:MOST]), tuple(notes))


def _of_journals(asked: Asked, gold_hash: str, notes: list[str]) -> Iterator[SweepData]:
    place = asked.config.get("journal")
    folders = [] if place is None else sorted(Path(build.coerce(place, str, "journal")).glob("*.*"))
    for folder in folders:
        head = read_head(folder) if (folder / HEAD).is_file() else None
        if head is not None and head.basis.gold_hash == gold_hash:
            try:
                yield load_sweep(folder, partial=True)
            except (DataError, JournalError) as error:
                notes.append(f"not in the history: {error}")


def _of_mlflow(asked: Asked, gold_hash: str, notes: list[str]) -> Iterator[SweepData]:
    of = asked.tracking
    if of is None:
        return
    try:
        for fetched in TrackedSweeps(of.uri, of.path, of.experiment).files(ARTIFACT):
            try:
                sweep = SweepData(fetched.file, fetched.owner)
            except DataError as error:
                notes.append(f"not in the history: {error}")
                continue
            if sweep.basis.gold_hash == gold_hash:
                yield sweep
    except TrackingError as error:
        notes.append(f"the history is that of the journals only: {error}")
