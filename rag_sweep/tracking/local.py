"""Our own store on disk: a SQLite database, made once, whole, and by one process."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from filelock import FileLock, Timeout

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.place import Place
from rag_sweep.tracking.thirdparty import calling_mlflow

_LONGEST_WAIT = 120.0  # seconds; making the tables takes about two


def prepare(place: Place) -> None:
    """Make the database of `place` if it isn't there, and see that it can be written.

    Raises
    ------
    TrackingError
        If the folder or the file can't be used, with what was tried and the system's reason. A database
        that can't be completed isn't left behind.
    """
    if place.database is None:
        return
    folder = place.database.parent
    with calling_mlflow(f"the tracking folder {folder} can't be used"):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(folder / ".lock", timeout=_LONGEST_WAIT):
                if not place.database.exists():
                    _create(place)
        except Timeout as error:
            raise TrackingError(
                f"another process has held {folder / '.lock'} for {_LONGEST_WAIT:.0f} s"
            ) from error
    _check(place.database)


def _create(place: Place) -> None:
    """Make the tables under another name: a killed process leaves no half-made database."""
    from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

    if place.database is None or place.artifacts is None:
        return
    new = place.database.with_name(f"{place.database.name}.new")
    _remove(new)
    try:
        store = SqlAlchemyStore(  # type: ignore[no-untyped-call]
            f"sqlite:///{new.as_posix()}", place.artifacts.as_posix()
        )
        store.engine.dispose()
        _use_write_ahead_log(new)
        os.replace(new, place.database)
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


def _check(database: Path) -> None:
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
    if not os.access(database, os.W_OK):
        raise TrackingError(f"the tracking database {database} can't be written: no permission")
