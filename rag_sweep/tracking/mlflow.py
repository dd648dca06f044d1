"""Results go to MLflow: a server, or a database in a folder of the project."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import ClassVar, Literal

from rag_sweep.checks import require
from rag_sweep.tracking.children import Children
from rag_sweep.tracking.connect import connect, ensure_experiment
from rag_sweep.tracking.place import resolve, without_password
from rag_sweep.tracking.records import Tracker
from rag_sweep.tracking.writer import MLflowTracker


@dataclass(frozen=True)
class MLflow:
    """One run for a sweep, one below it for each configuration.

    Parameters
    ----------
    uri
        A server or a database; None takes the environment's MLFLOW_TRACKING_URI, or else SQLite in `path`.
    path
        The folder of the database ``mlflow.db`` and of ``artifacts/``.
    experiment
        The name under which MLflow collects the runs, 1 to 500 characters.
    text
        "none" keeps the texts of questions and passages out of MLflow, reports and logs; ids suffice.
    trec
        Add the rankings as ``run.trec`` to each run.
    children
        Which configurations of a sweep get a run: "auto" (all up to 2,000, else the best 100), "all",
        "best:N" or "none". All of them are in the sweep's own files in any case.
    process
        True: a sweep is written by a process of its own, so that MLflow and the computing don't take turns.
        False: by a thread. A single configuration is written by neither.
    """

    uri: str | None = None
    path: str = "mlruns"
    experiment: str = "rag-sweep"
    text: Literal["full", "none"] = "full"
    trec: bool = False
    children: str = "auto"
    process: bool = True

    is_silent: ClassVar[bool] = False

    def __post_init__(self) -> None:
        require("tracking.uri", self.uri, "null or a text", self.uri is None or _is_text(self.uri))
        require("tracking.path", self.path, "the path of a folder", _is_text(self.path))
        name = "a text of 1 to 500 characters"
        require("tracking.experiment", self.experiment, name, _is_text(self.experiment, 500))
        require("tracking.text", self.text, "full or none", self.text in ("full", "none"))
        require("tracking.trec", self.trec, "true or false", isinstance(self.trec, bool))
        Children.parse(self.children)
        require("tracking.process", self.process, "true or false", isinstance(self.process, bool))

    def tracker(self) -> Tracker:
        """Connect, make what is missing, and give the tracker: a store that can't be used is found now.

        Raises
        ------
        TrackingError
            If the store can't be reached, made or written, or if the experiment is deleted.
        """
        place = resolve(self.uri, self.path)
        client = connect(place)
        experiment_id = ensure_experiment(client, place, self.experiment)
        return MLflowTracker(client, experiment_id, place, trec=self.trec, overrides=self._overrides())

    def _overrides(self) -> str:
        uri = None if self.uri is None else without_password(self.uri)
        given = {"uri": uri, "path": self.path, "experiment": self.experiment}
        changed = [key for key, value in given.items() if value != getattr(MLflow, key)]
        return "".join(f" {shlex.quote(f'tracking.{key}={given[key]}')}" for key in changed)


def _is_text(value: object, longest: int = 10_000) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= longest
