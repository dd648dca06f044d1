"""A sweep as a command that may be killed at any moment, and what must be there when it has ended."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from commands import write_dataset
from journals import assert_same_outcome, assert_same_summary, calls, wait_for, write_counted
from mlflow import MlflowClient

from rag_sweep.journal import lines
from rag_sweep.journal.journal import Journal
from rag_sweep.journal.shelf import Shelf
from rag_sweep.tracking.content import PARENT_TAG

LONGEST = 300.0  # seconds for one command on a machine that has other things to do
NARROW = ["-m", "chunker=counted", "chunker.number=1,2,3,4", "lexical.k1=0.5,1.5", "fusion.k_rrf=10,60"]
DOCUMENTS = 5
OF_TIME_AND_PLACE = {"process", "sweep_id", PARENT_TAG, "mlflow.note.content", "mlflow.runName"}
"""Tags that differ between two sweeps that are otherwise the same."""


class Sweep:
    """One command in a folder of its own, which may be started again and again."""

    def __init__(self, folder: Path, grid: list[str], *words: str) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        small = [o for o in write_dataset(folder) if not o.startswith(("tracking", "store", "journal"))]
        more_questions(folder)
        self.words = ["run", *small, *write_counted(folder), *grid, *words, "--json"]

    def start(self, *words: str, command: list[str] | None = None) -> subprocess.Popen[bytes]:
        """Start it; it and all its workers are one group of processes, and it writes to files."""
        environment = {name: value for name, value in os.environ.items() if name != "MLFLOW_TRACKING_URI"}
        with self._log("out").open("wb") as out, self._log("err").open("wb") as err:
            return subprocess.Popen(
                [sys.executable, "-m", "rag_sweep", *(command or self.words), *words],
                cwd=self.folder,
                env={**environment, "CALLS": str(self._log("calls"))},
                stdout=out,
                stderr=err,
                start_new_session=True,
            )

    def run(self, *words: str, command: list[str] | None = None) -> tuple[int, str, str]:
        """Run it to its end: exit code, stdout, stderr."""
        process = self.start(*words, command=command)
        try:
            return self.ended(process)
        finally:
            kill(process)

    def ended(self, process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
        """Wait for its end."""
        code = process.wait(LONGEST)
        return code, self._log("out").read_text(), self._log("err").read_text()

    def held_at(self, number: int) -> subprocess.Popen[bytes]:
        """Start it, and have it wait in a chunking; those before are kept."""
        (self.folder / f"closed.{number}").touch()
        self.calls()
        process = self.start()
        wait_for(
            lambda: process.poll() is not None or number in self._called(), f"chunking {number}", LONGEST
        )
        assert process.poll() is None, self.ended(process)
        return process

    def let_go(self) -> None:
        """Let it go on."""
        for file in self.folder.glob("closed.*"):
            file.unlink()

    def calls(self) -> Counter[int]:
        """How often each chunker was called since the last time."""
        return calls(self.folder.parent, self._log("calls").name)

    def _called(self) -> set[int]:
        file = self._log("calls")
        return set(map(int, file.read_text().split())) if file.exists() else set()

    def _log(self, name: str) -> Path:
        return self.folder.parent / f"{self.folder.name}.{name}"

    @property
    def database(self) -> Path:
        return self.folder / "mlruns" / "mlflow.db"

    @property
    def journals(self) -> list[Path]:
        """The journals, the oldest first."""
        return Shelf(self.folder / "mlruns" / ".sweeps").all()


def more_questions(folder: Path) -> None:
    """So many questions that halves of them say something."""
    file = folder / "gold.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    more = [
        {**row, "id": f"{row['id']} {at}", "question": f"{row['question']} {at}"}
        for at in range(6)
        for row in rows
    ]
    file.write_text("\n".join(map(json.dumps, rows + more)))


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a command and its workers, whatever they are doing."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(LONGEST)


class Told(NamedTuple):
    """What MLflow shows of a run, as far as it doesn't depend on time and place."""

    state: str
    params: dict[str, str]
    metrics: dict[str, float]
    tags: dict[str, str]
    files: tuple[str, ...]
    table: bytes


def state_of(file: Path, artifacts: Path | None = None) -> dict[int, dict[str, Told]]:
    """All runs of a store: a sweep's own is "parent", one below it its index. Sweeps are numbered by age.

    `artifacts` is the folder of a server's artifacts.
    """
    client = MlflowClient(tracking_uri=f"sqlite:///{file}")
    experiment = client.get_experiment_by_name("rag-sweep")
    assert experiment is not None
    runs = client.search_runs(
        [experiment.experiment_id], order_by=["attributes.start_time"], max_results=1000
    )
    parents = {run.info.run_id: run for run in runs if PARENT_TAG not in run.data.tags}
    found: dict[int, dict[str, Told]] = {}
    for at, parent in enumerate(parents.values()):
        below = [run for run in runs if run.data.tags.get(PARENT_TAG) == parent.info.run_id]
        found[at] = {run.data.tags["index"]: told(run, artifacts) for run in below}
        assert len(found[at]) == len(below), "a configuration is there twice"
        found[at]["parent"] = told(parent, artifacts)
    assert sum(map(len, found.values())) == len(runs), "a run stands below no sweep"
    return found


def told(run: Any, artifacts: Path | None) -> Told:
    uri = run.info.artifact_uri
    folder = (
        Path(uri) if artifacts is None else artifacts / uri.partition("mlflow-artifacts:/")[2].lstrip("/")
    )
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return Told(
        run.info.status,
        run.data.params,
        run.data.metrics,
        {
            key: value
            for key, value in run.data.tags.items()
            if key not in OF_TIME_AND_PLACE | {"mlflow.runName"}
        },
        tuple(sorted(files)),
        files["per_question.json"].read_bytes() if "per_question.json" in files else b"",
    )


def assert_same_state(found: dict[int, dict[str, Told]], expected: dict[int, dict[str, Told]]) -> None:
    assert {at: sorted(runs) for at, runs in found.items()} == {
        at: sorted(runs) for at, runs in expected.items()
    }
    for at, runs in expected.items():
        for name, run in runs.items():
            for field, value in run._asdict().items():
                assert getattr(found[at][name], field) == value, (at, name, field)


def assert_same_journal(one: Path, other: Path) -> None:
    """The same results, to the last bit."""
    found, expected = Journal.open(one), Journal.open(other)
    assert found is not None
    assert expected is not None
    try:
        assert (found.is_complete, found.damaged) == (expected.is_complete, expected.damaged) == (True, 0)
        assert found.kept.keys() == expected.kept.keys()
        for index, kept in expected.kept.items():
            assert (found.kept[index].failure, found.kept[index].alias_of) == (kept.failure, kept.alias_of)
            assert_same_summary(kept.summary, found.kept[index].summary)
            assert_same_outcome(expected.outcome(index), found.outcome(index))
    finally:
        found.close()
        expected.close()


def left_over(folder: Path) -> list[str]:
    """Files that are there only while something is written; the store takes an hour to remove its own."""
    named = re.compile(r".*\.(new|tmp|new-wal|new-shm|part)|\..*\.[0-9a-f]{8}|.*\.mark")
    files = (path for path in (folder / "mlruns").rglob("*") if path.is_file())
    ours = (path for path in files if ".store" not in path.parts)
    return [str(path.relative_to(folder)) for path in ours if named.fullmatch(path.name)]


class Whole(NamedTuple):
    """A sweep that nobody disturbed."""

    sweep: Sweep
    out: str
    state: dict[int, dict[str, Told]]
    seconds: float


def undisturbed(folder: Path, grid: list[str]) -> Whole:
    sweep = Sweep(folder, grid)
    started = time.monotonic()
    code, out, err = sweep.run()
    assert code == 0, err
    seconds = time.monotonic() - started
    state = state_of(sweep.database)
    assert {run.state for run in state[0].values()} == {"FINISHED"}
    return Whole(sweep, out, state, seconds)


def kept_in(sweep: Sweep) -> set[int]:
    """The results that are in the journal after a kill, without changing anything there."""
    if not (sweep.folder / "mlruns" / ".sweeps").is_dir():
        return set()
    return {line["index"] for folder in sweep.journals for line in lines.read(folder / "results.jsonl")}
