"""Where the results of a sweep go: into the journal first, to the tracker then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from rag_sweep.errors import TrackingError
from rag_sweep.execute import Outcome
from rag_sweep.journal.journal import Journal
from rag_sweep.result import Result
from rag_sweep.sweep.sending import Sender
from rag_sweep.sweep.tracked import Tracked, Tracking
from rag_sweep.tracking.records import ChildRecord, Status

Watcher: TypeAlias = Callable[[int, int], None]
"""Told how many configurations are done, of how many."""

Kept: TypeAlias = tuple[Result, Outcome | None]


class Recording:
    """Keeps the results of one sweep and tells the tracker of them.

    The tracker is connected and told in a thread of its own; for a sweep MLflow has a process too. One that
    can't be used from the start stops the sweep. Once it was connected, the sweep goes on whatever happens to
    it: at the end it is tried once more, and what it hasn't got then stays in the journal, from where
    `rag-sweep sync` sends it.

    Parameters
    ----------
    journal
        Held by this process; what it has already is sent too.
    resumed
        True if the tracker may know the sweep.
    watch
        Told of each configuration that is done, as far as a person has to wait for it.
    apart
        False if nothing is computed meanwhile, so that MLflow needs no process of its own.

    Attributes
    ----------
    untracked
        Why the tracker hasn't got everything; None if it has.
    """

    def __init__(
        self, journal: Journal, tracking: Tracking, *, resumed: bool, watch: Watcher, apart: bool = True
    ) -> None:
        self.journal = journal
        self.untracked: TrackingError | None = None
        self._watch = watch
        self._tracked = Tracked(journal, tracking, resumed=resumed, apart=apart, on_sent=self._sent)
        self._sender: Sender[ChildRecord] = Sender(self._tracked.start, self._tracked.send)

    @property
    def where(self) -> str:
        """Where to look for what was tracked."""
        return self._tracked.where

    @property
    def sent(self) -> int:
        """How many configurations this process has sent."""
        return self._tracked.sent

    @property
    def missing(self) -> int:
        """How many configurations the tracker should have and hasn't."""
        return self._tracked.missing

    @property
    def choice(self) -> str:
        """What to tell about configurations that get no run of their own."""
        return self._tracked.choice

    @property
    def was_refused(self) -> bool:
        """True if the tracker couldn't be used from the start: it doesn't know of the sweep."""
        return self._sender.refused is not None

    def wait(self) -> None:
        """Before workers start: a process that forks while a thread imports may hang.

        Waits until the tracker is connected, unless it is in another process. Raises TrackingError if it
        can't be used.
        """
        if not self._tracked.is_apart:
            self._sender.wait()

    def keep(self, results: Sequence[Kept]) -> None:
        """Keep results that were just computed.

        Raises
        ------
        JournalError
            If that can't be.
        TrackingError
            If the tracker can't be used from the start; the results are kept all the same.
        """
        self.journal.write(results)
        self._sender.check()
        for result, outcome in results:
            self._pass_on(result.configuration.index, outcome)

    def copy(self, index: int, alias_of: int) -> None:
        """Keep for one configuration what is kept for another that is equal in effect."""
        self.journal.copy(index, alias_of)
        self._pass_on(index, self.journal.outcome(index) if self._tracked.streams else None)

    def finish(self) -> None:
        """Send what is missing and end the sweep's run. If this raises, `break_off` has to follow.

        Raises
        ------
        TrackingError
            If the tracker couldn't be used from the start.
        """
        self._tracked.prepare()
        self._sender.finish()
        self._complete()
        self._tracked.leave()

    def _complete(self) -> None:
        try:
            if self._sender.lost:
                self._tracked.restart()
            self._tracked.complete()
        except TrackingError as error:
            self.untracked = error
            self._tracked.give_up("KILLED")

    def break_off(self, status: Status) -> None:
        """End the sweep's run before its time."""
        try:
            self._sender.stop()
            self._tracked.give_up(status)
        finally:
            self._tracked.leave()

    def _pass_on(self, index: int, outcome: Outcome | None) -> None:
        if not self._tracked.streams:
            self._done(len(self.journal.kept))
        elif self._sender.lost is None:
            # made here: what waits for the sender is what takes longest
            self._sender.put(self._tracked.record(index, outcome))

    def _sent(self, number: int) -> None:
        if self._tracked.streams:
            self._done(number)

    def _done(self, number: int) -> None:
        self._watch(number, self.journal.head.configurations or len(self.journal.cards))
