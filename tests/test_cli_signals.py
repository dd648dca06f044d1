"""Ctrl-C and SIGTERM in the middle of a sweep: a true state in MLflow, the usual exit codes, no traceback."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from commands import ended, started, write_dataset

SLOW = """
import time
from dataclasses import dataclass

@dataclass(frozen=True)
class Slow:
    seconds: float = 0.5

    def split(self, text):
        time.sleep(self.seconds)
        return [(0, len(text))]
"""


def statuses(folder: Path) -> dict[str, int]:
    file = folder / "mlruns" / "mlflow.db"
    if not file.is_file():
        return {}
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
            return dict(database.execute("select status, count(*) from runs group by status").fetchall())
    except sqlite3.OperationalError:  # it is just being made
        return {}


def wait_for_a_result(process: subprocess.Popen[str], folder: Path) -> None:
    until = time.monotonic() + 90
    while time.monotonic() < until and process.poll() is None:
        found = statuses(folder)
        if found.get("RUNNING", 0) and found.get("FINISHED", 0):
            return
        time.sleep(0.1)
    pytest.fail(f"no configuration was tracked: {statuses(folder)}, {ended(process)}")


@pytest.mark.full
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_sweep_is_killed_in_mlflow_and_says_no_more_than_that(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    small = [o for o in write_dataset(tmp_path) if o != "tracking=none"]
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "conf" / "chunker").mkdir(parents=True)
    (tmp_path / "conf" / "chunker" / "slow.yaml").write_text("_target_: slow.Slow\nseconds: 0.5\n")
    swept = ",".join(f"0.3{at}" for at in range(10, 50))
    words = ["--config-dir", "conf", "-m", "chunker=slow", f"chunker.seconds={swept}"]
    process = started("run", *small, *words, cwd=tmp_path)
    wait_for_a_result(process, tmp_path)
    process.send_signal(number)
    ran = ended(process)
    assert ran.code == code
    assert ran.out == ""
    assert "Traceback" not in ran.err
    assert len(ran.err.splitlines()) <= 1
    found = statuses(tmp_path)
    assert found.get("RUNNING", 0) == 0
    assert found["KILLED"] == 1
    assert 1 <= found["FINISHED"] < 40
