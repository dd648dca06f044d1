"""The errors that are told to people, and how a command ends with each.

RagSweepError                 base; carries the exit code of the command
├── UsageError          2     the input or the use is wrong
│   ├── ConfigError     2     a key, an option or a value of the configuration
│   ├── DataError       2     documents, GOLD, qrels or rankings; lists every fault
│   └── MissingExtra    2     an optional dependency isn't installed
├── TrackingError       2     the tracking store can't be used
├── ServiceError        2     a search service can't be reached, or answers what can't be read
├── JournalError        1     results can't be kept on disk, or not be read from there
├── StageFailed         1     one configuration failed while it ran
├── NotGoodEnough       1     what was measured misses a threshold
└── NotComparable       3     two results can't be compared

A module may have one that is narrower, such as `Unwritable` of stdout or `ConformanceError` of a component.
Terminated ends the command and is no error. What fails on the way and is dealt with where it is called is no
RagSweepError either and never reaches people as such: a call of a model that fails becomes a verdict or an
answer with the reason (`CallFailed` with `AskOtherwise`, `Late`), a reply that isn't as it must be is sent
back (`Unreadable`), a damaged file of the store is computed anew (`Damaged`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal


class RagSweepError(Exception):
    """Base of all errors meant for people; the text is one to three lines without a traceback."""

    exit_code: ClassVar[int] = 2


class UsageError(RagSweepError):
    """The input or the way of calling is wrong."""


class ConfigError(UsageError):
    """A configuration key, option or value is wrong."""


class MissingExtra(UsageError):
    """A feature needs an optional dependency.

    Parameters
    ----------
    feature
        What was asked for, in the user's words.
    extra
        The name of the extra in ``pip install 'rag-sweep[extra]'``.
    """

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an extra: pip install 'rag-sweep[{extra}]'")


class Terminated(SystemExit):
    """SIGTERM: leaves with 143 after everything that was begun has been ended."""


def is_end(error: BaseException) -> bool:
    """True for Ctrl-C and SIGTERM, which end the command; all else that a user's code raises is a failure."""
    return isinstance(error, KeyboardInterrupt | Terminated)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a file: what, where, and in a table the row as a spreadsheet counts it."""

    what: str
    file: Path | None = None
    line: int | None = None
    id: str | None = None
    level: Literal["error", "warning"] = "error"
    row: int | None = None

    def __str__(self) -> str:
        place = "" if self.file is None else str(self.file)
        if self.row not in (None, self.line):
            place += f" row {self.row} (line {self.line})"
        else:
            place += "" if self.line is None else f":{self.line}"
        name = "" if self.id is None else f"[{self.id}]"
        return " ".join(part for part in (place, name, self.what) if part)


class DataError(UsageError):
    """Documents, GOLD, qrels or rankings are wrong; `faults` lists every one."""

    shown: ClassVar[int] = 20

    def __init__(self, faults: Sequence[Fault] | Fault | str) -> None:
        found = Fault(faults) if isinstance(faults, str) else faults
        self.faults: tuple[Fault, ...] = (found,) if isinstance(found, Fault) else tuple(found)
        lines = [str(fault) for fault in self.faults[: self.shown]]
        more = len(self.faults) - len(lines)
        super().__init__("\n".join([*lines, *([f"and {more} more"] if more else [])]))


class TrackingError(RagSweepError):
    """The tracking store can't be reached or written."""


class ServiceError(RagSweepError):
    """A search service can't be reached, or its answer can't be read: nothing was measured."""


class JournalError(RagSweepError):
    """Results can't be kept on disk, or what was kept can't be read any more."""

    exit_code = 1


class StageFailed(RagSweepError):
    """A stage of one configuration failed while it ran; the others go on."""

    exit_code = 1


class NotGoodEnough(RagSweepError):
    """What was measured misses what was asked for."""

    exit_code = 1


class NotComparable(RagSweepError):
    """Two results differ in gold, k or filters, so their difference means nothing."""

    exit_code = 3
