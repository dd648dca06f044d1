"""MLflow's server as tests start it: at a port of its own, and gone with everything that it has started."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from mlflow import MlflowClient
from trackers import fresh_store

from rag_sweep.tracking.ui import UiCommand

_LONGEST = 300.0  # seconds until it answers, on a machine that has other things to do


def own_port() -> int:
    """A port that nobody listens at, and that nobody else is going to take while a server starts.

    It takes seconds to listen. Whoever looks for the first free port meanwhile finds the same one, and then
    the first of two servers answers for both. So it is any of many, and none that systems give to clients.
    """
    chance = random.SystemRandom()
    while True:
        port = chance.randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Server:
    """A team's server, with a database and artifacts of its own: files reach it by HTTP alone.

    Attributes
    ----------
    store
        The folder of the database ``mlflow.db``.
    artifacts
        Where it keeps files.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.store = fresh_store(folder)
        self.database = Path(self.store.path) / "mlflow.db"
        self.artifacts = folder / "served"
        self.port = own_port()
        self.uri = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it unless it runs, and wait until it answers."""
        if self._process is not None and self._process.poll() is None:
            return
        # as `mlflow server` starts it, which only then is a second process with all of MLflow
        words = ("uvicorn", "--host", "127.0.0.1", "--port", str(self.port), "mlflow.server.fastapi_app:app")
        env = {
            **os.environ,
            "_MLFLOW_SERVER_FILE_STORE": f"sqlite:///{self.database}",
            "_MLFLOW_SERVER_ARTIFACT_ROOT": "mlflow-artifacts:/",
            "_MLFLOW_SERVER_ARTIFACT_DESTINATION": str(self.artifacts),
            "_MLFLOW_SERVER_SERVE_ARTIFACTS": "true",
            "_MLFLOW_SGI_NAME": "uvicorn",
            "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
            "MLFLOW_DISABLE_TELEMETRY": "true",
        }
        env.pop("MLFLOW_TRACKING_URI", None)
        self._process = _begun((sys.executable, "-m", *words), env)
        wait_for(f"{self.uri}/health", self._process)

    def kill(self) -> None:
        """Kill it with all that it has started, if it runs."""
        if self._process is not None:
            _kill(self._process)
            self._process = None

    def configurations(self) -> int:
        """How many configurations it holds whole."""
        client = MlflowClient(tracking_uri=f"sqlite:///{self.database}")
        experiment = client.get_experiment_by_name("rag-sweep")
        found = "attributes.status = 'FINISHED' AND tags.index != ''"
        return len(client.search_runs([experiment.experiment_id], found)) if experiment else 0


@contextmanager
def serving(command: UiCommand) -> Iterator[str]:
    """The server that `ui_command` starts, while it runs; its address."""
    address = command.url.split("/#")[0]
    process = _begun(command.argv, command.env)
    try:
        wait_for(f"{address}/health", process)
        yield address
        process.terminate()
        process.wait(60)
    finally:
        _kill(process)


def wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    """Until something answers there, and the process is alive then."""
    end = time.monotonic() + _LONGEST
    while time.monotonic() < end:
        assert process.poll() is None, f"what was to answer at {address} has ended"
        with suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return
        time.sleep(0.05)
    pytest.fail(f"{address} did not answer within {_LONGEST:.0f} s")


def with_own_artifacts(command: UiCommand, folder: Path) -> UiCommand:
    """The server of a team: files reach it by HTTP alone."""
    env = {**command.env, "MLFLOW_ARTIFACTS_DESTINATION": str(folder)}
    del env["MLFLOW_DEFAULT_ARTIFACT_ROOT"]
    return command._replace(env=env)


def _begun(argv: Sequence[str], env: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """In a group of its own with what it starts."""
    silent = subprocess.DEVNULL
    return subprocess.Popen(argv, env=env, stdout=silent, stderr=silent, start_new_session=True)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(60)
