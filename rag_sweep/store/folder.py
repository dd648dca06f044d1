"""The folder of a store: what may lie in it, how a file gets there whole, and how it goes.

STORE               says that the folder is a store, and of which format
.lock               held by who makes, empties or shrinks the store; reading and adding need no lock
packs/<name>.pack   a pack (see `pack`); its name is random, so nobody ever writes to another's
packs/<name>.tmp    a pack that is being written, or was when its process died
"""

from __future__ import annotations

import contextlib
import os
import re
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rag_sweep.errors import ConfigError
from rag_sweep.files import write_whole
from rag_sweep.store.pack import VERSION, Pack

if TYPE_CHECKING:
    from filelock import FileLock

_MARKER = f"rag-sweep store, format {VERSION}\n".encode()
_PACK = re.compile(r"[0-9a-f]{32}\.pack")
_TEMPORARY = re.compile(r"[0-9a-f]{32}\.tmp")
_ABANDONED_AFTER = 3600.0  # seconds without a write; writing one pack takes some seconds at most
_SURELY_WRITTEN_AFTER = 60.0  # the same where the user asks for an empty store
_LONGEST_WAIT = 30.0  # seconds for a lock that others hold for milliseconds


@dataclass(frozen=True, slots=True)
class PackFile:
    """A pack as the file system shows it; `used` in nanoseconds since 1970. Ordered by use."""

    used: int
    name: str
    size: int


class Folder:
    """A store's folder.

    Parameters
    ----------
    path
        Where it is; made absolute now, so that a later change of the working directory doesn't matter.
    create
        Make it a store if there is nothing yet; else it must be one already.

    Raises
    ------
    ConfigError
        ``store.path …``, if it can't be used: a file, no permission, a folder with something else in it.
    """

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        self.path = Path(path).absolute()
        self.packs = self.path / "packs"
        try:
            self._open(create)
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            why = getattr(error, "strerror", None) or str(error)
            raise self._refused("a folder that can be read and written", why) from error
        with contextlib.suppress(OSError):  # a store that can only be read is still worth reading
            self._remove_temporary(unwritten_for=_ABANDONED_AFTER)

    def names(self) -> tuple[frozenset[str], tuple[str, ...]]:
        """The names of the packs that are there now, and of files that the store hasn't made.

        Hidden files aren't told of: file systems and desktops make them. Raises OSError.
        """
        names = os.listdir(self.packs)
        packs = frozenset(name for name in names if _PACK.fullmatch(name))
        others = sorted(name for name in names if name not in packs and not name.startswith("."))
        return packs, tuple(name for name in others if not _TEMPORARY.fullmatch(name))

    def files(self) -> list[PackFile]:
        """The packs that are there now, the least recently used first. Raises OSError."""
        found = []
        for file in os.scandir(self.packs):
            if _PACK.fullmatch(file.name):
                with contextlib.suppress(FileNotFoundError):  # another process was faster
                    stat = os.stat(file.path)
                    found.append(PackFile(stat.st_mtime_ns, file.name, stat.st_size))
        return sorted(found, key=lambda file: (file.used, file.name))

    def write(self, pack: Pack) -> str:
        """Add a pack, and give its name: it is there whole or not at all, also after a crash.

        Raises OSError.
        """
        name = uuid.uuid4().hex
        # a temporary file that can't be removed now is removed in an hour
        write_whole(self.packs / f"{name}.pack", self.packs / f"{name}.tmp", pack.pieces)
        return f"{name}.pack"

    def touch(self, name: str) -> None:
        """Say that a pack is used now."""
        with contextlib.suppress(OSError):  # gone, or a read-only folder, where nothing is dropped either
            os.utime(self.packs / name)

    def remove(self, name: str) -> bool:
        """Remove a pack; False if it can't be, as on Windows while a process has it mapped."""
        try:
            (self.packs / name).unlink(missing_ok=True)
        except OSError:
            return False
        return True

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the store's lock. Raises OSError if it can't be had, also if that takes too long."""
        from filelock import FileLock

        lock = FileLock(self.path / ".lock", timeout=_LONGEST_WAIT)
        try:
            self._acquire(lock)
            yield
        finally:  # does nothing where the lock wasn't had; an interruption may come right after it was
            lock.release()

    def _acquire(self, lock: FileLock) -> None:
        try:
            lock.acquire()
        except NotImplementedError as error:
            raise OSError(f"the file system of {self.path} has no locks") from error

    def clear(self) -> list[PackFile]:
        """Remove every pack and what killed processes left, nothing else; gives the packs that went.

        Raises OSError.
        """
        with self.alone():
            removed = [file for file in self.files() if self.remove(file.name)]
            self._remove_temporary(unwritten_for=_SURELY_WRITTEN_AFTER)
        return removed

    def _open(self, create: bool) -> None:
        marker = self.path / "STORE"
        if not marker.is_file():
            self._check_empty(marker, create)
            self.path.mkdir(parents=True, exist_ok=True)
            with self.alone():
                write_whole(marker, self.path / ".STORE.new", [_MARKER])
        found = marker.read_bytes()[:100]
        if found != _MARKER:
            said = found.decode("utf-8", "replace").strip()
            raise self._refused(f"a store of format {VERSION}", f"its file STORE says {said!r}")
        self.packs.mkdir(exist_ok=True)

    def _check_empty(self, marker: Path, create: bool) -> None:
        """Refuse what is no place for a store. The marker comes first, so another's new store is none."""
        if not create:
            raise self._refused("a store", "there is none")
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise self._refused("a folder", "it is a file")
        others = sorted(set(os.listdir(self.path)) - {".lock", ".STORE.new"})
        if others and not marker.is_file():
            raise self._refused("a new or empty folder or a store", f"it holds {', '.join(others[:3])}")

    def _refused(self, allowed: str, what: str) -> ConfigError:
        return ConfigError(f"store.path must be {allowed}, got {str(self.path)!r}: {what}")

    def _remove_temporary(self, unwritten_for: float) -> None:
        """Remove what nobody has written to for so many seconds; who is gone, is gone."""
        before = time.time() - unwritten_for
        for file in self.packs.iterdir():
            with contextlib.suppress(OSError):
                if _TEMPORARY.fullmatch(file.name) and file.stat().st_mtime < before:
                    file.unlink()
