"""Which entries there are, and in which packs: kept in memory, made of the packs' headers alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rag_sweep.store.entry import Scalar
from rag_sweep.store.folder import Folder
from rag_sweep.store.notes import Notes
from rag_sweep.store.pack import Damaged, Header, read_header


@dataclass(eq=False, slots=True)
class KnownPack:
    """A pack whose header was read, with what this process has seen of it since.

    Attributes
    ----------
    verified
        Keys whose data were found to be whole.
    touched
        When its use was noted in the folder, on this process's clock.
    """

    name: str
    header: Header
    verified: set[str] = field(default_factory=set)
    touched: float = float("-inf")


class Index:
    """The packs of a folder and the entries in them. Not safe between threads: `DiskStore` sees to that.

    Attributes
    ----------
    bytes
        What the known packs take on the disk.
    """

    def __init__(self, folder: Folder, notes: Notes) -> None:
        self.bytes = 0
        self._folder = folder
        self._notes = notes
        self._packs: dict[str, KnownPack] = {}
        self._useless: set[str] = set()
        self._holders: dict[str, KnownPack] = {}
        self._stages: dict[str, set[str]] = {}

    @property
    def packs(self) -> Mapping[str, KnownPack]:
        """The known packs by name."""
        return self._packs

    def holder(self, key: str) -> KnownPack | None:
        """A pack that has the key."""
        return self._holders.get(key)

    def find(self, stage: str, meta: Mapping[str, Scalar]) -> frozenset[str]:
        """The keys of a stage whose entries have these facts."""
        wanted = meta.items()
        keys = self._stages.get(stage, ())
        return frozenset(key for key in keys if self._holders[key].header.entries[key].meta.items() >= wanted)

    def refresh(self) -> None:
        """See which packs have come and gone; only new ones are opened."""
        try:
            names, foreign = self._folder.names()
        except OSError as error:
            self._notes.say(f"store: {self._folder.packs} can't be listed: {error}")
            return
        for name in foreign:
            self._notes.say(f"store: {self._folder.packs / name} is no file of a store; it is left alone")
        self._useless &= names
        self.forget(self._packs.keys() - names)
        for name in sorted(names - self._packs.keys() - self._useless):
            self.add(name)

    def add(self, name: str) -> None:
        """Read the header of a pack; one that is damaged is removed, and the user told."""
        path = self._folder.packs / name
        try:
            with path.open("rb") as file:
                header = read_header(file, os.fstat(file.fileno()).st_size)
        except FileNotFoundError:  # dropped by another process since it was listed
            return
        except Damaged as damage:
            self.remove_damaged(name, str(damage))
        except OSError as error:
            self.ignore(name, error)
        else:
            self._packs[name] = KnownPack(name, header)
            self.bytes += header.length
            self._enter(self._packs[name])

    def remove_damaged(self, name: str, what: str) -> None:
        """Remove a pack that isn't what was written. Names are never used again, so no lock is needed."""
        removed = self._folder.remove(name)
        self._useless.add(name)
        self.forget([name])
        end = "it was removed" if removed else "it can't be removed"
        self._notes.say(f"store: {self._folder.packs / name} is damaged ({what}); {end}")

    def ignore(self, name: str, error: OSError) -> None:
        """Leave out a pack that this process can't read: it may be whole."""
        self._useless.add(name)
        self.forget([name])
        self._notes.say(f"store: {self._folder.packs / name} can't be read: {error.strerror or error}")

    def forget(self, names: Iterable[str]) -> None:
        """Leave out packs that are gone. Their keys may be in other packs too, so all are entered anew."""
        gone = [self._packs.pop(name) for name in names if name in self._packs]
        if not gone:
            return
        self.bytes -= sum(pack.header.length for pack in gone)
        self._holders, self._stages = {}, {}
        for pack in self._packs.values():
            self._enter(pack)

    def _enter(self, pack: KnownPack) -> None:
        for key, place in pack.header.entries.items():
            holder = self._holders.setdefault(key, pack)
            if holder is pack:
                self._stages.setdefault(place.stage, set()).add(key)
