"""What a store holds, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class StageShare:
    """One stage's part of a store: how many entries, and the bytes of their arrays."""

    entries: int
    bytes: int


@dataclass(frozen=True)
class StoreReport:
    """What a store holds.

    Attributes
    ----------
    path
        Its folder, absolute.
    limit
        The most bytes that it may take.
    bytes
        What its packs take on the disk: a little more than the arrays in them.
    packs
        Number of files; each was written by one put.
    stages
        Entries and bytes of each stage, the largest first.
    oldest, newest
        When the packs that are unused for longest and shortest were used; None in an empty store.
    """

    path: Path
    limit: int
    bytes: int
    packs: int
    stages: Mapping[str, StageShare]
    oldest: datetime | None
    newest: datetime | None

    def to_dict(self) -> dict[str, Any]:
        """The same in types that JSON has; times in ISO 8601, UTC."""
        return {
            "path": str(self.path),
            "limit": self.limit,
            "bytes": self.bytes,
            "packs": self.packs,
            "stages": {stage: asdict(share) for stage, share in self.stages.items()},
            "oldest": None if self.oldest is None else self.oldest.isoformat(),
            "newest": None if self.newest is None else self.newest.isoformat(),
        }


def moment(nanoseconds: int) -> datetime:
    """A file's time as a date, to the second."""
    return datetime.fromtimestamp(nanoseconds // 1_000_000_000, UTC)
