"""`rag-sweep compare`: what is found, refused, printed, and left where it is looked for."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import Command
from trackers import client_of, fresh_store

from rag_sweep.journal.shelf import Shelf
from rag_sweep.tracking.mlflow import MLflow

GRID = ["-m", "chunker=document,fixed", "chunker.size=3,6", "lexical.k1=0.5,1.2"]
FILES = {"comparison.html", "comparison.json", "comparison.md", "leaderboard.csv"}


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The small dataset with a journal and without tracking."""
    command = Command(tmp_path, monkeypatch, capsys)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    command.small.remove("journal=null")
    return command


def swept(command: Command, *overrides: str) -> str:
    """Run a sweep of six configurations; its id."""
    before = set(ids(command))
    ran = command("run", *command.small, *GRID, *overrides)
    assert ran.code == 0, ran.err
    (new,) = set(ids(command)) - before
    return new


def folders(command: Command) -> list[Path]:
    return Shelf(command.folder / "mlruns" / ".sweeps").all()


def ids(command: Command) -> list[str]:
    return [folder.name.partition(".")[2] for folder in folders(command)]


def cut_short(command: Command, results: int) -> None:
    """Leave the only sweep with some of its results."""
    (folder,) = folders(command)
    lines = (folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "results.jsonl").write_bytes(b"".join(lines[:results]))
    (folder / "matrix.npz").unlink()


def data_of(command: Command, *words: str) -> dict[str, Any]:
    return command.json("compare", *words)


# What is found


def test_yours_joins_in_where_it_was_measured_and_the_commands_for_it_are_typed_out(command: Command) -> None:
    words = ["embedder=lsa", "lexical.k1=0.5,3.0"]
    sweep = swept(command, *words)
    text = command("compare").out
    measure, beside = text.splitlines()[-2:]
    assert "Next, measure yours and compare it with these:" in text
    assert beside == f"  rag-sweep compare {sweep} yours"
    ran = command("compare", sweep, "yours")
    assert (ran.code, ran.out) == (2, "")
    assert (
        f"yours: your configuration as it stands wasn't measured over the documents and the gold of {sweep}"
        in (ran.err)
    )
    measured = command(*measure.split()[1:])
    assert measured.code == 0, measured.err
    found = data_of(command, *beside.split()[2:])
    assert (len(found["rows"]), found["stand_in"]) == (7, None)
    base = found["rows"][found["baseline"]]
    assert (base["params"]["lexical.k1"], base["params"]["chunker"]) == (1.2, "document")
    assert found["sweeps"][base["sweep"]]["configurations"] == 1
    assert "Next, measure yours" not in command("compare", sweep, "yours").out


def test_a_k_that_leaves_no_document_out_is_said(command: Command) -> None:
    swept(command, "objective=recall@10")
    found = data_of(command)
    (text,) = [one["text"] for one in found["warnings"] if one["kind"] == "covered"]
    assert "leaves none of" in text
    assert any("leaves none of" in caution for caution in found["decision"]["cautions"])


def test_the_newest_sweep_is_compared_and_the_decision_comes_first_and_last(command: Command) -> None:
    swept(command)
    ran = command("compare")
    assert ran.code == 0, ran.err
    headline = data_of(command)["decision"]["headline"]
    lines = ran.out.splitlines()
    assert lines[0] == headline
    assert headline in lines[1:][-6:]
    assert (
        "6 configurations, 5 answerable questions of docs, k = 10, 1 question without an answer left out"
        in ran.out
    )


def test_a_sweep_is_named_by_its_id_its_journal_or_its_file(command: Command) -> None:
    first = swept(command)
    swept(command, "lexical.k1=2.0,3.0")
    (folder,) = (one for one in folders(command) if one.name.endswith(first))
    for name in (first, str(folder), str(folder / "matrix.npz")):
        assert [one["sweep_id"] for one in data_of(command, name)["sweeps"]] == [first]


def test_two_sweeps_over_one_gold_are_compared_together(command: Command) -> None:
    first = swept(command)
    second = swept(command, "analyzer=simple", "lexical.k1=2.0,3.0")
    found = data_of(command, first, second)
    assert [one["sweep_id"] for one in found["sweeps"]] == [first, second]
    assert found["configurations"] == 12
    assert {row["sweep"] for row in found["rows"]} == {0, 1}
    text = command("compare", first, second).out
    assert f"Sweep 2: {second}" in text


def test_single_configurations_are_chosen_by_their_index(command: Command) -> None:
    sweep = swept(command)
    found = data_of(command, f"{sweep}:0", f"{sweep}:3", f"{sweep}:0")
    assert sorted(row["index"] for row in found["rows"]) == [0, 3]


def test_a_sweep_that_is_not_complete_is_refused_unless_asked_for(command: Command) -> None:
    sweep = swept(command)
    cut_short(command, 4)
    ran = command("compare", sweep)
    assert (ran.code, ran.out) == (2, "")
    assert "has results of 4 of 6 configurations; --partial takes them" in ran.err
    found = data_of(command, sweep, "--partial")
    assert found["configurations"] == 4
    assert any("isn't complete: 4 of 6" in note for note in found["notes"])


def test_sweeps_over_different_gold_are_refused_and_the_difference_is_named(command: Command) -> None:
    first = swept(command)
    gold = command.folder / "gold.jsonl"
    gold.write_text(gold.read_text().replace('"q4"', '"q44"'))
    second = swept(command)
    ran = command("compare", first, second)
    assert (ran.code, ran.out) == (3, "")
    assert f"sweep {first} and sweep {second} can't be compared: the gold differs" in ran.err
    assert "only in the first: q4; only in the second: q44" in ran.err


def test_sweeps_at_different_k_are_refused(command: Command) -> None:
    first = swept(command)
    second = swept(command, "k=5")
    ran = command("compare", first, second)
    assert (ran.code, ran.out) == (3, "")
    assert "k differs: 10 and 5" in ran.err


def test_sweeps_over_different_corpora_are_compared_and_it_is_said(command: Command) -> None:
    first = swept(command)
    documents = command.folder / "docs.jsonl"
    documents.write_text(documents.read_text().replace("Fridays", "Mondays and Fridays"))
    second = swept(command)
    ran = command("compare", first, second, "--json")
    assert ran.code == 0
    assert any("the corpora differ" in note for note in json.loads(ran.out)["notes"])
    assert f"the documents of docs have changed since sweep {first}" in ran.err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nowhere"], "'nowhere' names nothing: give the id of a sweep"),
        (["x" * 10_000], f"'{'x' * 160}…' names nothing"),
        (["x=" + "y" * 10_000], "x doesn't exist in this configuration"),
        ([f":{'9' * 5000}"], "names nothing"),
        (["--baseline", "9" * 5000], "decide.baseline must be an index, a name"),
        (["--baseline", "²"], "decide.baseline must be an index, a name"),
        (["20200101-000000-abcdef"], "no sweep 20200101-000000-abcdef"),
        ([":17"], "has no configuration 17: there are 6, from 0 to 5"),
        (
            ["lexical.k1=3"],
            "lexical.k1=3: nothing is retrieved, so lexical has no effect; name another baseline",
        ),
        (["k=5"], "k=5: nothing is retrieved, so k has no effect; decide by another cutoff with objective="),
        (["evidence.share=0.5"], "evidence.share=0.5: nothing is retrieved"),
        (["decide.alpha=0"], "decide.alpha must be a number between 0 and 1, got 0.0"),
        (["decide.alpa=0.1"], "decide.alpa doesn't exist in this configuration: did you mean decide.alpha?"),
        (["objective=ndcg@77"], "measure must have a cutoff"),
        (["--baseline", "nobody"], "decide.baseline must be an index, a name"),
        (["--format", "pdf"], "Invalid value for '--format'"),
        (["--latency", "0"], "Invalid value for '--latency'"),
        (["--out", ""], "must be a file or folder, got an empty text"),
    ],
)
def test_what_cannot_be_is_told_in_words(command: Command, words: list[str], reason: str) -> None:
    swept(command)
    ran = command("compare", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("rag-sweep: ")
    assert reason in ran.err
    assert "Traceback" not in ran.err


def test_without_any_sweep_it_is_said_where_was_looked(command: Command) -> None:
    ran = command("compare")
    assert (ran.code, ran.out) == (2, "")
    assert "no complete sweep: looked in the journals in" in ran.err


# How it is decided


def test_overrides_and_the_option_name_the_baseline(command: Command) -> None:
    swept(command)
    for words in (["decide.baseline=3"], ["--baseline", "3"]):
        found = data_of(command, *words)
        assert found["rows"][found["baseline"]]["index"] == 3
    found = data_of(command, "--baseline", "chunker=fixed lexical.k1=0.5")
    assert found["rows"][found["baseline"]]["params"]["lexical.k1"] == 0.5
    assert found["rows"][found["baseline"]]["params"]["chunker"] == "fixed"


def test_the_default_baseline_is_the_configuration_as_shipped(command: Command) -> None:
    swept(command)
    found = data_of(command)
    params = found["rows"][found["baseline"]]["params"]
    assert (params["chunker"], params["lexical.k1"]) == ("document", 1.2)


def test_settings_come_from_the_users_config_directory_too(command: Command) -> None:
    swept(command)
    file = command.folder / "mine" / "sweep" / "team.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("# @package _global_\ndecide:\n  alpha: 0.2\n  rule: best\n")
    found = data_of(command, "--config-dir", "mine", "+sweep=team", "decide.resamples=500")
    settings = found["settings"]
    assert (settings["alpha"], settings["rule"], settings["resamples"]) == (0.2, "best", 500)


def test_another_measure_can_decide(command: Command) -> None:
    swept(command)
    found = data_of(command, "objective=recall@3")
    assert found["objective"] == "recall@3"
    assert all(row["mean"] == row["means"]["recall@3"] for row in found["rows"])


def test_how_it_is_decided_is_no_part_of_a_sweep(command: Command) -> None:
    sweep = swept(command)
    ran = command("run", *command.small, *GRID, "decide.alpha=0.01", "decide.rule=best")
    assert ran.code == 0
    assert ids(command) == [sweep]  # the same sweep: nothing was computed anew


def test_a_sweep_over_it_is_refused(command: Command) -> None:
    ran = command("run", *command.small, "-m", "lexical.k1=1,2", "decide.alpha=0.05,0.1")
    assert ran.code == 2
    assert "decide.alpha can't be swept" in ran.err


def test_what_is_wrong_in_it_is_told_before_a_sweep(command: Command) -> None:
    ran = command("run", *command.small, "decide.rule=luck")
    assert ran.code == 2
    assert "decide.rule must be one of cheapest_of_the_best, best, one_standard_error, pareto" in ran.err


# What is printed


def test_json_is_the_comparison_with_finite_numbers(command: Command) -> None:
    swept(command)
    ran = command("compare", "--format", "json")
    found = json.loads(ran.out, parse_constant=lambda constant: pytest.fail(constant))
    assert found == data_of(command)
    assert found["history"] == {"sweeps": 1, "configurations": 6}


def test_csv_has_a_line_for_each_configuration(command: Command) -> None:
    sweep = swept(command)
    ran = command("compare", "--format", "csv")
    lines = list(csv.DictReader(io.StringIO(ran.out)))
    assert [int(line["rank"]) for line in lines] == sorted(int(line["rank"]) for line in lines)
    assert sorted(int(line["index"]) for line in lines) == list(range(6))
    assert {line["sweep_id"] for line in lines} == {sweep}
    assert sum(line["is_baseline"] == "true" for line in lines) == 1
    found = data_of(command)
    assert float(lines[0]["mean"]) == found["rows"][0]["mean"]


def test_markdown_is_printed_as_it_is(command: Command) -> None:
    swept(command)
    ran = command("compare", "--format", "md", "--top", "2")
    assert ran.out.startswith("### ")
    assert ran.out.count("\n<details>") == 1
    assert "page: " in ran.err


def test_the_history_of_a_gold_counts_every_sweep_in_the_journal(command: Command) -> None:
    swept(command)
    assert command("run", *command.small, "lexical.k1=1.7").code == 0  # a single run is no sweep
    second = swept(command, "analyzer=simple")
    assert data_of(command, second)["history"] == {"sweeps": 2, "configurations": 13}
    gold = command.folder / "gold.jsonl"
    gold.write_text(gold.read_text().replace("moon", "mars"))
    third = swept(command)
    assert data_of(command, third)["history"] == {"sweeps": 1, "configurations": 6}


def test_latency_is_measured_when_it_is_asked_for(command: Command) -> None:
    swept(command)
    assert data_of(command)["latency"] is None
    times = data_of(command, "--latency", "2")["latency"]
    assert {one["row"] for one in times} == set(range(6))
    assert all(0 < one["p50_ms"] <= one["p95_ms"] and one["queries"] == 6 for one in times)


def test_latency_needs_the_documents(command: Command) -> None:
    swept(command)
    (command.folder / "docs.jsonl").unlink()
    ran = command("compare", "--latency", "2")
    assert ran.code == 2
    assert "latency needs the documents" in ran.err
    assert command("compare").code == 0


def test_in_a_pipe_no_line_ends_with_blanks(command: Command) -> None:
    swept(command)
    lines = command("compare").out.splitlines()
    assert len(lines) > 30
    assert [line for line in lines if line != line.rstrip()] == []


def test_few_questions_are_said_to_be_too_few_and_keep_the_baseline(command: Command) -> None:
    swept(command)
    found = data_of(command)
    assert found["decision"]["why"] in ("few", "undecided")
    assert found["decision"]["promote"] == found["baseline"]
    assert "rag-sweep diff" not in command("compare").out.splitlines()[-1]


# Where it is left


def test_the_page_is_left_in_the_journal(command: Command) -> None:
    swept(command)
    ran = command("compare")
    (folder,) = folders(command)
    assert f"The page: {folder / 'comparison.html'}" in ran.out
    assert (
        (folder / "comparison.html").read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html")
    )
    assert not (command.folder / "mlruns" / "mlflow.db").exists()


def test_a_choice_of_configurations_does_not_replace_the_page_of_the_sweep(command: Command) -> None:
    sweep = swept(command)
    command("compare")
    command("compare", f"{sweep}:0", f"{sweep}:1")
    (folder,) = folders(command)
    pages = sorted(file.name for file in folder.glob("*.html"))
    assert len(pages) == 2
    assert "comparison.html" in pages


def test_out_gets_all_files_and_the_journal_none(command: Command) -> None:
    swept(command)
    ran = command("compare", "--out", "report/new")
    assert ran.code == 0, ran.err
    out = command.folder / "report" / "new"
    assert {file.name for file in out.iterdir()} == FILES
    assert json.loads((out / "comparison.json").read_text(encoding="utf-8")) == data_of(command)
    assert str(out / "comparison.html") in ran.out


def test_a_folder_that_cannot_be_written_is_told(command: Command) -> None:
    swept(command)
    ran = command("compare", "--out", "docs.jsonl/report")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "rag-sweep: --out docs.jsonl/report can't be written: Not a directory\n"


def test_texts_that_were_kept_back_are_nowhere(command: Command) -> None:
    swept(command, "tracking.text=none")
    ran = command("compare", "--out", "report")
    assert "was run with tracking.text=none, so no texts are shown" in ran.err
    for file in (command.folder / "report").iterdir():
        content = file.read_text(encoding="utf-8")
        assert "coffee" not in content, file.name
        assert "Twenty eight" not in content, file.name


# MLflow


def tracked(command: Command) -> tuple[MLflow, str]:
    """A sweep in a store of its own, by its id."""
    (command.folder / "store").mkdir()
    store = fresh_store(command.folder / "store")
    command.small = [o for o in command.small if o != "tracking=none"] + [f"tracking.path={store.path}"]
    return store, swept(command)


def artifacts_of(store: MLflow, folder: str) -> dict[str, set[str]]:
    """Names of the files in a folder of each run's artifacts, by the id of the run."""
    client = client_of(store)
    experiment = client.get_experiment_by_name(store.experiment)
    assert experiment is not None
    runs = client.search_runs([experiment.experiment_id])
    found = {run.info.run_id: client.list_artifacts(run.info.run_id, folder) for run in runs}
    return {run_id: {Path(one.path).name for one in files} for run_id, files in found.items() if files}


def test_the_report_goes_to_the_run_of_the_sweep_and_runs_name_what_is_compared(command: Command) -> None:
    store, sweep = tracked(command)
    ran = command("compare")  # where it was tracked is remembered by its journal
    assert ran.code == 0, ran.err
    ((parent, files),) = artifacts_of(store, "comparison").items()
    assert files == FILES
    assert f"({parent}), artifacts, comparison/" in ran.out
    place = f"tracking.path={store.path}"
    assert data_of(command, parent, place, "--no-log")["configurations"] == 6
    client = client_of(store)
    experiment = client.get_experiment_by_name(store.experiment)
    assert experiment is not None
    runs = client.search_runs([experiment.experiment_id])
    names = [run.info.run_id for run in runs if run.data.tags.get("index") in ("1", "4")]
    found = data_of(command, *names, place, "--no-log")
    assert sorted(row["index"] for row in found["rows"]) == [1, 4]
    assert found["history"] == {"sweeps": 1, "configurations": 6}
    ran = command("compare", "0" * 32, place)
    assert (ran.code, ran.out) == (2, "")
    assert f"no sweep has the run '{'0' * 32}': looked in MLflow at" in ran.err
    # what the journal had is lost: MLflow has the whole sweep all the same
    shutil.rmtree(command.folder / "mlruns")
    ran = command("compare", place, "--json")
    assert ran.code == 0, ran.err
    assert [one["sweep_id"] for one in json.loads(ran.out)["sweeps"]] == [sweep]


def test_a_store_that_cannot_be_used_is_a_note_and_no_failure(command: Command) -> None:
    swept(command)
    (command.folder / "broken.db").write_text("this is no database" * 100)
    ran = command("compare", "tracking=mlflow", "tracking.uri=sqlite:///broken.db")
    assert ran.code == 0, ran.err
    assert "note: the report isn't in MLflow: " in ran.err
    assert "The page: " in ran.out
    quiet = command("compare", "tracking=mlflow", "tracking.uri=sqlite:///broken.db", "--no-log")
    assert (quiet.code, quiet.err) == (0, "")


def test_a_sweep_without_a_run_makes_no_store(command: Command) -> None:
    swept(command)
    before = command.files()
    assert command("compare", "tracking=mlflow").code == 0
    assert {name for name in command.files() - before if "comparison.html" not in name} == set()
