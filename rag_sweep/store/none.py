"""No store at all: everything is computed anew in each process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rag_sweep.store.entry import Arrays, Entry, Scalar, Store


@dataclass(frozen=True)
class NoStore:
    """Nothing is kept."""

    def open(self) -> Store:
        """A store that takes everything and keeps nothing."""
        return ForgetfulStore()


class ForgetfulStore:
    """Every key is a miss."""

    def get(self, key: str) -> Arrays | None:
        """Never there."""
        return None

    def put(self, entries: Mapping[str, Entry]) -> None:
        """Nothing."""

    def has(self, keys: Iterable[str]) -> frozenset[str]:
        """None of them."""
        return frozenset()

    def find(self, stage: str, meta: Mapping[str, Scalar]) -> frozenset[str]:
        """None."""
        return frozenset()

    def notes(self) -> tuple[str, ...]:
        """Nothing to say."""
        return ()
