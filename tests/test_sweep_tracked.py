"""What the tracker has not got: what it refuses, a server with a password, a place that is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands import HERE, Command
from trackers import client_of, fresh_store

from rag_sweep.errors import TrackingError
from rag_sweep.sweep.sending import IN_A_ROW, Sender
from rag_sweep.syncing import sync
from rag_sweep.tracking.writer import MLflowTracker

GRID = ["-m", "lexical.k1=0.5,1,1.5,2,2.5"]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    command = Command(tmp_path, monkeypatch, capsys)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    command.small = [o for o in command.small if o not in ("journal=null", "tracking=none")]
    return command


def sent_by(sender: Sender[int], *things: int) -> TrackingError | None:
    for thing in things:
        sender.put(thing)
    sender.finish()
    return sender.lost


def test_one_thing_that_is_refused_is_passed_over_and_several_in_a_row_are_the_tracker() -> None:
    got: list[int] = []

    def send(thing: int) -> None:
        if thing < 0:
            raise TrackingError(f"no {thing}")
        got.append(thing)

    assert sent_by(Sender(lambda: None, send), 1, -1, 2, -2, -3, 3) is None
    assert got == [1, 2, 3]
    lost = sent_by(Sender(lambda: None, send), 4, *[-1] * IN_A_ROW, 5)
    assert str(lost) == "no -1"
    assert got == [1, 2, 3, 4]


def test_a_fault_of_ours_is_raised_and_ends_the_sending() -> None:
    def send(thing: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        sent_by(Sender(lambda: None, send), 1, 2)


def test_a_sender_that_is_stopped_drops_what_waits() -> None:
    got: list[int] = []
    sender = Sender(lambda: None, got.append)
    sender.wait()
    sender.stop()
    sender.stop()
    assert got == []


def test_a_configuration_that_mlflow_refuses_keeps_no_other_back(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = fresh_store(command.folder)
    real = MLflowTracker.log

    def refusing(self: MLflowTracker, child: Any) -> Any:
        if child.index == 1:
            raise TrackingError("the tag is too long")
        return real(self, child)

    monkeypatch.setattr(MLflowTracker, "log", refusing)
    place = (f"tracking.path={store.path}", HERE)  # where the patch is
    ran = command("run", *command.small, *GRID, *place)
    assert ran.code == 1
    assert "the tag is too long\nnot tracked: 1 configurations. All results are kept:" in ran.err
    assert "5 configurations" in ran.out
    runs = client_of(store).search_runs(["1"])
    assert sorted(run.data.tags.get("index", "") for run in runs) == ["", "0", "2", "3", "4"]
    monkeypatch.setattr(MLflowTracker, "log", real)
    assert command("sync").out.count("1 sent now") == 1
    runs = client_of(store).search_runs(["1"])
    assert sorted(run.data.tags.get("index", "") for run in runs) == ["", "0", "1", "2", "3", "4"]
    assert {run.info.status for run in runs} == {"FINISHED"}


def test_a_place_that_cannot_be_used_stops_the_sweep_and_says_what_is_kept(command: Command) -> None:
    (command.folder / "file").write_text("no folder")
    ran = command("run", *command.small, *GRID, "tracking.path=file")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("rag-sweep: the tracking folder must be a folder")
    kept = list((command.folder / "mlruns" / ".sweeps").glob("*.*-*"))
    told = "5 of 5 results are kept: the same command goes on from there." in ran.err
    assert told == bool(kept)  # whether it was found before or after the first results


def test_a_password_is_never_kept_and_sync_asks_for_it(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = ("tracking.uri=http://user:secret@127.0.0.1:9", HERE)
    assert command("run", *command.small, *GRID, *secret).code == 2
    assert command("run", *command.small, *GRID, "tracking=none").code == 0
    (folder,) = (command.folder / "mlruns" / ".sweeps").glob("*.*-*")
    assert command("run", *command.small, *GRID, *secret).code == 2  # aims the same sweep at the server
    assert "secret" not in (folder / "sweep.json").read_text()
    (asked,) = sync([])
    assert asked.reason == "http://***@127.0.0.1:9 needs a password, which isn't kept: give tracking.uri=…"
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://user:secret@127.0.0.1:9")
    (tried,) = sync([])
    assert tried.reason is not None
    assert tried.reason.startswith("MLflow can't be used at http://***@127.0.0.1:9")
