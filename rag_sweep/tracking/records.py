"""What is tracked, as plain records, and what a tracker does with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

Scalar: TypeAlias = str | int | float | bool | None
Status: TypeAlias = Literal["FINISHED", "FAILED", "KILLED"]
Files: TypeAlias = Mapping[str, bytes | Path]
"""Files of a run by their path below it, with ``/``: content, or a file that is there already."""


@dataclass(frozen=True)
class DatasetInfo:
    """What a sweep was measured on.

    Parameters
    ----------
    name
        The data set's name, the same for both roles.
    role
        The documents or the questions with their judgements.
    digest
        The full SHA-256 as 64 hex digits.
    source
        Where it was read from: a path, or words such as "bundled".
    profile
        Counts for people, such as ``{"questions": 225, "negatives": 20}``.
    """

    name: str
    role: Literal["corpus", "gold"]
    digest: str
    source: str
    profile: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """One row a question. Cells are scalars; NaN stands for "not applicable" and is written as null."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True)
class SweepRecord:
    """What all configurations of one sweep share.

    Parameters
    ----------
    sweep_id
        The same on the sweep's run and on every run below it.
    params
        The keys that all configurations have in common.
    description
        Markdown for the top of the run's page.
    objective
        The measure that configurations are ordered by (``"ndcg@10"``).
    """

    sweep_id: str
    name: str
    params: Mapping[str, Scalar] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    datasets: tuple[DatasetInfo, ...] = ()
    description: str = ""
    objective: str | None = None


@dataclass(frozen=True)
class ChildRecord:
    """One configuration with what was measured.

    Parameters
    ----------
    index
        Position in the grid, from 0.
    name
        What differs from the others, short: it is read in the first column of the runs table.
    params
        The scalar leaves of the configuration, named like the override keys.
    metrics
        Means and counts under the names of the tables (``"ndcg@10"``); NaN is "not applicable".
    table
        The values per question, or already what `table_json` makes of them; None if the configuration failed.
    config
        The resolved configuration as YAML.
    trec_run
        The document rankings as a TREC run file.
    failure
        Why the configuration failed; None if it didn't.
    """

    index: int
    name: str
    params: Mapping[str, Scalar] = field(default_factory=dict)
    metrics: Mapping[str, float] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    table: Table | bytes | None = None
    config: str = ""
    trec_run: str | None = None
    failure: str | None = None


class Tracker(Protocol):
    """One writer, one sweep: `open`, then `log` for each configuration, then `close` in a `finally`.

    `log` may be called from another thread than the others, but no two methods at the same time.

    Every method raises `TrackingError` if the store doesn't take what it was given; what was begun is
    then marked FAILED as far as the store can still be reached. A store that doesn't answer is given up
    within about 20 seconds, at later calls at once. The way back is `open` with `resume`, on a new tracker
    or, after `close`, on the same one.
    """

    @property
    def is_silent(self) -> bool:
        """True if it keeps nothing, so that records need not be made."""
        ...

    def open(self, sweep: SweepRecord, resume: bool = False) -> frozenset[int]:
        """Create the sweep's run, or with `resume` take up the one of the same `sweep_id`.

        Only one process at a time may work on a `sweep_id`.

        Returns
        -------
        frozenset of int
            The index of each configuration that the store holds whole; they must not be logged again.
            Half-logged ones are deleted, so that they can be.
        """
        ...

    def holds(self, sweep: SweepRecord) -> frozenset[int] | None:
        """The configurations that the store holds whole of a sweep that was closed in its true state.

        None if there is anything to be done for the sweep: then `open` it. Nothing is written.
        """
        ...

    def log(self, child: ChildRecord) -> str | None:
        """Create, fill and end the run of one configuration; its id, or None without a store."""
        ...

    def log_single(self, sweep: SweepRecord, child: ChildRecord, resume: bool = False) -> str | None:
        """One configuration alone: one run, without a parent, with the data sets on it.

        With `resume` nothing is logged if the store holds it whole; the id is then of the run that is there.
        """
        ...

    def close(
        self, status: Status, metrics: Mapping[str, float] | None = None, files: Files | None = None
    ) -> None:
        """End the sweep's run, also if writing `metrics` or `files` fails.

        FINISHED becomes FAILED if a configuration failed. Without an open sweep it does nothing, so it
        may stand in a `finally`. A file given as a path must not be changed in place afterwards: on the
        same disk it isn't copied.
        """
        ...

    def where(self) -> str:
        """Where to look and what to type, for the end of a command's output."""
        ...
