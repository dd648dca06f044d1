"""`rag-sweep search`: what is searched, what is asked, and what comes out."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from champions import written
from commands import HERE, TEXTS, Command, ended, started

from rag_sweep.matrix.load import load_sweep


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    return Command(tmp_path, monkeypatch, capsys)


def ids(data: dict[str, Any], question: int = 0) -> list[str]:
    """The documents that a question found."""
    return [hit["doc_id"] for hit in data["questions"][question]["hits"]]


def test_a_question_finds_documents_with_their_passages(command: Command) -> None:
    ran = command("search", "which card opens the door", *command.small, "--k", "2")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "which card opens the door"
    assert any(line.startswith(" 1  door  Doors  ") for line in lines)
    assert "    The side door opens with the blue card. A lost card is blocked by the guard." in lines
    assert "\x1b" not in ran.out


def test_it_says_on_stderr_what_searches(command: Command) -> None:
    shipped = command("search", "card", *[word for word in command.small if "embedder" not in word])
    assert shipped.err == (
        "searching with the configuration as shipped, over 5 documents of docs; "
        "computed now: passages, terms, vectors\n"
    )
    chosen = command("search", "card", *command.small, "fusion=lexical_only", "lexical.k1=0.4")
    assert "this configuration (embedder=hash fusion=lexical_only lexical.k1=0.4), over 5" in chosen.err


def test_json_has_all_of_it_and_nothing_else_is_on_stdout(command: Command) -> None:
    data: Any = command.json("search", "which card opens the door", *command.small, "k=2", "--explain")
    assert data["k"] == 2
    (question,) = data["questions"]
    assert question["tokens"] == ["which", "card", "open", "the", "door"]
    assert question["explanation"]["fusion"] == "RRF"
    hit = question["hits"][0]
    text = TEXTS["door"][1]
    assert (hit["rank"], hit["doc_id"], hit["text"]) == (1, "door", text[hit["start"] : hit["end"]])
    assert "side door opens" in hit["text"]
    assert {branch["name"] for branch in hit["why"]["branches"]} == {"lexical", "dense"}
    plain: Any = command.json("search", "which card opens the door", *command.small)
    assert "why" not in plain["questions"][0]["hits"][0]
    assert plain["k"] == 10


def test_it_finds_what_a_run_finds(command: Command) -> None:
    ran = command("run", "-m", *command.small[:-1], "chunker=sentence,document", "journal=kept")
    assert ran.code == 0, ran.err
    sweep = load_sweep(journal="kept")
    asked = [word for one in sweep.questions for word in ("--query-id", one.query_id)]
    data: Any = command.json("search", *asked, *command.small, "chunker=sentence")
    found = [ids(data, at) for at in range(len(sweep.questions))]
    assert found == [list(sweep.ranking(0, one.query_id)) for one in sweep.questions]


def test_a_question_of_the_gold_is_judged(command: Command) -> None:
    ran = command("search", "--query-id", "q5", *command.small, "--k", "2")
    assert ran.out.startswith("q5: which card opens the door\nrelevant (✓): door at rank 1 and vpn at rank ")
    assert " 1  ✓ door  Doors" in ran.out
    negative = command("search", "--query-id", "q6", *command.small, "--k", "1")
    assert "the gold says that no document answers it" in negative.out
    both: Any = command.json("search", "milk", "--query-id", "q1", "--query-id", "q2", *command.small)
    assert [one.get("query_id") for one in both["questions"]] == ["q1", "q2", None]


def test_questions_come_from_stdin_a_line_each(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("milk\n\nerror 812\r\n  \n"))
    ran = command("search", "-", *command.small, "--k", "1")
    assert [line[4:].split()[0] for line in ran.out.splitlines() if line.startswith(" 1  ")] == [
        "kitchen",
        "vpn",
    ]
    assert "note: empty lines passed over: 2" in ran.err
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert command("search", "-", *command.small).err.endswith(
        "stdin has no question: give one in each line\n"
    )


def test_what_is_piped_in_must_be_text(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"milk \xff\n"), encoding="utf-8"))
    ran = command("search", "-", *command.small)
    assert (ran.code, ran.out) == (2, "")
    assert "stdin is no text in utf-8: invalid start byte" in ran.err


def test_documents_without_a_gold_are_searched(command: Command) -> None:
    (command.folder / "notes").mkdir()
    (command.folder / "notes" / "tea.md").write_text("# Tea\n\nTea is served at five.\n", encoding="utf-8")
    beside = ["tracking=none", "store=none", "embedder=hash"]
    ran = command("search", "when is tea served", "--docs", "notes", *beside)
    assert ran.code == 0
    assert " 1  tea  Tea  " in ran.out
    assert "over 1 document of notes" in ran.err
    refused = command("search", "--query-id", "q1", "--docs", "notes", *beside)
    assert (refused.code, "--docs has no GOLD" in refused.err) == (2, True)
    twice = command("search", "tea", "--docs", "notes", *command.small)
    assert (twice.code, "both name documents" in twice.err) == (2, True)


def test_the_second_search_takes_its_index_from_the_store(command: Command) -> None:
    stored = [*(word for word in command.small if not word.startswith("store")), "embedder=lsa"]
    first = command("search", "card", *stored)
    second = command("search", "milk", *stored, "embedder.dim=3", "lexical.k1=0.2")
    assert first.err.rstrip().endswith("computed now: passages, terms, vectors")
    assert second.err.rstrip().endswith("all from the store")
    third = command("search", "milk", *stored, "chunker=sentence")
    assert third.err.rstrip().endswith("computed now: passages, terms, vectors")


# The promoted configuration


def test_a_champion_searches_as_it_was_promoted(command: Command) -> None:
    bundle = written(command.folder / "made")
    beside = ["tracking=none", "store=none"]
    ran = command("search", "which card opens the door", "--champion", str(bundle), *beside)
    assert ran.code == 0, ran.err
    assert ran.err == "searching with the promoted configuration (small, its index of 5 documents)\n"
    data: Any = command.json("search", "--query-id", "q5", "--champion", str(bundle), *beside)
    golden = [json.loads(line) for line in (bundle / "golden.jsonl").read_text(encoding="utf-8").splitlines()]
    (kept,) = [line for line in golden if line.get("id") == "q5"]
    assert (data["k"], data["questions"][0]["relevant"][0]["doc_id"]) == (3, "door")
    found = [[hit["doc_id"], hit["score"]] for hit in data["questions"][0]["hits"]]
    assert found == kept["documents"][:3]


def test_a_champion_searches_other_documents_too_but_not_with_other_knobs(command: Command) -> None:
    bundle = str(written(command.folder / "made"))
    ran = command("search", "milk", "--champion", bundle, *command.small[:3], "tracking=none", "store=none")
    assert "the promoted configuration (small), over 5 documents of docs; computed now" in ran.err
    refused = command("search", "milk", "--champion", bundle, "lexical.k1=2")
    assert refused.code == 2
    assert "lexical.k1=2: a champion searches as it was promoted" in refused.err


def test_documents_that_have_changed_since_are_told_and_their_evidence_is_not_marked(
    command: Command,
) -> None:
    bundle = written(command.folder / "made")
    docs, gold = (command.folder / "made" / "dataset" / name for name in ("docs.jsonl", "gold.jsonl"))
    rows = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]
    rows[0]["spans"] = [{"doc_id": "leave", "quote": "paid leave"}]
    rows[4]["spans"] = [{"doc_id": "door", "quote": "blue card"}]
    gold.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    docs.write_text(docs.read_text(encoding="utf-8").replace("Twenty eight", "Thirty"), encoding="utf-8")
    asked = ["--query-id", "q1", "--query-id", "q5", "--champion", str(bundle), "tracking=none", "store=none"]
    ran = command("search", *asked)
    assert "note: documents have changed since this was promoted" in ran.err
    assert "▸blue card◂" in ran.out
    assert "Twenty eight days of paid leave" in ran.out


@pytest.mark.full
def test_the_registered_champion_searches_unless_another_one_is_chosen(command: Command) -> None:
    kept = [word for word in command.small if not word.startswith(("tracking", "journal"))]
    beside = [*kept, HERE, "chunker=fixed", "chunker.size=4,6"]
    assert command("run", "-m", *beside).code == 0
    promoted = command("promote", "--yes")
    assert promoted.code == 0, promoted.err
    ran = command("search", "which card opens the door", "store=none", "--k", "1")
    assert (
        "searching with the promoted configuration (rag-sweep, version 1, its index of 5 documents)"
        in ran.err
    )
    assert " 1  door  " in ran.out
    other = command(
        "search", "card", "fusion=lexical_only", *[w for w in kept if not w.startswith("embedder")]
    )
    assert "searching with this configuration (fusion=lexical_only)" in other.err
    alone = command("search", "which card opens the door", "tracking=none", "store=none", "--k", "1")
    assert "the promoted configuration rag-sweep (conf/promoted/rag-sweep.yaml), over 5" in alone.err
    assert " 1  door  " in alone.out
    asked = command("search", "--query-id", "q1", "promoted=rag-sweep", "tracking=none", "store=none")
    assert (asked.code, " 1  " in asked.out) == (0, True)


# What is refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["   "], "the question is empty"),
        (["card \udcff"], "the question must be a text in UTF-8, got bytes that are none"),
        (["two", "words"], 'put the question in quotes: "two words"'),
        (["card", "cutoffs=[1]"], "cutoffs=[1]: cutoffs has no effect on a search"),
        (["card", "decide.alpha=0.1"], "decide has no effect on a search"),
        (["card", "lexical.k11=2"], "did you mean lexical.k1?"),
        (["card", "dataset.gold=nowhere.jsonl"], "nowhere.jsonl doesn't exist"),
        (["card", "dataset.documents=nowhere"], "nowhere doesn't exist"),
        (["card", "k=0"], "k must be an int >= 1, got 0"),
        (["--query-id=q55"], "the gold of docs has no question 'q55': did you mean q5?"),
        (["card", "--champion", "nowhere"], "embedder=hash: a champion searches as it was promoted"),
    ],
)
def test_what_can_not_be_searched_is_one_clear_error(
    command: Command, words: list[str], message: str
) -> None:
    ran = command("search", *words[:1], *command.small, *words[1:])
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_documents_and_champions_that_are_not_there_are_told(command: Command) -> None:
    ran = command("search", "card", "--champion", "nowhere", "tracking=none", "store=none")
    assert (ran.code, "'nowhere' names no champion" in ran.err) == (2, True)
    (command.folder / "empty").mkdir()
    ran = command("search", "card", "--docs", "empty", "tracking=none", "store=none")
    assert (ran.code, "has no documents" in ran.err) == (2, True)


def test_no_escape_of_the_data_reaches_a_terminal(command: Command) -> None:
    row = {"id": "x\x1b[2J", "title": "\x9b31m", "text": "milk \x1b]0;title\x07 \u202e tea"}
    (command.folder / "docs.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (command.folder / "gold.jsonl").write_text(
        json.dumps({"id": "q\x1b[1m", "question": "milk \x1b[2J", "relevant": ["x\x1b[2J"]}), encoding="utf-8"
    )
    for words in (["milk \x1b[2J", "--explain"], ["--query-id", "q\x1b[1m"]):
        ran = command("search", *words, *command.small)
        assert ran.code == 0, ran.err
        assert {sign for sign in ran.out + ran.err if not sign.isprintable()} == {"\n"}


# As users start it


def test_a_process_of_its_own_searches_what_is_piped_in(command: Command) -> None:
    words = [sys.executable, "-m", "rag_sweep", "search", "-", *command.small, "--k", "1", "--json"]
    ran = subprocess.run(
        words,
        cwd=command.folder,
        input="milk\nвопрос без ответа\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stderr
    data = json.loads(ran.stdout)
    assert ids(data) == ["kitchen"]
    assert data["questions"][1]["unknown"] == ["вопрос", "без", "ответ"]


def test_words_are_bold_on_a_terminal_only(command: Command) -> None:
    ran = ended(
        started(
            "search",
            "milk",
            *command.small,
            "--k",
            "1",
            cwd=command.folder,
            env={"FORCE_COLOR": "1", "COLUMNS": "80"},
        )
    )
    assert ran.code == 0, ran.err
    assert "\x1b[1mMilk\x1b[0m stands in the fridge." in ran.out
    plain = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    ran = ended(started("search", "milk", *command.small, "--k", "1", cwd=command.folder, env=plain))
    assert "\x1b" not in ran.out


def test_a_reader_that_leaves_ends_it_quietly(command: Command) -> None:
    words = ["search", "the", *command.small]
    process = started(*words, cwd=command.folder)
    assert process.stdout is not None
    process.stdout.close()
    process.wait(60)
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
