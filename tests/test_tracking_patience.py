"""A server that is away for a moment, and one that stays away."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import requests
from mlflow import MlflowClient
from mlflow.exceptions import MlflowException
from servers import Server
from trackers import SWEEP, all_runs, child, runs_of

from rag_sweep.errors import TrackingError
from rag_sweep.tracking import patience
from rag_sweep.tracking.connect import connect
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.patience import Patient
from rag_sweep.tracking.place import resolve
from rag_sweep.tracking.thirdparty import at_mlflow

OURS = (
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES",
    "MLFLOW_HTTP_REQUEST_BACKOFF_FACTOR",
    "MLFLOW_HTTP_REQUEST_TIMEOUT",
)


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MLFLOW_TRACKING_URI", *OURS):
        monkeypatch.delenv(name, raising=False)


class Clock:
    """Time that passes where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Away:
    """A client whose server answers again at `back`; each try takes `costs` seconds until then."""

    def __init__(self, clock: Clock, back: float = float("inf"), costs: float = 0.0) -> None:
        self.clock, self.back, self.costs, self.tries = clock, clock.now + back, costs, 0

    def search_runs(self, ids: list[str], max_results: int = 0) -> tuple[list[str], int]:
        self.tries += 1
        if self.clock.now < self.back:
            self.clock.now += self.costs
            try:
                raise requests.ConnectionError("Max retries exceeded") from ConnectionRefusedError(
                    111, "refused"
                )
            except requests.ConnectionError as error:
                raise MlflowException(f"API request failed with exception {error}")  # noqa: B904 as MLflow does
        return ids, max_results

    def refuse(self) -> None:
        self.tries += 1
        raise MlflowException("RESOURCE_DOES_NOT_EXIST")

    def interrupted(self) -> None:
        self.clock.now += self.costs
        raise KeyboardInterrupt


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    clock = Clock()
    monkeypatch.setattr(patience, "time", clock)
    with at_mlflow():
        yield clock


def patient(client: Away) -> MlflowClient:
    return cast("MlflowClient", Patient(cast("MlflowClient", client)))


def test_a_server_that_comes_back_is_asked_again_and_the_answer_is_its_own(clock: Clock) -> None:
    client = Away(clock, back=14.5)
    assert cast(Any, patient(client)).search_runs(["1"], max_results=7) == (["1"], 7)
    assert client.tries > 3


@pytest.mark.parametrize("costs", [0.0, 10.0])
def test_a_server_that_stays_away_is_given_up_within_bounds_and_then_not_waited_for(
    clock: Clock, costs: float
) -> None:
    client = Away(clock, costs=costs)
    called = patient(client)
    with pytest.raises(MlflowException):
        called.search_runs(["1"])
    assert 10 <= clock.now - 1000 <= 21
    tries, given_up = client.tries, clock.now
    with pytest.raises(ConnectionError, match="refused"):
        called.search_runs(["1"])
    assert (client.tries, clock.now) == (tries, given_up)
    clock.now += 6
    with pytest.raises(MlflowException):
        called.search_runs(["1"])
    assert client.tries == tries + 1


def test_after_giving_up_an_answer_is_still_taken_and_a_new_start_is_patient_again(clock: Clock) -> None:
    client = Away(clock, back=25.0)
    called = patient(client)
    with pytest.raises(MlflowException):
        called.search_runs(["1"])
    cast(Patient, called).expect_answers()
    assert cast(Any, called.search_runs(["1"])) == (["1"], 0)


def test_what_a_server_refuses_is_not_asked_again(clock: Clock) -> None:
    client = Away(clock)
    with pytest.raises(MlflowException, match="DOES_NOT_EXIST"):
        cast(Any, patient(client)).refuse()
    assert client.tries == 1


def test_an_interrupted_call_makes_the_later_ones_short(clock: Clock) -> None:
    client = Away(clock)
    called = patient(client)
    with pytest.raises(KeyboardInterrupt):
        cast(Any, called).interrupted()
    with pytest.raises(MlflowException):
        called.search_runs(["1"])
    assert client.tries == 1


@pytest.mark.parametrize("name", OURS[:2])
def test_retries_that_the_user_set_are_left_to_mlflow(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "3")
    monkeypatch.setattr(patience, "time", Clock())
    with at_mlflow():
        assert {key: os.environ.get(key) for key in OURS if key != OURS[2]} == {
            key: "3" if key == name else None for key in OURS[:2]
        }
        client = Away(Clock())
        with pytest.raises(MlflowException):
            patient(client).search_runs(["1"])
    assert client.tries == 1


@pytest.mark.full
def test_a_server_that_takes_calls_and_never_answers_does_not_hold_a_sweep_for_minutes(
    tmp_path: Path,
) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        uri = f"http://127.0.0.1:{silent.getsockname()[1]}"
        started = time.monotonic()
        with pytest.raises(TrackingError, match="timed out"):
            connect(resolve(uri, "unused"))
        assert time.monotonic() - started < 15


@pytest.fixture(scope="module")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("team") / "server")
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture
def server(one_server: Server) -> Server:
    """A server that runs; others have used it before."""
    one_server.start()
    return one_server


def both_sides(server: Server, experiment: str) -> tuple[MLflow, MLflow]:
    """A component over the server, and one on its store."""
    store = MLflow(path=server.store.path, experiment=experiment)
    return MLflow(uri=server.uri, experiment=experiment), store


@pytest.mark.full
def test_a_server_that_goes_away_is_one_error_in_seconds_and_the_next_start_sets_the_states(
    server: Server,
) -> None:
    over_http, store = both_sides(server, "gone")
    tracker = over_http.tracker()
    tracker.open(SWEEP)
    server.kill()
    start = time.monotonic()
    with pytest.raises(TrackingError, match=f"the run 'k1=0' can't be written to {server.uri}: .*refused"):
        tracker.log(child())
    with pytest.raises(TrackingError, match="the end of the sweep 'handbook' can't be written"):
        tracker.close("FAILED")
    assert time.monotonic() - start < 25
    assert runs_of(store)["handbook"].info.status == "RUNNING"
    server.start()
    over_http.tracker().log_single(SWEEP, child(name="next"))
    states = {name: run.info.status for name, run in runs_of(store).items()}
    assert states == {"handbook": "KILLED", "next": "FINISHED"}


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="kills by a signal of POSIX")
def test_a_sweep_outlives_a_server_that_is_killed_and_started_again(server: Server) -> None:
    over_http, store = both_sides(server, "killed")
    tracker = over_http.tracker()
    tracker.open(SWEEP)
    tracker.log(child(0))
    server.kill()
    started = time.monotonic()
    for index in (1, 2, 3):
        with pytest.raises(TrackingError, match="refused"):
            tracker.log(child(index))
    with pytest.raises(TrackingError, match="refused"):
        tracker.close("FAILED")
    assert time.monotonic() - started < 25
    server.start()
    tracker = over_http.tracker()
    assert tracker.open(SWEEP, resume=True) == {0}
    for index in (1, 2, 3):
        tracker.log(child(index))
    tracker.close("FINISHED", {"best_ndcg@10": 0.8})
    runs = all_runs(store)
    assert sorted(run.data.tags.get("index", "") for run in runs) == ["", "0", "1", "2", "3"]
    assert {run.info.status for run in runs} == {"FINISHED"}
    assert not any("failure" in run.data.tags for run in runs)


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="kills by a signal of POSIX")
def test_a_server_that_is_away_for_some_seconds_is_not_noticed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    over_http, store = both_sides(server, "away")
    tracker = over_http.tracker()
    tracker.open(SWEEP)
    tracker.log(child(0))
    server.kill()
    real, waits = time.sleep, [0]

    def sleep(seconds: float) -> None:
        waits[0] += 1
        if waits[0] == 2:
            monkeypatch.setattr(patience.time, "sleep", real)
            server.start()
        real(seconds)

    monkeypatch.setattr(patience.time, "sleep", sleep)
    monkeypatch.setattr(patience, "PATIENCE", 60.0)
    tracker.log(child(1))
    tracker.close("FINISHED")
    assert sorted(run.info.run_name for run in all_runs(store)) == ["handbook", "k1=0", "k1=1"]


@pytest.mark.full
def test_large_files_reach_a_server_under_the_name_of_the_mapping(server: Server, tmp_path: Path) -> None:
    over_http, store = both_sides(server, "large files")
    large = tmp_path / "0a1b2c.npz"
    large.write_bytes(os.urandom(3_000_000))
    tracker = over_http.tracker()
    tracker.open(SWEEP)
    tracker.close("FINISHED", files={"sweep/matrix.npz": large, "sweep/board.md": b"#"})
    (parent,) = all_runs(store)
    assert parent.info.status == "FINISHED"
    files = [file for file in server.artifacts.rglob("*") if parent.info.run_id in file.parts]
    found = {file.name: file for file in files if file.is_file()}
    assert set(found) == {"matrix.npz", "board.md"}
    assert found["matrix.npz"].parent.name == "sweep"
    assert found["matrix.npz"].read_bytes() == large.read_bytes()
    assert "MLFLOW_HTTP_REQUEST_TIMEOUT" not in os.environ
