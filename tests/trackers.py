"""What the tests of tracking share: a ready store, records, and reading back."""

from __future__ import annotations

import functools
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from mlflow import MlflowClient
from mlflow.entities import DatasetInput, Run

from rag_sweep.tracking.local import prepare
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.place import resolve
from rag_sweep.tracking.process import ProcessTracker
from rag_sweep.tracking.records import ChildRecord, DatasetInfo, SweepRecord, Table

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


def pid_of(tracker: ProcessTracker) -> int:
    """The process of a tracker that has one."""
    return tracker._process._process.pid


def is_there(pid: int) -> bool:
    """Whether a process lives; a zombie doesn't."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
