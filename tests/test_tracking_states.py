"""A run's state is true on every way out."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mlflow import MlflowClient
from mlflow.exceptions import MlflowException
from mlflow.protos.databricks_pb2 import BAD_REQUEST
from trackers import SWEEP, child, fresh_store, inputs_of, runs_of

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.alive import Mark
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.records import Table
from rag_sweep.tracking.runs import Runs


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


def states(component: MLflow) -> dict[str, str]:
    return {name: run.info.status for name, run in runs_of(component).items()}


def test_a_failed_configuration_is_failed_with_its_reason_and_so_is_the_sweep(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    tracker.log(child(0))
    tracker.log(child(1, failure="no room\nfor it", metrics={}, table=None))
    tracker.close("FINISHED")
    runs = runs_of(component)
    assert states(component) == {"handbook": "FAILED", "k1=0": "FINISHED", "k1=1": "FAILED"}
    assert runs["k1=1"].data.tags["failure"] == "no room\nfor it"
    assert runs["k1=1"].data.tags["mlflow.note.content"].startswith("**Failed:** no room")
    assert "mlflow.loggedArtifacts" not in runs["k1=1"].data.tags
    assert runs["handbook"].data.tags["failure"] == "failed configurations: 1"


def test_a_long_reason_is_whole_in_a_file(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    component.tracker().log_single(SWEEP, child(failure="x" * 20_000))
    run = runs_of(component)["k1=0"]
    assert run.data.tags["failure"].endswith("see failure.txt")
    assert (Path(run.info.artifact_uri) / "failure.txt").read_text() == "x" * 20_000


@pytest.mark.parametrize(
    "changes",
    [
        {"metrics": {"a": math.inf}},
        {"metrics": {"ndcg_at_10": 0.5}},
        {"params": {"a@b": 1}},
        {"table": Table(("a",), ((math.inf,),))},
    ],
)
def test_what_mlflow_would_refuse_or_bend_leaves_a_failed_run(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    with pytest.raises(TrackingError):
        tracker.log(child(**changes))
    tracker.log(child(1))
    tracker.close("FINISHED")
    assert states(component) == {"handbook": "FAILED", "k1=0": "FAILED", "k1=1": "FINISHED"}
    assert runs_of(component)["k1=0"].data.tags["failure"]


def test_a_tag_that_would_be_cut_is_refused(tmp_path: Path) -> None:
    tracker = fresh_store(tmp_path).tracker()
    with pytest.raises(TrackingError, match="tag 'x' must have at most 5000 characters, got 5001"):
        tracker.log_single(SWEEP, child(tags={"x": "a" * 5001}))
    with pytest.raises(TrackingError, match=r"tag 'mlflow\.note\.content' must have at most 5000"):
        tracker.open(replace(SWEEP, description="a" * 5001))


@pytest.mark.parametrize("step", ["log_batch", "set_terminated", "log_inputs"])
def test_an_error_of_the_store_at_any_step_leaves_a_failed_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    real = getattr(MlflowClient, step)

    def breaks_once(self: MlflowClient, *args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(MlflowClient, step, real)
        raise MlflowException("disk on fire")

    monkeypatch.setattr(MlflowClient, step, breaks_once)
    with pytest.raises(TrackingError, match=r"the run 'k1=0' can't be written to .*mlflow\.db: disk on fire"):
        tracker.log_single(SWEEP, child())
    assert states(component) == {"k1=0": "FAILED"}
    assert runs_of(component)["k1=0"].data.tags["failure"] == "disk on fire"


def test_a_data_set_that_another_process_brings_at_once_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    real = MlflowClient.log_inputs

    def turned_away_once(self: MlflowClient, *args: Any) -> None:
        monkeypatch.setattr(MlflowClient, "log_inputs", real)
        raise MlflowException("UNIQUE constraint failed: datasets.name", error_code=BAD_REQUEST)

    monkeypatch.setattr(MlflowClient, "log_inputs", turned_away_once)
    tracker.log_single(SWEEP, child())
    run = runs_of(component)["k1=0"]
    assert run.info.status == "FINISHED"
    assert len(inputs_of(run)) == 2


def test_an_interruption_while_logging_leaves_a_killed_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Runs, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tracker.log(child())
    monkeypatch.undo()
    tracker.close("KILLED")
    assert states(component) == {"handbook": "KILLED", "k1=0": "KILLED"}


def test_a_run_whose_creation_was_interrupted_is_killed_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    real = MlflowClient.create_run

    def interrupted(*args: Any, **kwargs: Any) -> None:
        real(*args, **kwargs)
        raise KeyboardInterrupt

    monkeypatch.setattr(MlflowClient, "create_run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tracker.log(child())
    assert states(component)["k1=0"] == "RUNNING"
    monkeypatch.undo()
    tracker.close("KILLED")
    assert states(component) == {"handbook": "KILLED", "k1=0": "KILLED"}


def test_the_end_of_a_sweep_that_cannot_be_written_is_failed(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    with pytest.raises(TrackingError, match="metric 'a' must be finite, got inf"):
        tracker.close("FINISHED", {"a": math.inf})
    tracker.close("FINISHED")
    assert states(component) == {"handbook": "FAILED"}


def test_a_sweep_that_could_not_be_opened_is_failed_and_another_one_may_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()

    def broken(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(MlflowClient, "log_inputs", broken)
        with pytest.raises(TrackingError, match="No space left on device"):
            tracker.open(SWEEP)
    tracker.close("FINISHED")
    assert states(component) == {"handbook": "FAILED"}
    tracker.open(replace(SWEEP, name="another"))
    tracker.close("FINISHED")
    assert states(component) == {"handbook": "FAILED", "another": "FINISHED"}


def test_close_without_an_open_sweep_does_nothing(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    component.tracker().close("FAILED")
    assert states(component) == {}


LEFT_OPEN = """
import os, signal, sys
from trackers import SWEEP, child
from rag_sweep.tracking.mlflow import MLflow
tracker = MLflow(path=sys.argv[1]).tracker()
tracker.open(SWEEP)
tracker.log(child())
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="kills by a signal of POSIX")
def test_the_next_start_tells_the_dead_from_the_living(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    command = [sys.executable, "-c", LEFT_OPEN, component.path]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": environment}
    dies, lives = (subprocess.Popen(command, **pipes) for _ in range(2))
    try:
        for process in (dies, lives):
            assert process.stdout is not None
            assert process.stdout.readline() == b"open\n"
        dies.send_signal(signal.SIGKILL)
        dies.wait(10)
        component.tracker().log_single(SWEEP, child(name="next"))
        found = _states_by_process(component)
    finally:
        for process in (dies, lives):
            process.kill()
            process.communicate()
    assert sorted(found.values()) == [["FINISHED"], ["FINISHED", "KILLED"], ["FINISHED", "RUNNING"]]


def _states_by_process(component: MLflow) -> dict[str, list[str]]:
    client = MlflowClient(tracking_uri=f"sqlite:///{component.path}/mlflow.db")
    found: dict[str, list[str]] = {}
    for run in client.search_runs(["1"]):
        found.setdefault(run.data.tags["process"], []).append(run.info.status)
    return {process: sorted(states) for process, states in found.items()}


def test_a_mark_that_is_not_here_is_left_alone(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    client = MlflowClient(tracking_uri=f"sqlite:///{component.path}/mlflow.db")
    client.create_run("1", tags={"process": "of-another-machine"}, run_name="elsewhere")
    tracker.log_single(SWEEP, child())
    assert states(component) == {"elsewhere": "RUNNING", "k1=0": "FINISHED"}


def test_marks_of_the_dead_are_forgotten_and_ones_own_goes_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "dead.mark").touch()
    mine, other = Mark(tmp_path), Mark(tmp_path)
    mine.set()
    other.set()
    with mine.dead() as names:
        assert names == {"dead"}
    with mine.dead() as names:
        assert names == set()
    other.abandon()
    with mine.dead() as names:
        assert names == {other.name}
    mine.clear()
    assert list(tmp_path.glob("*.mark")) == []


def test_marks_stay_if_their_runs_could_not_be_closed(tmp_path: Path) -> None:
    (tmp_path / "dead.mark").touch()
    mark = Mark(tmp_path)
    with pytest.raises(ValueError, match="store"), mark.dead():
        raise ValueError("store")
    with mark.dead() as names:
        assert names == {"dead"}
