"""MLflow in a process of its own: the same is written, and neither process outlives the other to harm."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from commands import Command, ended, write_dataset
from trackers import SWEEP, TABLE, all_runs, artifact, child, fresh_store, runs_of

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.artifacts import table_json
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.none import NoTracking
from rag_sweep.tracking.process import ProcessTracker, begin
from rag_sweep.tracking.records import ChildRecord, Tracker

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere a thread does it")

GRID = ["-m", "lexical.k1=0.5,1,1.5,2,2.5,3"]


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    command = Command(tmp_path, monkeypatch, capsys)
    command.small = [o for o in command.small if o not in ("journal=null", "tracking=none")]
    return command


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


def pid_of(tracker: ProcessTracker) -> int:
    return tracker._process._process.pid


def is_there(pid: int) -> bool:
    """Whether a process lives; a zombie doesn't."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


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
        assert time.monotonic() - started_at < 1


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


# A sweep


def test_a_sweep_imports_no_mlflow_and_leaves_no_process(tmp_path: Path) -> None:
    small = [o for o in write_dataset(tmp_path) if o not in ("tracking=none", "journal=null")]
    script = (
        "import sys\n"
        "from rag_sweep.cli.app import main\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    print('mlflow' in sys.modules, file=sys.stderr)\n"
    )
    store = fresh_store(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-c", script, "run", *small, *GRID, f"tracking.path={store.path}"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    ran = ended(process)
    assert (ran.code, ran.err.split()[-1]) == (0, "False"), ran.err
    assert len(all_runs(store)) == 7
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_if_the_process_is_killed_in_a_sweep_another_one_sends_the_rest(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = fresh_store(command.folder)
    pids: list[int] = []
    real = ProcessTracker.log

    def deadly(self: ProcessTracker, record: ChildRecord) -> str | None:
        if pid_of(self) not in pids:
            pids.append(pid_of(self))
        if len(pids) == 1 and record.index == 2:
            os.kill(pids[0], signal.SIGKILL)
        return real(self, record)

    monkeypatch.setattr(ProcessTracker, "log", deadly)
    ran = command("run", *command.small, *GRID, f"tracking.path={store.path}")
    assert ran.code == 0, ran.err
    assert "not tracked" not in ran.err
    runs = all_runs(store)
    assert sorted(run.data.tags.get("index", "") for run in runs) == ["", *map(str, range(6))]
    assert {run.info.status for run in runs} == {"FINISHED"}
    assert len(pids) == 2
    assert not any(map(is_there, pids))


def test_if_it_is_killed_again_and_again_sync_sends_the_rest(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = fresh_store(command.folder)
    real = ProcessTracker.log

    def deadly(self: ProcessTracker, record: ChildRecord) -> str | None:
        if record.index == 2:
            os.kill(pid_of(self), signal.SIGKILL)
        return real(self, record)

    monkeypatch.setattr(ProcessTracker, "log", deadly)
    ran = command("run", *command.small, *GRID, f"tracking.path={store.path}")
    assert ran.code == 1
    told = "the process that writes to MLflow has died (signal 9)\nnot tracked: 4 configurations."
    assert told in ran.err
    assert "6 configurations" in ran.out
    assert command("sync").code == 0
    runs = all_runs(store)
    assert sorted(run.data.tags.get("index", "") for run in runs) == ["", *map(str, range(6))]
    assert {run.info.status for run in runs} == {"FINISHED"}


@pytest.mark.full
@pytest.mark.parametrize(
    ("number", "configurations"),
    [(signal.SIGINT, 500), (signal.SIGTERM, 500), (signal.SIGINT, 100)],  # so few wait for MLflow alone
)
def test_ctrl_c_reaches_both_processes_and_leaves_true_states(
    command: Command, number: signal.Signals, configurations: int
) -> None:
    store = fresh_store(command.folder)
    process = started_in_a_group(command, store, grid_of(configurations))
    wait_for_runs(store, process, 5)
    os.killpg(process.pid, number)
    ran = ended(process)
    assert (ran.code, ran.out) == (128 + number, "")
    assert "Traceback" not in ran.err
    runs = all_runs(store)
    (parent,) = [run for run in runs if "index" not in run.data.tags]
    assert parent.info.status == "KILLED"
    assert 5 <= len(runs) - 1 < configurations
    assert {run.info.status for run in runs if run is not parent} == {"FINISHED"}
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.full
def test_killed_alone_and_started_again_at_once_nothing_is_there_twice(command: Command) -> None:
    store = fresh_store(command.folder)
    grid = grid_of(100)
    for number in (3, 20, 40, 60):
        process = started_in_a_group(command, store, grid)
        wait_for_runs(store, process, number)
        os.kill(process.pid, signal.SIGKILL)
    ran = ended(started_in_a_group(command, store, grid))
    assert ran.code == 0, ran.err
    runs = all_runs(store)
    assert sorted(run.data.tags.get("index", "") for run in runs) == sorted(["", *map(str, range(100))])
    assert {run.info.status for run in runs} == {"FINISHED"}
    assert list((Path(store.path) / "running").rglob("*.mark")) == []


def grid_of(number: int) -> str:
    return "lexical.k1=" + ",".join(f"{1 + at / number}" for at in range(number))


def started_in_a_group(command: Command, store: MLflow, grid: str) -> subprocess.Popen[str]:
    words = ["run", *command.small, "-m", grid, f"tracking.path={store.path}"]
    return subprocess.Popen(
        [sys.executable, "-m", "rag_sweep", *words],
        cwd=command.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_runs(store: MLflow, process: subprocess.Popen[str], number: int) -> None:
    """Until so many configurations are there whole."""
    until = time.monotonic() + 90
    while time.monotonic() < until and process.poll() is None:
        with suppress(AssertionError):  # no experiment yet
            if sum(run.info.status == "FINISHED" for run in all_runs(store)) >= number:
                return
        time.sleep(0.02)
    pytest.fail(f"{number} configurations were not tracked: {ended(process)}")


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
