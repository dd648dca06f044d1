"""The component: options, connecting, and stores that can't be used."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from trackers import SWEEP, child, client_of, fresh_store, runs_of

from rag_sweep.errors import ConfigError, RagSweepError, TrackingError
from rag_sweep.tracking.mlflow import MLflow


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


def run_python(code: str, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """A Python process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=120, **options
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"uri": ""}, "tracking.uri must be null or a text, got ''"),
        ({"path": " "}, "tracking.path must be the path of a folder, got ' '"),
        ({"experiment": ""}, "tracking.experiment must be a text of 1 to 500 characters, got ''"),
        ({"text": "all"}, "tracking.text must be full or none, got 'all'"),
        ({"trec": 1}, "tracking.trec must be true or false, got 1"),
    ],
)
def test_a_bad_option_is_refused_before_anything_is_opened(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        MLflow(**options)
    assert str(caught.value) == message


CREATE = """
import sys
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.records import ChildRecord, SweepRecord
while not sys.stdin.read(1): pass
tracker = MLflow(path=sys.argv[1]).tracker()
tracker.open(SweepRecord("s", sys.argv[2]))
tracker.log(ChildRecord(0, "child " + sys.argv[2], {"a": 1}, {"ndcg@10": 0.5}))
tracker.close("FINISHED")
"""


@pytest.mark.full
def test_two_processes_that_start_at_once_on_a_new_folder_both_work_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "новая папка" / "mlruns"
    command = [sys.executable, "-c", CREATE, str(path)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    processes = [subprocess.Popen([*command, name], **pipes) for name in "ab"]
    outputs = [process.communicate(b"go", timeout=120)[0] for process in processes]
    assert outputs == [b"", b""]
    runs = runs_of(MLflow(path=str(path)))
    assert set(runs) == {"a", "child a", "b", "child b"}
    assert {run.info.status for run in runs.values()} == {"FINISHED"}
    assert not list(path.glob("mlflow.db.new*"))
    with sqlite3.connect(path / "mlflow.db") as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_experiment_of_its_own_opens_as_model_training_with_files_in_the_folder(tmp_path: Path) -> None:
    component = fresh_store(tmp_path, experiment="мой опыт")
    component.tracker()
    experiment = client_of(component).get_experiment_by_name("мой опыт")
    assert experiment is not None
    assert experiment.artifact_location == str(tmp_path / "mlruns" / "artifacts")
    assert experiment.tags["mlflow.experimentKind"] == "custom_model_development"


def test_a_deleted_experiment_is_one_error_that_says_how_to_go_on(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    component.tracker()
    client = client_of(component)
    experiment = client.get_experiment_by_name("rag-sweep")
    assert experiment is not None
    client.delete_experiment(experiment.experiment_id)
    with pytest.raises(
        TrackingError, match=r"is deleted: restore it with\n.*--experiment-id 1\nor choose another"
    ):
        component.tracker()
    MLflow(path=component.path, experiment="another").tracker()


def test_an_experiment_that_another_process_made_meanwhile_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mlflow import MlflowClient

    component = fresh_store(tmp_path)
    real = MlflowClient.create_experiment

    def slow(self: MlflowClient, name: str, *args: Any, **kwargs: Any) -> str:
        real(self, name, *args, **kwargs)
        return real(self, name, *args, **kwargs)

    monkeypatch.setattr(MlflowClient, "create_experiment", slow)
    component.tracker().log_single(SWEEP, child())
    assert runs_of(component)["k1=0"].info.status == "FINISHED"


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "mlruns").write_text("mine")
    with pytest.raises(TrackingError, match="must be a folder, got the file"):
        MLflow(path=str(tmp_path / "mlruns")).tracker()
    with pytest.raises(TrackingError, match=r"can't be used: .*Not a directory"):
        MLflow(path=str(tmp_path / "mlruns" / "below")).tracker()
    assert (tmp_path / "mlruns").read_text() == "mine"


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mlflow.db").write_text("a letter to my aunt" * 100)
    with pytest.raises(TrackingError, match="file is not a database"):
        MLflow(path=str(tmp_path)).tracker()
    assert (tmp_path / "mlflow.db").read_text() == "a letter to my aunt" * 100


READ_ONLY = """
import ctypes, os, sys
if os.getuid() == 0:  # root may write everywhere, so it lays that down
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    capabilities = (ctypes.c_uint32 * 6)()
    libc = ctypes.CDLL(None)
    libc.capget(header, capabilities)
    capabilities[0] &= ~0b110
    libc.capset(header, capabilities)
from rag_sweep.errors import TrackingError
from rag_sweep.tracking.mlflow import MLflow
try:
    MLflow(path=sys.argv[1]).tracker()
except TrackingError as error:
    sys.exit(f"told: {error}")
"""


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="needs the permissions of Linux")
@pytest.mark.parametrize("filled", [False, True])
def test_a_read_only_folder_is_one_error_and_stays_as_it_is(tmp_path: Path, filled: bool) -> None:
    folder = tmp_path / "mlruns" if filled else tmp_path
    if filled:
        fresh_store(tmp_path).tracker()
    before = sorted(tmp_path.rglob("*"))
    folder.chmod(0o555)
    done = run_python(READ_ONLY, str(tmp_path / "mlruns"))
    folder.chmod(0o755)
    assert done.returncode == 1
    assert done.stderr.startswith("told: the tracking folder ")
    assert "Permission denied" in done.stderr
    assert sorted(tmp_path.rglob("*")) == before


FULL = """
import resource, sys
from rag_sweep.errors import TrackingError
from rag_sweep.tracking.mlflow import MLflow
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    MLflow(path=sys.argv[1]).tracker()
except TrackingError as error:
    sys.exit(f"told: {error}")
"""


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="needs the limits of POSIX")
def test_a_full_disk_is_one_error_and_leaves_no_half_made_database(tmp_path: Path) -> None:
    done = run_python(FULL, str(tmp_path / "mlruns"))
    assert done.returncode == 1
    assert done.stderr.startswith("told: the tracking folder ")
    assert [path.name for path in (tmp_path / "mlruns").iterdir() if path.name != ".lock"] == []


def test_a_server_that_is_not_there_is_one_error_within_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "9")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
        uri = f"http://127.0.0.1:{taken.getsockname()[1]}"
        start = time.monotonic()
        with pytest.raises(TrackingError, match=f"^MLflow can't be used at {uri}: .*refused$"):
            MLflow(uri=uri).tracker()
    assert time.monotonic() - start < 10
    assert os.environ["MLFLOW_HTTP_REQUEST_MAX_RETRIES"] == "9"
    assert "MLFLOW_HTTP_REQUEST_TIMEOUT" not in os.environ


def test_a_store_of_another_mlflow_version_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    with sqlite3.connect(tmp_path / "mlruns" / "mlflow.db") as database:
        database.execute("UPDATE alembic_version SET version_num = 'older'")
    with pytest.raises(TrackingError, match="out-of-date database schema"):
        component.tracker()
    with sqlite3.connect(tmp_path / "mlruns" / "mlflow.db") as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == ("older",)


def test_all_errors_of_the_store_are_errors_for_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mlflow import MlflowClient

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("first line\nsecond line")

    component = fresh_store(tmp_path)
    monkeypatch.setattr(MlflowClient, "get_experiment_by_name", broken)
    with pytest.raises(RagSweepError) as caught:
        component.tracker()
    assert str(caught.value).endswith("mlflow.db: first line")
