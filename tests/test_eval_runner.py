"""scripts/eval_runner.py, started as its users start it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "eval_runner.py"
HANDBOOK = ROOT / "rag_sweep" / "bundled" / "handbook-en"
BREAKS = ("lexical.k1=200", "lexical.b=0")


def ran(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=dict(os.environ))


def report(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def values(file: Path) -> dict[str, Any]:
    """The values of every question by its pipeline, as the file has them."""
    return {
        name: [q["values"] for q in card["questions"]] for name, card in report(file)["pipelines"].items()
    }


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A copy of the handbook that may be changed."""
    shutil.copytree(HANDBOOK, tmp_path / "own")
    return tmp_path


def test_without_arguments_it_shows_every_question_and_passes(tmp_path: Path) -> None:
    done = ran(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    questions = sum(1 for line in (HANDBOOK / "gold.jsonl").read_text().splitlines()) - 1
    for name in ("bm25", "dense", "rrf"):
        assert sum(line.startswith(f"{name} ") for line in lines) == questions + 1
        assert any(line.startswith(f"{name} ") and "mean recall@5 0." in line for line in lines)
    assert any(line.startswith("ok: the best, bm25: recall@5 at least 0.6: ") for line in lines)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
@pytest.mark.parametrize("how", ["knobs", "documents"])
def test_with_a_baseline_broken_and_restored(own: Path, how: str) -> None:
    data = ("--docs", "own/docs", "--gold", "own/gold.jsonl")
    first, second, third, fourth = (own / f"{at}.json" for at in range(4))
    assert ran(own, *data, "--out", "0.json").returncode == 0
    gated = (*data, "--baseline", "0.json", "--max-drop", "0.03")
    assert ran(own, *gated, "--out", "1.json").returncode == 0
    before = {path: path.read_bytes() for path in (first, second)}

    if how == "documents":  # old copies of everything crowd the first ranks
        for document in list((own / "own" / "docs").glob("*.md")):
            for at in range(5):
                shutil.copy(document, document.with_name(f"archive-{at}-{document.name}"))
    broken = ran(own, *gated, "--out", "2.json", *(BREAKS if how == "knobs" else ()))
    assert broken.returncode == 1, broken.stdout
    assert "FAILED: bm25: recall@5 at most 0.03 below the baseline" in broken.stdout
    assert report(third)["exit_code"] == 1
    assert values(third) != values(first)

    shutil.rmtree(own / "own")
    shutil.copytree(HANDBOOK, own / "own")
    assert ran(own, *gated, "--out", "3.json").returncode == 0
    assert values(fourth) == values(first)
    assert report(fourth)["pipelines"] == report(first)["pipelines"]
    assert {path: path.read_bytes() for path in (first, second)} == before


@pytest.mark.full
def test_the_floor_is_that_of_the_best_pipeline(own: Path) -> None:
    done = ran(own, "--docs", "own/docs", "--gold", "own/gold.jsonl", "--min-recall-at-k", "0.99")
    assert done.returncode == 1
    assert "FAILED: the best, bm25: recall@5 at least 0.99" in done.stdout


@pytest.mark.full
def test_another_gold_is_no_baseline(own: Path) -> None:
    assert ran(own, "--out", "0.json").returncode == 0
    gold = own / "own" / "gold.jsonl"
    gold.write_text("\n".join(gold.read_text().splitlines()[:-1]))
    done = ran(own, "--docs", "own/docs", "--gold", "own/gold.jsonl", "--baseline", "0.json")
    assert done.returncode == 3
    assert "not judged: bm25" in done.stdout
    assert "the gold differs" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--out", "kept.json"], "--out kept.json is there already, and nothing is overwritten"),
        (["--max-drop", "0.1"], "--max-drop needs --baseline"),
        (["--baseline", "absent.json"], "absent.json can't be read as a report"),
        (["--baseline", "kept.json"], "kept.json is no report of this script"),
        (["--docs", "own/docs"], "--docs and --gold belong together"),
        (["--docs", "own/docs", "--gold", "absent.jsonl"], "absent.jsonl"),
        (["--min-recall-at-k", "60"], "must be a number from 0 to 1, got 60"),
        (["lexical.k1=-1"], "lexical.k1 must be a number >= 0"),
    ],
)
def test_wrong_input_ends_with_2_and_touches_nothing(own: Path, words: list[str], told: str) -> None:
    (own / "kept.json").write_text("{}")
    done = ran(own, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert (own / "kept.json").read_text() == "{}"
    assert {path.name for path in own.iterdir()} == {"own", "kept.json"}
