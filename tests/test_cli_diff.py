"""`rag-sweep diff`: two configurations, question by question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Command

from rag_sweep.journal.shelf import Shelf

GRID = ["-m", "chunker=document,fixed", "chunker.size=3,6", "lexical.k1=0.5,1.2"]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The small dataset, evidence in its gold, and a sweep of six configurations in the journal."""
    command = Command(tmp_path, monkeypatch, capsys)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    gold = tmp_path / "gold.jsonl"
    rows = [json.loads(line) for line in gold.read_text().splitlines()]
    rows[1]["spans"] = [{"doc_id": "vpn", "quote": "a wrong password"}]
    gold.write_text("\n".join(map(json.dumps, rows)))
    command.small.remove("journal=null")
    return command


def swept(command: Command, *overrides: str) -> str:
    """Run the sweep; its id."""
    return left_by(command, *GRID, *overrides).name.partition(".")[2]


def left_by(command: Command, *overrides: str) -> Path:
    """Run something; its journal. Ids of one second are in no order."""
    shelf = Shelf(command.folder / "mlruns" / ".sweeps")
    before = set(shelf.all())
    ran = command("run", *command.small, *overrides)
    assert ran.code == 0, ran.err
    (new,) = set(shelf.all()) - before
    return new


def data_of(command: Command, *words: str) -> dict[str, Any]:
    return command.json("diff", *words)


def test_indexes_name_configurations_of_the_newest_sweep(command: Command) -> None:
    sweep = swept(command)
    found = data_of(command, "0", "5")
    assert [found[side]["sweep_id"] for side in "ab"] == [sweep, sweep]
    assert [found[side]["index"] for side in "ab"] == [0, 5]
    assert found["difference"] == pytest.approx(found["b"]["mean"] - found["a"]["mean"], abs=1e-9)
    assert found["better"] + found["worse"] + found["same"] == found["questions"] == 5
    assert found["lower"] <= found["difference"] <= found["upper"]
    assert 0 < found["p_value"] <= 1


def test_every_question_is_told_the_largest_change_first(command: Command) -> None:
    swept(command)
    found = data_of(command, "0", "5")
    changes = [abs(row["change"]) for row in found["rows"]]
    assert len(changes) == 5
    assert changes == sorted(changes, reverse=True)
    assert [row["change"] for row in found["rows"]] == [
        pytest.approx(row["b"] - row["a"]) for row in found["rows"]
    ]


def test_a_and_b_are_no_equals(command: Command) -> None:
    swept(command)
    one, other = data_of(command, "0", "5"), data_of(command, "5", "0")
    assert one["difference"] == -other["difference"]
    assert (one["better"], one["worse"]) == (other["worse"], other["better"])
    fates = {
        "found": "lost",
        "lost": "found",
        "up": "down",
        "down": "up",
        "same": "same",
        "missing": "missing",
    }
    there = {row["id"]: row["documents"] for row in other["rows"]}
    for row in one["rows"]:
        assert [fates[move["fate"]] for move in row["documents"]] == [m["fate"] for m in there[row["id"]]]


def test_a_configuration_and_itself_are_the_same(command: Command) -> None:
    swept(command)
    found = data_of(command, "2", "2")
    assert (found["difference"], found["same"], found["reordered"], found["p_value"]) == (0.0, 5, 0, 1.0)
    out = command("diff", "2", "2").out
    assert "They are the same configuration." in out
    assert "every question has the same first 10 documents in the same order" in out


def test_names_best_and_baseline_are_known(command: Command) -> None:
    sweep = swept(command)
    found = data_of(command, "baseline", "best")
    compared = command.json("compare")
    assert found["a"]["index"] == compared["rows"][compared["baseline"]]["index"]
    assert found["b"]["mean"] == compared["rows"][0]["mean"]
    name = found["b"]["name"]
    assert data_of(command, "baseline", name)["b"]["index"] == found["b"]["index"]
    assert data_of(command, f"{sweep}:4", "baseline")["b"]["index"] == found["a"]["index"]


def test_configurations_of_two_sweeps_are_compared(command: Command) -> None:
    first = swept(command)
    second = swept(command, "analyzer=simple")
    found = data_of(command, f"{first}:1", f"{second}:1")
    assert [found[side]["sweep_id"] for side in "ab"] == [first, second]
    assert "analyzer" in [knob["key"] for knob in found["knobs"]]
    out = command("diff", f"{first}:1", f"{second}:1").out
    assert "analyzer stemmed → simple" in out
    assert f"{second}:1" in out


@pytest.mark.parametrize(
    ("changes", "reason"),
    [(["k=5"], "k differs: 10 and 5"), (["dataset.gold=other.jsonl"], "the gold differs")],
)
def test_what_cannot_be_compared_is_refused(command: Command, changes: list[str], reason: str) -> None:
    first = swept(command)
    gold = (command.folder / "gold.jsonl").read_text()
    (command.folder / "other.jsonl").write_text(gold.replace("coffee machine", "coffee maker"))
    second = swept(command, *changes)
    ran = command("diff", f"{first}:1", f"{second}:1")
    assert (ran.code, ran.out) == (3, "")
    assert f"sweep {first} and sweep {second} can't be compared" in ran.err
    assert reason in ran.err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["0"], "Missing argument 'B'"),
        (["0", "6"], "has no configuration 6: there are 6, from 0 to 5"),
        (["0", "nobody"], "'nobody' names nothing"),
        (["0", "mlruns"], "sweep must be the id of a sweep"),
        (["0", "1", "--question", "q11"], "the gold has no question 'q11': did you mean q1?"),
        (["0", "1", "--question", "q6"], "question 'q6' is a negative: nothing answers it"),
        (["0", "1", "k=3"], "k=3: nothing is retrieved, so k has no effect"),
        (["0", "1", "--limit", "0"], "Invalid value for '--limit'"),
    ],
)
def test_what_cannot_be_is_told_in_words(command: Command, words: list[str], reason: str) -> None:
    swept(command)
    ran = command("diff", *words)
    assert (ran.code, ran.out) == (2, "")
    assert reason in ran.err
    assert "Traceback" not in ran.err


def test_a_whole_sweep_is_no_configuration(command: Command) -> None:
    sweep = swept(command)
    ran = command("diff", sweep, "0")
    assert ran.code == 2
    assert f"{sweep} is a sweep of 6 configurations: name one as {sweep}:INDEX, from 0 to 5" in ran.err


def test_a_single_run_is_one_configuration(command: Command) -> None:
    swept(command)
    single = left_by(command, "lexical.k1=1.7")
    found = data_of(command, "baseline", str(single))
    assert found["b"]["index"] == 0
    assert [(knob["key"], knob["b"]) for knob in found["knobs"]] == [("lexical.k1", 1.7)]


def test_another_measure_can_be_looked_at(command: Command) -> None:
    swept(command)
    found = data_of(command, "0", "5", "objective=mrr@3")
    assert found["objective"] == "mrr@3"
    assert {row["a"] for row in found["rows"]} <= {0.0, 1 / 3, 0.5, 1.0}


# In the terminal


def test_all_shows_the_questions_in_which_nothing_moved_too(command: Command) -> None:
    swept(command)
    out = command("diff", "0", "3").out
    assert "questions in which no relevant document moved: --all" in out
    everything = command("diff", "0", "3", "--all").out
    assert all(f"\n{name} " in everything for name in ("q1", "q2", "q3", "q4", "q5"))


def test_a_question_is_shown_with_both_rankings_and_its_evidence(command: Command) -> None:
    swept(command)
    ran = command("diff", "0", "5", "--question", "q2")
    assert ran.code == 0, ran.err
    assert "q2: what does error 812 mean" in ran.out
    assert ran.out.count("✓ vpn  Remote access") == 2
    assert "▸a wrong password◂" in ran.out
    sides = data_of(command, "0", "5", "--question", "q2")["sides"]
    first = sides["a"][0]
    assert first["doc_id"] == "vpn"
    passage = first["passage"]
    (evidence,) = passage["evidence"]
    assert (
        passage["text"][evidence[0] - passage["start"] : evidence[1] - passage["start"]] == "a wrong password"
    )


def test_texts_that_were_kept_back_are_not_shown(command: Command) -> None:
    swept(command, "tracking.text=none")
    ran = command("diff", "0", "5", "--question", "q2")
    assert ran.code == 0
    assert "password" not in ran.out
    assert "Remote access" not in ran.out
    assert "characters 0 to" in ran.out
    assert "tracking.text=none, so no texts are shown" in ran.err


def test_without_its_documents_the_rankings_are_shown_all_the_same(command: Command) -> None:
    swept(command)
    (command.folder / "docs.jsonl").unlink()
    ran = command("diff", "0", "5", "--question", "q2")
    assert ran.code == 0
    assert "✓ vpn" in ran.out
    assert "note: texts of documents aren't shown: the dataset can't be read" in ran.err
    assert "Traceback" not in ran.err


def test_documents_that_lie_elsewhere_now_are_named_by_an_override(command: Command) -> None:
    swept(command)
    (command.folder / "docs.jsonl").rename(command.folder / "moved.jsonl")
    words = ["dataset=files", "dataset.documents=moved.jsonl", "dataset.gold=gold.jsonl"]
    ran = command("diff", "0", "5", *words, "--question", "q2")
    assert "▸a wrong password◂" in ran.out
    assert ran.err == ""


def test_a_configuration_that_failed_is_told_with_its_reason(command: Command) -> None:
    (command.folder / "failing_chunker.py").write_text(
        "from dataclasses import dataclass\n\n\n@dataclass(frozen=True)\nclass Failing:\n"
        "    version = 1\n\n    def split(self, text):\n        raise ValueError('out of ink')\n"
    )
    file = command.folder / "conf" / "chunker" / "failing.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("_target_: failing_chunker.Failing\n")
    ran = command("run", *command.small, "--config-dir", "conf", "-m", "chunker=document,failing")
    assert ran.code == 1
    ran = command("diff", "0", "1")
    assert (ran.code, ran.out) == (2, "")
    assert "failed: " in ran.err
    assert "out of ink" in ran.err
    found = command.json("compare", "--no-log")
    assert [one["index"] for one in found["failed"]] == [1]
