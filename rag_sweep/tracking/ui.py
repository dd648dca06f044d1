"""The command and the address for looking at results in the MLflow UI."""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING, NamedTuple

from rag_sweep.errors import ConfigError, TrackingError
from rag_sweep.tracking.connect import connect, find_experiment
from rag_sweep.tracking.place import Place, resolve
from rag_sweep.tracking.thirdparty import calling_mlflow
from rag_sweep.tracking.view import has_view, runs_page

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Experiment

    from rag_sweep.tracking.mlflow import MLflow

HOST = "127.0.0.1"
FIRST_PORT = 5000
_PORTS_TRIED = 20


class UiCommand(NamedTuple):
    """How to start the UI, and where it is then.

    `argv` is empty if the store is a server: its UI is there already. `env` is the whole environment.
    """

    argv: tuple[str, ...]
    env: dict[str, str]
    url: str


def ui_command(component: MLflow, port: int | None = None) -> UiCommand:
    """The MLflow UI on the project's store, for this machine alone, straight at the last sweep's runs.

    Parameters
    ----------
    port
        1 to 65535; None takes the first free one from 5000 on.

    Raises
    ------
    ConfigError
        If the port is out of range or in use.
    TrackingError
        If the store can't be used, or if nothing was tracked yet.
    """
    place = resolve(component.uri, component.path)
    if place.database is not None and not place.database.exists():
        raise TrackingError(f"nothing is tracked yet in {place.shown}: start with rag-sweep run")
    client = connect(place)
    experiment = find_experiment(client, place, component.experiment)
    if experiment is None:
        raise TrackingError(f"there is no experiment {component.experiment!r} at {place.shown}")
    with calling_mlflow(f"the runs at {place.shown} can't be read"):
        page = _page(client, experiment)
    if place.is_server:
        return UiCommand((), dict(os.environ), f"{place.uri}/{page}")
    chosen = _first_free() if port is None else _checked(port)
    argv = (sys.executable, "-m", "mlflow", "server", "--host", HOST, "--port", str(chosen), "--workers", "1")
    return UiCommand(argv, _environment(place), f"http://{HOST}:{chosen}/{page}")


def _page(client: MlflowClient, experiment: Experiment) -> str:
    """The last sweep in its layout, or the plain table if the last run was a single one."""
    sweep = None
    for run in client.search_runs([experiment.experiment_id], order_by=["start_time DESC"], max_results=1):
        sweep = run.data.tags.get("mlflow.parentRunId", run.info.run_id)
    with_layout = sweep is not None and has_view(experiment.tags, sweep)
    return runs_page(experiment.experiment_id, sweep if with_layout else None)


def _environment(place: Place) -> dict[str, str]:
    """The store by environment, because a database's address may hold a password and `ps` shows arguments."""
    env = {**os.environ, "MLFLOW_BACKEND_STORE_URI": place.uri, "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
    env.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    env.pop("MLFLOW_TRACKING_URI", None)
    if place.artifacts is not None:
        env["MLFLOW_DEFAULT_ARTIFACT_ROOT"] = place.artifacts.as_posix()
    return env


def _checked(port: int) -> int:
    if not 1 <= port <= 65535:
        raise ConfigError(f"port must be an int from 1 to 65535, got {port}")
    if not _is_free(port):
        raise ConfigError(f"port must be free, but {port} is in use")
    return port


def _first_free() -> int:
    for port in range(FIRST_PORT, FIRST_PORT + _PORTS_TRIED):
        if _is_free(port):
            return port
    with socket.socket() as any_free:
        any_free.bind((HOST, 0))
        return int(any_free.getsockname()[1])


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        if os.name != "nt":  # there it would allow to take a port that is in use
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
