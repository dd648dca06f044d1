"""The same command goes on where it was: what is finished isn't computed again, what has changed is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Command, ended, started
from journals import calls, wait_for, write_counted
from trackers import client_of, fresh_store

from rag_sweep import fingerprint
from rag_sweep.journal.head import Head
from rag_sweep.journal.journal import read_head
from rag_sweep.journal.shelf import Shelf
from rag_sweep.tracking.mlflow import MLflow

GRID = ["-m", "chunker=counted", "chunker.number=1,2,3", "lexical.k1=0.5,1.5"]
"""Three chunkings, computed one after the other, with two configurations each."""

DOCUMENTS = 5


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The small dataset with a journal, and a chunker whose calls are counted."""
    command = Command(tmp_path, monkeypatch, capsys)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    command.small = [*(o for o in command.small if o != "journal=null"), *write_counted(tmp_path)]
    return command


def tracked(command: Command, name: str) -> tuple[list[str], MLflow]:
    """The small dataset with a tracking store of its own, and that."""
    (command.folder / name).mkdir()
    store = fresh_store(command.folder / name)
    return [o for o in command.small if o != "tracking=none"] + [f"tracking.path={store.path}"], store


def heads(folder: Path) -> list[Head]:
    """What the journals in the default folder are, the oldest first."""
    found = [read_head(path) for path in Shelf(folder / "mlruns" / ".sweeps").all()]
    return [head for head in found if head is not None]


# A complete sweep


def test_a_complete_sweep_prints_the_same_and_computes_nothing(command: Command) -> None:
    first = command("run", *command.small, *GRID, "--json")
    assert calls(command.folder) == dict.fromkeys((1, 2, 3), DOCUMENTS)
    files = command.files()
    again = command("run", *command.small, *GRID, "--json")
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
    first = command("run", *command.small, *GRID, "--json")
    calls(command.folder)
    again = command("run", *command.small, *GRID, "--json", "resume=never")
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


def experiment(store: MLflow) -> str:
    found = client_of(store).get_experiment_by_name(store.experiment)
    assert found is not None
    return str(found.experiment_id)


# Interrupted


def begin(command: Command, *arguments: str, closed: int = 3) -> subprocess.Popen[str]:
    """The command in a process of its own, which has just begun the chunking number `closed`."""
    (command.folder / f"closed.{closed}").touch()
    process = started("run", *arguments, cwd=command.folder)
    file = command.folder / "calls"
    wait_for(
        lambda: process.poll() is not None or (file.exists() and f"{closed}\n" in file.read_text()),
        f"chunking {closed}",
    )
    assert process.poll() is None, ended(process)
    return process


def go_on(command: Command) -> None:
    """Let what waits, or would wait, go on."""
    for file in command.folder.glob("closed.*"):
        file.unlink()
    calls(command.folder)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.full)]
)
def test_an_interrupted_sweep_says_what_is_kept_and_goes_on(
    command: Command, number: signal.Signals, code: int
) -> None:
    process = begin(command, *command.small, *GRID, "--json")
    process.send_signal(number)
    ran = ended(process)
    assert (ran.code, ran.out) == (code, "")
    assert "4 of 6 results are kept: the same command goes on from there." in ran.err.splitlines()
    assert "Traceback" not in ran.err
    go_on(command)
    again = command("run", *command.small, *GRID, "--json")
    assert again.code == 0
    assert calls(command.folder) == {3: DOCUMENTS}
    assert "goes on with the sweep of 20" in again.err
    assert "4 of 6 results were there (resume=never starts anew)" in again.err
    assert again.out == command("run", *command.small, *GRID, "--json", "resume=never").out


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupted_one_that_has_nothing_yet_says_no_more_than_that(command: Command) -> None:
    process = begin(command, *command.small, *GRID, closed=1)
    process.send_signal(signal.SIGINT)
    assert ended(process) == (130, "", "interrupted\n")
    go_on(command)
    assert command("run", *command.small, *GRID).code == 0
    assert sum(calls(command.folder).values()) == 3 * DOCUMENTS


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_component_without_a_version_is_never_gone_on_with_and_interrupting_says_so(
    command: Command,
) -> None:
    grid = ["-m", "chunker=fleeting", *GRID[2:]]
    process = begin(command, *command.small, *grid)
    process.send_signal(signal.SIGINT)
    ran = ended(process)
    assert ran.code == 130
    assert "It can't be gone on with: fleeting_chunker.Counted declares no `version`." in ran.err.splitlines()
    go_on(command)
    for _ in range(2):
        assert command("run", *command.small, *grid).code == 0
        assert sum(calls(command.folder).values()) == 3 * DOCUMENTS
    assert [head.identity for head in heads(command.folder)] == [None] * 3


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_without_a_journal_interrupting_promises_nothing_and_leaves_nothing(
    command: Command, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv("TMPDIR", str(temporary))
    process = begin(command, *command.small, *GRID, "journal=null")
    assert list(temporary.glob("rag-sweep-*"))
    process.send_signal(signal.SIGTERM)
    assert ended(process) == (143, "", "")
    assert not list(temporary.glob("rag-sweep-*"))


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
def test_a_parent_that_is_killed_alone_leaves_no_worker_that_holds_the_journal(
    command: Command, backend: str
) -> None:
    workers = ["execute.n_jobs=2", f"execute.backend={backend}"]
    process = begin(command, *command.small, *GRID, *workers, closed=1)
    process.kill()
    process.wait()  # its workers may live on, with their ends of the pipes
    assert command("run", *command.small, "-m", "lexical.k1=1,2").code == 0  # their call isn't over
    try:
        (command.folder / "closed.1").rename(command.folder / "was closed")
        ran = ended(started("run", *command.small, *GRID, cwd=command.folder))
    finally:
        go_on(command)
    assert ran.code == 0
    assert len([head for head in heads(command.folder) if head.configurations == 6]) == 1


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


# What makes it another sweep


def edited(name: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return edit


def declare_a_version(folder: Path) -> None:
    text = (folder / "gold.jsonl").read_text(encoding="utf-8")
    declared = '{"gold": {"version": "2026-11"}}\n'
    (folder / "gold.jsonl").write_text(declared + text, encoding="utf-8")


SWEEP = ["-m", "lexical.k1=0.5,1.5", "sweep.name=mine"]
OTHERS: dict[str, list[str]] = {
    "a value": ["-m", "lexical.k1=0.5,1.6", "sweep.name=mine"],
    "a value of all": [*SWEEP, "lexical.b=0.5"],
    "another option": [*SWEEP, "chunker=sentence"],
    "one more": ["-m", "lexical.k1=0.5,1.5,2.5", "sweep.name=mine"],
    "another order": ["-m", "lexical.k1=1.5,0.5", "sweep.name=mine"],
    "k": [*SWEEP, "k=5"],
    "cutoffs": [*SWEEP, "cutoffs=[1,10]"],
    "the objective": [*SWEEP, "objective=recall@10"],
    "the share of evidence": [*SWEEP, "evidence.share=0.5"],
    "the sweep's name": [*SWEEP[:2], "sweep.name=yours"],
    "what is kept of texts": [*SWEEP, "tracking.text=none"],
}
SAME: dict[str, list[str]] = {
    "another spelling": ["-m", "lexical.k1=5e-1,1.50", "sweep.name=mine"],
    "workers": [*SWEEP, "execute.n_jobs=2", "execute.backend=threading"],
    "memory": [*SWEEP, "execute.memory_mb=64"],
    "the store": [*SWEEP, "store=disk", "store.path=kept"],
    "a default, spelt out": [*SWEEP, "k=10", "objective=ndcg@10"],
}
EDITS: dict[str, Callable[[Path], None]] = {
    "a document": edited("docs.jsonl", "coffee", "tea"),
    "a title": edited("docs.jsonl", "Doors", "Gates"),
    "a question": edited("gold.jsonl", "how many", "what number of"),
    "a judgement": edited("gold.jsonl", '["door", "vpn"]', '["door"]'),
    "a grade": edited(
        "gold.jsonl", '"relevant": ["travel"]', '"relevant": ["travel"], "grades": {"travel": 2}'
    ),
    "the gold's version": declare_a_version,
}


def number_of_journals(command: Command) -> int:
    return len(heads(command.folder))


@pytest.mark.parametrize("what", OTHERS)
def test_another_command_is_another_sweep(command: Command, what: str) -> None:
    assert command("run", *command.small, *SWEEP).code == 0
    ran = command("run", *command.small, *OTHERS[what])
    assert (ran.code, "nothing has changed" in ran.err) == (0, False), ran.err
    assert number_of_journals(command) == 2


def test_the_same_in_other_words_is_the_same_sweep(command: Command) -> None:
    assert command("run", *command.small, *SWEEP).code == 0
    for what, words in SAME.items():
        ran = command("run", *command.small, *words)
        assert (ran.code, "nothing has changed" in ran.err) == (0, True), what
    assert number_of_journals(command) == 1


@pytest.mark.parametrize("what", EDITS)
def test_what_is_edited_is_never_taken_for_done(command: Command, what: str) -> None:
    first = command("run", *command.small, *SWEEP, "--json")
    before = {name: (command.folder / name).read_bytes() for name in ("docs.jsonl", "gold.jsonl")}
    EDITS[what](command.folder)
    second = command("run", *command.small, *SWEEP, "--json")
    assert (second.code, number_of_journals(command)) == (0, 2), second.err
    assert second.out != first.out
    for name, content in before.items():
        (command.folder / name).write_bytes(content)
    assert command("run", *command.small, *SWEEP, "--json").out == first.out
    assert number_of_journals(command) == 2


@pytest.mark.full
def test_where_it_is_tracked_changes_nothing(command: Command) -> None:
    one, _ = tracked(command, "one")
    _, two = tracked(command, "two")
    uri = f"tracking.uri=sqlite:///{two.path}/mlflow.db"
    for words in (one, [*one, uri], [*one, "tracking.experiment=x", "tracking.trec=true"], command.small):
        assert command("run", *words, *SWEEP).code == 0
    assert number_of_journals(command) == 1


def test_a_component_of_another_version_is_another_sweep(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("run", *command.small, *GRID).code == 0
    import counted_chunker  # type: ignore[import-not-found]

    monkeypatch.setattr(counted_chunker.Counted, "version", 2)
    # it remembers, since no class changes while a process runs
    monkeypatch.setattr(fingerprint, "_remembered", fingerprint._remembered.__wrapped__)
    calls(command.folder)
    assert command("run", *command.small, *GRID).code == 0
    assert sum(calls(command.folder).values()) == 3 * DOCUMENTS


def test_another_version_of_a_stage_is_another_sweep(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("run", *command.small, *SWEEP).code == 0
    monkeypatch.setattr("rag_sweep.sweep.identity.code_version", lambda: "another")
    assert command("run", *command.small, *SWEEP).code == 0
    assert number_of_journals(command) == 2


def test_without_texts_no_question_is_in_the_journal(command: Command) -> None:
    documents = (command.folder / "docs.jsonl").read_text()
    (command.folder / "docs.jsonl").write_text(documents.replace("coffee machine", "broken machine"))
    for text, there in (("full", True), ("none", False)):
        ran = command("run", *command.small, *GRID[:2], f"journal={text}", f"tracking.text={text}")
        assert ran.code == 1
        kept = [path.read_bytes() for path in (command.folder / text).rglob("*") if path.is_file()]
        for words in (b"how many days", b"broken machine", b"water on the moon"):
            assert any(words in content for content in kept) == there, (text, words)


# The bytes of the tables


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="kills by a signal of POSIX")
def test_tables_are_the_same_bytes_however_a_sweep_was_computed(command: Command) -> None:
    words, whole = tracked(command, "whole")
    assert command("run", *words, *GRID).code == 0
    expected = tables(whole)
    assert len(expected) == 6
    assert len(set(expected.values())) > 1
    shuffled = ["-m", "lexical.k1=1.5,0.5", "chunker.number=3,1,2", "chunker=counted"]
    variants = {
        "shuffled": shuffled,
        "loky": [*GRID, "execute.n_jobs=2"],
        "threading": [*shuffled, "execute.n_jobs=2", "execute.backend=threading"],
        "cold": [*GRID, "store=disk", "store.path=kept"],
        "warm": [*shuffled, "store=disk", "store.path=kept"],
        "basic": [*GRID, "hydra/launcher=basic"],
    }
    for name, grid in variants.items():
        words, store = tracked(command, name)
        assert command("run", *words, *grid, "resume=never").code == 0
        assert tables(store) == expected, name
    words, store = tracked(command, "alone")
    for number, k1 in ((1, 0.5), (3, 1.5)):
        single = ["chunker=counted", f"chunker.number={number}", f"lexical.k1={k1}"]
        assert command("run", *words, *single).code == 0
    found = tables(store)
    assert len(found) == 2
    assert found.items() <= expected.items()
    words, store = tracked(command, "resumed")
    calls(command.folder)
    process = begin(command, *words, *GRID, "journal=fresh")
    process.kill()
    process.communicate()
    go_on(command)
    assert command("run", *words, *GRID, "journal=fresh").code == 0
    assert calls(command.folder) == {3: DOCUMENTS}
    assert tables(store) == expected


def tables(store: MLflow) -> dict[str, bytes]:
    """The bytes of each configuration's table."""
    runs = client_of(store).search_runs([experiment(store)], "tags.configuration != ''")
    return {
        run.data.tags["configuration"]: (Path(run.info.artifact_uri) / "per_question.json").read_bytes()
        for run in runs
    }
