"""Runs of sweeps that have ended: which one is meant, what a gold has judged, and files that come later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_sweep.tracking.artifacts import write_files
from rag_sweep.tracking.content import INDEX_TAG, PARENT_TAG, SWEEP_TAG
from rag_sweep.tracking.fetch import TrackedSweeps
from rag_sweep.tracking.records import Files

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

_PAGE = 1000
_GOLD_TAG = "gold"
_NUMBER = "configurations"  # a metric that only the runs of sweeps have


@dataclass(frozen=True)
class RunPlace:
    """What a run stands for: a sweep, or one configuration of it."""

    sweep_id: str
    index: int | None


@dataclass(frozen=True)
class Attached:
    """The run that files were added to."""

    run_id: str
    name: str


class SweepRuns(TrackedSweeps):
    """As `TrackedSweeps`; it looks runs up, and adds files to the run of a sweep.

    Raises
    ------
    TrackingError
        By every method, if the store can't be read, or not be written.
    """

    def place_of(self, run_id: str) -> RunPlace | None:
        """What a run of any experiment stands for; None if there is no such run, or it is of no sweep."""
        run = self._run(run_id)
        if run is None or SWEEP_TAG not in run.data.tags:
            return None
        index = run.data.tags.get(INDEX_TAG)
        return RunPlace(run.data.tags[SWEEP_TAG], None if index is None else int(index))

    def judged(self, gold: str) -> dict[str, int]:
        """How many configurations each sweep of any experiment has measured on a gold, by the sweep's id."""
        wanted = f"metrics.{_NUMBER} > 0 AND tags.{_GOLD_TAG} = '{gold}'"
        found: dict[str, int] = {}
        with self._reading() as client:
            experiments = [] if client is None else [e.experiment_id for e in client.search_experiments()]
            token: str | None = None
            while client is not None and experiments:
                page = client.search_runs(experiments, wanted, max_results=_PAGE, page_token=token)
                for run in page:
                    if PARENT_TAG not in run.data.tags and SWEEP_TAG in run.data.tags:
                        found[run.data.tags[SWEEP_TAG]] = int(run.data.metrics[_NUMBER])
                token = page.token
                if not token:
                    break
        return found

    def attach(self, sweep_id: str, files: Files) -> Attached | None:
        """Add files to a sweep's own run, in place of those of the same names; None if it has no run here."""
        with self._reading() as client:
            run = None if client is None else self._parent(client, sweep_id)
            if client is None or run is None:
                return None
            write_files(client, run.info.run_id, run.info.artifact_uri, files)
            return Attached(str(run.info.run_id), str(run.info.run_name))

    def _parent(self, client: MlflowClient, sweep_id: str) -> Run | None:
        return next(self._runs(client, sweep_id), None)
