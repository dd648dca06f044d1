"""`rag-sweep sync`: what is kept on disk goes to MLflow, as far as it isn't there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rag_sweep.checks import require
from rag_sweep.config import build
from rag_sweep.config.literals import literal
from rag_sweep.config.program import compose_once
from rag_sweep.errors import ConfigError, RagSweepError, TrackingError, UsageError
from rag_sweep.journal.head import Head
from rag_sweep.journal.journal import Journal, kept_indexes, read_head
from rag_sweep.journal.shelf import HEAD, Shelf
from rag_sweep.sweep.recording import Recording
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.place import HIDDEN, without_password

_TARGET = f"{MLflow.__module__}.{MLflow.__qualname__}"


@dataclass(frozen=True)
class Synced:
    """What was done for one sweep.

    Attributes
    ----------
    kept, configurations
        Results in the journal, of how many; None where the number was never known.
    sent
        How many configurations were sent now.
    reason
        Why not everything was sent; None if it was.
    """

    sweep_id: str
    name: str
    kept: int
    configurations: int | None
    sent: int
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def sync(words: Sequence[str], watch: Callable[[int, int], None] | None = None) -> list[Synced]:
    """Send the kept results of sweeps, or of single runs, that MLflow hasn't got.

    Parameters
    ----------
    words
        Ids of sweeps, and overrides. Without an id: every sweep that was meant to be tracked. Results go to
        where the sweep was to be tracked, unless an override says otherwise.

    Raises
    ------
    ConfigError, UsageError
        For a journal that isn't there or an id that none has.
    """
    shelf, ids, overrides = _asked(words)
    told = watch or (lambda done, total: None)
    found = [_synced(folder, overrides, told) for folder, _ in _chosen(shelf, ids)]
    return found if ids else [*found, *map(_unreadable, shelf.unreadable())]


def _unreadable(folder: Path) -> Synced:
    reason = f"{folder / HEAD} can't be read, so its results are lost: remove the folder"
    return Synced(folder.name.partition(".")[2], folder.name, 0, None, 0, reason)


def _asked(words: Sequence[str]) -> tuple[Shelf, set[str], list[str]]:
    """The journals that are meant, the ids among the words, and the overrides."""
    ids = {word for word in words if "=" not in word and not word.startswith("-")}
    overrides = [word for word in words if word not in ids]
    path = compose_once(overrides).get("journal")
    if path is None:
        raise ConfigError("journal must be a folder: nothing is kept otherwise")
    require("journal", path, "the path of a folder", isinstance(path, str) and bool(path.strip()))
    if not Path(path).is_dir():
        raise ConfigError(
            f"nothing is kept here: there is no {path!r}; go where the sweep ran, or give journal=FOLDER"
        )
    return Shelf(path), ids, overrides


@dataclass(frozen=True)
class Stored:
    """A sweep that is kept.

    Attributes
    ----------
    kept, configurations
        Results in the journal, of how many; None where the number was never known.
    tracked
        True if it was to be tracked, so that `sync` sends it without being told its id.
    bytes
        What it takes on the disk.
    """

    sweep_id: str
    name: str
    kept: int
    configurations: int | None
    tracked: bool
    bytes: int

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def stored(words: Sequence[str]) -> list[Stored]:
    """The sweeps and single runs that are kept, the oldest first; arguments and errors as of `sync`."""
    shelf, ids, _ = _asked(words)
    found = []
    for folder, head in _chosen(shelf, ids, everything=True):
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        record, tracked = head.record, _is_tracked(head)
        kept = len(kept_indexes(folder))
        found.append(Stored(record.sweep_id, record.name, kept, head.configurations, tracked, size))
    return found


def _chosen(shelf: Shelf, ids: set[str], everything: bool = False) -> Iterator[tuple[Path, Head]]:
    heads = {folder: head for folder in shelf.all() if (head := read_head(folder)) is not None}
    known = [head.record.sweep_id for head in heads.values()]
    if unknown := sorted(ids - set(known)):
        there = ", ".join(known[-5:]) or "none"
        raise UsageError(f"no sweep {unknown[0]} is kept in {shelf.path}; the newest are: {there}")
    for folder, head in heads.items():
        if head.record.sweep_id in ids or (not ids and (everything or _is_tracked(head))):
            yield folder, head


def _is_tracked(head: Head) -> bool:
    return bool(head.tracking.get("_target_") == _TARGET)


def _synced(folder: Path, overrides: Sequence[str], watch: Callable[[int, int], None]) -> Synced:
    journal = Journal.open(folder)
    if journal is None:
        head = read_head(folder)
        name, sweep_id = (head.record.name, head.record.sweep_id) if head else (folder.name, folder.name)
        return Synced(sweep_id, name, 0, None, 0, "it is being worked on")
    try:
        return _sent(journal, overrides, watch)
    except (RagSweepError, OSError) as error:  # the next one's turn comes all the same
        return _told(journal, 0, str(error))
    finally:
        journal.close()


def _sent(journal: Journal, overrides: Sequence[str], watch: Callable[[int, int], None]) -> Synced:
    head = journal.head
    config = compose_once([*_as_it_was(head.tracking, overrides), *overrides])
    tracking = build.component(config, "tracking")
    if head.has_text and tracking.text != "full":
        return _told(journal, 0, "it was kept with texts, so tracking.text=none can't send it")
    recording = Recording(journal, tracking, resumed=True, watch=watch, apart=False)
    reason = _why_not(recording)
    if reason is None and journal.damaged:
        reason = f"{journal.damaged} kept results are damaged: the command of the sweep computes them anew"
    return _told(journal, recording.sent, reason)


def _told(journal: Journal, sent: int, reason: str | None) -> Synced:
    record, number = journal.head.record, journal.head.configurations
    return Synced(record.sweep_id, record.name, len(journal.kept), number, sent, reason)


def _why_not(recording: Recording) -> str | None:
    """Send; why not everything could be sent, so that the next sweep's turn comes all the same."""
    try:
        recording.finish()
    except TrackingError as error:
        return str(error)
    except BaseException:
        recording.break_off("KILLED")
        raise
    return None if recording.untracked is None else str(recording.untracked)


def _as_it_was(tracking: Mapping[str, Any], overrides: Sequence[str]) -> list[str]:
    """The overrides that give the tracking of the sweep again; passwords were never kept.

    Raises
    ------
    TrackingError
        If a password is needed and neither an override nor the environment gives it.
    """
    if tracking.get("_target_") != _TARGET:
        return []
    known = {key: value for key, value in tracking.items() if key != "_target_"}
    uri = known.get("uri")
    if isinstance(uri, str) and HIDDEN in uri:
        del known["uri"]
        in_environment = without_password(os.environ.get("MLFLOW_TRACKING_URI", "")) == uri
        if not in_environment and not any(o.lstrip("+").startswith("tracking.uri=") for o in overrides):
            raise TrackingError(f"{uri} needs a password, which isn't kept: give tracking.uri=…")
    return [f"tracking.{key}={literal(value)}" for key, value in known.items()]
