"""`rag-sweep gold check`: all faults at once, and an exit code that a script can rely on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import Command

FAULTS = [
    {"id": "ok", "question": "how many days?", "relevant": ["leave"]},
    {"id": "ok", "question": "again?", "relevant": ["leave"]},
    {"id": "unknown", "question": "what?", "relevant": ["nowhere"]},
    {"id": "empty", "question": " ", "relevant": ["leave"]},
    {
        "id": "quote",
        "question": "quote?",
        "relevant": ["leave"],
        "spans": [{"doc_id": "leave", "quote": "zzz"}],
    },
    {
        "id": "span",
        "question": "span?",
        "relevant": ["leave"],
        "spans": [{"doc_id": "leave", "start": 5, "end": 9999}],
    },
    {"id": "grade", "question": "grade?", "relevant": ["leave"], "grades": {"leave": -1}},
    {"id": "silent", "question": "…", "relevant": ["leave"]},
]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(tmp_path, monkeypatch, capsys)


def test_a_sound_gold_is_counted_and_hashed(command: Command) -> None:
    ran = command("gold", "check", *command.small)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(
        "docs: 5 documents, 6 questions (5 answerable, 1 negative, 0 unjudged left out)\n"
    )
    assert "version: not declared" in ran.out
    assert ran.out.endswith("ok, 0 warnings\n")
    hashes = {line.partition(":")[0]: line.partition(":")[2].strip() for line in ran.out.splitlines()}
    found = command.json("gold", "check", *command.small, "dataset.version=7")
    assert (found["gold_fingerprint"], found["corpus_fingerprint"]) == (hashes["gold"], hashes["corpus"])
    assert (found["ok"], found["version"]) == (True, "7")


def test_all_faults_are_listed_at_once_with_file_line_and_id(command: Command) -> None:
    (command.folder / "gold.jsonl").write_text("\n".join(map(json.dumps, FAULTS)) + "\n{broken\n")
    ran = command("gold", "check", *command.small)
    assert ran.code == 2
    errors = [line for line in ran.out.splitlines() if line.startswith("error: ")]
    for line, name in ((2, "ok"), (3, "unknown"), (4, "empty"), (5, "quote"), (6, "span")):
        assert any(f"gold.jsonl:{line} [{name}]" in error for error in errors), (line, errors)
    assert any("gold.jsonl:9" in error for error in errors)
    warnings = [line for line in ran.out.splitlines() if line.startswith("warning: ")]
    assert any("[grade]" in warning for warning in warnings)
    assert any("[silent] question without tokens" in warning for warning in warnings)
    assert "none: there are errors" in ran.out
    assert ran.out.splitlines()[-1] == f"{len(errors)} errors, {len(warnings)} warnings"


def test_the_faults_are_in_the_json_too_with_exit_code_2(command: Command) -> None:
    (command.folder / "gold.jsonl").write_text("\n".join(map(json.dumps, FAULTS)))
    ran = command("gold", "check", *command.small, "--json")
    found = json.loads(ran.out)
    assert (ran.code, found["ok"], found["gold_fingerprint"]) == (2, False, None)
    assert {"level": "error", "line": 3, "id": "unknown"}.items() <= next(
        fault for fault in found["faults"] if fault["id"] == "unknown"
    ).items()


def test_the_analyzer_decides_what_has_no_token(command: Command) -> None:
    (command.folder / "gold.jsonl").write_text(
        json.dumps({"id": "q", "question": "the", "relevant": ["vpn"]})
    )
    assert command("gold", "check", *command.small).out.endswith("ok, 0 warnings\n")
    stopped = command("gold", "check", *command.small, "analyzer=stemmed", "analyzer.extra_stop_words=[the]")
    assert stopped.code == 0
    assert "[q] question without tokens under the analyzer" in stopped.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["dataset=files"], "dataset.documents is required"),
        (["dataset=nowhere"], "dataset=nowhere doesn't exist"),
        (["lexical.k11=1"], "did you mean lexical.k1?"),
        (["-m"], "option --multirun is one of `rag-sweep run` only"),
        (["--config-dir", "nowhere"], "config directory"),
        (["stray"], "'stray' is no override"),
    ],
)
def test_what_cannot_be_checked_is_told(command: Command, words: list[str], message: str) -> None:
    ran = command("gold", "check", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("rag-sweep: ")
    assert message in ran.err
    assert len(ran.err.splitlines()) <= 3


def test_the_bundled_handbook_is_sound(command: Command) -> None:
    for language in ("ru", "en"):
        found = command.json("gold", "check", f"dataset.language={language}")
        assert (found["ok"], found["name"]) == (True, f"handbook-{language}")
