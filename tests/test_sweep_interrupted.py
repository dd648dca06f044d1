"""Interrupted or killed, a sweep says what is kept, and the same command gives what it would have given."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

import pytest
from commands import Command, ended, started
from journals import calls
from resumes import DOCUMENTS, GRID, begin, counting, experiment, go_on, heads, tracked
from trackers import client_of

from rag_sweep.tracking.mlflow import MLflow

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return counting(tmp_path, monkeypatch, capsys)


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
def test_an_interrupted_one_that_has_nothing_yet_says_no_more_than_that(command: Command) -> None:
    process = begin(command, *command.small, *GRID, closed=1)
    process.send_signal(signal.SIGINT)
    assert ended(process) == (130, "", "interrupted\n")
    go_on(command)
    assert command("run", *command.small, *GRID).code == 0
    assert sum(calls(command.folder).values()) == 3 * DOCUMENTS


@pytest.mark.full
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
@pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
def test_a_parent_that_is_killed_alone_leaves_no_worker_that_holds_the_journal(
    command: Command, backend: str
) -> None:
    workers = ["execute.n_jobs=2", f"execute.backend={backend}"]
    process = begin(command, *command.small, *GRID, *workers, closed=1)
    try:
        process.kill()
        process.wait()  # its workers may live on, with their ends of the pipes
        assert command("run", *command.small, "-m", "lexical.k1=1,2").code == 0  # their call isn't over
        (command.folder / "closed.1").rename(command.folder / "was closed")
        ran = ended(started("run", *command.small, *GRID, cwd=command.folder))
    finally:
        go_on(command)
        with contextlib.suppress(
            ProcessLookupError
        ):  # loky's wait for ever for somebody to take their results
            os.killpg(process.pid, signal.SIGKILL)
    assert ran.code == 0
    assert len([head for head in heads(command.folder) if head.configurations == 6]) == 1


# The bytes of the tables


@pytest.mark.full
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
