"""Where the results of a sweep go: into the journal first, to the tracker then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol, TypeAlias

from rag_sweep.errors import TrackingError
from rag_sweep.execute import Outcome
from rag_sweep.journal.journal import Journal
from rag_sweep.report.leaderboard import split_half
from rag_sweep.report.record import Children
from rag_sweep.result import Result
from rag_sweep.sweep.sending import Sender
from rag_sweep.tracking.children import ALL_UP_TO
from rag_sweep.tracking.children import Children as Choice
from rag_sweep.tracking.records import ChildRecord, Status, Tracker

Watcher: TypeAlias = Callable[[int, int], None]
"""Told how many configurations are done, of how many."""

Kept: TypeAlias = tuple[Result, Outcome | None]


class Tracking(Protocol):
    """A tracking component."""

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


class Recording:
    """Keeps the results of one sweep and tells the tracker of them.

    Whatever happens to the tracker, the sweep goes on: at the end it is tried once more, and what it hasn't
    got then stays in the journal, from where `rag-sweep sync` sends it.

    Parameters
    ----------
    journal
        Held by this process; what it has already is sent too.
    resumed
        True if the tracker may know the sweep.
    watch
        Told of each configuration that is done, as far as a person has to wait for it.

    Raises
    ------
    TrackingError
        If the tracker can't be used from the start.

    Attributes
    ----------
    sent
        How many configurations this process has sent.
    untracked
        Why the tracker hasn't got everything; None if it has.
    """

    def __init__(self, journal: Journal, tracking: Tracking, *, resumed: bool, watch: Watcher) -> None:
        self.journal = journal
        self.sent = 0
        self.untracked: TrackingError | None = None
        self._tracking = tracking
        self._watch = watch
        self._head = head = journal.head
        self._tracker = tracking.tracker()
        self._limit = Choice.parse(tracking.children).limit(head.configurations or ALL_UP_TO)
        self._children = Children(head.record, head.basis, with_text=head.has_text, trec=tracking.trec)
        self._resumed = resumed
        self._held: set[int] = set()
        self._sender: Sender[Callable[[], ChildRecord]] | None = None
        self._open()

    @property
    def where(self) -> str:
        """Where to look for what was tracked."""
        return self._tracker.where()

    def keep(self, results: Sequence[Kept]) -> None:
        """Keep results that were just computed. Raises JournalError if that can't be."""
        self.journal.write(results)
        for result, outcome in results:
            self._pass_on(result.configuration.index, outcome)

    def copy(self, index: int, alias_of: int) -> None:
        """Keep for one configuration what is kept for another that is equal in effect."""
        self.journal.copy(index, alias_of)
        if self._sender is not None:
            self._pass_on(index, self.journal.outcome(index))

    def finish(self) -> None:
        """Send what is missing and end the sweep's run."""
        try:
            if self._sender is not None:
                self._sender.finish()
            if self._sender is not None and self._sender.lost:
                self._reconnect()
            self._send_missing()
            if self._head.is_sweep:
                status: Status = "FINISHED" if self.journal.is_complete else "KILLED"
                self._tracker.close(status, totals(self.journal), {})
        except TrackingError as error:
            self.untracked = error
            self._give_up("KILLED")

    def break_off(self, status: Status) -> None:
        """End the sweep's run before its time."""
        if self._sender is not None:
            self._sender.stop()
        self._give_up(status)

    def _pass_on(self, index: int, outcome: Outcome | None) -> None:
        if self._sender is not None:
            self._sender.put(partial(self._record, index, outcome))
        else:
            self._done(len(self.journal.kept))

    def _open(self) -> None:
        if self._head.is_sweep:
            self._held = set(self._tracker.open(self._head.record, self._resumed))
        if self._head.is_sweep and self._limit is None and not self._tracker.is_silent:
            self._sender = Sender(self._send)

    def _reconnect(self) -> None:
        """A new try with a tracker that was lost: it says itself what it has."""
        self._give_up("KILLED")
        self._tracker = self._tracking.tracker()
        self._held = set(self._tracker.open(self._head.record, True))

    def _send_missing(self) -> None:
        """Send from the journal what the tracker hasn't got: of a resumed sweep, or the best of many."""
        if self._tracker.is_silent:
            return
        wanted = sorted(self.journal.kept)
        if self._limit is not None and self._head.is_sweep:  # the best are known when all are there
            wanted = self.journal.best_first()[: self._limit] if self.journal.is_complete else []
        for index in wanted:
            if index not in self._held:
                self._send(partial(self._record, index, self.journal.outcome(index)))

    def _record(self, index: int, outcome: Outcome | None) -> ChildRecord:
        return self._children.record(self.journal.cards[index], self.journal.kept[index], outcome)

    def _send(self, make: Callable[[], ChildRecord]) -> None:
        child = make()
        if self._head.is_sweep:
            self._tracker.log(child)
        else:
            self._tracker.log_single(self._head.record, child, self._resumed)
        self._held.add(child.index)
        self.sent += 1
        if self._sender is not None:
            self._done(len(self._held))

    def _done(self, number: int) -> None:
        self._watch(number, self._head.configurations or len(self.journal.cards))

    def _give_up(self, status: Status) -> None:
        with suppress(TrackingError):  # the next start closes what is open
            self._tracker.close(status)


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
