"""Telling a sweep that runs from one whose process died: a locked file, which no crash leaves locked."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

TAG = "process"
_LONGEST_WAIT = 60.0  # seconds for another start to finish looking


class Mark:
    """This process's sign of life.

    Parameters
    ----------
    folder
        Where marks are kept; all processes of this machine that write to the same experiment use one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.name = uuid.uuid4().hex
        self._lock = FileLock(self._file(self.name), thread_local=False)  # any thread may end what one began

    def set(self) -> None:
        """Say that this process lives. Raises OSError if the folder can't be written."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._alone():
            self._lock.acquire(blocking=False)

    def clear(self) -> None:
        """Take the sign back: everything that this process began is closed."""
        self.abandon()
        self._file(self.name).unlink(missing_ok=True)

    def abandon(self) -> None:
        """Leave the sign as a dead process would: the next start has to close what is open."""
        self._lock.release()

    @contextmanager
    def dead(self) -> Iterator[frozenset[str]]:
        """The names of processes that set a mark and died; they are forgotten if the block doesn't raise."""
        if not self._folder.is_dir():
            yield frozenset()
            return
        with self._alone():
            names = frozenset(file.stem for file in self._folder.glob("*.mark") if self._is_dead(file))
            yield names
            for name in names:
                self._file(name).unlink(missing_ok=True)

    def _is_dead(self, file: Path) -> bool:
        if file.stem == self.name:
            return False
        lock = FileLock(file)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return False
        lock.release()
        return True

    def _alone(self) -> FileLock:
        """Held while marks are set and judged: a mark is never seen before it is locked."""
        return FileLock(self._folder / "all.lock", timeout=_LONGEST_WAIT)

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.mark"
