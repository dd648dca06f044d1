"""`rag-sweep sync`: what is kept goes to MLflow, once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import HERE, Command, Ran
from journals import calls, write_counted
from trackers import client_of, fresh_store

from rag_sweep.journal.journal import Journal
from rag_sweep.journal.shelf import Shelf
from rag_sweep.tracking.mlflow import MLflow

GRID = ["-m", "chunker=counted", "chunker.number=1,2", "lexical.k1=0.5,1.5"]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The small dataset with a journal and without tracking."""
    command = Command(tmp_path, monkeypatch, capsys)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    command.small = [*(o for o in command.small if o != "journal=null"), *write_counted(tmp_path)]
    return command


def store_in(command: Command, name: str = "store") -> tuple[MLflow, str]:
    """An empty store, and the override that names it."""
    (command.folder / name).mkdir()
    store = fresh_store(command.folder / name)
    return store, f"tracking.path={store.path}"


def with_tracking(command: Command) -> list[str]:
    return [*(o for o in command.small if o != "tracking=none"), HERE]


def reports(ran: Ran) -> list[dict[str, Any]]:
    found = json.loads(ran.out)
    assert isinstance(found, list)
    return found


def runs_in(store: MLflow) -> list[tuple[str, str]]:
    """State and configuration of every run, a sweep's own first."""
    client = client_of(store)
    experiment = client.get_experiment_by_name(store.experiment)
    if experiment is None:
        return []
    runs = client.search_runs([experiment.experiment_id])
    return sorted((run.data.tags.get("index", ""), run.info.status) for run in runs)


def ids(command: Command) -> list[str]:
    return [folder.name.partition(".")[2] for folder in Shelf(command.folder / "mlruns" / ".sweeps").all()]


WHOLE = [("", "FINISHED"), *((str(at), "FINISHED") for at in range(4))]


def test_a_sweep_goes_into_an_empty_store_and_only_once(command: Command) -> None:
    store, place = store_in(command)
    assert command("run", *command.small, *GRID).code == 0
    (mine,) = ids(command)
    calls(command.folder)
    for name in ("docs.jsonl", "gold.jsonl", "counted_chunker.py"):  # nothing but the journal is needed
        (command.folder / name).unlink()
    for sent in (4, 0):
        ran = command("sync", mine, place, "--json")
        assert ran.code == 0, ran.err
        (report,) = reports(ran)
        assert report["sweep_id"] == mine
        assert (report["kept"], report["configurations"], report["sent"], report["reason"]) == (
            4,
            4,
            sent,
            None,
        )
        assert runs_in(store) == WHOLE
    assert not calls(command.folder)


def test_what_is_missing_alone_is_sent(command: Command) -> None:
    store, place = store_in(command)
    assert command("run", *with_tracking(command), place, *GRID).code == 0
    assert runs_in(store) == WHOLE
    client = client_of(store)
    experiment = client.get_experiment_by_name(store.experiment)
    assert experiment is not None
    (lost,) = client.search_runs([experiment.experiment_id], "tags.index = '2'")
    client.delete_run(lost.info.run_id)
    ran = command("sync")
    assert ran.code == 0, ran.err
    assert ran.out.endswith("4 of 4 results kept, 1 sent now\n")
    assert runs_in(store) == WHOLE


def test_a_single_run_is_sent_once_too(command: Command) -> None:
    store, place = store_in(command)
    assert command("run", *command.small, "chunker=counted").code == 0
    for sent in (1, 0):
        ran = command("sync", *ids(command), place, "--json")
        assert ran.code == 0, ran.err
        (report,) = reports(ran)
        assert (report["kept"], report["configurations"], report["sent"]) == (1, 1, sent)
        assert runs_in(store) == [("0", "FINISHED")]


def test_without_an_id_only_what_was_to_be_tracked_goes(command: Command) -> None:
    store, place = store_in(command)
    assert command("run", *command.small, *GRID).code == 0
    ran = command("sync", place)
    assert (ran.code, ran.out, ran.err) == (0, "Nothing is kept that was to be tracked.\n", "")
    assert runs_in(store) == []


def test_where_a_sweep_was_to_be_tracked_is_remembered_and_an_override_wins(command: Command) -> None:
    one, place = store_in(command, "one")
    two, other = store_in(command, "two")
    assert command("run", *with_tracking(command), place, "tracking.experiment=mine", *GRID).code == 0
    ran = command("sync", "--json")
    assert [report["sent"] for report in reports(ran)] == [0]
    assert [report["sent"] for report in reports(command("sync", other, "--json"))] == [4]
    mine = MLflow(path=two.path, experiment="mine")
    assert runs_in(mine) == WHOLE
    assert runs_in(MLflow(path=one.path, experiment="mine")) == WHOLE


def test_a_sweep_that_was_interrupted_is_sent_as_far_as_it_is_and_is_no_success(command: Command) -> None:
    store, place = store_in(command)
    assert command("run", *command.small, *GRID).code == 0
    (folder,) = Shelf(command.folder / "mlruns" / ".sweeps").all()
    lines = (folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "results.jsonl").write_bytes(b"".join(lines[:3]))
    ran = command("sync", *ids(command), place, "--json")
    assert ran.code == 0, ran.err
    assert [report["kept"] for report in reports(ran)] == [3]
    assert runs_in(store) == [("", "KILLED"), *WHOLE[1:4]]
    assert command("run", *with_tracking(command), place, *GRID).code == 0
    assert runs_in(store) == WHOLE


def test_one_of_several_is_sent_by_its_id(command: Command) -> None:
    store, place = store_in(command)
    assert command("run", *command.small, *GRID).code == 0
    assert command("run", *command.small, *GRID, "resume=never").code == 0
    first, second = ids(command)
    assert [report["sweep_id"] for report in reports(command("sync", second, place, "--json"))] == [second]
    assert runs_in(store) == WHOLE
    ran = command("sync", first, second, place, "--json")
    assert {report["sweep_id"]: report["sent"] for report in reports(ran)} == {first: 4, second: 0}


def test_an_unknown_id_is_an_error_that_names_the_newest(command: Command) -> None:
    assert command("run", *command.small, "lexical.k1=1").code == 0
    ran = command("sync", "20200101-000000-abcdef")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("rag-sweep: no sweep 20200101-000000-abcdef is kept in ")
    assert ran.err.endswith(f"the newest are: {ids(command)[0]}\n")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["journal=null"], "journal must be a folder: nothing is kept otherwise"),
        (["journal=nowhere"], "nothing is kept here: there is no 'nowhere'"),
        ([], "nothing is kept here: there is no 'mlruns/.sweeps'"),
        (["journal=docs.jsonl"], "nothing is kept here: there is no 'docs.jsonl'"),
        (["no.such=key"], ""),
    ],
)
def test_what_cannot_be_is_a_usage_error(command: Command, words: list[str], reason: str) -> None:
    ran = command("sync", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"rag-sweep: {reason}")
    assert "Traceback" not in ran.err


def test_a_sweep_that_somebody_works_on_is_told_and_left_alone(command: Command) -> None:
    _, place = store_in(command)
    assert command("run", *with_tracking(command), place, *GRID).code == 0
    assert command("run", *with_tracking(command), place, *GRID, "resume=never").code == 0
    busy, free = ids(command)
    journal = Journal.open(next(Shelf(command.folder / "mlruns" / ".sweeps").path.glob(f"*{busy}")))
    assert journal is not None
    ran = command("sync", "--json")
    journal.close()
    assert ran.code == 1
    assert ran.err == f"rag-sweep: {busy}: it is being worked on\n"
    assert {one["sweep_id"]: one["reason"] for one in reports(ran)} == {
        busy: "it is being worked on",
        free: None,
    }


def test_a_damaged_result_is_told_and_the_others_are_sent(command: Command) -> None:
    store, place = store_in(command)
    assert command("run", *command.small, *GRID).code == 0
    (folder,) = Shelf(command.folder / "mlruns" / ".sweeps").all()
    pack = sorted((folder / "packs").iterdir())[0]
    pack.write_bytes(pack.read_bytes()[:-1])
    ran = command("sync", *ids(command), place, "--json")
    (report,) = reports(ran)
    assert report["kept"] == report["sent"] == 2
    assert len(runs_in(store)) == 3
    assert runs_in(store)[0] == ("", "KILLED")


def test_failed_configurations_are_sent_as_failed(command: Command) -> None:
    store, place = store_in(command)
    documents = (command.folder / "docs.jsonl").read_text()
    (command.folder / "docs.jsonl").write_text(documents.replace("coffee machine", "broken machine"))
    assert command("run", *command.small, *GRID, "chunker=counted,document").code == 1
    ran = command("sync", *ids(command), place)
    assert ran.code == 0, ran.err
    states = sorted(state for index, state in runs_in(store) if index)
    assert states == ["FAILED"] * 4 + ["FINISHED"] * 2
    assert runs_in(store)[0] == ("", "FAILED")


def test_without_texts_none_is_sent(command: Command) -> None:
    store, place = store_in(command)
    assert command("run", *command.small, *GRID, "tracking.text=none").code == 0
    assert command("sync", *ids(command), place, "tracking.text=full").code == 0
    tables = list(Path(store.path).rglob("per_question.json"))
    assert len(tables) == 4
    assert not any("paid leave" in table.read_text() for table in tables)
