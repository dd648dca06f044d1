"""The tracker that writes to MLflow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.alive import Mark
from rag_sweep.tracking.content import FAILURE_TAG, NOTE_TAG, Content, child_content
from rag_sweep.tracking.orphans import close_all, reap
from rag_sweep.tracking.place import Place
from rag_sweep.tracking.records import ChildRecord, DatasetInfo, Status, SweepRecord
from rag_sweep.tracking.runs import Runs
from rag_sweep.tracking.thirdparty import calling_mlflow, impatient
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
        self._client = client
        self._experiment_id = experiment_id
        self._place = place
        self._trec = trec
        self._overrides = overrides
        self._mark = Mark(place.marks / experiment_id)
        self._runs = Runs(client, experiment_id, self._mark.name)
        self._open: tuple[SweepRecord, Run] | None = None
        self._failed = 0
        self._seen = Seen()
        self._last: str | None = None
        self._single = False

    def open(self, sweep: SweepRecord) -> None:
        """Create the sweep's run, with the data sets on it; runs of dead processes get their true state."""
        if self._open is not None:
            raise RuntimeError("a sweep is open already: close it first")
        content = Content()
        content.add_params(sweep.params)
        self._begin()
        try:
            with (
                self._writing(f"the sweep {sweep.name!r}"),
                self._runs.new(sweep, sweep.name, sweep.tags) as run,
            ):
                content.tags[NOTE_TAG] = self._note(sweep, run)
                self._runs.write(run, content, sweep.datasets)
                self._write_view(sweep, run, Seen())
        except BaseException:
            self._end()
            raise
        self._open, self._failed, self._seen = (sweep, run), 0, Seen()
        self._last = run.info.run_id

    def log(self, child: ChildRecord) -> str | None:
        """Create, fill and end the run of one configuration; its id."""
        if self._open is None:
            raise RuntimeError("no sweep is open")
        sweep, parent = self._open
        run_id = self._log(sweep, child, {**child.tags, "mlflow.parentRunId": parent.info.run_id})
        self._seen.add(child)
        return run_id

    def log_single(self, sweep: SweepRecord, child: ChildRecord) -> str | None:
        """One configuration alone: one run that has the sweep's tags and data sets too; its id."""
        self._single = True
        self._begin()
        try:
            note = {NOTE_TAG: sweep.description} if sweep.description else {}
            return self._log(sweep, child, {**note, **sweep.tags, **child.tags}, sweep.datasets)
        finally:
            self._end()

    def close(
        self,
        status: Status,
        metrics: Mapping[str, float] | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> None:
        """End the sweep's run, in its true state also if `metrics` or `files` can't be written."""
        if self._open is None:
            return
        (sweep, parent), self._open = self._open, None
        content = Content(files=dict(files or {}))
        if self._failed:
            content.tags[FAILURE_TAG] = f"failed configurations: {self._failed}"
        elif status == "KILLED":
            content.tags[FAILURE_TAG] = "interrupted"
        try:
            with self._writing(f"the end of the sweep {sweep.name!r}"), self._runs.failing(parent):
                content.add_metrics(metrics or {})
                self._runs.write(parent, content)
                self._write_view(sweep, parent, self._seen)
                self._runs.end(parent, "FAILED" if status == "FINISHED" and self._failed else status)
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

    def _log(
        self,
        sweep: SweepRecord,
        child: ChildRecord,
        tags: Mapping[str, str],
        datasets: tuple[DatasetInfo, ...] = (),
    ) -> str:
        try:
            with self._writing(f"the run {child.name!r}"), self._runs.new(sweep, child.name, tags) as run:
                self._runs.write(run, child_content(child, trec=self._trec), datasets)
                self._runs.end(run, "FINISHED" if child.failure is None else "FAILED")
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
        run_id = parent.info.run_id
        write_view(self._client, self._experiment_id, run_id, sweep.name, sweep.objective, seen)

    def _begin(self) -> None:
        with self._writing("the start"):
            self._mark.set()
            reap(self._client, self._experiment_id, self._mark)

    def _end(self) -> None:
        """Close what an interruption may have left open; what can't be closed now, the next start closes."""
        try:
            with self._writing("the state of runs"), impatient():
                close_all(self._client, self._experiment_id, {self._mark.name})
        except TrackingError:
            self._mark.abandon()
        else:
            self._mark.clear()

    def _note(self, sweep: SweepRecord, run: Run) -> str:
        """The description of a sweep's run: first of all where its results are."""
        page = runs_page(self._experiment_id, run.info.run_id)
        hint = (
            f"[The configurations, best first]({page}). "
            "In the list of runs they are below this one: open it with the **[+]** before its name."
        )
        return f"{hint}\n\n{sweep.description}".strip()
