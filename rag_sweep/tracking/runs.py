"""Writing single runs: create, fill, end, and the true state on every way out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from rag_sweep.tracking.artifacts import write_files
from rag_sweep.tracking.content import (
    FAILURE_TAG,
    PARAMS_A_BATCH,
    Content,
    check_tags,
    dataset_inputs,
    disowned,
    metric_entities,
    run_tags,
)
from rag_sweep.tracking.records import DatasetInfo, Status, SweepRecord
from rag_sweep.tracking.thirdparty import reason_of

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run


class Runs:
    """The runs of one experiment, written by this process.

    Only MLflow's client is used, never its fluent functions, so that no active run, no MLFLOW_RUN_ID and
    no MLFLOW_EXPERIMENT_ID of the environment can get between. Whatever goes wrong is raised as it comes.

    Parameters
    ----------
    process
        The mark of this process, a tag of every run.
    """

    def __init__(self, client: MlflowClient, experiment_id: str, process: str) -> None:
        self._client = client
        self._experiment_id = experiment_id
        self._process = process

    @contextmanager
    def new(self, sweep: SweepRecord, name: str, tags: Mapping[str, str]) -> Iterator[Run]:
        """A run that is RUNNING after the block, and ended as `failing` says if the block raises."""
        born = run_tags(sweep, self._process, tags)
        run = self._client.create_run(self._experiment_id, tags=born, run_name=name)
        with self.failing(run):
            yield run

    @contextmanager
    def again(self, run: Run, sweep: SweepRecord) -> Iterator[Run]:
        """A sweep's run that is there already: RUNNING as if it had never ended, else as `new`.

        Its mark comes first: there is no moment at which it is RUNNING under a mark that nobody judges.
        """
        from mlflow.entities import RunTag

        run_id = run.info.run_id
        with self.failing(run):
            born = run_tags(sweep, self._process, sweep.tags)
            self._client.log_batch(run_id, tags=[RunTag(key, value) for key, value in born.items()])
            self._client.update_run(run_id, status="RUNNING")
            if FAILURE_TAG in run.data.tags:
                self._client.delete_tag(run_id, FAILURE_TAG)
            yield run

    def write(self, run: Run, content: Content, datasets: tuple[DatasetInfo, ...] = ()) -> None:
        """Files first, then one batch, as a rule.

        Tags come with the last call, in which MLflow writes them last: where they are, all is.
        """
        from mlflow.entities import Param, RunTag

        run_id = run.info.run_id
        check_tags(content.tags)
        if content.files:
            write_files(self._client, run_id, run.info.artifact_uri, content.files)
        if datasets:
            self._log_inputs(run_id, datasets)
        params = [Param(key, value) for key, value in content.params.items()]
        while len(params) > PARAMS_A_BATCH:
            self._client.log_batch(run_id, params=params[:PARAMS_A_BATCH])
            params = params[PARAMS_A_BATCH:]
        tags = [RunTag(key, value) for key, value in content.tags.items()]
        self._client.log_batch(run_id, metric_entities(content.metrics), params, tags)

    def delete(self, runs: Iterable[Run]) -> None:
        """Move runs to MLflow's bin."""
        for run in runs:
            self._client.delete_run(run.info.run_id)

    def _log_inputs(self, run_id: str, datasets: tuple[DatasetInfo, ...]) -> None:
        """MLflow keeps a data set once; of two processes that bring one at once, one is turned away.

        At its second try the data set is there.
        """
        from mlflow.exceptions import MlflowException

        inputs = dataset_inputs(datasets)
        try:
            self._client.log_inputs(run_id, inputs)
        except MlflowException as error:
            if error.error_code != "BAD_REQUEST":
                raise
            self._client.log_inputs(run_id, inputs)

    def end(self, run: Run, state: Status) -> None:
        """Set the state and the time of the end."""
        self._client.set_terminated(run.info.run_id, state)

    @contextmanager
    def failing(self, run: Run) -> Iterator[None]:
        """Leave `run` FAILED with its reason, KILLED for an interruption, if the block raises."""
        try:
            yield
        except BaseException as error:
            failed = isinstance(error, Exception)
            reason = reason_of(error) if failed else "interrupted"
            with suppress(Exception):  # the first error is the one to tell
                self.end(run, "FAILED" if failed else "KILLED")
                self._disown(run, reason)
            raise

    def _disown(self, run: Run, reason: str) -> None:
        """Say why `run` broke off, and in the same transaction that it doesn't hold its configuration."""
        from mlflow.entities import RunTag

        tags = {FAILURE_TAG: reason, **disowned(run)}
        self._client.log_batch(run.info.run_id, tags=[RunTag(key, value) for key, value in tags.items()])
