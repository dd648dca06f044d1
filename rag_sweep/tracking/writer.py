"""The tracker that writes to MLflow: through its client alone, so that no active run, no
MLFLOW_RUN_ID and no MLFLOW_EXPERIMENT_ID of the environment can get between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.alive import Mark
from rag_sweep.tracking.artifacts import write_files
from rag_sweep.tracking.content import (
    FAILURE_TAG,
    NOTE_TAG,
    PARAMS_A_BATCH,
    Content,
    child_content,
    dataset_inputs,
    metric_entities,
    run_tags,
)
from rag_sweep.tracking.orphans import close_all, reap
from rag_sweep.tracking.place import Place
from rag_sweep.tracking.records import ChildRecord, Status, SweepRecord
from rag_sweep.tracking.thirdparty import calling_mlflow, impatient, reason_of

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run


class MLflowTracker:
    """See `Tracker`. Made by `MLflow.tracker`, which has connected and found the experiment."""

    def __init__(
        self, client: MlflowClient, experiment_id: str, place: Place, *, trec: bool, look: str
    ) -> None:
        self._client = client
        self._experiment_id = experiment_id
        self._place = place
        self._trec = trec
        self._look = look
        self._mark = Mark(place.marks / experiment_id)
        self._sweep: SweepRecord | None = None
        self._parent: Run | None = None
        self._failed = 0

    def open(self, sweep: SweepRecord) -> None:
        """Create the sweep's run, with the data sets on it; runs of dead processes get their true state."""
        if self._parent is not None:
            raise RuntimeError("a sweep is open already: close it first")
        content = Content()
        content.add_params(sweep.params)
        self._begin(sweep)
        try:
            with self._writing(f"the sweep {sweep.name!r}"):
                parent = self._create(sweep, sweep.name, _sweep_tags(sweep))
                with self._failing(parent):
                    self._write(parent, content)
                    self._client.log_inputs(parent.info.run_id, dataset_inputs(sweep.datasets))
        except BaseException:
            self._end()
            raise
        self._sweep, self._parent, self._failed = sweep, parent, 0

    def log(self, child: ChildRecord) -> str | None:
        """Create, fill and end the run of one configuration; its id."""
        if self._sweep is None or self._parent is None:
            raise RuntimeError("no sweep is open")
        tags = {**child.tags, "mlflow.parentRunId": self._parent.info.run_id}
        return self._log(self._sweep, child, tags)

    def log_single(self, sweep: SweepRecord, child: ChildRecord) -> str | None:
        """One configuration alone: one run that has the sweep's tags and data sets too; its id."""
        self._begin(sweep)
        try:
            return self._log(sweep, child, {**_sweep_tags(sweep), **child.tags}, with_datasets=True)
        finally:
            self._end()

    def close(
        self,
        status: Status,
        metrics: Mapping[str, float] | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> None:
        """End the sweep's run, in its true state also if `metrics` or `files` can't be written."""
        if self._parent is None or self._sweep is None:
            return
        parent, name = self._parent, self._sweep.name
        content = Content(files=dict(files or {}))
        if self._failed:
            content.tags[FAILURE_TAG] = f"{self._failed} configurations failed"
        state = "FAILED" if status == "FINISHED" and self._failed else status
        try:
            with self._writing(f"the end of the sweep {name!r}"), self._failing(parent):
                content.add_metrics(metrics or {})
                self._write(parent, content)
                self._client.set_terminated(parent.info.run_id, state)
        finally:
            self._sweep = self._parent = None
            self._end()

    def where(self) -> str:
        """Where to look and what to type."""
        return self._look

    def _log(
        self, sweep: SweepRecord, child: ChildRecord, tags: Mapping[str, str], *, with_datasets: bool = False
    ) -> str:
        with self._writing(f"the run {child.name!r}"):
            run = self._create(sweep, child.name, tags)
            run_id = str(run.info.run_id)
            try:
                with self._failing(run):
                    self._write(run, child_content(child, trec=self._trec))
                    if with_datasets:
                        self._client.log_inputs(run_id, dataset_inputs(sweep.datasets))
                    self._client.set_terminated(run_id, "FINISHED" if child.failure is None else "FAILED")
            except BaseException:
                self._failed += 1
                raise
        self._failed += child.failure is not None
        return run_id

    def _create(self, sweep: SweepRecord, name: str, tags: Mapping[str, str]) -> Run:
        born = run_tags(sweep, self._mark.name, tags)
        return self._client.create_run(self._experiment_id, tags=born, run_name=name)

    def _write(self, run: Run, content: Content) -> None:
        """Files first, so that a tag never names a table that isn't there; then one batch, as a rule."""
        from mlflow.entities import Param, RunTag

        if content.files:
            write_files(self._client, run.info.run_id, run.info.artifact_uri, content.files)
        params = [Param(key, value) for key, value in content.params.items()]
        tags = [RunTag(key, value) for key, value in content.tags.items()]
        first, rest = params[:PARAMS_A_BATCH], params[PARAMS_A_BATCH:]
        self._client.log_batch(run.info.run_id, metric_entities(content.metrics), first, tags)
        for start in range(0, len(rest), PARAMS_A_BATCH):
            self._client.log_batch(run.info.run_id, params=rest[start : start + PARAMS_A_BATCH])

    @contextmanager
    def _writing(self, what: str) -> Iterator[None]:
        with calling_mlflow(f"{what} can't be written to {self._place.shown}"):
            yield

    @contextmanager
    def _failing(self, run: Run) -> Iterator[None]:
        """Leave `run` FAILED with its reason, KILLED for an interruption, if the block raises."""
        try:
            yield
        except BaseException as error:
            state = "FAILED" if isinstance(error, Exception) else "KILLED"
            reason = reason_of(error) if state == "FAILED" else "interrupted"
            with impatient(), suppress(Exception):  # the first error is the one to tell
                self._client.set_terminated(run.info.run_id, state)
                self._client.set_tag(run.info.run_id, FAILURE_TAG, reason)
            raise

    def _begin(self, sweep: SweepRecord) -> None:
        with self._writing(f"{sweep.name!r}"):
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


def _sweep_tags(sweep: SweepRecord) -> dict[str, str]:
    return {**sweep.tags, **({NOTE_TAG: sweep.description} if sweep.description else {})}
