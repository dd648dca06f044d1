"""One sweep at work: its dataset, store, journal and tracker, from the first stage to the last run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rag_sweep.checks import require
from rag_sweep.config import build
from rag_sweep.configuration import Configuration, Sweep
from rag_sweep.errors import DataError, RagSweepError, TrackingError
from rag_sweep.execute import Execute, Execution, Outcome
from rag_sweep.jobs import DEAD_WORKER, known_backends
from rag_sweep.journal.journal import results_of
from rag_sweep.pipeline import Roots
from rag_sweep.plan import plan
from rag_sweep.records import Dataset, Gold
from rag_sweep.report.record import card, differing
from rag_sweep.result import Result
from rag_sweep.store.entry import Store
from rag_sweep.sweep.keeping import Keeping, Kind
from rag_sweep.sweep.objective import Objective
from rag_sweep.sweep.recording import Kept, Recording, Watcher
from rag_sweep.tracking.records import Status


class Work:
    """Evaluates configurations, keeps every result, and tells the tracker.

    Everything is opened here, before the first stage runs.

    Raises
    ------
    RagSweepError
        If something can't be opened.

    Attributes
    ----------
    notes
        What the user should be told.
    results
        Of all configurations so far, in the order of their index.
    """

    def __init__(self, sweep: Sweep, kind: Kind, watch: Watcher) -> None:
        shared = sweep.shared
        self._how = how(shared)
        self.dataset: Dataset = build.component(shared, "dataset").load()
        _refuse_unanswerable(self.dataset.gold, str(sweep.configurations[0].objective))
        self.notes = list(self.dataset.warnings)
        self.results: list[Result] = []
        self._text = build.component(shared, "tracking").text
        self._store: Store = build.component(shared, "store").open()
        self._keys = differing(sweep.configurations)
        self.keeping = Keeping(shared, sweep.configurations, self.dataset.basis, kind)
        self.notes.extend(self.keeping.found())
        tracking = build.component(shared, "tracking")
        self._recording = Recording(self.keeping.journal, tracking, resumed=self.keeping.resumed, watch=watch)
        self.notes.extend(filter(None, [self._recording.choice]))
        if self._how.n_jobs != 1:
            self._ready_for_workers()

    def _ready_for_workers(self) -> None:
        try:
            self._recording.wait()
        except BaseException:
            self.break_off("FAILED")
            raise

    def left(self, configurations: Sequence[Configuration]) -> list[Configuration]:
        """Those that have no result yet."""
        return [c for c in configurations if c.index not in self.keeping.journal.kept]

    def evaluate(self, configurations: Sequence[Configuration]) -> list[Result]:
        """Compute what has no result yet as one plan, keeping results as they come; then give all."""
        journal = self.keeping.journal
        journal.add([card(c, self._keys) for c in configurations if not journal.describes(c)])
        if self.left(configurations):
            self._compute(configurations)
        return self._taken(configurations)

    def take(self, configurations: Sequence[Configuration], returned: Sequence[Any]) -> None:
        """Take over what the jobs of another launcher returned for the configurations that were left."""
        for configuration, value in zip(self.left(configurations), returned, strict=True):
            carried = value if isinstance(value, Objective) else None
            outcome = carried.outcome if carried else None
            reason = carried.failure if carried else f"{type(value).__name__}: {value}"
            self._recording.keep([self._kept(configuration, outcome, reason, None)])
        self._taken(configurations)

    def finish(self) -> TrackingError | None:
        """Tell the tracker of everything and end the sweep's run; why the tracker hasn't got it all."""
        try:
            self.keeping.journal.end()
            self._recording.finish()
        finally:
            self._leave()
        return self._recording.untracked

    def break_off(self, status: Status) -> None:
        """End the sweep's run before its time; what is kept stays."""
        try:
            self._recording.break_off(status)
        finally:
            if self._recording.was_refused:
                self.keeping.drop_empty()
            self._leave()

    @property
    def missing(self) -> int:
        """How many configurations the tracker should have and hasn't."""
        return self._recording.missing

    @property
    def where(self) -> str:
        """Where to look for what was tracked."""
        return self._recording.where

    def _compute(self, configurations: Sequence[Configuration]) -> None:
        kept = self.keeping.journal.kept
        planned = plan(
            [c.pipeline for c in configurations], configurations[0].settings, Roots.of(self.dataset)
        )
        for at, original in planned.alias_of.items():
            before, index = configurations[original].index, configurations[at].index
            if index not in kept and before in kept:  # computed by an earlier command
                self._recording.copy(index, before)
        todo = [at for at, c in enumerate(configurations) if c.index not in kept]
        work = Execution(planned.only(todo), self.dataset, self._how, self._store)
        for shard in work.shards():
            self._recording.keep(
                [
                    self._of(
                        configurations[todo[at]], outcome, planned.alias_of.get(todo[at]), configurations
                    )
                    for at, outcome in shard
                ]
            )

    def _of(
        self,
        configuration: Configuration,
        outcome: Outcome | RagSweepError,
        original: int | None,
        configurations: Sequence[Configuration],
    ) -> Kept:
        alias_of = None if original is None else configurations[original].index
        if isinstance(outcome, RagSweepError):
            return self._kept(configuration, None, str(outcome), alias_of)
        return self._kept(configuration, outcome, None, alias_of)

    def _kept(
        self, configuration: Configuration, outcome: Outcome | None, failure: str | None, alias_of: int | None
    ) -> Kept:
        if outcome is not None:
            return Result.of(configuration, outcome, alias_of), outcome
        return Result(configuration, None, self._shown(failure or "no result"), alias_of), None

    def _shown(self, failure: str) -> str:
        """With ``tracking.text=none`` the message of an exception is left out: it may quote a passage."""
        if self._text == "full" or failure.startswith(DEAD_WORKER):
            return failure
        kept = re.match(r"\w+: \w+(?=: )|\w+(?:Error|Exception)(?=: )", failure)
        return f"{kept[0] if kept else 'a stage failed'} (tracking.text=none keeps its message back)"

    def _taken(self, configurations: Sequence[Configuration]) -> list[Result]:
        found = results_of(self.keeping.journal, configurations)
        results = [found[c.index] for c in configurations]
        self.results.extend(results)
        return results

    def _leave(self) -> None:
        self.notes.extend(self._store.notes())
        self.keeping.close()


def _refuse_unanswerable(gold: Gold, objective: str) -> None:
    if not gold.answerable:
        raise DataError(
            f"{objective} has no value: no question of the gold has a relevant document; "
            "give at least one question that the documents answer"
        )


def how(shared: Mapping[str, Any]) -> Execute:
    """How to compute; a backend that doesn't exist is refused also where a single worker needs none."""
    found: Execute = build.component(shared, "execute")
    if found.backend != Execute.backend:
        names = known_backends()
        require("execute.backend", found.backend, f"one of {', '.join(names)}", found.backend in names)
    return found
