"""`rag-sweep drill`, the command: exit codes, what it prints and writes, and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Command, ended, started, write_dataset

MEASURED = ["k=1", "cutoffs=[1,2]"]
"""On the small dataset hit@1 is 1, and recall@1 is 0.9: a question has two relevant documents."""


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(tmp_path, monkeypatch, capsys)


def drill(command: Command, *words: str) -> tuple[int, str, str]:
    return command("drill", *command.small, *MEASURED, *words)


def data_of(command: Command, *words: str) -> dict[str, Any]:
    code, out, err = drill(command, *words, "--json")
    assert code in (0, 1), err
    data: dict[str, Any] = json.loads(out)
    return data


def row(data: dict[str, Any], key: str) -> dict[str, Any]:
    (found,) = [state for state in data["states"] if state["key"] == key]
    assert isinstance(found, dict)
    return found


# Exit codes


@pytest.mark.full
def test_each_exit_code_of_the_real_command(tmp_path: Path) -> None:
    small = [*write_dataset(tmp_path), *MEASURED]

    def ran(*words: str) -> int:
        return ended(started("drill", *small, *words, cwd=tmp_path)).code

    assert ran("--only", "ids", "--only", "lost", "--min", "recall@1=0.85") == 0
    assert ran("--only", "k1x10", "--min", "recall@1=0.85") == 1
    assert ran("--only", "k1x10", "--only", "ids", "--min", "recall@1=0.85", "--require-caught", "1") == 0
    assert ran("--only", "nothing") == 2


def test_all_that_is_required_being_noticed_ends_with_0_and_else_with_1(command: Command) -> None:
    two = ["--min", "recall@1=0.85", "--only", "k1x10", "--only", "ids"]
    assert drill(command, *two)[0] == 1
    assert drill(command, *two, "--require-caught", "1")[0] == 0
    assert drill(command, *two, "--require-caught", "2")[0] == 1
    assert drill(command, *two[:2], *two[4:])[0] == 0


def test_a_gate_that_fails_what_works_makes_the_drill_fail(command: Command) -> None:
    code, out, _ = drill(command, "--min", "recall@1=0.95", "--require-caught", "0")
    assert code == 1
    assert out.splitlines()[0].startswith("The gate fails also where nothing is broken")
    assert "unbroken, it fails: recall@1 at least 0.95: 0.9 is 0.05 below 0.95" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--only", "k1"], "--only must be one of k1x10, k1x100, dim8, "),
        (
            ["--min", "recall@7=0.5"],
            "recall@7 isn't measured: its cutoff must be k or one of the cutoffs (1, 2)",
        ),
        (["--min", "recall=0.5"], "must be a name with a cutoff"),
        (["--max-drop", "1.5"], "--max-drop must end with a number from 0 to 1, got '1.5'"),
        (["decide.alpha=0.1"], "decide has no effect on a drill"),
        (["execute.n_jobs=2"], "execute has no effect on a drill"),
        (
            ["--also", "k=5"],
            "--also must be overrides of chunker, analyzer, lexical, embedder, fusion or reranker",
        ),
        (["--also", ""], "--also must be overrides such as"),
        (["--also", "embedder.dim=0"], "embedder.dim must be an int"),
        (["--out", "drill.html"], "--out must end with .md or .json, got 'drill.html'"),
        (["--out", "absent/drill.md"], "there is no folder"),
        (["--thresholds", "absent.yaml"], "absent.yaml"),
        (["--min", "nobody:recall@1=0.5"], "no answerable question has the tag 'nobody'"),
    ],
)
def test_wrong_input_is_one_clear_error(command: Command, words: list[str], told: str) -> None:
    code, out, err = drill(command, *words)
    assert code == 2
    assert told in err
    assert out == ""


# What it says


def test_without_thresholds_the_usual_one_is_taken_and_told(command: Command) -> None:
    code, out, err = drill(command)
    assert code == 1
    assert "note: no thresholds are given: judged by --max-drop 0.03, every measure at k" in err
    assert "every measure at 1 at most 0.03 below the baseline" in out


def test_every_sabotage_has_its_row_also_where_it_does_not_apply(command: Command) -> None:
    data = data_of(command)
    assert len(data["states"]) == 14
    assert row(data, "reversed")["status"] == "not applicable"
    assert row(data, "reversed")["told"] == "the configuration has no reranker"
    _, out, _ = drill(command)
    assert "What doesn't apply" in out
    assert "a reranker that reverses: the configuration has no reranker" in out


def test_a_table_has_a_line_for_each_state_and_the_exit_code_of_its_gate(command: Command) -> None:
    _, out, _ = drill(command, "--format", "md", "--max-drop", "0.03")
    table = [line for line in out.splitlines() if line.startswith("| ")]
    assert len(table) == 2 + 14
    codes = {line.split(" | ")[0].removeprefix("| "): line.split(" | ")[-2:] for line in table[2:]}
    assert codes["baseline"] == ["0", "– |"]
    assert codes["ids of another chunking"] == ["1", "yes |"]
    assert codes["one gold line corrupted"][0] in ("1", "3")
    assert codes["a reranker that reverses"] == ["–", "n/a |"]
    assert codes["restored"] == ["0", "– |"]


def test_thresholds_can_come_from_the_file_of_a_gate(command: Command) -> None:
    entry = "{value: 0.85, reason: agreed, date: 2026-01-31}"
    text = f"format: 1\nminima:\n  recall@1: {entry}\n"
    (command.folder / "thresholds.yaml").write_text(text, encoding="utf-8")
    data = data_of(command, "--thresholds", "thresholds.yaml", "--only", "ids")
    assert data["thresholds"] == ["recall@1 at least 0.85", "mode regression"]
    assert data["caught"] == data["applicable"] == 1


def test_a_gate_that_wants_proof_of_few_questions_is_told_to_be_unfit(command: Command) -> None:
    data = data_of(command, "--max-drop", "recall@1=0.03", "--mode", "non_inferiority")
    assert data["headline"].startswith("The gate fails also where nothing is broken")
    assert data["unfit"].startswith("it fails a change that changes no value: recall@1 at most 0.03")


def test_a_sabotage_of_your_own_stands_beside_ours(command: Command) -> None:
    data = data_of(command, "--only", "dim8", "--also", "lexical.k1=0 fusion=lexical_only")
    assert [state["key"] for state in data["states"]] == ["baseline", "dim8", "own1", "restored"]
    own = row(data, "own1")
    assert own["title"] == own["told"] == "lexical.k1=0 fusion=lexical_only"
    assert own["effect"]["means"]["recall@1"] == pytest.approx(0.9)


def test_texts_that_are_kept_back_are_not_shown(command: Command) -> None:
    small = [word for word in command.small if word != "tracking=none"]
    words = ["drill", *small, *MEASURED, "--only", "gold", "--json", "--max-drop", "0.03"]
    shown = command(*words).out
    assert "“" in shown
    kept_back = command(*words, "tracking.text=none")
    assert kept_back.code == 0
    assert "“" not in kept_back.out


def test_the_seed_is_told(command: Command) -> None:
    assert data_of(command, "--only", "gold", "--seed", "3")["seed"] == 3


# What it leaves


def test_nothing_is_left_anywhere(command: Command) -> None:
    before = command.files()
    small = [word for word in command.small if word != "store=none" and word != "tracking=none"]
    code, _, err = command("drill", *small, *MEASURED)
    assert code == 1, err
    assert command.files() == before


def test_a_store_that_is_there_is_read_and_not_written(command: Command) -> None:
    small = [word for word in command.small if word != "store=none"]
    assert command("run", *small, *MEASURED).code == 0
    packs = sorted(path for path in command.files() if path.startswith("mlruns"))
    assert packs
    assert command("drill", *small, *MEASURED).code == 1
    assert sorted(path for path in command.files() if path.startswith("mlruns")) == packs


@pytest.mark.parametrize("ending", ["md", "json"])
def test_a_file_is_written_once_and_never_over_another(command: Command, ending: str) -> None:
    name = f"drill.{ending}"
    code, out, err = drill(command, "--only", "ids", "--format", ending, "--out", name)
    assert code == 0
    assert f"written: {name}" in err
    text = (command.folder / name).read_text(encoding="utf-8")
    assert text == out if ending == "md" else json.loads(text) == json.loads(out)
    code, out, err = drill(command, "--only", "lost", "--out", name)
    assert (code, out) == (2, "")
    assert f"--out {name} is there already, and a drill overwrites nothing" in err
    assert (command.folder / name).read_text(encoding="utf-8") == text
