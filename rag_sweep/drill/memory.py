"""A store for the time of one drill: what broken searches computed never lands among the user's values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rag_sweep.store.entry import Arrays, Entry, Scalar, Store


@dataclass(frozen=True, eq=False)
class Aside:
    """Reads what another store has, and keeps what is new in memory alone."""

    below: Store
    kept: dict[str, Entry] = field(default_factory=dict)

    def get(self, key: str) -> Arrays | None:
        """The arrays of `key`, of this drill or from below."""
        entry = self.kept.get(key)
        return self.below.get(key) if entry is None else entry.arrays

    def put(self, entries: Mapping[str, Entry]) -> None:
        """Keep entries until the drill ends."""
        self.kept.update(entries)

    def has(self, keys: Iterable[str]) -> frozenset[str]:
        """Those of `keys` that are here or below."""
        wanted = list(keys)
        here = frozenset(key for key in wanted if key in self.kept)
        return here | self.below.has(key for key in wanted if key not in here)

    def find(self, stage: str, meta: Mapping[str, Scalar]) -> frozenset[str]:
        """The keys of the entries of a stage that have these facts."""
        here = (
            key
            for key, entry in self.kept.items()
            if entry.stage == stage and meta.items() <= entry.meta.items()
        )
        return frozenset(here) | self.below.find(stage, meta)

    def notes(self) -> tuple[str, ...]:
        """What the store below has to say."""
        return self.below.notes()
