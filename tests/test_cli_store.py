"""`rag-sweep store show` and `clear` by the command's own main function."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from rag_sweep.cli import app
from rag_sweep.store.disk import Disk
from rag_sweep.store.entry import Entry


def call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["rag-sweep", "store", *words])
    try:
        app.main()
        code = 0
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    store = Disk("kept").open()
    store.put({f"{at:064x}": Entry("lexical", {"items": np.arange(100)}) for at in range(3)})
    return tmp_path / "kept"


def test_it_shows_what_the_store_holds(
    filled: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = call(capsys, monkeypatch, "show", "store.path=kept")
    assert (code, "lexical: 3 values" in out, str(filled) in out) == (0, True, True)
    code, out, _ = call(capsys, monkeypatch, "show", "store.path=kept", "--json")
    assert json.loads(out)["stages"]["lexical"]["entries"] == 3


def test_clearing_removes_the_values_and_says_how_many(
    filled: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = call(capsys, monkeypatch, "clear", "store.path=kept")
    assert (code, out.startswith("removed 1 files")) == (0, True)
    assert list((filled / "packs").iterdir()) == []


@pytest.mark.parametrize(
    "words", [["show"], ["clear"], ["show", "store=none"], ["show", "store.path=nowhere"]]
)
def test_a_store_that_is_not_there_is_said_in_one_line(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, monkeypatch, *words)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []
