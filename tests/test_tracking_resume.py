"""A sweep that is taken up again ends as one that was never interrupted."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mlflow import MlflowClient
from mlflow.entities import Run
from mlflow.exceptions import MlflowException
from trackers import SWEEP, all_runs, artifact, child, client_of, fresh_store, inputs_of, table_of

from rag_sweep.errors import TrackingError
from rag_sweep.tracking import thirdparty
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.records import ChildRecord, Tracker

LONG = {"prompt": "a" * 6001}
CHILDREN = (
    child(0, params={"k": 10, "lexical.k1": 0.9, "chunker": "document", **LONG}),
    child(1, failure="no room", metrics={}, table=None),
    child(2, params={"lexical.k1": 1.2, "chunker": "fixed", "chunker.size": 80, **LONG}),
    child(3, metrics={"recall@10": 0.25, "map@10": 0.125, "ndcg@10": float("nan")}),
)
METRICS = {"configurations": 4.0, "best_ndcg@10": 0.5}
FILES = {"matrix.npz": b"numbers", "pages/board.md": b"# best\n"}


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    yield
    assert thirdparty._surroundings._users == 0


def log_all(tracker: Tracker, children: tuple[ChildRecord, ...] = CHILDREN, resume: bool = True) -> None:
    """What a session does: open, log what isn't held, close."""
    held = tracker.open(SWEEP, resume=resume)
    for each in children:
        if each.index not in held:
            tracker.log(each)
    tracker.close("FINISHED", METRICS, FILES)


def end_state(component: MLflow) -> dict[str, Any]:
    """Everything that a sweep leaves but times and names of runs and processes."""
    runs = all_runs(component)
    names = {run.info.run_id: run.info.run_name for run in runs}
    names |= {"process": "", "mlflow.user": ""}
    assert len(names) == len(runs) + 2
    return {run.info.run_name: _told(component, run, names) for run in runs}


def _told(component: MLflow, run: Run, names: dict[str, str]) -> dict[str, Any]:
    def plain(text: str) -> str:
        for run_id, name in names.items():
            text = text.replace(run_id, name)
        return text

    folder = Path(run.info.artifact_uri)
    return {
        "status": run.info.status,
        "params": run.data.params,
        "metrics": run.data.metrics,
        "tags": {key: plain(value) for key, value in run.data.tags.items() if key != "process"},
        "inputs": [each.dataset.digest for each in inputs_of(run)],
        "files": {
            str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()
        },
        "layout": plain(_layout(component, run)),
    }


def _layout(component: MLflow, run: Run) -> str:
    tags = client_of(component).get_experiment(run.info.experiment_id).tags
    envelope = tags.get(f"mlflow.sharedViewState.rag-sweep-{run.info.run_id}")
    if envelope is None:
        return ""
    packed = json.loads(envelope)["state"].partition(";")[2]
    return zlib.decompress(base64.b64decode(packed)).decode()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a sweep leaves that nothing breaks; to compare with, not to change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        component = fresh_store(tmp_path_factory.mktemp("whole"))
        log_all(component.tracker(), resume=False)
        return end_state(component)


def die(tracker: Tracker) -> None:
    """What remains of a tracker whose process is killed: its mark without a lock."""
    tracker._mark.abandon()  # type: ignore[attr-defined]
    tracker._at_mlflow.close()  # type: ignore[attr-defined]


def break_once(
    monkeypatch: pytest.MonkeyPatch, step: str, at: int, after: bool, error: BaseException
) -> None:
    """Let the call number `at` of MLflow's client fail, before or after it took effect."""
    real, calls = getattr(MlflowClient, step), [0]

    def call(self: MlflowClient, *args: Any, **kwargs: Any) -> Any:
        calls[0] += 1
        if calls[0] != at:
            return real(self, *args, **kwargs)
        if after:
            real(self, *args, **kwargs)
        raise error

    monkeypatch.setattr(MlflowClient, step, call)


def test_without_a_run_of_that_id_a_sweep_is_begun(tmp_path: Path, uninterrupted: dict[str, Any]) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    assert tracker.open(SWEEP, resume=True) == frozenset()
    tracker.close("KILLED")
    log_all(component.tracker())
    assert end_state(component) == uninterrupted


def test_a_complete_sweep_is_held_whole_and_stays_as_it_is(
    tmp_path: Path, uninterrupted: dict[str, Any]
) -> None:
    component = fresh_store(tmp_path)
    log_all(component.tracker(), resume=False)
    before = {run.info.run_id for run in all_runs(component)}
    for _ in range(2):
        tracker = component.tracker()
        assert tracker.open(SWEEP, resume=True) == {0, 1, 2, 3}
        tracker.close("FINISHED", METRICS, FILES)
    assert {run.info.run_id for run in all_runs(component)} == before
    assert end_state(component) == uninterrupted


@pytest.mark.parametrize("done", range(5))
def test_after_a_kill_between_two_configurations_only_the_others_are_logged(
    tmp_path: Path, uninterrupted: dict[str, Any], done: int
) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    kept = {tracker.log(each) for each in CHILDREN[:done]}
    die(tracker)
    tracker = component.tracker()
    assert tracker.open(SWEEP, resume=True) == set(range(done))
    assert {run.info.status for run in all_runs(component) if run.info.run_name == "handbook"} == {"RUNNING"}
    for each in reversed(CHILDREN[done:]):
        tracker.log(each)
    tracker.close("FINISHED", METRICS, FILES)
    assert end_state(component) == uninterrupted
    assert kept <= {run.info.run_id for run in all_runs(component)}


STEPS = [("create_run", 3), ("log_batch", 3), ("set_terminated", 2), ("set_terminated", 3)]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize(("step", "at"), STEPS)
@pytest.mark.parametrize("error", [MlflowException("away"), KeyboardInterrupt(), SystemExit(143)])
def test_whatever_breaks_a_sweep_at_any_step_the_next_one_completes_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    uninterrupted: dict[str, Any],
    step: str,
    at: int,
    after: bool,
    error: BaseException,
) -> None:
    component = fresh_store(tmp_path)
    with monkeypatch.context() as patch:
        break_once(patch, step, at, after, error)
        tracker = component.tracker()
        with pytest.raises((TrackingError, KeyboardInterrupt, SystemExit)):
            log_all(tracker, resume=False)
        tracker.close("KILLED", {"configurations": 1.0})
    assert end_state(component) != uninterrupted
    log_all(component.tracker())
    assert end_state(component) == uninterrupted


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize(("step", "at"), [("log_inputs", 1), ("log_batch", 1), ("set_experiment_tag", 1)])
def test_a_sweep_whose_opening_broke_off_is_completed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    uninterrupted: dict[str, Any],
    step: str,
    at: int,
    after: bool,
) -> None:
    component = fresh_store(tmp_path)
    with monkeypatch.context() as patch:
        break_once(patch, step, at, after, MlflowException("away"))
        with pytest.raises(TrackingError):
            component.tracker().open(SWEEP)
    log_all(component.tracker())
    assert end_state(component) == uninterrupted


def _status(state: str) -> Callable[[MlflowClient, Run], object]:
    return lambda client, run: client.update_run(run.info.run_id, status=state)


def _tag(key: str, value: str) -> Callable[[MlflowClient, Run], object]:
    return lambda client, run: client.set_tag(run.info.run_id, key, value)


def _untag(key: str) -> Callable[[MlflowClient, Run], object]:
    return lambda client, run: client.delete_tag(run.info.run_id, key)


HALF = {
    "running": _status("RUNNING"),
    "killed": _status("KILLED"),
    "failed while it was logged": _status("FAILED"),
    "disowned": _tag("outcome", "not logged"),
    "without its outcome": _untag("outcome"),
    "without its index": _untag("index"),
    "with a strange index": _tag("index", "first"),
    "under another parent": _tag("mlflow.parentRunId", "f" * 32),
}


@pytest.mark.parametrize("kind", HALF)
@pytest.mark.parametrize("index", [0, 1])
def test_a_child_that_is_not_whole_is_deleted_and_done_again(
    tmp_path: Path, uninterrupted: dict[str, Any], kind: str, index: int
) -> None:
    if (kind, index) == ("failed while it was logged", 1):
        kind = "disowned"  # a configuration that failed is FAILED, so only its outcome tells
    component = fresh_store(tmp_path)
    log_all(component.tracker(), resume=False)
    client = client_of(component)
    (damaged,) = (run for run in all_runs(component) if run.data.tags.get("index") == str(index))
    HALF[kind](client, damaged)
    tracker = component.tracker()
    assert tracker.open(SWEEP, resume=True) == {0, 1, 2, 3} - {index}
    assert client.get_run(damaged.info.run_id).info.lifecycle_stage == "deleted"
    tracker.log(CHILDREN[index])
    tracker.close("FINISHED", METRICS, FILES)
    assert end_state(component) == uninterrupted


def test_of_two_whole_children_of_one_index_the_first_is_kept(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    first, second = tracker.log(child(0)), tracker.log(child(0, name="again"))
    tracker.close("KILLED")
    assert component.tracker().open(SWEEP, resume=True) == {0}
    there = {run.info.run_id for run in all_runs(component)}
    assert first in there
    assert second not in there


def test_another_sweep_in_the_same_experiment_is_left_alone(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    other, single = replace(SWEEP, sweep_id="s-2", name="other"), replace(SWEEP, name="single")
    beside = component.tracker()
    beside.open(other)
    beside.log(child(0, name="its own"))
    component.tracker().log_single(single, child(7, name="alone"))
    foreign = client_of(component).create_run("1", run_name="elsewhere")
    tracker = component.tracker()
    tracker.open(SWEEP)
    tracker.log(child(0))
    die(tracker)
    again = component.tracker()
    assert again.open(SWEEP, resume=True) == {0}
    again.close("FINISHED")
    beside.log(child(1, name="its second"))
    states = {run.info.run_name: run.info.status for run in all_runs(component)}
    assert states == {
        "other": "RUNNING",
        "its own": "FINISHED",
        "its second": "FINISHED",
        "alone": "FINISHED",
        "elsewhere": "RUNNING",
        "handbook": "FINISHED",
        "k1=0": "FINISHED",
    }
    beside.close("FINISHED")
    assert client_of(component).get_run(foreign.info.run_id).info.status == "RUNNING"


def test_a_sweep_whose_run_was_deleted_is_logged_again(tmp_path: Path, uninterrupted: dict[str, Any]) -> None:
    component = fresh_store(tmp_path)
    log_all(component.tracker(), resume=False)
    (parent,) = (run for run in all_runs(component) if run.info.run_name == "handbook")
    client_of(component).delete_run(parent.info.run_id)
    tracker = component.tracker()
    assert tracker.open(SWEEP, resume=True) == frozenset()
    tracker.close("KILLED")
    log_all(component.tracker())
    assert end_state(component) == uninterrupted


def test_a_second_run_of_the_sweep_is_deleted_and_the_one_with_children_is_kept(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    component.tracker().open(SWEEP)
    tracker = component.tracker()
    tracker.open(SWEEP)
    tracker.log(child(0))
    tracker.close("KILLED")
    again = component.tracker()
    assert again.open(SWEEP, resume=True) == {0}
    again.close("FINISHED")
    assert sorted(run.info.status for run in all_runs(component)) == ["FINISHED", "FINISHED"]


def test_a_run_that_was_made_twice_because_an_answer_was_lost_is_there_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uninterrupted: dict[str, Any]
) -> None:
    component = fresh_store(tmp_path)
    real = MlflowClient.create_run

    def twice(self: MlflowClient, *args: Any, **kwargs: Any) -> Run:
        real(self, *args, **kwargs)
        return real(self, *args, **kwargs)

    monkeypatch.setattr(MlflowClient, "create_run", twice)
    log_all(component.tracker(), resume=False)
    assert end_state(component) == uninterrupted


def test_a_sweep_of_more_runs_than_a_page_is_found_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag_sweep.tracking.held._PAGE", 3)
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    for index in range(8):
        tracker.log(child(index))
    die(tracker)
    assert component.tracker().open(SWEEP, resume=True) == set(range(8))


def test_failures_that_are_held_count_for_the_state_of_the_sweep(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    tracker.log(child(0, failure="broken", metrics={}, table=None))
    die(tracker)
    tracker = component.tracker()
    tracker.open(SWEEP, resume=True)
    tracker.log(child(1))
    tracker.close("FINISHED")
    (parent,) = (run for run in all_runs(component) if run.info.run_name == "handbook")
    assert parent.info.status == "FAILED"
    assert parent.data.tags["failure"] == "failed configurations: 1"


def test_a_sweep_that_went_well_in_the_end_has_no_failure_left(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    for status in ("KILLED", "FAILED"):
        tracker = component.tracker()
        tracker.open(SWEEP, resume=True)
        tracker.close(status)
    component.tracker().open(SWEEP, resume=True)
    (parent,) = all_runs(component)
    assert parent.info.status == "RUNNING"
    assert "failure" not in parent.data.tags


def test_a_resumed_sweep_that_dies_is_killed_at_the_next_start(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    for _ in range(2):
        tracker = component.tracker()
        tracker.open(SWEEP, resume=True)
        die(tracker)
    component.tracker().log_single(replace(SWEEP, sweep_id="s-2"), child(0))
    states = {run.info.run_name: run.info.status for run in all_runs(component)}
    assert states == {"handbook": "KILLED", "k1=0": "FINISHED"}


def test_one_configuration_alone_is_logged_once(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    first = component.tracker().log_single(SWEEP, child(0), resume=True)
    assert component.tracker().log_single(SWEEP, child(0), resume=True) == first
    assert [run.info.run_id for run in all_runs(component)] == [first]
    again = component.tracker().log_single(SWEEP, child(0))
    assert again != first
    assert len(all_runs(component)) == 2


@pytest.mark.parametrize("step", ["log_inputs", "log_batch", "set_terminated"])
def test_a_half_logged_configuration_alone_is_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    component = fresh_store(tmp_path)
    with monkeypatch.context() as patch:
        break_once(patch, step, 1, False, MlflowException("away"))
        with pytest.raises(TrackingError):
            component.tracker().log_single(SWEEP, child(0))
    log_all(component.tracker(), CHILDREN[:1])  # a sweep of the same id has nothing to do with it
    run_id = component.tracker().log_single(SWEEP, child(0), resume=True)
    alone = [run for run in all_runs(component) if run.data.tags.get("mlflow.parentRunId") is None]
    (single,) = (run for run in alone if "index" in run.data.tags)
    assert single.info.run_id == run_id
    assert single.info.status == "FINISHED"
    assert "failure" not in single.data.tags
    assert len(inputs_of(single)) == 2
    assert table_of(single)["columns"][0] == "question"
    assert len(all_runs(component)) == 3


def test_a_broken_table_is_not_announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    component = fresh_store(tmp_path)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rag_sweep.tracking.runs.write_files", full)
    with pytest.raises(TrackingError, match="No space left"):
        component.tracker().log_single(SWEEP, child(0))
    (run,) = all_runs(component)
    assert run.data.tags["mlflow.loggedArtifacts"] == "[]"
    assert run.data.tags["outcome"] == "not logged"


def test_files_of_the_sweep_are_written_again(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    file = tmp_path / "journal.npz"
    file.write_bytes(b"first")
    for content in (b"first", b"second"):
        kept = tmp_path / f"{content.decode()}.npz"
        kept.write_bytes(content)
        tracker = component.tracker()
        tracker.open(SWEEP, resume=True)
        tracker.close("FINISHED", {"a": float(len(content))}, {"matrix.npz": kept, "board.md": content})
    (parent,) = all_runs(component)
    assert artifact(parent, "matrix.npz") == artifact(parent, "board.md") == b"second"
    assert parent.data.metrics == {"a": 6.0}
    assert (tmp_path / "first.npz").read_bytes() == b"first"
