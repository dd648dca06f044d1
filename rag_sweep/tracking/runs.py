"""Writing single runs: create, fill, end, and the true state on every way out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from rag_sweep.tracking.artifacts import write_files
from rag_sweep.tracking.content import (
    FAILURE_TAG,
    PARAMS_A_BATCH,
    Content,
    check_tags,
    dataset_inputs,
    metric_entities,
    run_tags,
)
from rag_sweep.tracking.records import DatasetInfo, Status, SweepRecord
from rag_sweep.tracking.thirdparty import impatient, reason_of

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

    def write(self, run: Run, content: Content, datasets: tuple[DatasetInfo, ...] = ()) -> None:
        """Files first, so that a tag never names a table that isn't there; then one batch, as a rule."""
        from mlflow.entities import Param, RunTag

        run_id = run.info.run_id
        check_tags(content.tags)
        if content.files:
            write_files(self._client, run_id, run.info.artifact_uri, content.files)
        params = [Param(key, value) for key, value in content.params.items()]
        tags = [RunTag(key, value) for key, value in content.tags.items()]
        first, rest = params[:PARAMS_A_BATCH], params[PARAMS_A_BATCH:]
        self._client.log_batch(run_id, metric_entities(content.metrics), first, tags)
        for start in range(0, len(rest), PARAMS_A_BATCH):
            self._client.log_batch(run_id, params=rest[start : start + PARAMS_A_BATCH])
        if datasets:
            self._log_inputs(run_id, datasets)

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
            with impatient(), suppress(Exception):  # the first error is the one to tell
                self.end(run, "FAILED" if failed else "KILLED")
                self._client.set_tag(
                    run.info.run_id, FAILURE_TAG, reason_of(error) if failed else "interrupted"
                )
            raise
