"""A sweep at its tracker: what is there, and what has still to be sent."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from rag_sweep.errors import JournalError, TrackingError
from rag_sweep.execute import Outcome
from rag_sweep.journal.journal import Journal
from rag_sweep.matrix.layout import ARTIFACT, MATRIX
from rag_sweep.matrix.write import write_matrix
from rag_sweep.report.leaderboard import split_half
from rag_sweep.report.record import Children
from rag_sweep.sweep.sending import IN_A_ROW
from rag_sweep.tracking.artifacts import table_json
from rag_sweep.tracking.children import ALL_UP_TO
from rag_sweep.tracking.children import Children as Choice
from rag_sweep.tracking.process import ProcessDied, ProcessTracker, begin
from rag_sweep.tracking.records import ChildRecord, Status, Table, Tracker


class Tracking(Protocol):
    """A tracking component."""

    @property
    def is_silent(self) -> bool:
        """True if it keeps nothing."""
        ...

    @property
    def children(self) -> str:
        """Which configurations get a run of their own."""
        ...

    @property
    def trec(self) -> bool:
        """Whether rankings go along as a TREC run file."""
        ...

    def tracker(self) -> Tracker:
        """Connect. Raises TrackingError."""
        ...


class Tracked:
    """What the tracker has of a journal's sweep, and sending the rest.

    One thread at a time may use it; another one may call `record` meanwhile.

    Parameters
    ----------
    resumed
        True if the tracker may know the sweep.
    apart
        Whether a sweep may be told to MLflow by a process of its own, which is started here and now.
    on_sent
        Told how many configurations the tracker has.

    Attributes
    ----------
    sent
        How many configurations this process has sent.
    """

    def __init__(
        self,
        journal: Journal,
        tracking: Tracking,
        *,
        resumed: bool,
        apart: bool,
        on_sent: Callable[[int], None],
    ) -> None:
        head = journal.head
        self.sent = 0
        self._journal, self._head = journal, head
        self._tracking, self._resumed, self._on_sent = tracking, resumed, on_sent
        self._limit = Choice.parse(tracking.children).limit(head.configurations or ALL_UP_TO)
        self._children = Children(head.record, head.basis, with_text=head.has_text, trec=tracking.trec)
        self._tracker: Tracker | None = None
        self._held: set[int] = set()
        self._settled = False
        self._was_complete = journal.is_complete
        self._end: tuple[dict[str, float], dict[str, Path]] | None = None
        self._may_be_apart = apart and head.is_sweep
        self._apart = self._begin()

    @property
    def is_apart(self) -> bool:
        """True if the tracker has a process of its own."""
        return self._apart is not None

    @property
    def streams(self) -> bool:
        """True if configurations are sent as they come, False if only the best are, at the end."""
        return self._head.is_sweep and self._limit is None and not self._tracking.is_silent

    @property
    def where(self) -> str:
        """Where to look for what was tracked."""
        return self._tracker.where() if self._tracker is not None else ""

    @property
    def missing(self) -> int:
        """How many configurations that are to have a run have none."""
        return sum(index not in self._held for index in self._wanted())

    @property
    def choice(self) -> str:
        """What to tell about configurations that get no run of their own; empty if all get one."""
        number = self._head.configurations
        if self._tracking.is_silent or self._limit is None or not self._head.is_sweep or number is None:
            return ""
        some = f"the best {self._limit}" if self._limit else "none"
        chosen = f"tracking.children={self._tracking.children}: {some} of {number} configurations get"
        return f"{chosen} a tracking run of their own; all are in {ARTIFACT} of the sweep's run"

    def start(self) -> None:
        """Connect, and begin or take up the sweep's run. Raises TrackingError.

        A process that dies meanwhile says nothing of the store: it is tried once more.
        """
        try:
            self._connect(self._resumed)
        except ProcessDied:
            self.restart()

    def restart(self) -> None:
        """A new try with a tracker that was lost: it says itself what it has. Raises TrackingError."""
        self.give_up("KILLED")
        self.leave()
        self._apart = self._begin()
        self._connect(True)

    def leave(self) -> None:
        """End the process that there may be for MLflow."""
        if self._apart is not None:
            self._apart.end()

    def record(self, index: int, outcome: Outcome | None) -> ChildRecord:
        """What is to be sent of one configuration, made as far as the tracker's process needn't make it."""
        child = self._children.record(self._journal.cards[index], self._journal.kept[index], outcome)
        if self._apart is None or not isinstance(child.table, Table):
            return child
        with suppress(ValueError):  # a cell that can't be written: sending it says so
            return replace(child, table=table_json(child.table))
        return child

    def send(self, child: ChildRecord) -> None:
        """Send one configuration, unless the tracker holds everything. Raises TrackingError."""
        if self._settled or child.index in self._held:
            return
        self._log(self._connected, child)
        self._held.add(child.index)
        self.sent += 1
        self._on_sent(len(self._held))

    def complete(self) -> None:
        """Send from the journal what is missing, and end the sweep's run.

        Raises
        ------
        TrackingError
            If something couldn't be sent: one that is refused doesn't keep back the others.
        """
        tracker = self._connected
        if tracker.is_silent or self._settled:
            return
        unsent = self._send_missing()
        if self._head.is_sweep:
            status: Status = "FINISHED" if self._journal.is_complete and unsent is None else "KILLED"
            tracker.close(status, *(self._end or self._made_for_the_end()))
        if unsent is not None:
            raise unsent

    def prepare(self) -> None:
        """Make what is sent last, which takes a while, once all results are there."""
        if not self._head.is_sweep or self._was_complete or not self._journal.is_complete:
            return  # else the tracker may hold all
        with suppress(JournalError):  # `complete` tries it again: what can be sent is sent before
            self._end = self._made_for_the_end()

    def _made_for_the_end(self) -> tuple[dict[str, float], dict[str, Path]]:
        return totals(self._journal), self._files()

    def _send_missing(self) -> TrackingError | None:
        """Why not everything could be sent."""
        first: TrackingError | None = None
        failed = 0
        for index in self._wanted():
            if index in self._held:
                continue
            try:
                self.send(self.record(index, self._journal.outcome(index)))
                failed = 0
            except TrackingError as error:
                first, failed = first or error, failed + 1
            if failed == IN_A_ROW:
                break
        return first

    def give_up(self, status: Status) -> None:
        """End the sweep's run as far as that is possible; the next start closes what is left open."""
        if self._tracker is not None and not self._settled:
            with suppress(TrackingError):
                self._tracker.close(status)

    def _begin(self) -> ProcessTracker | None:
        return begin(self._tracking) if self._may_be_apart else None

    def _connect(self, resume: bool) -> None:
        if self._apart is not None:
            self._apart.connect()
        self._tracker = self._apart or self._tracking.tracker()
        self._open(self._tracker, resume)

    @property
    def _connected(self) -> Tracker:
        if self._tracker is None:
            raise RuntimeError("the tracker isn't connected")
        return self._tracker

    def _open(self, tracker: Tracker, resume: bool) -> None:
        record = self._head.record
        there = tracker.holds(record) if resume else None
        self._settled = there is not None and self._is_all(there)
        if self._settled:
            self._held = set(there or ())
        elif self._head.is_sweep:
            self._held = set(tracker.open(record, resume))

    def _is_all(self, there: frozenset[int]) -> bool:
        """True if these are the runs that the sweep is to have; a damaged journal can only count them."""
        if self._was_complete:
            return there >= set(self._wanted())
        number = self._head.configurations
        if number is None or not self._journal.damaged:
            return False
        return len(there) >= (number if self._limit is None else min(self._limit, number))

    def _wanted(self) -> list[int]:
        """The configurations that are to have a run."""
        if self._limit is None or not self._head.is_sweep:
            return sorted(self._journal.kept)
        # the best are known when all are there
        return self._journal.best_first()[: self._limit] if self._journal.is_complete else []

    def _files(self) -> dict[str, Path]:
        """The file of the sweep's own run: all of its results, once they are complete."""
        if not self._journal.is_complete:
            return {}
        file = self._journal.folder / MATRIX
        write_matrix(self._journal, file)  # also where there is one: it may have been damaged since
        return {ARTIFACT: file}

    def _log(self, tracker: Tracker, child: ChildRecord) -> None:
        if self._head.is_sweep:
            tracker.log(child)
        else:
            tracker.log_single(self._head.record, child, self._resumed)


def totals(journal: Journal) -> dict[str, float]:
    """The metrics of a sweep's own run."""
    kept = [journal.kept[index] for index in sorted(journal.kept)]
    failed = sum(one.failure is not None for one in kept)
    found = {"configurations": float(len(kept)), "failed": float(failed)}
    best = next((journal.kept[index].summary for index in journal.best_first()), None)
    if best is None:
        return found
    objective = journal.head.objective
    found[f"best_{objective}"] = best.mean(objective)
    honest = split_half(kept) if journal.is_complete else None
    if honest is not None:  # the best value never stands alone
        found[f"split_half_{objective}"] = honest
    return found
