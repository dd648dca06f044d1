"""Standard streams that are closed, full, or poor in characters: no traceback, the right exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Command, Ran, write_dataset

needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
SCORE = "score r.jsonl k=2 cutoffs=[1,2]"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    line = {"id": "вопрос", "expected_doc_ids": ["é😀"], "retrieved_doc_ids": ["y", "é😀"]}
    for name in ("r.jsonl", "папка.jsonl"):
        (tmp_path / name).write_text(json.dumps(line), encoding="utf-8")
    return tmp_path


def shell(folder: Path, words: str, **env: str) -> Ran:
    """The command with redirections, as a POSIX shell reads them."""
    ran = subprocess.run(
        ["sh", "-c", f'"$0" -m rag_sweep {words}', sys.executable],
        cwd=folder,
        env={**os.environ, **env},
        capture_output=True,
        timeout=120,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout.decode("utf-8"), ran.stderr.decode("utf-8"))


@pytest.mark.parametrize(
    ("words", "code", "out", "err"),
    [
        (f"{SCORE} >&-", 0, "", ""),
        (f"{SCORE} 2>&- | head -1", 0, "r.jsonl: means over 1 answerable question, k = 2\n", ""),
        ("score nowhere.jsonl 2>&-", 2, "", ""),
        ("score nowhere.jsonl >&- 2>&-", 2, "", ""),
        ("score nowhere.jsonl >&-", 2, "", "rag-sweep: nowhere.jsonl doesn't exist\n"),
        pytest.param("score nowhere.jsonl 2>/dev/full", 2, "", "", marks=needs_full),
        ("search - <&-", 2, "", "rag-sweep: stdin has no question: give one in each line\n"),
        pytest.param("--nowhere 2>/dev/full", 2, "", "", marks=needs_full),
    ],
)
def test_a_closed_or_full_stream_changes_no_exit_code(
    folder: Path, words: str, code: int, out: str, err: str
) -> None:
    assert shell(folder, words) == (code, out, err)


@needs_full
@pytest.mark.parametrize("words", [SCORE, f"{SCORE} --json", "--help"])
def test_results_that_cannot_be_written_are_one_line(folder: Path, words: str) -> None:
    ran = shell(folder, f"{words} >/dev/full")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("rag-sweep: ")
    assert ran.err.endswith("No space left on device\n")
    assert ran.err.count("\n") == 1


def test_characters_that_a_stream_cannot_say_are_escaped(folder: Path) -> None:
    table = shell(folder, "score папка.jsonl k=2 cutoffs=[1,2]", PYTHONIOENCODING="ascii")
    assert (table.code, table.err) == (0, "")
    assert table.out.startswith("\\u043f\\u0430\\u043f\\u043a\\u0430.jsonl: means over")
    lost = shell(folder, "score документы.jsonl", PYTHONIOENCODING="ascii")
    assert lost.code == 2
    assert "\\u0434" in lost.err
    assert "Traceback" not in lost.err


def test_json_stays_json_in_every_encoding(folder: Path) -> None:
    plain = shell(folder, f"{SCORE} --json")
    poor = shell(folder, f"{SCORE} --json", PYTHONIOENCODING="ascii")
    assert "é😀" not in poor.out
    assert json.loads(poor.out) == json.loads(plain.out)
    assert "вопрос" in plain.out


@pytest.mark.skipif(sys.platform != "linux", reason="needs names that are any bytes")
def test_half_a_surrogate_pair_in_json_is_an_escape(folder: Path) -> None:
    (folder / "r.jsonl").rename(os.fsdecode(os.fsencode(folder) + b"/\xff.jsonl"))
    ran = shell(folder, "score ?.jsonl --json k=2 cutoffs=[1,2]")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["rankings"] == "\udcff.jsonl"


LOUD = """
from dataclasses import dataclass

print("loud at import")

@dataclass(frozen=True)
class Loud:
    size: int = 1

    def __post_init__(self):
        print("loud when made")

    def split(self, text):
        print("loud at work", flush=True)
        return [(0, len(text))]
"""


@pytest.mark.full
@pytest.mark.parametrize("more", ["", "-m lexical.k1=1,2", "-m chunker.size=1,2 execute.n_jobs=2"])
def test_what_a_component_prints_stays_out_of_the_results(tmp_path: Path, more: str) -> None:
    small = " ".join(write_dataset(tmp_path))
    (tmp_path / "loud.py").write_text(LOUD)
    (tmp_path / "conf" / "chunker").mkdir(parents=True)
    (tmp_path / "conf" / "chunker" / "loud.yaml").write_text("_target_: loud.Loud\nsize: 1\n")
    ran = shell(tmp_path, f"run {small} --config-dir conf chunker=loud {more} --json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)
    for text in ("loud at import", "loud when made", "loud at work"):
        assert text in ran.err


def test_what_a_component_prints_is_no_part_of_the_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = Command(tmp_path, monkeypatch, capsys)
    (tmp_path / "loud_here.py").write_text(LOUD)
    (tmp_path / "conf" / "chunker").mkdir(parents=True)
    (tmp_path / "conf" / "chunker" / "loud.yaml").write_text("_target_: loud_here.Loud\nsize: 1\n")
    ran = command("run", *command.small, "--config-dir", "conf", "chunker=loud", "--json")
    assert json.loads(ran.out)
    assert "loud at work" in ran.err
