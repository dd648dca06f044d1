"""Finding a sweep's file among the artifacts of its run: a store is only read, and none is made."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rag_sweep.tracking.artifacts import local_folder
from rag_sweep.tracking.connect import find_experiment
from rag_sweep.tracking.content import PARENT_TAG, SWEEP_TAG
from rag_sweep.tracking.place import Place, resolve
from rag_sweep.tracking.thirdparty import calling_mlflow, impatient, uploading

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

_PAGE = 1000
_SWEEPS = "metrics.configurations > 0"
"""Only the runs of sweeps have that metric, from their end on; their children would be thousands."""


@dataclass(frozen=True)
class Fetched:
    """A file on this disk; unless it is the store's own, `owner` removes it when nobody holds `owner`."""

    file: Path
    owner: object = None


class TrackedSweeps:
    """The sweeps that an MLflow store has.

    Parameters
    ----------
    uri, path, experiment
        As in `MLflow`; an experiment or a database that isn't there has no sweeps.

    Raises
    ------
    TrackingError
        By every method, if the store can't be read.
    """

    def __init__(self, uri: str | None, path: str, experiment: str) -> None:
        self._uri, self._path, self._experiment = uri, path, experiment

    @cached_property
    def _place(self) -> Place:
        return resolve(self._uri, self._path)

    @property
    def shown(self) -> str:
        """Where that is, for people."""
        return f"MLflow at {self._place.shown}, experiment {self._experiment!r}"

    def sweep_of(self, run_id: str) -> str | None:
        """The id of the sweep that a run of any experiment belongs to; None if there is none."""
        run = self._run(run_id)
        found = None if run is None else run.data.tags.get(SWEEP_TAG)
        return None if found is None else str(found)

    def files(self, name: str, sweep_id: str | None = None) -> Iterator[Fetched]:
        """The file `name` of the run of a sweep, or of every sweep that has it, the newest first.

        A file that lies on this disk is taken where it is; another one is copied into a temporary folder.
        """
        with self._reading() as client:
            if client is not None:
                found = (_file_of(client, run, name) for run in self._runs(client, sweep_id))
                yield from (one for one in found if one is not None)

    def _run(self, run_id: str) -> Run | None:
        """A run of any experiment; None if there is no such run."""
        from mlflow.exceptions import MlflowException

        with self._reading() as client:
            try:
                return None if client is None else client.get_run(run_id)
            except MlflowException as error:
                if error.error_code != "RESOURCE_DOES_NOT_EXIST":
                    raise
                return None

    @contextmanager
    def _reading(self) -> Iterator[MlflowClient | None]:
        """A client; None if there is no store yet."""
        database = self._place.database
        if database is not None and not (database.is_file() and database.stat().st_size):
            yield None
            return
        with calling_mlflow(f"sweeps can't be read from {self._place.shown}"):
            from mlflow import MlflowClient

            client = MlflowClient(tracking_uri=self._place.uri)
            with impatient():
                client.search_experiments(max_results=1)
            yield client

    def _runs(self, client: MlflowClient, sweep_id: str | None) -> Iterator[Run]:
        """The runs of finished sweeps, the newest first: of one sweep in all experiments, else of ours."""
        if sweep_id is None:
            ours = find_experiment(client, self._place, self._experiment)
            experiments = [] if ours is None else [ours.experiment_id]
        else:
            experiments = [one.experiment_id for one in client.search_experiments()]
        wanted = _SWEEPS if sweep_id is None else f"{_SWEEPS} AND tags.{SWEEP_TAG} = '{sweep_id}'"
        token: str | None = None
        while experiments:
            page = client.search_runs(
                experiments, wanted, max_results=_PAGE, order_by=["start_time DESC"], page_token=token
            )
            yield from (run for run in page if PARENT_TAG not in run.data.tags)
            token = page.token
            if not token:
                return


def _file_of(client: MlflowClient, run: Run, name: str) -> Fetched | None:
    folder = local_folder(run.info.artifact_uri)
    if folder is not None:
        return Fetched(folder / name) if (folder / name).is_file() else None
    run_id = run.info.run_id
    if name not in {one.path for one in client.list_artifacts(run_id)}:
        return None
    temporary = tempfile.TemporaryDirectory(prefix="rag-sweep-")
    with uploading():  # a large file takes its time
        return Fetched(Path(client.download_artifacts(run_id, name, temporary.name)), temporary)
