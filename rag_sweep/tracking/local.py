"""Our own store on disk: a SQLite database, made once, whole, and by one process."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from pathlib import Path

from filelock import FileLock, Timeout

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.place import Place
from rag_sweep.tracking.thirdparty import calling_mlflow

_LONGEST_WAIT = 120.0  # seconds; making the tables takes about two


def prepare(place: Place) -> None:
    """Make the database of `place` if it isn't there, and see that it and the artifacts can be written.

    Raises
    ------
    TrackingError
        If the folder or the file can't be used, with what was tried and the system's reason. A database
        that can't be completed isn't left behind.
    """
    if place.database is None or place.artifacts is None:
        return
    folder = place.database.parent
    if folder.exists() and not folder.is_dir():
        raise TrackingError(f"the tracking folder must be a folder, got the file {folder}")
    with calling_mlflow(f"the tracking folder {folder} can't be used"):
        folder.mkdir(parents=True, exist_ok=True)
        _create_once(place.database, place.artifacts)
        place.artifacts.mkdir(exist_ok=True)
    for written in (folder, place.artifacts):
        _check_folder(written)
    _check_database(place.database)


def _create_once(database: Path, artifacts: Path) -> None:
    lock = database.parent / ".lock"
    try:
        with FileLock(lock, timeout=_LONGEST_WAIT):
            if _is_missing(database):
                _create(database, artifacts)
    except Timeout as error:
        raise TrackingError(f"another process has held {lock} for {_LONGEST_WAIT:.0f} s") from error


def _is_missing(database: Path) -> bool:
    """True also for an empty file, which SQLite takes for a new database."""
    return not database.exists() or (database.is_file() and database.stat().st_size == 0)


def _create(database: Path, artifacts: Path) -> None:
    """Make the tables under another name: a killed process leaves no half-made database."""
    from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

    new = database.with_name(f"{database.name}.new")
    _remove(new)
    try:
        store = SqlAlchemyStore(  # type: ignore[no-untyped-call]
            f"sqlite:///{new.as_posix()}", artifacts.as_posix()
        )
        store.engine.dispose()
        _use_write_ahead_log(new)
        os.replace(new, database)
    finally:
        _remove(new)


def _use_write_ahead_log(database: Path) -> None:
    """Readers and the writer no longer wait for each other, and a commit costs less.

    The database remembers it. Where the file system can't do it (some network drives), SQLite keeps its
    old way, which is slower and as safe.
    """
    connection = sqlite3.connect(database)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
    finally:
        connection.close()


def _remove(database: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        database.with_name(database.name + ending).unlink(missing_ok=True)


def _check_folder(folder: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise TrackingError(f"the tracking folder {folder} can't be written: {error.strerror}") from error


def _check_database(database: Path) -> None:
    """Write nothing, but as one who could; MLflow would retry a hopeless file for two minutes."""
    try:
        connection = sqlite3.connect(database, timeout=20)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.rollback()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise TrackingError(f"the tracking database {database} can't be used: {error}") from error
