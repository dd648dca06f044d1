"""The floor: the MLflow calls of a finished sweep once more, with everything computed beforehand.

    python -m benchmarks.floor SWEEP_FOLDER NEW_FOLDER

reads all runs of the store in SWEEP_FOLDER, then makes the same runs in a fresh store: for each `create_run`
with its tags, its files, one `log_batch` with params and metrics, `set_terminated`. Prints as JSON how long
the reading took, which isn't part of the floor.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.tracking.connect import connect, ensure_experiment
from rag_sweep.tracking.place import resolve

EXPERIMENT = "rag-sweep"
PARENT = "mlflow.parentRunId"
A_BATCH = 100
"""Params that MLflow takes in one call."""


@dataclass(frozen=True)
class Payload:
    """All that one run holds, ready to be sent."""

    run_id: str
    name: str
    status: str
    tags: dict[str, str]
    params: list[Any]
    metrics: list[Any]
    files: dict[str, bytes]


def payloads(folder: Path) -> list[Payload]:
    """The runs of a store, in the order in which they were begun; the parent first."""
    from mlflow import MlflowClient

    client = MlflowClient(tracking_uri=f"sqlite:///{folder / 'mlruns' / 'mlflow.db'}")
    experiment = client.get_experiment_by_name(EXPERIMENT)
    if experiment is None:
        raise SystemExit(f"no experiment {EXPERIMENT} in {folder}")
    found: list[Payload] = []
    token = None
    while True:
        page = client.search_runs(
            [experiment.experiment_id], order_by=["attributes.start_time"], max_results=5000, page_token=token
        )
        found += [_payload(run) for run in page]
        token = page.token
        if not token:
            return sorted(found, key=lambda one: PARENT in one.tags)


def _payload(run: Any) -> Payload:
    from mlflow.entities import Metric, Param

    root = Path(run.info.artifact_uri.removeprefix("file://"))
    files = {str(f.relative_to(root)): f.read_bytes() for f in sorted(root.rglob("*")) if f.is_file()}
    return Payload(
        run.info.run_id,
        run.info.run_name,
        run.info.status,
        {k: v for k, v in run.data.tags.items() if k != "mlflow.runName"},
        [Param(key, value) for key, value in run.data.params.items()],
        [Metric(key, value, 0, 0) for key, value in run.data.metrics.items()],
        files,
    )


def replay(runs: list[Payload], folder: Path) -> None:
    """Make them all in a fresh store, prepared as rag-sweep prepares its own (write-ahead log)."""
    place = resolve(None, str(folder / "mlruns"))
    client = connect(place)
    experiment_id = ensure_experiment(client, place, EXPERIMENT)
    parents: dict[str, str] = {}
    for payload in runs:
        tags = dict(payload.tags)
        if PARENT in tags:
            tags[PARENT] = parents[tags[PARENT]]
        run = client.create_run(experiment_id, tags=tags, run_name=payload.name)
        if PARENT not in tags:
            parents[payload.run_id] = run.info.run_id
        _write(Path(run.info.artifact_uri.removeprefix("file://")), payload.files)
        client.log_batch(run.info.run_id, payload.metrics, payload.params[:A_BATCH])
        client.set_terminated(run.info.run_id, payload.status)


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def main() -> None:
    """The command line of this process."""
    source, target = map(Path, sys.argv[1:])
    for name in ("mlflow", "alembic"):
        logging.getLogger(name).setLevel(logging.ERROR)
    connect(resolve(None, str(source / "mlruns")))  # what comes once, such as imports, belongs to the floor
    started, used = time.perf_counter(), time.process_time()
    runs = payloads(source)
    reading, cpu = time.perf_counter() - started, time.process_time() - used
    replay(runs, target)
    print(json.dumps({"reading": reading, "reading_cpu": cpu, "runs": len(runs)}))


if __name__ == "__main__":
    main()
