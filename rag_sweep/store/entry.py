"""What a store takes and gives, and the promise that every store keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from numpy.typing import NDArray

Arrays: TypeAlias = Mapping[str, NDArray[Any]]
"""Arrays by name: bool, integers, floats and complex of up to 16 bytes, bytes of a fixed length."""

Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, eq=False)
class Entry:
    """A value with what is told about it.

    Parameters
    ----------
    stage
        What computed it; the store is counted and searched by it.
    arrays
        The value.
    meta
        Plain facts that are kept beside the value and can be searched for.
    """

    stage: str
    arrays: Arrays
    meta: Mapping[str, Scalar] = field(default_factory=dict)


class Store(Protocol):
    """Keeps values by key, a fingerprint (64 hex digits) of everything that went into them.

    Keys are content addresses: whoever puts a key puts the same value, so any of several is right. A store
    may forget anything at any time, and then says None; it never gives a wrong value, and neither a damaged
    file nor a full disk raises. All methods may be called from several threads and processes.
    """

    def get(self, key: str) -> Arrays | None:
        """The arrays of `key`, read-only, or None if they aren't there (or no longer, or damaged)."""
        ...

    def put(self, entries: Mapping[str, Entry]) -> None:
        """Keep entries by key. One call costs one sync of the disk, so bring many together.

        Raises
        ------
        TypeError, ValueError
            For a key that is no fingerprint or a value that isn't made of the arrays named in `Arrays`.
        """
        ...

    def has(self, keys: Iterable[str]) -> frozenset[str]:
        """Those of `keys` that are listed; `get` may still find one damaged."""
        ...

    def find(self, stage: str, meta: Mapping[str, Scalar]) -> frozenset[str]:
        """The keys of the entries of a stage that were put with these facts, perhaps among others."""
        ...

    def notes(self) -> tuple[str, ...]:
        """What the user should know and wasn't told yet, in sentences; each is given once."""
        ...
