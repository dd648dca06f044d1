"""`rag-sweep gate`, the real command: its exit codes, its reports, and what it leaves alone."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import TEXTS, Command, ended, started, write_dataset

from rag_sweep.scorecard import Scorecard

MEASURED = ["k=1", "cutoffs=[1,2]"]
"""On the small dataset hit@1 is 1, and recall@1 is 0.9: a question has two relevant documents."""


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1769860800")
    return Command(tmp_path, monkeypatch, capsys)


def gate(command: Command, *words: str) -> tuple[int, str, str]:
    return command("gate", *command.small, *MEASURED, *words)


def report(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return data


def change(folder: Path, name: str, text: str) -> None:
    """Another text for a document, and no title."""
    texts = {**TEXTS, name: ("", text)}
    rows = [{"id": i, "title": title, "text": body} for i, (title, body) in texts.items()]
    (folder / "docs.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


# Exit codes, in a process of its own as CI starts it


def test_each_exit_code_of_the_real_command(tmp_path: Path) -> None:
    small = [*write_dataset(tmp_path), *MEASURED]

    def ran(*words: str) -> int:
        return ended(started("gate", *small, *words, cwd=tmp_path)).code

    assert ran("--min", "hit@2=0.5", "--out", "main") == 0
    assert ran("--max-drop", "0.03", "--baseline", "main") == 0
    assert ran("--min", "recall@1=1.0") == 1
    change(tmp_path, "leave", "Nothing is said here any more.")
    assert ran("--max-drop", "0.03", "--baseline", "main") == 1
    assert ran("--max-drop", "0.03", "--baseline", "main", "k=2", "cutoffs=[1,2]") == 3
    assert ran("--max-drop", "0.03", "--baseline", "absent.json") == 2


# Passing and failing


def test_a_floor_that_is_missed_fails_with_what_was_missed(command: Command) -> None:
    code, out, _ = gate(command, "--min", "recall@1=1.0")
    assert code == 1
    first = out.splitlines()[0]
    assert first.startswith(
        "FAILED: 1 of 1 check: recall@1 at least 1. Judged: document stemmed bm25 hash rrf"
    )
    assert first.endswith(" on docs")
    assert "5 answerable questions, 1 negative apart, k = 1, all questions" in out


def test_a_regression_fails_and_names_the_questions_that_were_lost(command: Command) -> None:
    assert gate(command, "--min", "hit@2=0.5", "--out", "main")[0] == 0
    change(command.folder, "leave", "Nothing is said here any more.")
    code, out, _ = gate(command, "--max-drop", "hit@1=0.1", "--baseline", "main/report.json")
    assert code == 1
    assert "The documents have changed: 5 documents, " in out
    assert "Lost since the baseline: 1: q1; found again: 0." in out
    assert "1. Same index, filters and gold? Not all is: the documents have changed" in out
    refused = gate(command, "--max-drop", "0.1", "--baseline", "main", "--same-corpus")
    assert refused[0] == 3
    assert "(--same-corpus)" in refused[1]


def test_a_baseline_on_another_gold_is_refused_but_minima_are_judged(command: Command) -> None:
    assert gate(command, "--min", "hit@2=0.1", "--out", "main")[0] == 0
    gold = (command.folder / "gold.jsonl").read_text().replace("how many days", "how many weeks")
    (command.folder / "gold.jsonl").write_text(gold)
    both = ("--max-drop", "0.1", "--baseline", "main", "--min")
    code, out, _ = gate(command, *both, "hit@2=0.1")
    assert code == 3
    assert "the gold differs: " in out
    assert "other words: q1" in out
    assert gate(command, *both, "recall@1=1.0")[0] == 1


def test_filters_must_be_the_same(command: Command) -> None:
    rows = [json.loads(line) for line in (command.folder / "gold.jsonl").read_text().splitlines()]
    for row in rows[:3]:
        row["tags"] = ["office"]
    (command.folder / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert gate(command, "--min", "hit@2=0.1", "--out", "all")[0] == 0
    assert gate(command, "--min", "hit@2=0.1", "--tag", "office", "--out", "office")[0] == 0
    assert report(command.folder / "office")["current"]["filters"] == {"tags": ["office"]}
    code, out, _ = gate(command, "--max-drop", "0.1", "--tag", "office", "--baseline", "all")
    assert code == 3
    assert "the filters differ: tags office here, all questions in the baseline" in out
    assert gate(command, "--max-drop", "0.1", "--tag", "office", "--baseline", "office")[0] == 0


# What is judged where nothing is said


def put_promoted(folder: Path, *names: str) -> None:
    """What `rag-sweep promote` leaves for a checkout that has no registry."""
    (folder / "conf" / "promoted").mkdir(parents=True, exist_ok=True)
    for name in names:
        text = (
            "# @package _global_\n"
            "defaults: [{override /dataset: files}, {override /fusion: lexical_only}]\n"
            "dataset: {documents: docs.jsonl, gold: gold.jsonl}\n"
            "lexical: {k1: 0.7}\nk: 1\ncutoffs: [1, 2]\nobjective: ndcg@1\n"
        )
        (folder / "conf" / "promoted" / f"{name}.yaml").write_text(text)


BARE = ("tracking=none", "store=none")


def test_a_checkout_without_a_registry_judges_what_was_promoted_in_its_files(command: Command) -> None:
    put_promoted(command.folder, "rag-sweep")
    for words in (BARE, ("store=none",)):
        code, out, err = command("gate", *words, "--min", "recall@1=0.9", "--json")
        assert code == 0, err
        assert "note: the promoted configuration is judged: rag-sweep (conf/promoted/rag-sweep.yaml)" in err
        data = json.loads(out)
        assert data["judged"].startswith("the promoted configuration rag-sweep on docs")
        assert data["headline"] == f"PASSED: 1 check. Judged: {data['judged']}"
        assert (data["current"]["documents"], data["k"]) == (5, 1)
        assert data["scorecard"]["params"]["lexical.k1"] == 0.7
    named = command("gate", "promoted=rag-sweep", *BARE, "--min", "recall@1=0.9", "--json")
    assert json.loads(named.out)["current"]["configuration"] == data["current"]["configuration"]
    assert json.loads(named.out)["judged"].endswith(", from promoted=rag-sweep on docs")
    measured = command("gate", *BARE, "k=2", "cutoffs=[2]", "--min", "hit@2=0.9", "--json")
    assert (measured.code, json.loads(measured.out)["k"]) == (0, 2)
    assert command("gate", *BARE, "--suggest").out.splitlines()[1].startswith("# Suggested for the promoted")


def test_the_promoted_configuration_is_measured_over_a_dataset_that_is_named(command: Command) -> None:
    put_promoted(command.folder, "rag-sweep")
    data = json.loads(
        command(
            "gate", *BARE, "dataset=handbook", "dataset.language=en", "--min", "recall@1=0.1", "--json"
        ).out
    )
    assert (data["current"]["dataset"], data["scorecard"]["params"]["lexical.k1"]) == ("handbook-en", 0.7)


def test_of_several_promoted_configurations_one_must_be_named(command: Command) -> None:
    put_promoted(command.folder, "faq", "office")
    code, out, err = command("gate", *BARE, "--min", "recall@1=0.9")
    assert (code, out) == (2, "")
    assert (
        "conf/promoted has 2 promoted configurations (faq, office): name one of them, as promoted=faq" in err
    )
    one = command("gate", *BARE, "--model", "office", "--min", "recall@1=0.9")
    assert (one.code, "the promoted configuration office on docs" in one.out.splitlines()[0]) == (0, True)
    none = command("gate", *BARE, "--model", "shop", "--min", "recall@1=0.9")
    assert (none.code, "--model shop: nothing of that name was promoted" in none.err) == (2, True)


def test_the_bundled_handbook_never_stands_in_for_documents_without_a_note(command: Command) -> None:
    told = "no dataset is named: what is judged is the handbook that comes with rag-sweep"
    quick = ("dataset.language=en", "embedder=hash")
    words = (*BARE, "--min", "recall@10=0.1", "--format")
    for form in ("text", "md", "junit", "json"):
        code, out, err = command("gate", *BARE, "--min", "recall@10=0.1", "--format", form)
        assert (code, told in err) == (0, True)
        assert "bm25 lsa rrf none, as shipped on handbook-ru" in "\n".join(out.splitlines()[:5])
    assert told not in command("gate", "dataset=handbook", *quick, *words, "text").err
    put_promoted(command.folder, "rag-sweep")
    changed = command("gate", "lexical.k1=0.9", *words, "text")
    assert told in changed.err
    assert "promoted=rag-sweep starts from what was promoted here and its documents" in changed.err
    assert told not in command("gate", "promoted=rag-sweep", *BARE, "--min", "recall@1=0.1").err


# Which questions


def test_a_red_gate_names_the_questions_in_every_report_and_how_to_look_at_one(command: Command) -> None:
    put_promoted(command.folder, "rag-sweep")
    assert command("gate", *BARE, "--min", "hit@2=0.5", "--out", "main").code == 0
    change(command.folder, "leave", "Nothing is said here any more.")
    words = ("gate", *BARE, "--max-drop", "0.1", "--baseline", "main")
    data = json.loads(command(*words, "--json").out)
    failed = [row for row in data["checks"] if row["passed"] is False]
    assert [row["fell"] for row in failed] == [["q1"]] * len(failed)
    assert [row["fell"] for row in data["checks"] if row["passed"]] == [[]] * (7 - len(failed))
    (fell,) = data["questions"]["fell"]
    assert (fell["id"], fell["text"], fell["relevant"]) == (
        "q1",
        "how many days of paid leave are there",
        ["leave"],
    )
    assert fell["changes"][0] == {"target": "hit@1", "before": 1.0, "after": 0.0}
    for form in ("text", "md", "junit"):
        out = command(*words, "--format", form).out
        assert "1.000 → 0.000" in out
        assert "how many days of paid leave are there" in out
    step = next(text for text in data["next_steps"] if text.startswith("What is found for a question now"))
    assert "rag-sweep search --query-id q1 --explain k=1 promoted=rag-sweep tracking=none" in step
    shown = command(*shlex.split(step.split("`")[1])[1:])
    assert (shown.code, "q1: how many days" in shown.out) == (0, True), shown.err


def test_texts_that_are_kept_back_are_in_no_report(command: Command) -> None:
    words = ("--min", "recall@1=1.0", "tracking=mlflow", "tracking.text=none", "--format")
    for form in ("text", "md", "junit", "json"):
        code, out, err = gate(command, *words, form)
        assert code == 1, err
        assert "q5" in out
        assert "which card opens the door" not in out


# Wrong input


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "nothing to judge: give --min, --max-drop or --thresholds"),
        (["--min", "0.8"], "--min must be MEASURE=VALUE, such as recall@5=0.80, got '0.8'"),
        (["--min", "hit@2=80"], "--min must end with a number from 0 to 1, got 'hit@2=80'"),
        (["--min", "hit@2=nan"], "--min must end with a number from 0 to 1"),
        (["--min", "hitt@2=0.8"], "--min must be one of hit, recall"),
        (["--min", "hit@2=0.8", "--min", "hit@2=0.7"], "--min hit@2 is given twice"),
        (["--min", "hit@3=0.8"], "hit@3 isn't measured: its cutoff must be k or one of the cutoffs (1, 2)"),
        (["--min", "x:hit@2=0.8"], "no answerable question has the tag 'x'; there are: none"),
        (["--tag", "x", "--min", "hit@2=0.8"], "no answerable question has one of the tags x"),
        (["--max-drop", "0.1"], "a largest drop needs a baseline, and no registry has a champion here"),
        (["--max-drop", "0.1", "--baseline", "x.json"], "x.json is not there; --baseline takes the report"),
        (["--max-drop", "0.1", "--baseline", "docs.jsonl"], "docs.jsonl is no JSON"),
        (["--max-drop", "0.1", "--baseline", "whatever"], "--baseline whatever: it takes champion, a report"),
        (["--max-drop", "0.1", "--baseline", "x" * 5000], "x: it takes champion, a report, SWEEP:INDEX"),
        (["--max-drop", "0.1", "--baseline", "x" * 5000 + ".json"], "is not there; --baseline takes"),
        (["--min", "hit@2=0.8", "--known-misses", "absent"], "absent can't be read"),
        (
            ["--min", "hit@2=0.8", "--thresholds-before", "x"],
            "is the former version of --thresholds: give both",
        ),
        (["--min", "hit@2=0.8", "--gold", "gold.jsonl"], "--gold belongs to --rankings"),
        (["--min", "hit@2=0.8", "decide.alpha=0.1"], "decide has no effect on a gate"),
        (["--min", "hit@2=0.8", "--alpha", "95"], "thresholds.alpha must be a number between 0 and 1"),
        (["--min", "hit@2=0.8", "--out", "docs.jsonl"], "--out must be a folder, docs.jsonl is a file"),
        (["--min", "hit@2=0.8", "lexical.k1=-1"], "lexical.k1 must be a number >= 0"),
        (["--suggest", "--min", "hit@2=0.8"], "--suggest proposes limits"),
    ],
)
def test_wrong_input_is_one_clear_error(command: Command, words: list[str], told: str) -> None:
    before = command.files()
    code, out, err = gate(command, *words)
    assert (code, out) == (2, "")
    assert told in err
    assert "Traceback" not in err
    assert command.files() == before


def test_a_bad_input_destroys_no_report_of_before(command: Command) -> None:
    assert gate(command, "--min", "hit@2=0.5", "--out", "kept")[0] == 0
    before = {path.name: path.read_bytes() for path in (command.folder / "kept").iterdir()}
    assert set(before) == {"report.json", "report.md", "junit.xml"}
    (command.folder / "gold.jsonl").write_text("{broken")
    assert gate(command, "--min", "hit@2=0.5", "--out", "kept")[0] == 2
    assert {path.name: path.read_bytes() for path in (command.folder / "kept").iterdir()} == before


# Reports


def test_reports_are_the_same_bytes_each_time_and_nothing_else_is_left(command: Command) -> None:
    before = command.files()
    words = ("--min", "recall@1=1.0", "--min", "recall@2=0.1")
    assert gate(command, *words, "--out", "a")[0] == 1
    assert gate(command, *words, "--out", "b")[0] == 1
    assert command.files() - before == {
        f"{a}/{b}" for a in "ab" for b in ("report.json", "report.md", "junit.xml")
    }
    for name in ("report.json", "report.md", "junit.xml"):
        assert (command.folder / "a" / name).read_bytes() == (command.folder / "b" / name).read_bytes()


def test_the_json_holds_everything_and_the_card_for_a_later_gate(command: Command) -> None:
    code, out, _ = gate(command, "--min", "recall@1=1.0", "--json", "--out", "r")
    printed = json.loads(out)
    assert (code, printed) == (1, report(command.folder / "r"))
    current = printed["current"]
    assert (printed["k"], current["questions"], current["negatives"]) == (1, 5, 1)
    assert printed["zero_hits"] == len(printed["failed_ids"])
    card = Scorecard.from_dict(printed["scorecard"], "r")
    assert {name: round(value, 10) for name, value in card.means().items()} == printed["means"]
    assert (card.gold_hash, card.corpus_hash) == (current["gold"], current["corpus"])


def test_markdown_and_junit_say_the_same_as_the_files(command: Command) -> None:
    for form, name in (("md", "report.md"), ("junit", "junit.xml")):
        code, out, _ = gate(command, "--min", "recall@1=1.0", "--format", form, "--out", "r")
        assert code == 1
        assert out == (command.folder / "r" / name).read_text(encoding="utf-8")
    suite = ElementTree.fromstring((command.folder / "r" / "junit.xml").read_text())
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "1", "0")
    assert "### ❌ Retrieval gate: FAILED: 1 of 1 check" in (command.folder / "r" / "report.md").read_text()
    _, out, _ = gate(command, "--max-drop", "hit@2=0", "--baseline", "r", "k=2", "--format", "junit")
    assert ElementTree.fromstring(out).get("errors") == "1"


def test_texts_of_questions_are_no_markup_and_no_escape(command: Command) -> None:
    gold = (command.folder / "gold.jsonl").read_text()
    wild = gold.replace('"q1"', json.dumps("<b>q1\u001b[31m | @team"))
    (command.folder / "gold.jsonl").write_text(wild)
    change(command.folder, "leave", "Nothing.")
    for form in ("text", "md", "junit"):
        _, out, _ = gate(command, "--min", "hit@1=1.0", "--format", form)
        assert "\u001b" not in out
        assert form == "text" or "<b>" not in out
        if form == "junit":
            ElementTree.fromstring(out)


def test_known_misses_are_told_apart(command: Command) -> None:
    change(command.folder, "leave", "Nothing is said here any more.")
    (command.folder / "known.txt").write_text("# why\nq1   # the page was emptied\nq2\nq77\n")
    _, out, _ = gate(command, "--min", "hit@1=0.1", "--known-misses", "known.txt")
    assert "Not among the known misses: " in out
    assert "known: 1: q1." in out
    assert "Known misses that are found now: 1: q2." in out
    assert "since the gold has no such question: q77." in out


# Thresholds in a file


def thresholds(least: float, reason: str) -> str:
    return f"format: 1\nminima: {{hit@2: {{value: {least}, reason: {reason}, date: 2026-01-31}}}}\n"


def test_a_file_of_thresholds_judges_and_none_is_lowered_in_silence(command: Command) -> None:
    (command.folder / "before.yaml").write_text(thresholds(0.7, "release 1"))
    (command.folder / "now.yaml").write_text(thresholds(0.5, "release 1"))
    assert gate(command, "--thresholds", "before.yaml")[0] == 0
    both = ("--thresholds", "now.yaml", "--thresholds-before", "before.yaml")
    code, out, _ = gate(command, *both)
    assert code == 1
    assert "minima.hit@2 went from 0.7 to 0.5 and still gives the reason 'release 1'" in out
    (command.folder / "now.yaml").write_text(thresholds(0.5, "two documents went"))
    assert gate(command, *both)[0] == 0
    code, _, err = gate(command, *both, "--min", "hit@2=0.1")
    assert (code, "minima.hit@2 stands in now.yaml: change it there, not by --min" in err) == (2, True)


def test_suggested_thresholds_come_from_the_history_and_are_a_file_of_thresholds(command: Command) -> None:
    own = [word for word in command.small if not word.startswith("journal")]
    swept = ("run", *own, *MEASURED, "-m", "lexical.k1=0.5,1.2", "fusion=rrf,lexical_only")
    assert command(*swept).code == 0
    code, out, err = command("gate", *own, *MEASURED, "--suggest")
    assert code == 0, err
    assert "from 4 runs in 1 sweep of the history." in out
    (command.folder / "t.yaml").write_text(out)
    passed = command("gate", *own, *MEASURED, "--thresholds", "t.yaml", "--baseline", "r", "--out", "r")
    assert passed.code == 2  # there is no report r yet, and none is made
    assert not (command.folder / "r").exists()
    assert command("gate", *own, *MEASURED, "--min", "hit@2=0.1", "--out", "r").code == 0
    assert command("gate", *own, *MEASURED, "--thresholds", "t.yaml", "--baseline", "r").code == 0


# Other baselines, and another system


def test_a_configuration_of_a_sweep_is_a_baseline(command: Command) -> None:
    own = [word for word in command.small if not word.startswith("journal")]
    ran = command("run", *own, *MEASURED, "-m", "lexical.k1=0.5,1.2", "--json")
    assert ran.code == 0
    words = ("gate", *own, *MEASURED, "--max-drop", "0.0", "--json")
    found = command(*words, "--baseline", "1")
    assert found.code == 0, found.err
    data = json.loads(found.out)
    assert (data["stated"], data["refused"]) == ([], [])
    assert data["baseline"]["configuration"] == data["current"]["configuration"]
    other = json.loads(command(*words, "--baseline", "0").out)
    assert other["stated"] == ["the configuration differs: lexical.k1 0.5 → 1.2"]


def test_rankings_of_another_system_are_judged_beside_their_report(command: Command) -> None:
    ids = {"q1": "leave", "q2": "vpn", "q3": "travel", "q4": "kitchen", "q5": "door"}

    def write(name: str, wrong: str = "", version: str = "7") -> None:
        rows = [
            {"id": i, "retrieved_doc_ids": ["kitchen" if i == wrong else doc], "index_version": version}
            for i, doc in ids.items()
        ]
        (command.folder / name).write_text("\n".join(map(json.dumps, rows)))

    write("good.jsonl")
    write("bad.jsonl", "q1", "8")
    by = ("--gold", "gold.jsonl", *MEASURED)
    assert command("gate", "--rankings", "good.jsonl", *by, "--min", "hit@2=1.0", "--out", "g").code == 0
    ran = command("gate", "--rankings", "bad.jsonl", *by, "--max-drop", "hit@2=0.1", "--baseline", "g")
    assert ran.code == 1
    assert "The index version differs: 8 here, 7 in the baseline." in ran.out
    idle = command("gate", "--rankings", "bad.jsonl", *by, "--min", "hit@2=1.0", "lexical.k1=3")
    assert (idle.code, "so lexical has no effect" in idle.err) == (2, True)


def test_a_component_that_fails_is_a_failure_and_no_verdict(command: Command) -> None:
    (command.folder / "mine.py").write_text(
        "from dataclasses import dataclass\n"
        "@dataclass(frozen=True)\nclass Broken:\n"
        "    def split(self, text):\n        raise RuntimeError('no passages today')\n"
    )
    (command.folder / "own" / "chunker").mkdir(parents=True)
    (command.folder / "own" / "chunker" / "broken.yaml").write_text("_target_: mine.Broken\n")
    words = ("chunker=broken", "--config-dir", "own", "--min", "hit@2=0.5", "--out", "r")
    code, out, err = gate(command, *words)
    assert (code, out) == (1, "")
    assert "no passages today" in err
    assert not (command.folder / "r").exists()


@pytest.mark.full
def test_the_champion_is_judged_and_is_the_baseline_unless_something_else_is_said(command: Command) -> None:
    own = [word for word in command.small if not word.startswith(("journal", "tracking"))]
    (command.folder / "t.yaml").write_text(
        "format: 1\nmax_drop: {hit@1: {value: 0.1, reason: one question of five, date: 2026-01-31}}\n"
    )
    assert command("run", *own, *MEASURED, "-m", "lexical.k1=0.5,1.2").code == 0
    promoted = command("promote", "--yes", "--thresholds", "t.yaml")
    assert promoted.code == 0, promoted.err
    before = command.files()
    passed = command("gate", "--json")
    assert passed.code == 0, passed.err
    assert "the promoted configuration is judged: rag-sweep, version 1" in passed.err
    assert "judged by the thresholds that were promoted with rag-sweep, version 1" in passed.err
    data = json.loads(passed.out)
    assert data["baseline"]["configuration"] == data["current"]["configuration"]
    assert (data["stated"], data["refused"], data["current"]["k"]) == ([], [], 1)
    change(command.folder, "leave", "Nothing is said here any more.")
    failed = command("gate")
    assert failed.code == 1
    assert "Lost since the baseline: 1: q1" in failed.out
    chosen = command("gate", *own, *MEASURED, "lexical.k1=7", "--max-drop", "1.0", "--baseline", "champion")
    assert (chosen.code, "lexical.k1 " in chosen.out) == (0, True)
    assert "the promoted configuration is judged" not in chosen.err
    assert {name for name in command.files() - before if "mlruns/.store" not in name} == set()


# A real collection


@pytest.mark.full
@pytest.mark.parametrize("fusion", ["lexical_only", "rrf"])
def test_a_broken_bm25_is_caught_on_scifact(shared: Path, tmp_path: Path, fusion: str) -> None:
    folder = tmp_path / "scifact"
    shutil.copytree(shared / "data" / "scifact", folder)
    data = ["dataset=beir", f"dataset.path={folder}", f"fusion={fusion}", "tracking=none", "journal=null"]

    def ran(*words: str) -> Any:
        return ended(started("gate", *data, *words, cwd=tmp_path, env=dict(os.environ)), 600)

    first = ran("--min", "ndcg@10=0.5", "--out", "main")
    assert first.code == 0, first.out + first.err
    broken = ran("lexical.k1=200", "lexical.b=0", "--max-drop", "0.03", "--baseline", "main", "--json")
    assert broken.code == 1
    rows = {row["measure"]: row for row in json.loads(broken.out)["checks"]}
    assert rows["ndcg@10"]["passed"] is False
    assert "is shown" in rows["ndcg@10"]["why"]
    assert ran("--max-drop", "0.0", "--mode", "non_inferiority", "--baseline", "main").code == 0
