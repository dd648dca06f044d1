"""Finding a sweep: by its id, by one of its tracking runs, by its file, or the newest one."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

from rag_sweep.checks import require
from rag_sweep.errors import ConfigError, DataError
from rag_sweep.journal.head import Head
from rag_sweep.journal.journal import ENDED, Journal, kept_indexes, read_head
from rag_sweep.journal.shelf import HEAD
from rag_sweep.matrix.data import SweepData
from rag_sweep.matrix.layout import ARTIFACT, MATRIX, PARTIAL
from rag_sweep.matrix.write import write_matrix
from rag_sweep.tracking.fetch import TrackedSweeps

_RUN_ID = 32  # hex digits
_ID = re.compile(rf"[0-9]{{8}}-[0-9]{{6}}-[0-9a-f]{{6}}|[0-9a-f]{{{_RUN_ID}}}")
_MEANT = (
    "the id of a sweep (like 20260131-120000-a1b2c3) or of an MLflow run (32 hex digits), "
    f"the path of a {ARTIFACT} or of a journal, or None"
)
_LONGEST_WAIT = 20.0  # seconds for a process that has all results to let go of the journal
_SHOWN = 5  # sweeps that an error names


def load_sweep(
    sweep: str | PathLike[str] | None = None,
    *,
    path: str | PathLike[str] | None = None,
    uri: str | None = None,
    experiment: str = "rag-sweep",
    journal: str | PathLike[str] = "mlruns/.sweeps",
    partial: bool = False,
) -> SweepData:
    """The results of a whole sweep as arrays and data frames.

    The journal is looked through first, MLflow then. A sweep whose journal is on this disk needs no MLflow.

    Parameters
    ----------
    sweep
        None for the newest complete one; the id of a sweep; the id of one of its MLflow runs; or the path of
        its file or of its journal.
    path, uri, experiment
        Where MLflow is, as ``tracking.path`` (``mlruns``), ``tracking.uri`` and ``tracking.experiment``.
    journal
        The folder of journals, as the key of the same name.
    partial
        Give what there is of a sweep that isn't complete. None then means the newest one with any result.

    Raises
    ------
    DataError
        If there is no such sweep, if it isn't complete, or if its file is damaged.
    ConfigError
        If `sweep` is none of these, or where a path is none.
    JournalError
        If results can't be read from the journal, or their file not be written beside it.
    TrackingError
        If MLflow has to be asked and can't be.
    """
    journals = _path("journal", journal, "the path of a folder")
    store = _path("path", "mlruns" if path is None else path, "the path of a folder, or None")
    if sweep is not None and not (isinstance(sweep, str) and _ID.fullmatch(sweep)):
        return _at(_path("sweep", sweep, _MEANT), partial)
    tracked = TrackedSweeps(uri, str(store), experiment)
    wanted = _sweep_of(tracked, sweep) if isinstance(sweep, str) else None
    return _Search(journals.absolute(), tracked, wanted, partial).found()


def _path(key: str, given: str | PathLike[str], allowed: str) -> Path:
    require(key, given, allowed, isinstance(given, str | PathLike))
    return Path(given)


def _sweep_of(tracked: TrackedSweeps, name: str) -> str:
    """The id of a sweep, which may be given as that of a run."""
    found = tracked.sweep_of(name) if len(name) == _RUN_ID else name
    if found is None:
        raise DataError(f"no sweep has the run {name!r}: looked in {tracked.shown}")
    return found


def _at(path: Path, partial: bool) -> SweepData:
    """A sweep by the path of its file or of its journal."""
    if path.is_file():
        data = SweepData(path)
        if not (data.is_complete or partial):
            raise DataError(_incomplete(data))
        return data
    if (path / HEAD).is_file():
        found = _of_journal(path, partial)
        if isinstance(found, str):
            raise DataError(found)
        return found
    state = "is none of them" if path.exists() else "is not there"
    raise ConfigError(f"sweep must be {_MEANT}, got {str(path)!r}, which {state}")


class _Search:
    """Looks in the journal, then in MLflow, and tells what was seen on the way."""

    def __init__(self, journal: Path, tracked: TrackedSweeps, sweep_id: str | None, partial: bool) -> None:
        self._journal, self._tracked = journal, tracked
        self._sweep_id, self._partial = sweep_id, partial
        self._seen: list[str] = []

    def found(self) -> SweepData:
        """The sweep. Raises DataError if it isn't there."""
        for folder in self._folders():
            found = _of_journal(folder, self._partial)
            if isinstance(found, SweepData):
                return found
            self._seen.append(found)
        for fetched in self._tracked.files(ARTIFACT, self._sweep_id):
            data = SweepData(fetched.file, fetched.owner)
            if data.is_complete or self._partial:
                return data
            self._seen.append(_incomplete(data))
        raise DataError(self._nothing())

    def _folders(self) -> Iterator[Path]:
        """The journals that may be meant, the newest first."""
        begun = [folder for folder in self._journal.glob("*.*") if (folder / HEAD).is_file()]
        for folder in sorted(begun, key=_id_of, reverse=True):
            wanted = self._sweep_id
            if _id_of(folder) == wanted or (wanted is None and _is_sweep(folder)):
                yield folder

    def _nothing(self) -> str:
        what = "complete sweep" if self._sweep_id is None else f"sweep {self._sweep_id}"
        found = [
            *self._seen[:_SHOWN],
            *([f"and {len(self._seen) - _SHOWN} more"] if self._seen[_SHOWN:] else []),
        ]
        looked = f"no {what}: looked in the journals in {self._journal} and in {self._tracked.shown}"
        return "\n".join([looked, *found])


def _of_journal(folder: Path, partial: bool) -> SweepData | str:
    """The sweep of a journal, or why it isn't given."""
    head = read_head(folder)
    if head is None:
        return f"{folder} is no journal of this version of rag-sweep"
    done, complete = len(kept_indexes(folder)), _is_complete(folder, head)
    if not done or not (complete or partial):
        return _too_few(folder, done, head.configurations)
    end = time.monotonic() + (_LONGEST_WAIT if complete else 0.0)
    while True:
        kept, notes = _kept(folder / (MATRIX if complete else PARTIAL), head, done)
        if kept is not None:
            return kept
        journal = Journal.open(folder)
        if journal is not None:
            return _written(journal, partial, notes)
        if time.monotonic() > end:
            return f"{folder} is in use by another process, or can't be locked"
        time.sleep(0.1)


def _is_complete(folder: Path, head: Head) -> bool:
    """As `Journal.is_complete`, also while another process works on it."""
    if head.configurations is None:
        return (folder / ENDED).exists()
    return len(kept_indexes(folder)) == head.configurations


def _written(journal: Journal, partial: bool, notes: tuple[str, ...]) -> SweepData | str:
    folder = journal.folder
    try:
        if not (journal.is_complete or partial):  # some were damaged
            return _too_few(folder, len(journal.kept), journal.head.configurations)
        file = folder / (MATRIX if journal.is_complete else PARTIAL)
        write_matrix(journal, file)
    finally:
        journal.close()
    data = SweepData(file)
    data.notes = notes
    return data


def _kept(file: Path, head: Head, done: int) -> tuple[SweepData | None, tuple[str, ...]]:
    """The file that is there already, if it has everything; else what to say of one that can't be read."""
    if not file.exists():
        return None, ()
    try:
        data = SweepData(file)
    except (DataError, OSError) as error:
        return None, (f"its file was made anew from the journal: {error}",)
    whole = (data.sweep_id, len(data.configurations)) == (head.record.sweep_id, done)
    return (data if whole else None), ()


def _incomplete(data: SweepData) -> str:
    return _too_few(data.file, len(data.configurations), data.planned)


def _too_few(place: Path, done: int, planned: int | None) -> str:
    of = f"{done} of {planned} configurations" if planned else f"{done} configurations, perhaps not of all"
    return f"{place} has results of {of}{'; partial=True gives them' if done else ''}"


def _id_of(folder: Path) -> str:
    return folder.name.partition(".")[2]


def _is_sweep(folder: Path) -> bool:
    head = read_head(folder)
    return head is not None and head.is_sweep
