"""Whatever kills a sweep, the same command ends as if nothing had happened: in the journal and in MLflow."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from commands import write_dataset
from journals import assert_same_outcome, assert_same_summary, calls, wait_for, write_counted
from mlflow import MlflowClient
from trackers import fresh_store

from rag_sweep.journal.journal import Journal
from rag_sweep.journal.shelf import Shelf
from rag_sweep.tracking.content import PARENT_TAG

pytestmark = [pytest.mark.full, pytest.mark.skipif(os.name == "nt", reason="kills by signals of POSIX")]

KILLS = 25
LONGEST = 300.0  # seconds for one command on a machine that has other things to do
WIDE = [
    *("-m", "chunker=counted", "chunker.number=1,2,3,4,5,6", "chunker.seconds=0.01"),
    *("lexical.k1=0.4,0.8,1.2,1.6,2", "fusion.k_rrf=10,60"),
]
"""60 configurations, in six chunkings that are computed one after the other."""

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


# Kills at random moments


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


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return undisturbed(tmp_path_factory.mktemp("undisturbed") / "sweep", WIDE)


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return undisturbed(tmp_path_factory.mktemp("undisturbed") / "sweep", NARROW)


def test_killed_at_25_random_moments_it_ends_as_if_it_never_was(tmp_path: Path, whole: Whole) -> None:
    assert len(whole.state[0]) == 61
    moments = random.Random(20261130)
    kills = rounds = 0
    while kills < KILLS:
        workers = "2" if rounds % 3 == 2 else "1"
        sweep = Sweep(tmp_path / f"round {rounds}", WIDE, f"execute.n_jobs={workers}")
        if rounds % 4:  # the others are killed while they make the database too
            fresh_store(sweep.folder)
        rounds += 1
        kept: set[int] = set()
        ended = None
        while kills < KILLS and ended is None:
            ended = ended_or_killed(sweep, moments.uniform(0.2, whole.seconds))
            kills += ended is None
            now = kept_in(sweep)
            assert now >= kept, "what was kept is gone"
            kept = now
        code, out, err = ended or sweep.run()
        assert (code, out) == (0, whole.out), err
        assert_same_state(state_of(sweep.database), whole.state)
        assert len(sweep.journals) == 1
        assert_same_journal(sweep.journals[0], whole.sweep.journals[0])
        assert left_over(sweep.folder) == []
    assert rounds > 1


def ended_or_killed(sweep: Sweep, seconds: float) -> tuple[int, str, str] | None:
    """Start a sweep and kill it after so many seconds; how it ended, if that was earlier."""
    process = sweep.start()
    try:
        process.wait(seconds)
        return sweep.ended(process)
    except subprocess.TimeoutExpired:
        return None
    finally:
        kill(process)


def kept_in(sweep: Sweep) -> set[int]:
    """The results that are in the journal after a kill, without changing anything there."""
    from rag_sweep.journal import lines

    if not (sweep.folder / "mlruns" / ".sweeps").is_dir():
        return set()
    return {line["index"] for folder in sweep.journals for line in lines.read(folder / "results.jsonl")}


# A tracking server that goes away


class Server:
    """An MLflow server on this machine, with a database and artifacts of its own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.database = Path(fresh_store(folder).path) / "mlflow.db"
        self.artifacts, self._log = folder / "artifacts", folder / "log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.uri = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        words = ["--host", "127.0.0.1", "--port", str(self.port), "--workers", "1"]
        stores = ["--backend-store-uri", f"sqlite:///{self.database}"]
        files = ["--serve-artifacts", "--artifacts-destination", str(self.artifacts)]
        with self._log.open("ab") as log:
            command = [sys.executable, "-m", "mlflow", "server", *words, *stores, *files]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        wait_for(self._answers, f"the server: {self._log}", LONGEST)

    def kill(self) -> None:
        """Kill it with all its workers."""
        if self._process is not None:
            kill(self._process)
            self._process = None

    def runs(self) -> int:
        """How many configurations it holds whole."""
        client = MlflowClient(tracking_uri=f"sqlite:///{self.database}")
        experiment = client.get_experiment_by_name("rag-sweep")
        found = "attributes.status = 'FINISHED' AND tags.index != ''"
        return len(client.search_runs([experiment.experiment_id], found)) if experiment else 0

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.uri}/health", timeout=5) as answer:
            return bool(answer.status == 200)
        return False


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "server")
    try:
        yield server
    finally:
        server.kill()


def cut_off(sweep: Sweep, server: Server) -> subprocess.Popen[bytes]:
    """A sweep whose server is killed when it has got some of the results and has others to come."""
    server.start()
    process = sweep.held_at(3)
    wait_for(lambda: server.runs() >= 4, "results at the server", LONGEST)
    server.kill()
    return process


def test_a_sweep_outlives_its_tracking_server_and_sync_completes_it(
    tmp_path: Path, server: Server, narrow: Whole
) -> None:
    sweep = Sweep(tmp_path / "sweep", NARROW, f"tracking.uri={server.uri}")
    process = cut_off(sweep, server)
    sweep.let_go()
    code, out, err = sweep.ended(process)
    assert (code, out) == (1, narrow.out)
    assert "Traceback" not in err
    assert f"can't be written to {server.uri}" in err or f"can't be used at {server.uri}" in err
    assert "All results are kept: `rag-sweep sync` sends what is missing." in err
    server.start()
    code, _, err = sweep.run(command=["sync"])
    assert code == 0, err
    assert_same_state(state_of(server.database, server.artifacts), narrow.state)
    code, out, _ = sweep.run(command=["sync", "--json"])
    assert (code, [one["sent"] for one in json.loads(out)]) == (0, [0])
    assert_same_state(state_of(server.database, server.artifacts), narrow.state)


def test_a_tracking_server_that_comes_back_is_used_again(
    tmp_path: Path, server: Server, narrow: Whole
) -> None:
    sweep = Sweep(tmp_path / "sweep", NARROW, f"tracking.uri={server.uri}")
    process = cut_off(sweep, server)
    sweep.let_go()
    server.start()
    code, out, err = sweep.ended(process)
    assert out == narrow.out, err
    if code != 0:  # this machine was too slow to start a server within its patience
        assert (code, "`rag-sweep sync` sends what is missing" in err) == (1, True)
        code, out, err = sweep.run()
    assert (code, out) == (0, narrow.out), err
    assert_same_state(state_of(server.database, server.artifacts), narrow.state)
    assert sweep.calls() == dict.fromkeys((1, 2, 3, 4), DOCUMENTS)


def test_a_tracking_server_that_is_away_from_the_start_is_one_error_within_seconds(
    tmp_path: Path, server: Server
) -> None:
    sweep = Sweep(tmp_path / "sweep", NARROW, f"tracking.uri={server.uri}")
    started = time.monotonic()
    code, out, err = sweep.run()
    assert time.monotonic() - started < 100  # MLflow alone would ask for many minutes
    assert (code, out) == (2, "")
    assert err.startswith(f"rag-sweep: MLflow can't be used at {server.uri}: ")
    assert "Traceback" not in err


# A full disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a file system of a few megabytes."""
    folder = tmp_path / "small disk"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mounting, capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """A file that takes all the room there is."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while file.write(b"x" * size):
                    pass
    return filler


def assert_one_error(sweep: Sweep, process: subprocess.Popen[bytes]) -> None:
    code, out, err = sweep.ended(process)
    assert (code, out) == (1, "")
    said = [line for line in err.splitlines() if line.startswith("rag-sweep: ")]
    assert len(said) == 1
    assert re.search("No space left|File too large|disk is full", said[0]), err
    assert "Traceback" not in err


@pytest.mark.parametrize("tracking", ["mlflow", "none"])
def test_a_full_disk_is_one_error_and_with_room_again_the_same_command_completes(
    small_disk: Path, tracking: str, narrow: Whole
) -> None:
    sweep = Sweep(small_disk, NARROW, f"tracking={tracking}")
    process = sweep.held_at(3)
    filler = fill(small_disk)
    sweep.let_go()
    assert_one_error(sweep, process)
    assert kept_in(sweep) == set(range(8))
    code, out, err = sweep.run()  # still full
    assert (code, out) == (1 if tracking == "none" else code, ""), err
    assert code in (1, 2)
    assert "Traceback" not in err
    filler.unlink()
    complete(sweep, tracking, narrow)


def complete(sweep: Sweep, tracking: str, narrow: Whole) -> None:
    """The same command computes the rest and ends as if nothing had happened."""
    sweep.calls()
    code, out, err = sweep.run()
    assert (code, out) == (0, narrow.out), err
    assert not {1, 2} & set(sweep.calls())
    assert_same_journal(sweep.journals[-1], narrow.sweep.journals[0])
    assert left_over(sweep.folder) == []
    if tracking == "mlflow":
        assert_same_state(state_of(sweep.database), narrow.state)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of another process")
@pytest.mark.parametrize("tracking", ["mlflow", "none"])
def test_so_is_a_limit_on_the_size_of_files(tmp_path: Path, tracking: str, narrow: Whole) -> None:
    sweep = Sweep(tmp_path / "sweep", NARROW, f"tracking={tracking}", "store=none")
    process = sweep.held_at(3)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
    sweep.let_go()
    code, out, err = sweep.ended(process)
    assert (code, out) == (1, ""), err
    assert "Traceback" not in err
    complete(sweep, tracking, narrow)


# Several at once


def test_sweeps_that_start_at_once_on_one_fresh_folder_all_complete(tmp_path: Path, narrow: Whole) -> None:
    other = [word.replace("lexical.k1=0.5,1.5", "lexical.k1=0.7,1.1") for word in NARROW]
    sweep = Sweep(tmp_path / "sweep", NARROW)
    grids = {f"run {at}": grid for at, grid in enumerate((NARROW, NARROW, other, other))}
    everyone = {}
    for name, grid in grids.items():
        words = [*Sweep(tmp_path / name, grid).words]
        mine = Sweep(tmp_path / name, grid)
        shutil.rmtree(mine.folder)
        mine.folder.symlink_to(sweep.folder, target_is_directory=True)
        everyone[name] = mine, mine.start(command=words)
    outs = []
    for name, (mine, process) in everyone.items():
        code, out, err = mine.ended(process)
        assert code == 0, (name, err)
        outs.append(out)
    assert outs[:2] == [narrow.out] * 2
    assert outs[2] == outs[3] != outs[0]
    state = state_of(sweep.database)
    assert len(state) == 4
    assert {run.state for runs in state.values() for run in runs.values()} == {"FINISHED"}
    same = [runs for runs in state.values() if runs["0"].params["lexical.k1"] == "0.5"]
    assert len(same) == 2
    for runs in same:
        assert_same_state({0: runs}, narrow.state)
    assert sorted(map(len, state.values())) == [17] * 4
    assert len(sweep.journals) == 4
    sweep.calls()
    assert sweep.run()[:2] == (0, narrow.out)
    assert not sweep.calls()
    assert left_over(sweep.folder) == []
