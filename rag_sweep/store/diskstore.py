"""The store on disk: many processes add to one folder, each reads what all have added."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from rag_sweep.errors import UsageError
from rag_sweep.store.entry import Arrays, Entry, Scalar
from rag_sweep.store.folder import Folder, PackFile
from rag_sweep.store.index import Index, KnownPack
from rag_sweep.store.notes import Notes
from rag_sweep.store.pack import Damaged, encode
from rag_sweep.store.reader import Reader
from rag_sweep.store.report import StageShare, StoreReport, moment

_KEY = re.compile(r"[0-9a-f]{64}")
_LOOK_EVERY = 1.0  # seconds between two looks at what others have added
_TOUCH_EVERY = 60.0  # seconds between two notes of one pack's use


class DiskStore:
    """Entries in immutable packs, one file for each put (see `folder` and `pack`).

    Above the limit the packs that are unused for longest go, whoever wrote them; the last one written
    stays. What a process has mapped stays valid then, and takes its place on the disk until it is let go.
    When the disk is full or can't be written, nothing more is kept, which is said; reading goes on.

    Parameters
    ----------
    path
        The folder.
    limit
        The most bytes that all packs together take, >= 1.
    create
        Make the store if there is nothing at `path`; else it must be one already.

    Raises
    ------
    ConfigError
        If the folder can't be used: see `Folder`.
    """

    def __init__(self, path: str | Path, limit: int, *, create: bool = True) -> None:
        self._folder = Folder(path, create=create)
        self._limit = limit
        self._notes = Notes()
        self._index = Index(self._folder, self._notes)
        self._reader = Reader(self._folder.packs)
        self._lock = RLock()
        self._writes = True
        self._dropped_entries = self._dropped_bytes = 0
        self.refresh()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy in another process opens the same folder."""
        return DiskStore, (self._folder.path, self._limit)

    def get(self, key: str) -> Arrays | None:
        """The arrays of `key`, read-only; large ones are mapped into memory. None if they aren't there."""
        while (pack := self._holder(key)) is not None:
            try:
                arrays = self._reader.read(pack, key)
            except (Damaged, OSError) as error:
                self._lose(pack, error)
            else:
                self._touch(pack)
                return arrays
        return None

    def put(self, entries: Mapping[str, Entry]) -> None:
        """Keep those entries that aren't there yet, in one new pack.

        Raises
        ------
        TypeError, ValueError
            For a key that is no fingerprint or a value that can't be kept; nothing is written then.
        """
        for key in entries:
            if not _KEY.fullmatch(key):
                raise ValueError(f"a key must be 64 hex digits, got {key!r}")
        known = self.has(entries)
        new = {key: entry for key, entry in entries.items() if key not in known}
        if not new or not self._writes:
            return
        pack = encode(new)
        if pack.length > self._limit:
            self._notes.say(f"store: more than {self._limit_text} came at once, which isn't kept")
            return
        try:
            name = self._folder.write(pack)
            self._entered(name)
        except OSError as error:
            self._stop_writing(error)

    def has(self, keys: Iterable[str]) -> frozenset[str]:
        """Those of `keys` that are listed; `get` may still find one damaged."""
        wanted = frozenset(keys)
        with self._lock:
            found = frozenset(key for key in wanted if self._index.holder(key))
            if len(found) < len(wanted) and self._look():
                found = frozenset(key for key in wanted if self._index.holder(key))
        return found

    def find(self, stage: str, meta: Mapping[str, Scalar]) -> frozenset[str]:
        """The keys of the entries of a stage that were put with these facts, perhaps among others."""
        with self._lock:
            self._look()
            return self._index.find(stage, meta)

    def refresh(self) -> None:
        """See what other processes have added and dropped; `get` and `has` do so once a second."""
        with self._lock:
            self._looked = time.monotonic()
            self._index.refresh()

    def notes(self) -> tuple[str, ...]:
        """Damaged files, entries dropped for the limit, a store that isn't written: each is given once."""
        with self._lock:
            entries, self._dropped_entries = self._dropped_entries, 0
            dropped, self._dropped_bytes = self._dropped_bytes, 0
        if not dropped:
            return self._notes.take()
        freed = f"{entries} entries ({dropped / 1e6:.0f} MB)"
        return (*self._notes.take(), f"store: {freed} were dropped to stay within {self._limit_text}")

    def show(self) -> StoreReport:
        """What the store holds now.

        Raises
        ------
        UsageError
            If the folder can't be listed.
        """
        with self._lock, self._telling("listed"):
            self.refresh()
            return self._report(self._folder.files())

    def clear(self) -> StoreReport:
        """Remove every entry; gives what was removed. Files that aren't the store's own stay.

        Raises
        ------
        UsageError
            If the folder can't be locked or listed.
        """
        with self._lock, self._telling("emptied"):
            self.refresh()
            removed = self._folder.clear()
            report = self._report(removed)
            self._index.forget([file.name for file in removed])
        return report

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            why = error.strerror or error
            raise UsageError(f"store.path {str(self._folder.path)!r} can't be {what}: {why}") from error

    @property
    def _limit_text(self) -> str:
        return f"store.limit_mb={self._limit / 1e6:g}"

    def _holder(self, key: str) -> KnownPack | None:
        with self._lock:
            pack = self._index.holder(key)
            if pack is None and self._look():
                pack = self._index.holder(key)
            return pack

    def _look(self) -> bool:
        """Refresh, but not more than once a second; True if it was done."""
        if time.monotonic() - self._looked < _LOOK_EVERY:
            return False
        self.refresh()
        return True

    def _lose(self, pack: KnownPack, error: Damaged | OSError) -> None:
        """Do without a pack that couldn't be read."""
        with self._lock:
            if isinstance(error, FileNotFoundError):
                self._index.forget([pack.name])
            elif isinstance(error, OSError):
                self._index.ignore(pack.name, error)
            else:
                self._index.remove_damaged(pack.name, str(error))

    def _touch(self, pack: KnownPack) -> None:
        """Note the use in the file's time: other processes see it, and reading costs no write each time."""
        now = time.monotonic()
        if now - pack.touched >= _TOUCH_EVERY:
            pack.touched = now
            self._folder.touch(pack.name)

    def _entered(self, name: str) -> None:
        with self._lock:
            self._index.add(name)
            self._look()
            if self._index.bytes > self._limit:
                self._make_room(name)

    def _make_room(self, own: str) -> None:
        """Remove what is unused for longest. Locked, or two processes would both remove enough."""
        with self._folder.alone():
            files = self._folder.files()
            over = sum(file.size for file in files) - self._limit
            removed = []
            for file in files:
                if over > 0 and file.name != own and self._folder.remove(file.name):
                    over -= file.size
                    removed.append(file)
        self._forget_dropped(removed)

    def _forget_dropped(self, files: Sequence[PackFile]) -> None:
        known = [self._index.packs[file.name] for file in files if file.name in self._index.packs]
        self._dropped_entries += sum(len(pack.header.entries) for pack in known)
        self._dropped_bytes += sum(file.size for file in files)
        self._index.forget([file.name for file in files])

    def _stop_writing(self, error: OSError) -> None:
        self._writes = False
        why = error.strerror or str(error)
        self._notes.say(f"store: {self._folder.path} can't be written ({why}); no more results are kept")

    def _report(self, files: Sequence[PackFile]) -> StoreReport:
        stages: dict[str, StageShare] = {}
        known = [self._index.packs[file.name] for file in files if file.name in self._index.packs]
        for place in (place for pack in known for place in pack.header.entries.values()):
            before = stages.get(place.stage, StageShare(0, 0))
            stages[place.stage] = StageShare(before.entries + 1, before.bytes + place.size)
        return StoreReport(
            path=self._folder.path,
            limit=self._limit,
            bytes=sum(file.size for file in files),
            packs=len(files),
            stages=dict(sorted(stages.items(), key=lambda item: (-item[1].bytes, item[0]))),
            oldest=moment(files[0].used) if files else None,
            newest=moment(files[-1].used) if files else None,
        )
