"""The arrays of a sweep's results: one pack a batch, in the store's format, never changed.

A pack is named by what is in it, checksums of its arrays included, so one can't stand for another.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from rag_sweep.files import write_whole
from rag_sweep.store.entry import Arrays, Entry
from rag_sweep.store.index import KnownPack
from rag_sweep.store.pack import Damaged, encode, read_header
from rag_sweep.store.reader import Reader

_OPEN = 4  # packs whose headers are kept: results are read in the order in which they were written


class Packs:
    """The packs in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reader = Reader(folder)
        self._known: dict[str, KnownPack] = {}

    def write(self, entries: Mapping[str, Entry]) -> str:
        """Add a pack, and give its name: it is on the disk when this returns. Raises OSError."""
        pack = encode(entries)
        name = _name(pack.pieces[0])
        write_whole(self._folder / f"{name}.pack", self._folder / f"{name}.tmp", pack.pieces)
        return name

    def read(self, name: str, key: str) -> tuple[Arrays, Mapping[str, Any]]:
        """The arrays of an entry and what is told beside them.

        Raises
        ------
        Damaged, OSError
        """
        pack = self._pack(name)
        if key not in pack.header.entries:
            raise Damaged(f"it has no entry {key}")
        return self._reader.read(pack, key), pack.header.entries[key].meta

    def is_whole(self, name: str) -> bool:
        """True if every entry can be read."""
        try:
            for key in self._pack(name).header.entries:
                self.read(name, key)
        except (Damaged, OSError):
            return False
        return True

    def drop_others(self, names: Set[str]) -> None:
        """Remove what killed processes left: packs that no line names, and half-written ones."""
        for file in self._files():
            if file.suffix != ".pack" or file.stem not in names:
                with contextlib.suppress(OSError):
                    file.unlink()

    def _files(self) -> Iterator[Path]:
        yield from self._folder.iterdir()

    def _pack(self, name: str) -> KnownPack:
        if name not in self._known:
            file = self._folder / f"{name}.pack"
            with file.open("rb") as opened:
                header = read_header(opened, file.stat().st_size)
                opened.seek(0)
                if _name(opened.read(header.start)) != name:
                    raise Damaged("it is another pack under this name")
            self._known[name] = KnownPack(file.name, header)
            while len(self._known) > _OPEN:
                self._known.pop(next(iter(self._known)))
        return self._known[name]


def _name(head: bytes | memoryview) -> str:
    """The name of a pack that begins so: all but the data, whose checksums stand there."""
    return hashlib.sha256(head).hexdigest()[:32]
