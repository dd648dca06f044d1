"""A row of the table, and what a bench run knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory


@dataclass(frozen=True)
class Row:
    """One line: a ratio of two sides that were measured in this run.

    Attributes
    ----------
    key
        The letter of the row's group.
    ours, other
        The two figures, with their units.
    ratio
        As it is read: "5.1 times"; empty where a row has one side only.
    goal
        What the project aims at, in words; empty where there is none.
    equal
        Whether the results of both sides were equal; None where there is nothing to compare.
    checked
        What was compared, or what must be known about the figures.
    """

    key: str
    what: str
    ours: str = ""
    other: str = ""
    ratio: str = ""
    goal: str = ""
    equal: bool | None = None
    checked: str = ""


def skipped(key: str, what: str, reason: object) -> Row:
    """A row that can't be measured here."""
    return Row(key, what, checked=f"skipped: {reason}")


@dataclass(frozen=True)
class Bench:
    """How to measure: repetitions, small or full sizes, and where files go."""

    repeat: int
    quick: bool
    folder: Path
    _counter: list[int] = field(default_factory=lambda: [0])

    def fresh(self) -> Path:
        """A new empty folder, kept until the end of the bench."""
        self._counter[0] += 1
        folder = self.folder / f"{self._counter[0]:03d}"
        folder.mkdir()
        return folder

    @contextmanager
    def passing(self) -> Iterator[Path]:
        """A new empty folder that is gone after the block."""
        with TemporaryDirectory(dir=self.folder) as folder:
            yield Path(folder)


def milliseconds(value: float) -> str:
    """A duration for people, from milliseconds."""
    if value >= 1000:
        return f"{value / 1000:.1f} s" if value >= 10_000 else f"{value / 1000:.2f} s"
    return f"{value:.0f} ms" if value >= 100 else f"{value:.1f} ms" if value >= 1 else f"{value:.2f} ms"


def processor(own: float, other: float) -> str:
    """Milliseconds of processor time of both sides, and the larger by the smaller."""
    ratio = times(max(own, other) / max(1e-9, min(own, other)))
    return f"processor time {milliseconds(own)} : {milliseconds(other)}, {ratio}"


def seconds(value: float) -> str:
    """A duration for people, from seconds."""
    return milliseconds(1000 * value)


def times(value: float) -> str:
    """A ratio for people."""
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"
