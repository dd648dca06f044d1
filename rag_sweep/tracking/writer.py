"""The tracker that writes to MLflow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, cast

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.alive import Mark
from rag_sweep.tracking.content import (
    FAILED_CHILDREN,
    FAILURE_TAG,
    NOTE_TAG,
    PARENT_TAG,
    Content,
    born_tags,
    child_content,
)
from rag_sweep.tracking.held import NOTHING, find_single, find_sweep, has_failed, was_closed
from rag_sweep.tracking.orphans import Ended, close_all, reap
from rag_sweep.tracking.patience import Patient
from rag_sweep.tracking.place import Place
from rag_sweep.tracking.records import ChildRecord, DatasetInfo, Files, Status, SweepRecord
from rag_sweep.tracking.runs import Runs
from rag_sweep.tracking.thirdparty import at_mlflow, calling_mlflow
from rag_sweep.tracking.view import Seen, runs_page, write_view

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run


class MLflowTracker:
    """See `Tracker`. Made by `MLflow.tracker`, which has connected and found the experiment.

    Parameters
    ----------
    trec
        Whether the rankings are among the files of a run.
    overrides
        What `rag-sweep ui` has to be told to find this store; empty for the default one.
    """

    is_silent = False

    def __init__(
        self, client: MlflowClient, experiment_id: str, place: Place, *, trec: bool, overrides: str
    ) -> None:
        self._client = cast("MlflowClient", Patient(client)) if place.is_server else client
        self._experiment_id = experiment_id
        self._place = place
        self._trec = trec
        self._overrides = overrides
        self._mark = Mark(place.marks / experiment_id)
        self._runs = Runs(self._client, experiment_id, self._mark.name)
        self._at_mlflow = ExitStack()
        self._open: tuple[SweepRecord, Run] | None = None
        self._ours: set[Ended] = set()
        self._failed = 0
        self._seen = Seen()
        self._last: str | None = None
        self._single = False

    def open(self, sweep: SweepRecord, resume: bool = False) -> frozenset[int]:
        """Create the sweep's run with the data sets on it, or take it up again; see `Tracker.open`.

        Runs of dead processes get their true state first.
        """
        if self._open is not None:
            raise RuntimeError("a sweep is open already: close it first")
        self._begin()
        try:
            with self._writing(f"the sweep {sweep.name!r}"):
                return self._open_sweep(sweep, resume)
        except BaseException:
            self._end()
            raise

    def holds(self, sweep: SweepRecord) -> frozenset[int] | None:
        """What is there of a sweep that was closed in its true state; see `Tracker.holds`.

        A process may have died when all was written: its sign is taken away here, since nothing is begun.
        """
        with self._writing(f"the sweep {sweep.name!r}"):
            with suppress(OSError, NotImplementedError):  # a folder that takes nothing, or has no locks
                reap(self._client, self._experiment_id, self._mark)
            held = find_sweep(self._client, self._experiment_id, sweep.sweep_id)
            single = find_single(self._client, self._experiment_id, sweep.sweep_id)
        if single.whole and not single.rest:
            return frozenset(single.whole)
        if held.parent is None or held.rest or not was_closed(held):
            return None
        self._last = str(held.parent.info.run_id)
        return frozenset(held.whole)

    def _open_sweep(self, sweep: SweepRecord, resume: bool) -> frozenset[int]:
        held = find_sweep(self._client, self._experiment_id, sweep.sweep_id) if resume else NOTHING
        self._runs.delete(held.rest)
        seen = Seen()
        for run in held.whole.values():
            seen.add_run(run)
        with self._parent(sweep, held.parent) as run:
            self._write_opening(sweep, run)
            self._write_view(sweep, run, seen)
        self._open, self._seen, self._last = (sweep, run), seen, run.info.run_id
        self._failed = sum(has_failed(run) for run in held.whole.values())
        return frozenset(held.whole)

    def _parent(self, sweep: SweepRecord, there: Run | None) -> AbstractContextManager[Run]:
        if there is None:
            return self._runs.new(sweep, sweep.name, sweep.tags)
        return self._runs.again(there, sweep)

    def _write_opening(self, sweep: SweepRecord, run: Run) -> None:
        """What a sweep's run has from the start, as far as it is missing: MLflow refuses to change params."""
        content = Content()
        content.add_params(sweep.params)
        content.params = {key: text for key, text in content.params.items() if key not in run.data.params}
        content.tags[NOTE_TAG] = self._note(sweep, run)
        there = 0 if run.inputs is None else len(run.inputs.dataset_inputs)
        self._runs.write(run, content, sweep.datasets if there < len(sweep.datasets) else ())

    def log(self, child: ChildRecord) -> str | None:
        """Create, fill and end the run of one configuration; its id."""
        if self._open is None:
            raise RuntimeError("no sweep is open")
        sweep, parent = self._open
        run_id = self._log(sweep, child, {**child.tags, PARENT_TAG: parent.info.run_id})
        self._seen.add(child)
        return run_id

    def log_single(self, sweep: SweepRecord, child: ChildRecord, resume: bool = False) -> str | None:
        """One configuration alone: one run that has the sweep's tags and data sets too; its id."""
        self._single = True
        self._begin()
        try:
            there = self._clear_single(sweep) if resume else None
            if there is not None:
                return there
            note = {NOTE_TAG: sweep.description} if sweep.description else {}
            return self._log(sweep, child, {**note, **sweep.tags, **child.tags}, sweep.datasets)
        finally:
            self._end()

    def _clear_single(self, sweep: SweepRecord) -> str | None:
        """The id of the run that holds the configuration; half ones are deleted."""
        with self._writing(f"the sweep {sweep.name!r}"):
            held = find_single(self._client, self._experiment_id, sweep.sweep_id)
            self._runs.delete(held.rest)
        return next((str(run.info.run_id) for run in held.whole.values()), None)

    def close(
        self, status: Status, metrics: Mapping[str, float] | None = None, files: Files | None = None
    ) -> None:
        """End the sweep's run, in its true state also if `metrics` or `files` can't be written."""
        if self._open is None:
            return
        (sweep, parent), self._open = self._open, None
        content = Content(files=dict(files or {}))
        failed = max(self._failed, int((metrics or {}).get("failed", 0)))  # not all may have a run
        if failed:
            content.tags[FAILURE_TAG] = f"{FAILED_CHILDREN}{failed}"
        elif status == "KILLED":
            content.tags[FAILURE_TAG] = "interrupted"
        try:
            with self._writing(f"the end of the sweep {sweep.name!r}"), self._runs.failing(parent):
                content.add_metrics(metrics or {})
                self._runs.write(parent, content)
                self._write_view(sweep, parent, self._seen)
                self._runs.end(parent, "FAILED" if status == "FINISHED" and failed else status)
                self._ours.add(Ended(sweep.sweep_id))
        finally:
            self._end()

    def where(self) -> str:
        """Where to look and what to type."""
        if self._place.is_server:
            look = f"{self._place.shown}/{runs_page(self._experiment_id, self._last)}"
        else:
            look = f"rag-sweep ui{self._overrides}"
        lines = [f"MLflow, {self._place.shown}:", f"  {look}"]
        if not self._single:
            lines.append(
                "  In MLflow's own list of runs, [+] before a sweep's name shows its configurations."
            )
        return "\n".join(lines)

    def release(self) -> None:
        """Let the database go, for a process that leaves without taking MLflow apart.

        The last one that lets it go writes into it what SQLite keeps in a file beside it.
        """
        with suppress(AttributeError):  # a server; or else the next process that uses it does it
            self._client._tracking_client.store.engine.dispose()

    def _log(
        self,
        sweep: SweepRecord,
        child: ChildRecord,
        tags: Mapping[str, str],
        datasets: tuple[DatasetInfo, ...] = (),
    ) -> str:
        tags = {**tags, **born_tags(child)}
        try:
            with self._writing(f"the run {child.name!r}"), self._runs.new(sweep, child.name, tags) as run:
                self._runs.write(run, child_content(child, trec=self._trec), datasets)
                self._runs.end(run, "FINISHED" if child.failure is None else "FAILED")
                self._ours.add(Ended(sweep.sweep_id, str(child.index)))
        except Exception:  # an interruption is no failure of the configuration
            self._failed += 1
            raise
        self._failed += child.failure is not None
        return str(run.info.run_id)

    @contextmanager
    def _writing(self, what: str) -> Iterator[None]:
        with calling_mlflow(f"{what} can't be written to {self._place.shown}"):
            yield

    def _write_view(self, sweep: SweepRecord, parent: Run, seen: Seen) -> None:
        info = parent.info
        write_view(self._client, self._experiment_id, info.run_id, info.run_name, sweep.objective, seen)

    def _begin(self) -> None:
        self._at_mlflow.enter_context(at_mlflow())
        if isinstance(self._client, Patient):
            self._client.expect_answers()
        self._ours = set()
        try:
            with self._writing("the start"):
                self._mark.set()
                reap(self._client, self._experiment_id, self._mark)
        except BaseException:
            self._mark.abandon()
            self._at_mlflow.close()
            raise

    def _end(self) -> None:
        """Close what an interruption may have left open; what can't be closed now, the next start closes."""
        try:
            with self._writing("the state of runs"):
                close_all(self._client, self._experiment_id, {self._mark.name}, self._ours)
        except TrackingError:
            self._mark.abandon()
        else:
            self._mark.clear()
        finally:
            self._at_mlflow.close()

    def _note(self, sweep: SweepRecord, run: Run) -> str:
        """The description of a sweep's run: first of all where its results are."""
        page = runs_page(self._experiment_id, run.info.run_id)
        hint = (
            f"[The configurations, best first]({page}). "
            "In the list of runs they are below this one: open it with the **[+]** before its name."
        )
        return f"{hint}\n\n{sweep.description}".strip()
