"""A sweep that MLflow is told of by a process of its own: whichever of the two dies, nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from commands import HERE, Command, ended, write_dataset
from trackers import all_runs, fresh_store, is_there, pid_of

from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.process import ProcessTracker
from rag_sweep.tracking.records import ChildRecord, SweepRecord

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere a thread does it")

GRID = ["-m", "lexical.k1=0.5,1,1.5,2,2.5,3"]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    command = Command(tmp_path, monkeypatch, capsys)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    command.small = [o for o in command.small if o not in ("journal=null", "tracking=none")]
    return command


def assert_whole(store: MLflow, configurations: int = 6) -> None:
    """Every configuration has its run, once, below one sweep, and all are in their true state."""
    runs = all_runs(store)
    indexes = sorted(run.data.tags.get("index", "") for run in runs)
    assert indexes == sorted(["", *map(str, range(configurations))])
    assert {run.info.status for run in runs} == {"FINISHED"}


# Nobody dies


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


# The process dies while it connects


def killed_while(
    method: str, times: int, monkeypatch: pytest.MonkeyPatch, act: Callable[..., Any] | None = None
) -> list[int]:
    """Kill the process when a method is called, so often; the processes that there were."""
    real: Callable[..., Any] = getattr(ProcessTracker, method)
    pids: list[int] = []

    def deadly(self: ProcessTracker, *arguments: Any) -> Any:
        if pid_of(self) not in pids:
            pids.append(pid_of(self))
        if len(pids) > times:
            return real(self, *arguments)
        if act is not None:
            act(self, *arguments)
        os.kill(pids[-1], signal.SIGKILL)
        return real(self, *arguments)

    monkeypatch.setattr(ProcessTracker, method, deadly)
    return pids


def test_a_process_that_is_killed_while_it_connects_is_started_once_more(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = fresh_store(command.folder)
    pids = killed_while("connect", 1, monkeypatch)
    ran = command("run", *command.small, *GRID, f"tracking.path={store.path}")
    assert ran.code == 0, ran.err
    assert "has died" not in ran.err
    assert_whole(store)
    assert len(pids) == 2
    assert not any(map(is_there, pids))


def test_a_second_death_while_it_connects_is_one_clear_error_and_the_same_command_goes_on(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = fresh_store(command.folder)
    words = ["run", *command.small, *GRID, f"tracking.path={store.path}"]
    with monkeypatch.context() as patch:
        pids = killed_while("connect", 9, patch)
        ran = command(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("rag-sweep: ") == 1
    assert "rag-sweep: the process that writes to MLflow has died (signal 9)" in ran.err
    assert "Traceback" not in ran.err
    assert len(pids) == 2, "tried neither once nor for ever"
    assert not any(map(is_there, pids))
    assert command(*words).code == 0
    assert_whole(store)


def test_one_that_is_killed_when_it_has_begun_the_sweeps_run_takes_that_up_again(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = fresh_store(command.folder)
    began: list[str] = []
    real = ProcessTracker.open

    def begin(tracker: ProcessTracker, sweep: SweepRecord, resume: bool) -> None:
        real(tracker, sweep, resume)
        began.extend(run.info.run_id for run in all_runs(store))

    pids = killed_while("open", 1, monkeypatch, begin)
    ran = command("run", *command.small, *GRID, f"tracking.path={store.path}")
    assert ran.code == 0, ran.err
    assert len(pids) == 2
    assert_whole(store)
    assert began == [run.info.run_id for run in all_runs(store) if "index" not in run.data.tags]


# It dies later


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
    assert reaches(store, process, 5), ended(process)
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
def test_the_sign_of_a_process_that_died_at_the_very_end_is_taken_away(command: Command) -> None:
    store = fresh_store(command.folder)
    words = ("run", *command.small, "-m", "lexical.k1=1,2", f"tracking.path={store.path}", HERE)
    assert command(*words).code == 0
    (folder,) = (Path(store.path) / "running").iterdir()
    (folder / f"{'0' * 32}.mark").touch()
    ran = command(*words)
    assert (ran.code, "nothing has changed since" in ran.err) == (0, True)
    assert list(folder.glob("*.mark")) == []


@pytest.mark.full
def test_killed_alone_and_started_again_at_once_nothing_is_there_twice(command: Command) -> None:
    store = fresh_store(command.folder)
    grid = grid_of(100)
    killed = 0
    for number in (3, 20, 40, 60):
        process = started_in_a_group(command, store, grid)
        if not reaches(store, process, number):
            break  # it was faster than this test: there is nothing left to be killed in
        os.kill(process.pid, signal.SIGKILL)
        killed += 1
    assert killed >= 1
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


def reaches(store: MLflow, process: subprocess.Popen[str], number: int) -> bool:
    """Wait until so many configurations are there whole; False if the process has ended well before that."""
    until = time.monotonic() + 90
    while time.monotonic() < until and process.poll() is None:
        with suppress(AssertionError):  # no experiment yet
            if sum(run.info.status == "FINISHED" for run in all_runs(store)) >= number:
                return True
        time.sleep(0.02)
    if process.poll() != 0:
        pytest.fail(f"{number} configurations were not tracked: {ended(process)}")
    return False
