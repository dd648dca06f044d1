"""MLflow in a process of its own: the same is written, and neither process outlives the other to harm."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from trackers import SWEEP, TABLE, all_runs, artifact, child, fresh_store, is_there, pid_of, runs_of

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.artifacts import table_json
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.none import NoTracking
from rag_sweep.tracking.process import ProcessTracker, begin
from rag_sweep.tracking.records import Tracker

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere a thread does it")


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


@contextmanager
def apart(component: MLflow) -> Iterator[ProcessTracker]:
    """A connected tracker in a process of its own."""
    tracker = begin(component)
    assert tracker is not None
    try:
        tracker.connect()
        yield tracker
    finally:
        tracker.end()


def wait_until_gone(pid: int, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while is_there(pid):
        assert time.monotonic() < until, f"process {pid} is still there"
        time.sleep(0.01)


# What is written


def write(tracker: Tracker) -> None:
    assert tracker.open(SWEEP) == frozenset()
    tracker.log(child(0))
    tracker.log(child(1, table=None, failure="StageFailed: no memory\nfor this"))
    tracker.close("FINISHED", {"configurations": 2.0, "failed": 1.0}, {"notes/a.txt": b"kept"})


def seen(component: MLflow) -> dict[str, Any]:
    """What the store holds, without ids and times."""
    found = {}
    for name, run in runs_of(component).items():
        own = ("process", "mlflow.parentRunId", "mlflow.note.content")
        tags = {key: value for key, value in run.data.tags.items() if key not in own}
        folder = Path(run.info.artifact_uri)
        files = {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}
        found[name] = run.info.status, run.data.params, run.data.metrics, tags, files
    return found


def test_the_store_holds_what_it_holds_without_a_process(tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("apart", "here")]
    for place in places:
        place.mkdir()
    mine, other = map(fresh_store, places)
    with apart(mine) as tracker:
        write(tracker)
        where = tracker.where()
    assert tracker.where() == where
    here = other.tracker()
    write(here)
    assert where.replace(str(places[0]), str(places[1])) == here.where()
    assert not is_there(pid_of(tracker))
    left = {file.name for file in Path(mine.path).iterdir()}
    assert not left & {"mlflow.db-wal", "mlflow.db-shm"}, "SQLite's files are part of the database still"
    assert seen(mine) == seen(other)


def test_a_table_that_is_made_already_is_written_as_it_is(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    tracker.log(child(0, table=table_json(TABLE)))
    tracker.log(child(1))
    tracker.close("FINISHED")
    runs = runs_of(component)
    assert artifact(runs["k1=0"], "per_question.json") == artifact(runs["k1=1"], "per_question.json")
    assert (
        runs["k1=0"].data.tags["mlflow.loggedArtifacts"] == runs["k1=1"].data.tags["mlflow.loggedArtifacts"]
    )


def test_only_our_own_component_gets_a_process_and_only_if_it_wants_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Other(MLflow):
        pass

    assert begin(NoTracking()) is None
    assert begin(Other()) is None
    assert begin(MLflow(process=False)) is None

    def refused(*args: Any, **kwargs: Any) -> Any:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refused)
    assert begin(MLflow()) is None


NOISY = """
import os, sys
print("stray at the start")
def stray(event, args):
    if event == "sqlite3.connect":
        print("stray in a call")
        os.write(1, b"stray past Python\\n")
sys.addaudithook(stray)
"""


def test_what_is_printed_there_goes_to_stderr_and_disturbs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOISY)
    component = fresh_store(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with apart(component) as tracker:
        write(tracker)
    out, err = capfd.readouterr()
    assert out == ""
    for text in ("stray at the start", "stray in a call", "stray past Python"):
        assert text in err
    assert len(all_runs(component)) == 3


def test_files_beside_the_data_are_not_taken_for_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = fresh_store(tmp_path)
    (tmp_path / "json.py").write_text("raise SystemExit(5)")
    monkeypatch.chdir(tmp_path)
    with apart(component) as tracker:
        assert tracker.holds(SWEEP) is None


# What is raised


def test_an_error_there_is_raised_here(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    tracker = begin(MLflow(path=str(tmp_path / "file")))
    assert tracker is not None
    with pytest.raises(TrackingError, match="the tracking folder must be a folder, got the file"):
        tracker.connect()
    tracker.end()
    assert not is_there(pid_of(tracker))


def test_a_call_after_an_error_works(tmp_path: Path) -> None:
    with apart(fresh_store(tmp_path)) as tracker:
        with pytest.raises(RuntimeError, match="no sweep is open"):
            tracker.log(child(0))
        tracker.open(SWEEP)
        with pytest.raises(TrackingError, match="must be finite"):
            tracker.log(child(0, metrics={"ndcg@10": float("inf")}))
        tracker.log(child(1))
        tracker.close("FINISHED")


# Interruptions


def later(seconds: float, *signals: tuple[int, int]) -> None:
    """Send signals, some time apart."""

    def send() -> None:
        for pid, number in signals:
            time.sleep(seconds)
            os.kill(pid, number)

    threading.Thread(target=send, daemon=True).start()


def test_an_interruption_waits_for_what_is_being_written(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    with apart(component) as tracker:
        tracker.open(SWEEP)
        pid = pid_of(tracker)
        os.kill(pid, signal.SIGSTOP)
        later(0.2, (os.getpid(), signal.SIGINT), (pid, signal.SIGCONT))
        with pytest.raises(KeyboardInterrupt):
            tracker.log(child(0))
        tracker.close("KILLED")
    assert {name: run.info.status for name, run in runs_of(component).items()} == {
        "handbook": "KILLED",
        "k1=0": "FINISHED",
    }


def test_a_second_one_waits_for_nothing_and_the_process_is_gone(tmp_path: Path) -> None:
    with apart(fresh_store(tmp_path)) as tracker:
        tracker.open(SWEEP)
        pid, own = pid_of(tracker), os.getpid()
        os.kill(pid, signal.SIGSTOP)
        later(0.2, (own, signal.SIGINT), (own, signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            tracker.log(child(0))
        assert not is_there(pid)
        started_at = time.monotonic()
        with pytest.raises(TrackingError, match=r"has died \(signal 9\)"):
            tracker.close("KILLED")
        assert time.monotonic() - started_at < 5  # it has ten seconds where it is there


def test_a_process_that_is_ended_in_the_middle_of_a_call_is_killed(tmp_path: Path) -> None:
    raised: list[BaseException] = []

    def log(tracker: ProcessTracker) -> None:
        try:
            tracker.log(child(0))
        except TrackingError as error:
            raised.append(error)

    with apart(fresh_store(tmp_path)) as tracker:
        tracker.open(SWEEP)
        os.kill(pid_of(tracker), signal.SIGSTOP)
        thread = threading.Thread(target=log, args=(tracker,))
        thread.start()
        time.sleep(0.2)
        tracker.end()
        thread.join(5)
        assert not thread.is_alive()
        assert "has died (signal 9)" in str(raised[0])
        tracker.end()  # again


def test_signals_of_the_terminal_are_the_parents_to_decide(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = begin(component)
    assert tracker is not None
    for number in (signal.SIGINT, signal.SIGTERM):  # at once: Python itself may not be up yet
        os.kill(pid_of(tracker), number)
    tracker.connect()
    tracker.open(SWEEP)
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid_of(tracker), number)
    tracker.log(child(0))
    tracker.close("FINISHED")
    tracker.end()
    assert {run.info.status for run in all_runs(component)} == {"FINISHED"}


# What outlives what

ORPHAN = """
import os, sys, time
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.process import begin
tracker = begin(MLflow(path=sys.argv[1]))
tracker.connect()
if os.fork() == 0:
    time.sleep(60)
print(tracker._process._process.pid, flush=True)
time.sleep(60)
"""


def test_a_forked_worker_that_outlives_the_parent_does_not_keep_the_process_alive(tmp_path: Path) -> None:
    path = fresh_store(tmp_path).path
    parent = subprocess.Popen(
        [sys.executable, "-c", ORPHAN, path], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert parent.stdout is not None
    try:
        pid = int(parent.stdout.readline())
        assert is_there(pid)
        parent.kill()
        parent.wait()
        wait_until_gone(pid)
    finally:
        os.killpg(parent.pid, signal.SIGKILL)
        parent.stdout.close()
