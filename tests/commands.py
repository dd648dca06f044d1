"""A small dataset on disk, and the command: in this process, or as users start it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from rag_sweep.cli.app import main

TEXTS = {
    "leave": ("Leave", "Twenty eight days of paid leave a year.\n\nAsk the manager two weeks before.\n"),
    "vpn": ("Remote access", "Install the client on the notebook.\n\nError 812 means a wrong password.\n"),
    "travel": ("Business trips", "Tickets are booked by the office.\n\nThe daily allowance is 700.\n"),
    "kitchen": ("Kitchen", "The coffee machine is cleaned on Fridays.\n\nMilk stands in the fridge.\n"),
    "door": ("Doors", "The side door opens with the blue card.\n\nA lost card is blocked by the guard.\n"),
}
"""Title and text of each document, by id."""

QUESTIONS = {
    "q1": ("how many days of paid leave are there", ["leave"]),
    "q2": ("what does error 812 mean", ["vpn"]),
    "q3": ("who books tickets and how much is the allowance", ["travel"]),
    "q4": ("when is the coffee machine cleaned", ["kitchen"]),
    "q5": ("which card opens the door", ["door", "vpn"]),
    "q6": ("how warm is the water on the moon", []),
}
"""Text and relevant documents of each question, by id."""


HERE = "tracking.process=false"
"""MLflow is told by a thread of this process, which has imported it; another one needs seconds for that."""


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def write_dataset(folder: Path) -> list[str]:
    """Write documents and GOLD, and give the overrides that use them and write nothing."""
    documents = [{"id": i, "title": title, "text": text} for i, (title, text) in TEXTS.items()]
    gold = [{"id": i, "question": text, "relevant": ids} for i, (text, ids) in QUESTIONS.items()]
    for name, rows in (("docs", documents), ("gold", gold)):
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return [
        "dataset=files",
        "dataset.documents=docs.jsonl",
        "dataset.gold=gold.jsonl",
        "embedder=hash",
        "tracking=none",
        "store=none",
        "journal=null",
    ]


class Command:
    """`rag-sweep` in a folder of its own, `small` being the overrides that choose the small dataset."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.folder, self._monkeypatch, self._capsys = folder, monkeypatch, capsys
        self.small = write_dataset(folder)
        monkeypatch.chdir(folder)

    def __call__(self, *arguments: str) -> Ran:
        """Run the command in this process, which saves the time of imports."""
        path = list(sys.path)
        handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        self._monkeypatch.setattr(sys, "argv", ["rag-sweep", *arguments])
        self._capsys.readouterr()
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
        else:
            code = 0
        finally:
            sys.path[:] = path
            for number, handler in handlers.items():
                signal.signal(number, handler)
        return Ran(code, *self._capsys.readouterr())

    def json(self, *arguments: str) -> dict[str, object]:
        """What a command prints as JSON; it must succeed."""
        ran = self(*arguments, "--json")
        assert ran.code == 0, ran.err
        values = json.loads(ran.out)
        assert isinstance(values, dict)
        return values

    def files(self) -> set[str]:
        """Everything in the folder."""
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()}


def started(
    *arguments: str, cwd: Path, env: dict[str, str] | None = None, group: bool = False
) -> subprocess.Popen[str]:
    """The command in a process of its own, which leads a group of its own with its workers if `group`."""
    return subprocess.Popen(
        [sys.executable, "-m", "rag_sweep", *arguments],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=group,
    )


def ended(process: subprocess.Popen[str], seconds: float = 120) -> Ran:
    """Wait for the end of a process."""
    out, err = process.communicate(timeout=seconds)
    return Ran(process.returncode, out, err)
