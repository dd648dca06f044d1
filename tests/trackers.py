"""What the tests of tracking share: a ready store, records, and reading back."""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mlflow import MlflowClient
from mlflow.entities import DatasetInput, Run

from rag_sweep.tracking.local import prepare
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.place import resolve
from rag_sweep.tracking.records import ChildRecord, DatasetInfo, SweepRecord, Table
from rag_sweep.tracking.ui import UiCommand

TABLE = Table(
    ("question", "ranking", "first_relevant", "ndcg@10"),
    (
        ("Кто подписывает акт приёмки?", "✓1. ops/act (2.5)\n2. hr/pay (1.1)", 1, 0.75),
        ("How many days of leave?", "", None, float("nan")),
    ),
)
DATASETS = (
    DatasetInfo("handbook", "corpus", "c" * 64, "bundled", {"documents": 62}),
    DatasetInfo("handbook", "gold", "d" * 64, "bundled", {"questions": 60, "negatives": 8}),
)
SWEEP = SweepRecord(
    sweep_id="s-1",
    name="handbook",
    params={"k": 10, "dataset": "handbook"},
    tags={"gold": "d" * 64},
    datasets=DATASETS,
    description="Two **configurations**.",
    objective="ndcg@10",
)


def child(index: int = 0, **changes: Any) -> ChildRecord:
    """A configuration that went well, with `changes`."""
    ordinary: dict[str, Any] = {
        "name": f"k1={index}",
        "params": {"k": 10, "lexical.k1": index + 0.5, "chunker": "document"},
        "metrics": {"ndcg@10": 0.5 + index / 10, "recall@10": 0.25, "questions": 52},
        "tags": {"configuration": "e" * 64},
        "table": TABLE,
        "config": "k: 10\n",
    }
    return ChildRecord(index=index, **{**ordinary, **changes})


def fresh_store(folder: Path, **options: Any) -> MLflow:
    """A component on a store of its own; making the tables takes seconds, so they are made once."""
    path = folder / "mlruns"
    path.mkdir()
    shutil.copy(_template(), path / "mlflow.db")
    return MLflow(path=str(path), **options)


@functools.cache
def _template() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="rag-sweep-test-"))
    prepare(resolve(f"sqlite:///{folder}/mlflow.db", "unused"))
    return folder / "mlflow.db"


def client_of(component: MLflow) -> MlflowClient:
    """MLflow's own client on the component's store."""
    return MlflowClient(tracking_uri=resolve(component.uri, component.path).uri)


def runs_of(component: MLflow) -> dict[str, Run]:
    """All runs of the component's experiment by name."""
    client = client_of(component)
    experiment = client.get_experiment_by_name(component.experiment)
    assert experiment is not None
    return {run.info.run_name: run for run in client.search_runs([experiment.experiment_id])}


def all_runs(component: MLflow) -> list[Run]:
    """All runs of the component's experiment that aren't deleted, oldest first."""
    client = client_of(component)
    experiment = client.get_experiment_by_name(component.experiment)
    assert experiment is not None
    return list(client.search_runs([experiment.experiment_id], order_by=["start_time ASC"]))


def inputs_of(run: Run) -> list[DatasetInput]:
    """The data sets of a run."""
    return [] if run.inputs is None else run.inputs.dataset_inputs


def artifact(run: Run, name: str) -> bytes:
    """One file of a run, from the disk."""
    return (Path(run.info.artifact_uri) / name).read_bytes()


def table_of(run: Run) -> Any:
    """The per-question table of a run."""
    return json.loads(artifact(run, "per_question.json"))


def start(command: UiCommand) -> subprocess.Popen[bytes]:
    """The server's process, in a group of its own with what it starts."""
    silent: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command.argv, env=command.env, start_new_session=True, **silent)


@contextmanager
def serving(command: UiCommand) -> Iterator[str]:
    """The server while it runs; its address."""
    address = command.url.split("/#")[0]
    process = start(command)
    try:
        wait_for(f"{address}/health", process)
        yield address
    finally:
        process.terminate()
        process.wait(30)


def wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    """Until something answers there."""
    for _ in range(300):
        assert process.poll() is None
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"{address} did not answer within a minute")


def with_own_artifacts(command: UiCommand, folder: Path) -> UiCommand:
    """The server of a team: files reach it by HTTP alone."""
    env = {**command.env, "MLFLOW_ARTIFACTS_DESTINATION": str(folder)}
    del env["MLFLOW_DEFAULT_ARTIFACT_ROOT"]
    return command._replace(env=env)
