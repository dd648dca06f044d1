"""No tracking at all: results stay in the journal and in the reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from rag_sweep.errors import ConfigError
from rag_sweep.tracking.records import ChildRecord, Files, Status, SweepRecord, Tracker


@dataclass(frozen=True)
class NoTracking:
    """Nothing is logged.

    Parameters
    ----------
    text
        "none" keeps the texts of questions and passages out of reports and logs too; ids suffice.
    """

    text: Literal["full", "none"] = "full"

    is_silent: ClassVar[bool] = True
    children: ClassVar[str] = "none"
    trec: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.text not in ("full", "none"):
            raise ConfigError(f"tracking.text must be full or none, got {self.text!r}")

    def tracker(self) -> Tracker:
        """A tracker that takes everything and keeps nothing."""
        return SilentTracker()


class SilentTracker:
    """Every method does nothing."""

    is_silent = True

    def open(self, sweep: SweepRecord, resume: bool = False) -> frozenset[int]:
        """Nothing is held."""
        return frozenset()

    def holds(self, sweep: SweepRecord) -> frozenset[int] | None:
        """Nothing."""
        return None

    def log(self, child: ChildRecord) -> str | None:
        """No run, so no id."""
        return None

    def log_single(self, sweep: SweepRecord, child: ChildRecord, resume: bool = False) -> str | None:
        """No run, so no id."""
        return None

    def close(
        self, status: Status, metrics: Mapping[str, float] | None = None, files: Files | None = None
    ) -> None:
        """Nothing."""

    def where(self) -> str:
        """An empty text: there is nowhere to look."""
        return ""
