"""The folder of all journals: who may write to which, and where a command goes on.

<identity>.<sweep id>/    one journal (see `journal`)
.lock                     held while a journal is begun, taken up or removed
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from rag_sweep.errors import ConfigError
from rag_sweep.journal import lines

HEAD = "sweep.json"
"""The file that a journal has from the moment on when it can be taken up."""

NEW_HEAD = f"{HEAD}.new"
"""The same while it is being written."""

CARDS, PACKS, LOCK = "configurations.jsonl", "packs", "lock"
"""What a journal has before its head."""

_LONGEST_WAIT = 60.0  # seconds; others begin a journal in one or two
_UNKNOWN = "sweep"  # in place of an identity
_NAME = re.compile(rf"([0-9a-f]{{16}}|{_UNKNOWN})\.[0-9]{{8}}-[0-9]{{6}}-[0-9a-f]{{6}}")
_BEFORE_HEAD = {CARDS, PACKS, LOCK, NEW_HEAD}


class Shelf:
    """The journals below a folder.

    Raises
    ------
    ConfigError
        If the folder can't be made or written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).absolute()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not os.access(self.path, os.W_OK | os.X_OK):
                raise PermissionError(13, "Permission denied")
        except OSError as error:
            raise ConfigError(
                f"journal must be a folder that can be written, got {str(path)!r}: {error.strerror}\n"
                "Results are kept there before they go anywhere; journal=null keeps none."
            ) from error

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Held while journals come and go. Raises OSError if that can't be."""
        with FileLock(self.path / ".lock", timeout=_LONGEST_WAIT):
            yield

    def new(self, identity: str | None, sweep_id: str) -> tuple[Path, FileLock]:
        """An empty folder for a journal, locked by this process. Raises OSError."""
        folder = self.path / f"{_prefix(identity)}.{sweep_id}"
        (folder / PACKS).mkdir(parents=True)
        lock = locked(folder)
        if lock is None:
            raise OSError(f"{folder} is locked by another process")
        return folder, lock

    def of(self, identity: str) -> list[Path]:
        """Folders that may hold a journal of this identity, the newest first."""
        return sorted(self.path.glob(f"{_prefix(identity)}.*"), key=lambda path: path.name, reverse=True)

    def all(self) -> list[Path]:
        """All journals, the oldest first."""
        begun = (folder for folder in self.path.glob("*.*") if (folder / HEAD).is_file())
        return sorted(begun, key=lambda path: path.name.partition(".")[2])

    def unreadable(self) -> list[Path]:
        """Journals whose head is damaged or gone; what is in them can't be told any more."""
        ours = (folder for folder in self.path.iterdir() if _NAME.fullmatch(folder.name) and folder.is_dir())
        return sorted(f for f in ours if not _is_half(f) and not any(lines.read(f / HEAD)))

    def sweep_out(self) -> None:
        """Remove what was never begun: its process died between two files. The rest isn't ours to judge."""
        for folder in self.path.iterdir():
            if _NAME.fullmatch(folder.name) and folder.is_dir() and _is_half(folder):
                lock = locked(folder)
                if lock is not None:
                    remove(folder, lock)


def locked(folder: Path) -> FileLock | None:
    """The lock of a journal, None if a living process has it."""
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(blocking=False)
    except (Timeout, OSError):
        return None
    return lock


def remove(folder: Path, lock: FileLock) -> None:
    """Remove a journal that this process holds."""
    shutil.rmtree(folder, ignore_errors=True)
    lock.release()
    shutil.rmtree(folder, ignore_errors=True)


def _is_half(folder: Path) -> bool:
    return {file.name for file in folder.iterdir()} <= _BEFORE_HEAD


def _prefix(identity: str | None) -> str:
    return identity[:16] if identity else _UNKNOWN
