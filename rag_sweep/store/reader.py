"""Reading entries: large ones are mapped into memory, small ones read, all checked once in a process."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import BinaryIO
from weakref import WeakValueDictionary

from rag_sweep.store.entry import Arrays
from rag_sweep.store.index import KnownPack
from rag_sweep.store.pack import Damaged, Place, checksum_of, read_arrays

_MAPPED_FROM = 1 << 20  # bytes; each mapping holds a file descriptor, of which there are often only 1,024
_AT_ONCE = 1 << 20  # bytes


class Reader:
    """Reads entries of packs in `folder`. A pack that is removed meanwhile lives on in what was mapped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._maps: WeakValueDictionary[str, mmap.mmap] = WeakValueDictionary()
        self._lock = Lock()

    def read(self, pack: KnownPack, key: str) -> Arrays:
        """The arrays of an entry, read-only.

        Raises
        ------
        Damaged, OSError
        """
        place = pack.header.entries[key]
        with (self._folder / pack.name).open("rb") as file:
            if os.fstat(file.fileno()).st_size != pack.header.length:
                raise Damaged("its length has changed")
            if place.size < _MAPPED_FROM:
                data = self._load(file, pack, place)
                self._verify([data], pack, key)
            else:
                self._verify(_pieces(file, pack.header.start + place.at, place.size), pack, key)
                data = self._map(file, pack, place)
        return read_arrays(place, data)

    def _verify(self, pieces: Iterator[memoryview] | list[memoryview], pack: KnownPack, key: str) -> None:
        """Read by read(), not through the mapping: there a bad sector would end the process."""
        if key in pack.verified:
            return
        if checksum_of(pieces) != pack.header.entries[key].checksum:
            raise Damaged(f"the checksum of {key} is wrong")
        pack.verified.add(key)

    def _load(self, file: BinaryIO, pack: KnownPack, place: Place) -> memoryview:
        file.seek(pack.header.start + place.at)
        return memoryview(file.read(place.size))

    def _map(self, file: BinaryIO, pack: KnownPack, place: Place) -> memoryview:
        try:
            with self._lock:
                mapped = self._maps.get(pack.name)
                if mapped is None:
                    mapped = mmap.mmap(file.fileno(), pack.header.length, access=mmap.ACCESS_READ)
                    self._maps[pack.name] = mapped
        except (OSError, ValueError):  # no descriptor or no address space left
            return self._load(file, pack, place)
        start = pack.header.start + place.at
        return memoryview(mapped)[start : start + place.size]


def _pieces(file: BinaryIO, start: int, size: int) -> Iterator[memoryview]:
    file.seek(start)
    while size > 0:
        piece = file.read(min(size, _AT_ONCE))
        if not piece:
            return
        size -= len(piece)
        yield memoryview(piece)
