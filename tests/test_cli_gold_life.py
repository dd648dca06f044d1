"""`rag-sweep gold migrate`, `add`, `rescore`, `label-next` and `add-judgements`, as users type them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from commands import QUESTIONS, TEXTS, Command

from rag_sweep.matrix.load import load_sweep

GRID = ["-m", "chunker=document,fixed", "chunker.size=3,6", "lexical.k1=0.5,1.2"]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The small dataset with a journal and without tracking."""
    command = Command(tmp_path, monkeypatch, capsys)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    command.small.remove("journal=null")
    return command


def told(command: Command, *words: str) -> dict[str, Any]:
    """What a command prints as JSON."""
    found: dict[str, Any] = command.json(*words)
    return found


def swept(command: Command) -> str:
    """Run a sweep of six configurations; its id."""
    ran = command("run", *command.small, *GRID)
    assert ran.code == 0, ran.err
    return load_sweep().sweep_id


def dataset(command: Command) -> list[str]:
    return [word for word in command.small if word.startswith("dataset")]


def gold(command: Command, name: str, **changes: list[str]) -> str:
    """A GOLD file in which some questions have other relevant documents."""
    rows = [
        {"id": i, "question": text, "relevant": changes.get(i, ids)} for i, (text, ids) in QUESTIONS.items()
    ]
    (command.folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return name


def migrate(command: Command, rows: str, *words: str) -> Any:
    (command.folder / "map.csv").write_text(f"old,new,reason\n{rows}")
    return command("gold", "migrate", "--map", "map.csv", "--out", "new.jsonl", *dataset(command), *words)


# migrate


def test_a_migration_says_what_changed_and_where_the_log_is(command: Command) -> None:
    ran = migrate(command, "vpn,it/vpn,moved\ntravel,,gone\n")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "new.jsonl: version 2, 6 questions (4 answerable, 2 negative)"
    assert lines[1] == "judgements: 2 renamed, 1 removed; 0 spans moved, 0 lost"
    assert "has no relevant document any more and counts as a negative now (1):\n  q3" in ran.out
    assert lines[-1] == "log: new.jsonl.log.jsonl"


def test_the_same_as_json(command: Command) -> None:
    found = json.loads(migrate(command, "travel,,gone\n", "--json", "--drop-emptied").out)
    assert (found["version"], found["left_out"], found["without_relevant_now"]) == ("2", ["q3"], [])
    assert found["changes"][0] == {
        "what": "removed",
        "question": "q3",
        "document": "travel",
        "to": [],
        "grade": 1,
        "reason": "gone",
    }


def test_a_wrong_map_ends_with_2_and_its_lines(command: Command) -> None:
    ran = migrate(command, "nope,a,r\nvpn,a,\n")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("rag-sweep: map.csv:3 [vpn] has no reason")
    assert not (command.folder / "new.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gold", "migrate", "--out", "x.jsonl"], "Missing option '--map'"),
        (["gold", "migrate", "--map", "no.csv", "--out", "x.jsonl"], "no.csv doesn't exist"),
        (
            ["gold", "migrate", "--map", "m.csv", "--out", "x", "lexical.k1=2"],
            "lexical.k1=2: nothing is searched",
        ),
        (["gold", "migrate", "--map", "m.csv", "--out", "x", "stray"], "stray: nothing is searched"),
        (["gold", "migrate", "--map", "m.csv", "--out", "x", "--gold", "no.jsonl"], "no.jsonl doesn't exist"),
        (["gold", "rescore"], "which gold? Give --gold FILE"),
        (["gold", "rescore", "--gold", "no.jsonl"], "no.jsonl doesn't exist"),
        (["gold", "rescore", "--gold", "gold.jsonl"], "nothing that is kept has a question of this gold"),
        (["gold", "rescore", "--gold", "gold.jsonl", "nowhere"], "'nowhere' names nothing"),
        (["gold", "label-next"], "no complete sweep"),
        (["gold", "label-next", "--top", "1"], "Invalid value for '--top'"),
        (["gold", "label-next", "k=3"], "nothing is retrieved, so k has no effect"),
        (["gold", "add-judgements", "no.csv", "--gold", "gold.jsonl", "--out", "x"], "no.csv doesn't exist"),
    ],
)
def test_wrong_input_ends_with_2_and_a_line(command: Command, words: list[str], message: str) -> None:
    (command.folder / "m.csv").write_text("old,new,reason\na,b,c\n")
    ran = command(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("rag-sweep: ")
    assert message in ran.err


# add


def test_an_incident_becomes_a_question(command: Command) -> None:
    words = ["--relevant", "door", "--evidence", "the blue card", "--source", "incident-9", "--author", "Ш."]
    ran = command(
        "gold", "add", "--question", "Какой картой?", *words, "--reason", "спросили", *dataset(command)
    )
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(
        "gold.jsonl: question incident-9 added, no version, 7 questions (6 answerable, 1 negative)\n"
    )
    checked = told(command, "gold", "check", *dataset(command))
    assert (checked["ok"], checked["spans"], checked["sources"]) == (True, 1, {"incident": 1})
    again = command(
        "gold", "add", "--question", "какой КАРТОЙ", *words, "--reason", "снова", *dataset(command)
    )
    assert again.code == 2
    assert 'the question is there already: "incident-9", gold.jsonl:7' in again.err


# rescore


def test_the_same_gold_gives_the_same_numbers_and_changes_nothing(command: Command) -> None:
    sweep_id = swept(command)
    before = {path: path.stat().st_mtime_ns for path in (command.folder / "mlruns").rglob("*")}
    found = told(command, "gold", "rescore", "--gold", "gold.jsonl")
    assert found["flipped"] == []
    (one,) = found["sweeps"]
    assert (one["sweep_id"], one["before"]) == (sweep_id, one["after"])
    assert all(row["before"] == row["after"] for row in one["configurations_rescored"])
    assert {path: path.stat().st_mtime_ns for path in (command.folder / "mlruns").rglob("*")} == before
    decision = told(command, "compare", "--no-log")["decision"]
    compared = told(command, "compare", "--no-log")["rows"]
    assert compared[decision["promote"]]["index"] == one["before"]["index"]


def test_every_kept_run_is_measured_anew_and_others_are_named(command: Command) -> None:
    sweep_id = swept(command)
    assert command("run", *command.small).code == 0  # a single configuration
    other = [{"id": "x", "question": "else?", "relevant": ["door"]}]
    (command.folder / "other.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in other))
    own = [word if "gold=" not in word else "dataset.gold=other.jsonl" for word in command.small]
    assert command("run", *own).code == 0
    ran = command("gold", "rescore", "--gold", gold(command, "new.jsonl", q4=["door"]))
    assert ran.code == 0
    assert f"{sweep_id} (" in ran.out
    assert ran.out.splitlines()[-1] == "0 decisions flip, of 2 sweeps measured anew."
    assert "note: without a question of this gold, so left out: 1 (" in ran.err


def test_questions_that_cant_be_measured_are_named_and_left_out_of_both_sides(command: Command) -> None:
    sweep_id = swept(command)
    rows = [json.loads(line) for line in (command.folder / "gold.jsonl").read_text().splitlines()]
    rows[1]["question"] = "something else altogether"
    new = [*rows[1:], {"id": "q9", "question": "new?", "relevant": ["door"]}]
    (command.folder / "new.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in new))
    ran = command("gold", "rescore", "--gold", "new.jsonl", sweep_id)
    assert "1 question without a ranking, so in neither mean: q9" in ran.out
    assert "1 question asked in other words, so in neither mean: q2" in ran.out
    assert "1 question not in the gold any more, so only in the mean before: q1" in ran.out
    assert "over 5 questions" in ran.out
    assert "over 3 questions" in ran.out


# label-next and add-judgements


def labelled(command: Command, grade: str) -> None:
    """Fill every row of the table, as a spreadsheet would save it."""
    text = (command.folder / "label.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    made = io.StringIO(newline="")
    writer = csv.DictWriter(made, list(rows[0]), delimiter=";")
    writer.writeheader()
    writer.writerows({**row, "grade": grade} for row in rows)
    (command.folder / "labelled.csv").write_text(made.getvalue(), encoding="utf-8", newline="")


def test_from_the_next_labels_to_a_new_version_and_back(command: Command) -> None:
    swept(command)
    ran = command("gold", "label-next", "--limit", "4", "--top", "3", "--out", "label.csv", *dataset(command))
    assert ran.code == 0, ran.err
    assert "judged@10" in ran.out
    assert "Fill the column grade of label.csv" in ran.out
    labelled(command, "0")
    ran = command("gold", "add-judgements", "labelled.csv", "--out", "gold-2.jsonl", *dataset(command))
    assert ran.code == 0, ran.err
    assert "4 judgements taken, 0 of them relevant; 0 rows known before, 0 without a grade" in ran.out
    first = told(command, "gold", "label-next", "--top", "3", "--limit", "99")
    then = told(command, "gold", "label-next", "--gold", "gold-2.jsonl", "--top", "3", "--limit", "99")
    assert then["unjudged"] == first["unjudged"] - 4
    assert told(command, "gold", "rescore", "--gold", "gold-2.jsonl")["flipped"] == []


def test_the_table_has_what_a_person_needs_and_no_formula(command: Command) -> None:
    documents = [{"id": i, "title": title, "text": text} for i, (title, text) in TEXTS.items()]
    documents[1]["title"] = '=HYPERLINK("x")'
    (command.folder / "docs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in documents))
    swept(command)
    assert command("gold", "label-next", "--limit", "99", "--out", "label.csv").code == 0
    content = (command.folder / "label.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbfquery_id,doc_id,grade,question,title,text")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    by_doc = {row["doc_id"]: row for row in rows}
    assert by_doc["vpn"]["title"] == '\'=HYPERLINK("x")'
    assert by_doc["vpn"]["text"].startswith("Install the client")
    assert {row["grade"] for row in rows} == {""}
    assert "is there already" in command("gold", "label-next", "--out", "label.csv").err


@pytest.mark.full
def test_texts_that_were_kept_back_are_never_shown(command: Command) -> None:
    command.small[command.small.index("tracking=none")] = "tracking.text=none"
    ran = command("run", *command.small, "tracking.process=false", *GRID)
    assert ran.code == 0, ran.err
    found = told(command, "gold", "label-next")
    assert {(one["question"], one["text"]) for one in found["labels"]} == {("", None)}
    rescored = told(command, "gold", "rescore", "--gold", gold(command, "new.jsonl", q1=["vpn"]))
    (one,) = rescored["sweeps"]
    assert one["questions"]["texts_are_known"] is False
    assert QUESTIONS["q1"][0] not in json.dumps(rescored)


@pytest.mark.full
def test_a_sweep_that_only_mlflow_has_is_measured_anew_too(command: Command) -> None:
    command.small.remove("tracking=none")
    ran = command("run", *command.small, *GRID)
    assert ran.code == 0, ran.err
    for folder in (command.folder / "mlruns" / ".sweeps").glob("*.*"):
        folder.rename(command.folder / folder.name)
    found = told(command, "gold", "rescore", "--gold", gold(command, "new.jsonl", q1=["vpn"]))
    (one,) = found["sweeps"]
    assert one["questions"]["measured"] == 6
    assert one["after"]["mean"] < one["before"]["mean"]
