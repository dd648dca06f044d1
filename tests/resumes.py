"""A small sweep that goes on with what is kept, held up where a test wants it to be."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from commands import HERE, Command, ended, started
from journals import calls, wait_for, write_counted
from trackers import client_of, fresh_store

from rag_sweep.journal.head import Head
from rag_sweep.journal.journal import read_head
from rag_sweep.journal.shelf import Shelf
from rag_sweep.tracking.mlflow import MLflow

GRID = ["-m", "chunker=counted", "chunker.number=1,2,3", "lexical.k1=0.5,1.5"]
"""Three chunkings, computed one after the other, with two configurations each."""

DOCUMENTS = 5


def counting(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command with a journal, and a chunker whose calls are counted."""
    command = Command(folder, monkeypatch, capsys)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    command.small = [*(o for o in command.small if o != "journal=null"), *write_counted(folder)]
    return command


def tracked(command: Command, name: str) -> tuple[list[str], MLflow]:
    """The small dataset with a tracking store of its own, and that."""
    (command.folder / name).mkdir()
    store = fresh_store(command.folder / name)
    small = [o for o in command.small if o != "tracking=none"]
    return [*small, f"tracking.path={store.path}", HERE], store


def experiment(store: MLflow) -> str:
    """The id of its experiment."""
    found = client_of(store).get_experiment_by_name(store.experiment)
    assert found is not None
    return str(found.experiment_id)


def heads(folder: Path) -> list[Head]:
    """What the journals in the default folder are, the oldest first."""
    found = [read_head(path) for path in Shelf(folder / "mlruns" / ".sweeps").all()]
    return [head for head in found if head is not None]


def begin(command: Command, *arguments: str, closed: int = 3) -> subprocess.Popen[str]:
    """The command in a group of processes of its own, which has just begun the chunking number `closed`."""
    (command.folder / f"closed.{closed}").touch()
    process = started("run", *arguments, cwd=command.folder, group=True)
    file = command.folder / "calls"
    wait_for(
        lambda: process.poll() is not None or (file.exists() and f"{closed}\n" in file.read_text()),
        f"chunking {closed}",
    )
    assert process.poll() is None, ended(process)
    return process


def go_on(command: Command) -> None:
    """Let what waits, or would wait, go on."""
    for file in command.folder.glob("closed.*"):
        file.unlink()
    calls(command.folder)
