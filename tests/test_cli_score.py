"""`rag-sweep score` on the screen and as JSON."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from commands import QUESTIONS, Command


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    command = Command(tmp_path, monkeypatch, capsys)
    rows = [{"id": i, "retrieved_doc_ids": ids} for i, (_, ids) in QUESTIONS.items() if i != "q2"]
    rows.append({"id": "q99", "retrieved_doc_ids": ["leave"]})
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "expected.jsonl").write_text(
        json.dumps(
            {"id": "a", "expected_doc_ids": ["x"], "retrieved_doc_ids": ["y", "x"], "index_version": "7"}
        )
    )
    return command


def test_a_table_with_a_caption_and_notes_apart(command: Command) -> None:
    ran = command("score", "r.jsonl", "--gold", "gold.jsonl", "k=2", "cutoffs=[1,2]")
    assert ran.code == 0
    title, head, *rows = ran.out.splitlines()
    apart = "1 question without an answer measured apart"
    assert title == f"r.jsonl: means over 5 answerable questions, k = 2, {apart}"
    assert head.split() == ["measure", "@1", "@2"]
    values = {row.split()[0]: row.split()[1:] for row in rows}
    assert values["hit"] == ["0.8000", "0.8000"]
    assert values["recall"] == ["0.7000", "0.8000"]
    assert ran.err.splitlines() == [
        "note: no ranking for 1 question, counting 0: q2",
        "note: 1 ranking of no question, left out: q99",
    ]


def test_the_gold_may_come_from_a_dataset_or_from_the_lines(command: Command) -> None:
    on_dataset = command("score", "r.jsonl", *(word for word in command.small if word.startswith("dataset")))
    assert (
        on_dataset.out.splitlines()[1:]
        == command("score", "r.jsonl", "--gold", "gold.jsonl").out.splitlines()[1:]
    )
    alone = command("score", "expected.jsonl", "k=1", "cutoffs=[1,2]")
    assert alone.out.splitlines()[0] == "expected.jsonl: means over 1 answerable question, k = 1"
    assert alone.out.splitlines()[-1] == "index version: 7"


def test_json_has_the_same_numbers(command: Command) -> None:
    found = command.json("score", "r.jsonl", "--gold", "gold.jsonl", "k=2")
    assert found["means"]["recall@2"] == 0.8  # type: ignore[index]
    assert found["without_ranking"] == ["q2"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["r.jsonl"], "name the GOLD by --gold FILE or dataset="),
        (["r.jsonl", "--gold", "gold.jsonl", "k=0"], "k must be an int >= 1, got 0"),
        (["nowhere.jsonl", "--gold", "gold.jsonl"], "nowhere.jsonl doesn't exist"),
        (["r.jsonl", "--gold", "nowhere.jsonl"], "nowhere.jsonl doesn't exist"),
        (
            ["twice.jsonl", "--gold", "gold.jsonl"],
            'twice.jsonl:1 [q1] duplicate document in the ranking: "leave"',
        ),
        (["none.jsonl"], '"expected_doc_ids" is empty'),
        (["r.jsonl", "--gold", "gold.jsonl", "dataset=handbook"], "both name a GOLD"),
        (["."], "can't be read"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_printed(
    command: Command, words: list[str], message: str
) -> None:
    (command.folder / "twice.jsonl").write_text('{"id": "q1", "retrieved_doc_ids": ["leave", "leave"]}')
    (command.folder / "none.jsonl").write_text(
        '{"id": "q", "retrieved_doc_ids": ["a"], "expected_doc_ids": []}'
    )
    ran = command("score", *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err.splitlines()) <= 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("line", ["a Q0 x 1 2.5 t\n", '{"id": "a", "retrieved_doc_ids": ["x"]}\n'])
def test_rankings_may_come_through_a_pipe(command: Command, line: str) -> None:
    (command.folder / "g.jsonl").write_text('{"id": "a", "question": "?", "relevant": ["x"]}')
    os.mkfifo(command.folder / "pipe")
    writer = threading.Thread(target=(command.folder / "pipe").write_text, args=(line,))
    writer.start()
    ran = command("score", "pipe", "--gold", "g.jsonl", "k=1", "cutoffs=[1]")
    writer.join()
    assert ran.code == 0, ran.err
    assert ran.out.startswith("pipe: means over 1 answerable question, k = 1")


def test_rankings_are_set_beside_a_report_under_the_rules_of_the_gate(command: Command) -> None:
    by = ("r.jsonl", "--gold", "gold.jsonl", "k=2")
    assert command("gate", "--rankings", *by, "--min", "hit@2=0.1", "--out", "main").code == 0
    rows = [json.loads(line) for line in (command.folder / "r.jsonl").read_text().splitlines()]
    rows[0]["retrieved_doc_ids"] = ["vpn"]
    (command.folder / "r.jsonl").write_text("\n".join(map(json.dumps, rows)))
    ran = command("score", *by, "--against", "main/report.json")
    assert ran.code == 0
    row = next(line.split() for line in ran.out.splitlines() if line.startswith("hit@2"))
    assert row[1:4] == ["0.6000", "0.8000", "−0.200"]
    assert "Lost since the baseline: 1: q1; found again: 0." in ran.out
    beside = command.json("score", *by, "--against", "main/report.json")["against"]
    assert beside["questions"]["lost"][0]["id"] == "q1"  # type: ignore[index]
    refused = command("score", *by[:3], "k=1", "--against", "main")
    assert (refused.code, refused.out) == (3, "")
    assert "can't be compared: k differs: 1 here, 2 in the baseline" in refused.err
    assert command("score", *by, "--against", "gold.jsonl").code == 2
