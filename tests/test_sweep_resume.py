"""The same command goes on where it was: what is finished isn't computed again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Command, ended, started
from journals import calls
from resumes import DOCUMENTS, GRID, begin, counting, experiment, go_on, heads, tracked
from trackers import client_of

from rag_sweep.journal.shelf import Shelf
from rag_sweep.tracking.mlflow import MLflow


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return counting(tmp_path, monkeypatch, capsys)


# A complete sweep


def test_a_complete_sweep_prints_the_same_and_computes_nothing(command: Command) -> None:
    first = command("run", *command.small, "k=3", *GRID, "--json")
    assert calls(command.folder) == dict.fromkeys((1, 2, 3), DOCUMENTS)
    files = command.files()
    again = command("run", *command.small, "k=3", *GRID, "--json")
    assert (again.code, again.out) == (0, first.out)
    assert not calls(command.folder)
    assert command.files() == files
    assert again.err.startswith("note: results of 20")
    assert again.err.endswith(": nothing has changed since; resume=never evaluates anew\n")


def test_so_does_a_single_run(command: Command) -> None:
    run = ["run", *command.small, "chunker=counted", "--json"]
    first = command(*run)
    assert calls(command.folder) == {1: DOCUMENTS}
    again = command(*run)
    assert (again.code, again.out) == (first.code, first.out)
    assert not calls(command.folder)
    assert json.loads(command("run", "-m", *run[1:]).out)["configurations"]
    assert calls(command.folder) == {1: DOCUMENTS}, "a sweep of one is another thing"


def test_one_that_is_to_begin_anew_computes_everything(command: Command) -> None:
    first = command("run", *command.small, "k=3", *GRID, "--json")
    calls(command.folder)
    again = command("run", *command.small, "k=3", *GRID, "--json", "resume=never")
    assert (again.out, again.err) == (first.out, "")
    assert sum(calls(command.folder).values()) == 3 * DOCUMENTS
    assert len(heads(command.folder)) == 2


def test_without_a_journal_no_file_is_left_and_everything_is_computed(command: Command) -> None:
    for _ in range(2):
        before = command.files()
        assert command("run", *command.small, *GRID, "journal=null").code == 0
        assert sum(calls(command.folder).values()) == 3 * DOCUMENTS
        assert command.files() == before


def test_a_failed_configuration_stays_failed_and_its_reason_is_told_again(command: Command) -> None:
    documents = (command.folder / "docs.jsonl").read_text()
    (command.folder / "docs.jsonl").write_text(documents.replace("coffee machine", "broken machine"))
    first = command("run", *command.small, *GRID, "--json")
    calls(command.folder)
    again = command("run", *command.small, *GRID, "--json")
    assert (first.code, again.code) == (1, 1)
    assert again.out == first.out
    assert "can't cut" in first.out
    assert not calls(command.folder)


@pytest.mark.parametrize("key", ["resume=sometimes", "resume=null", "journal=[a]", "journal=3"])
def test_nonsense_is_refused(command: Command, key: str) -> None:
    ran = command("run", *command.small, key)
    assert ran.code == 2
    assert ran.err.startswith(f"rag-sweep: {key.partition('=')[0]} must be ")


def test_a_journal_that_cannot_be_made_is_one_clear_error(command: Command) -> None:
    ran = command("run", *command.small, *GRID, "journal=docs.jsonl")
    assert ran.code == 2
    assert ran.err.startswith("rag-sweep: journal must be a folder that can be written, got 'docs.jsonl': ")
    assert not calls(command.folder)


@pytest.mark.full
def test_everything_is_sent_to_another_tracking_store_and_nothing_computed(command: Command) -> None:
    first, one = tracked(command, "one")
    second, two = tracked(command, "two")
    board = command.json("run", *first, *GRID)
    calls(command.folder)
    assert command.json("run", *second, *GRID) == board
    assert not calls(command.folder)
    assert logged(one) == logged(two)
    before = logged(two)
    assert command.json("run", *second, *GRID) == board
    assert logged(two) == before
    assert len(before) == 7
    assert {state for state, _ in before.values()} == {"FINISHED"}


def logged(store: MLflow) -> dict[str, tuple[str, Any]]:
    """State and metrics of every run of a store, by configuration; the name of a sweep holds its time."""
    runs = client_of(store).search_runs([experiment(store)])
    found = {run.data.tags.get("configuration", "parent"): run for run in runs}
    assert len(found) == len(runs)
    return {name: (run.info.status, run.data.metrics) for name, run in found.items()}


# Aliases and batches


def test_an_alias_whose_original_was_computed_before_is_copied(command: Command) -> None:
    grid = ["-m", "chunker=counted", "chunker.number=1,2", "lexical.k1=0.5,1.5", "fusion=dense_only"]
    board = command.json("run", *command.small, *grid)
    rows = board["configurations"]
    assert isinstance(rows, list)
    assert sorted(row["alias_of"] for row in rows if row["alias_of"] is not None) == [0, 2]
    (folder,) = Shelf(command.folder / "mlruns" / ".sweeps").all()
    file = folder / "results.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(line for line in lines if b'"index":1' not in line))
    calls(command.folder)
    assert command.json("run", *command.small, *grid) == board
    assert not calls(command.folder)


@pytest.mark.full
def test_another_launcher_goes_on_too(command: Command) -> None:
    process = begin(command, *command.small, *GRID, "--json")
    process.kill()
    process.communicate()
    go_on(command)
    basic = command("run", *command.small, *GRID, "--json", "hydra/launcher=basic")
    assert calls(command.folder) == {3: 2 * DOCUMENTS}
    assert basic.out == command("run", *command.small, *GRID, "--json").out
    assert not calls(command.folder)


@pytest.mark.full
def test_a_sweeper_that_asks_in_batches_searches_anew(command: Command) -> None:
    pytest.importorskip("hydra_plugins.hydra_optuna_sweeper")
    study = ["-m", "hydra/sweeper=optuna", "lexical.k1=interval(0.5,2)", "hydra.sweeper.n_trials=3"]
    for _ in range(2):
        assert ended(started("run", *command.small, *study, cwd=command.folder)).code == 0
    found = heads(command.folder)
    assert [(head.identity, head.configurations) for head in found] == [(None, None)] * 2
