"""`rag-sweep run` on the screen, as JSON, in a pipe, and with texts kept back."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import QUESTIONS, TEXTS, Command, ended, started


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(tmp_path, monkeypatch, capsys)


APART = "1 question without an answer measured apart"
SWEEP = ["-m", "lexical.k1=0.5,1.5", "chunker=document,fixed", "chunker.size=5"]


def test_one_configuration_is_a_sheet_of_measures_and_cutoffs(command: Command) -> None:
    ran = command("run", *command.small, "k=2", "cutoffs=[1,3]")
    assert (ran.code, ran.err) == (0, "")
    title, head, *rows = ran.out.splitlines()
    assert title == f"docs: means over 5 answerable questions, k = 2, {APART}"
    assert head.split() == ["measure", "@1", "@2", "@3"]
    assert [row.split()[0] for row in rows[:7]] == [
        "hit",
        "recall",
        "precision",
        "mrr",
        "ndcg",
        "ndcg_linear",
        "map",
    ]
    assert rows[7].startswith("recall of the candidates (depth 100 a branch): lexical ")
    assert rows[8].startswith("words in the first 2 passages: ")
    assert rows[9].startswith("negatives: 0.0% with an empty result, AUROC of the top score n/a")


def test_a_k_that_leaves_no_document_out_is_said(command: Command) -> None:
    known = len(TEXTS)
    for k, said in ((known - 1, False), (known, True)):
        ran = command("run", *command.small, f"k={k}", "cutoffs=[1]")
        told = f"note: k = {k} leaves none of {known} documents out: recall@{k}, hit@{k} and precision@{k} "
        assert (told in ran.err) is said


def test_a_sweep_is_a_leaderboard_of_what_differs(command: Command) -> None:
    ran = command("run", *command.small, *SWEEP)
    title, head, *rows = ran.out.splitlines()
    assert title == f"4 configurations on docs: means over 5 answerable questions, k = 10, {APART}"
    assert head.split() == ["#", "chunker", "k1", "ndcg@10", "recall@10", "mrr@10", "map@10", "hit@10"]
    values = [float(row.split()[3]) for row in rows[:4]]
    assert values == sorted(values, reverse=True)
    assert re.search("flatters it|All give the same ndcg@10", ran.out)
    assert "Expect about" not in ran.out  # five questions say nothing about a choice
    again = re.search(r"The first row alone: rag-sweep run (.+)", ran.out)
    assert again
    alone = command("run", *again[1].replace("'", "").split())
    assert re.search(rf"^ndcg .*{values[0]:.4f}$", alone.out, re.MULTILINE)


def test_below_a_sweep_stands_what_to_type_next(command: Command) -> None:
    kept = [o for o in command.small if o != "journal=null"]
    ran = command("run", *kept, *SWEEP)
    (line,) = [line for line in ran.out.splitlines() if line.startswith("Next: ")]
    assert line == (
        "Next: rag-sweep compare tracking=none (which one to take, and why; cost counts there too, so its "
        "numbers "
        "differ a little), then rag-sweep diff (what changes, question by question)"
    )
    assert command(*line.split()[2:4]).code == 0
    elsewhere = command("run", *kept, *SWEEP, "journal=kept here", "--config-dir", ".").out
    assert "Next: rag-sweep compare --config-dir=. tracking=none 'journal=kept here' (" in elsewhere
    assert "rag-sweep compare" not in command("run", *kept).out  # one alone: nothing to choose


def test_where_nothing_stays_there_is_nothing_to_compare(command: Command) -> None:
    assert "rag-sweep compare" not in command("run", *command.small, *SWEEP).out


def test_a_flattered_top_row_stands_beside_what_it_is_worth(command: Command) -> None:
    rows = [
        {"id": f"p{at}", "question": text, "relevant": ids}
        for at, (text, ids) in enumerate([*QUESTIONS.values()][:5] * 5)
    ]
    (command.folder / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)))
    swept = ["run", *command.small, "-m", "fusion=rrf,dense_only", "embedder.dim=16,32,64", "k=1"]
    found: Any = command.json(*swept)
    out = command(*swept).out
    best = found["configurations"][0]["metrics"]["ndcg@1"]
    assert found["split_half_value"] < best
    assert (
        f"so its ndcg@1 of {best:.3f} flatters it: a top row that half of the questions pick is worth "
        f"{found['split_half_value']:.3f} on the other half."
    ) in out


def test_the_number_of_rows_is_chosen_and_the_rest_is_counted(command: Command) -> None:
    ran = command("run", *command.small, *SWEEP, "--top", "1")
    assert len([line for line in ran.out.splitlines() if line.startswith("1  ")]) == 1
    assert not [line for line in ran.out.splitlines() if line.startswith("2  ")]
    assert "… and 3 more (--top 4 or --json shows them)" in ran.out


def test_the_json_of_a_sweep_holds_everything_best_first(command: Command) -> None:
    found: dict[str, Any] = command.json("run", *command.small, *SWEEP, "k=3")
    assert (found["dataset"], found["questions"], found["answerable"], found["negatives"]) == (
        "docs",
        6,
        5,
        1,
    )
    assert (found["k"], found["objective"], found["cutoffs"]) == (3, "ndcg@3", [1, 3, 5, 10])
    rows = found["configurations"]
    assert sorted(row["index"] for row in rows) == [0, 1, 2, 3]
    assert len({row["configuration"] for row in rows}) == 4
    values = [row["metrics"]["ndcg@3"] for row in rows]
    assert values == sorted(values, reverse=True)
    assert set(rows[0]["params"]) >= {"lexical.k1", "chunker", "embedder.dim", "k", "cutoffs", "dataset.gold"}


def test_the_json_of_one_configuration_holds_every_cutoff(command: Command) -> None:
    found: dict[str, Any] = command.json("run", *command.small)
    assert {"hit@1", "ndcg_linear@5", "map@10"} <= found["means"].keys()
    assert found["metrics"].keys() >= {"ndcg@10", "pool_recall.pool", "questions.negative"}
    assert (found["failure"], found["alias_of"]) == (None, None)


@pytest.mark.full
def test_one_configuration_alone_is_the_one_in_the_sweep(command: Command) -> None:
    rows: Any = command.json("run", *command.small, *SWEEP)["configurations"]
    for row in rows:
        chunker = ["chunker=fixed", "chunker.size=5"] if row["params"]["chunker"] == "fixed" else []
        k1 = f"lexical.k1={row['params']['lexical.k1']}"
        alone = command.json("run", *command.small, k1, *chunker)
        assert (alone["metrics"], alone["configuration"]) == (row["metrics"], row["configuration"])


def test_equal_spellings_of_a_value_are_told_as_equal(command: Command) -> None:
    rows: Any = command.json("run", *command.small, "-m", "lexical.k1=1,1.0,2")["configurations"]
    assert sorted((row["index"], row["alias_of"]) for row in rows) == [(0, None), (1, 0), (2, None)]


def test_a_table_in_a_pipe_is_neither_folded_nor_cut(command: Command) -> None:
    words = ",".join(f"'{letter * 60}'" for letter in "abc")
    swept = [f"analyzer.extra_stop_words=[{words}],[{words},d]", "lexical.k1=1,2", "lexical.b=0,1"]
    ran = command("run", *command.small, "-m", "analyzer=stemmed", *swept)
    rows = [line for line in ran.out.splitlines() if "aaaa" in line and "rag-sweep" not in line]
    assert len(rows) == 8
    assert all("c" * 60 in row and row.count("[") == 1 and "…" not in row for row in rows)


def test_the_config_is_shown_instead_of_run(command: Command) -> None:
    ran = command("run", *command.small, "lexical.k1=0.7", "--cfg", "job")
    assert (ran.code, ran.err) == (0, "")
    shown = yaml.safe_load(ran.out)
    assert shown["lexical"]["k1"] == 0.7
    assert "hydra" not in shown
    assert command("run", "+sweep=handbook", "--cfg", "job").code == 0


def test_the_help_names_options_and_examples_and_runs_nothing(command: Command) -> None:
    ran = command("run", "--help")
    assert (ran.code, ran.err) == (0, "")
    for part in ("--json", "--top", "-m", "--config-dir", "--cfg job", "rag-sweep run lexical.k1=0.9"):
        assert part in " ".join(ran.out.split())
    for words in (
        ["--help"],
        ["score", "--help"],
        ["gold", "--help"],
        ["gold", "check", "--help"],
        ["ui", "--help"],
    ):
        assert command(*words).code == 0
    version = command("--version")
    assert (version.code, version.err) == (0, "")
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", version.out)


@pytest.mark.parametrize("group", [[], ["gold"], ["answers"], ["store"]], ids=" ".join)
def test_no_line_of_the_help_is_cut(command: Command, group: list[str]) -> None:
    _, _, listed = command(*group, "--help").out.partition("Commands:")
    assert listed
    assert "..." not in listed


@pytest.mark.full
def test_options_may_stand_anywhere(command: Command) -> None:
    first = command("run", "--json", "lexical.k1=1,2", *command.small, "-m", "chunker=document")
    second = command("run", "-m", *command.small, "chunker=document", "lexical.k1=1,2", "--json")
    assert first.code == second.code == 0
    assert json.loads(first.out)["configurations"] == json.loads(second.out)["configurations"]


def test_a_pool_below_k_is_allowed_with_a_note(command: Command) -> None:
    ran = command("run", *command.small, "fusion.pool_depth=2", "k=3")
    assert (ran.code, ran.err) == (0, "note: fusion.pool_depth=2 is below k=3\n")


@pytest.mark.full
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_a_reader_that_goes_away_causes_no_traceback(command: Command, flags: list[str]) -> None:
    many = ",".join(str(at / 100) for at in range(60))
    knobs = ["k=3", f"lexical.b={many}", "lexical.k1=1,2,3"]
    words = ["run", *command.small, "-m", *knobs, "--top", "200", *flags]
    shell = subprocess.run(
        ["bash", "-c", '"$@" | head -1', "bash", sys.executable, "-m", "rag_sweep", *words],
        cwd=command.folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert len(shell.stdout.splitlines()) == 1
    assert shell.stderr == ""


# tracking.text=none


def texts() -> set[str]:
    """What must not be found anywhere: questions, titles, and pieces of the documents."""
    whole = {text for text, _ in QUESTIONS.values()} | {title for title, _ in TEXTS.values() if " " in title}
    return whole | {line for _, text in TEXTS.values() for line in text.splitlines() if line}


LEAKY = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Leaky:
    fails: bool = True

    def split(self, text):
        if self.fails:
            raise ValueError(f"can't split {text}")
        return [(0, len(text))]
"""


@pytest.mark.full
def test_without_texts_nothing_that_is_written_holds_one(command: Command) -> None:
    (command.folder / "leaky.py").write_text(LEAKY)
    (command.folder / "conf" / "chunker").mkdir(parents=True)
    (command.folder / "conf" / "chunker" / "leaky.yaml").write_text("_target_: leaky.Leaky\nfails: true\n")
    given = command.files()
    tracked = [o for o in command.small if o not in ("tracking=none", "store=none")]
    sweep = ["-m", "--config-dir", "conf", "chunker=leaky", "chunker.fails=true,false", "tracking.trec=true"]

    def written(text: str) -> tuple[str, set[str]]:
        where = [f"tracking.text={text}", f"tracking.path={text}", f"store.path={text}/.store"]
        run = ["run", *tracked, *sweep, *where]
        table = ended(started(*run, cwd=command.folder))
        data = ended(started(*run, "hydra/launcher=basic", "--json", cwd=command.folder))
        assert (table.code, data.code) == (1, 1)
        files = [command.folder / name for name in command.files() - given if name.startswith(text)]
        assert any(file.name == "mlflow.db" for file in files)
        assert any(file.name == "run.trec" for file in files)
        content = "".join(file.read_bytes().decode("utf-8", "replace") for file in files)
        everything = "".join((content, table.out, table.err, data.out, data.err))
        return everything, {piece for piece in texts() if piece in everything}

    everything, found = written("none")
    assert found == set()
    assert "q1" in everything
    assert "passages: ValueError (tracking.text=none keeps its message back)" in everything
    assert written("full")[1] >= {text for text, _ in QUESTIONS.values()}  # the search can find something
