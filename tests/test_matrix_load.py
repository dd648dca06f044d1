"""Finding a sweep: in the journal, in MLflow, by a path; and what is said when it isn't there."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import ended, started, write_dataset
from matrices import SWEEP_ID, dataset, journal_of
from pipelines import pipeline_of, run_one
from servers import Server
from trackers import fresh_store, runs_of

import rag_sweep
from rag_sweep.errors import ConfigError, DataError, TrackingError
from rag_sweep.execute import Outcome
from rag_sweep.matrix import SweepData, load, write_matrix
from rag_sweep.matrix.load import load_sweep
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.records import ChildRecord, SweepRecord

OLDER, NEWER = "20260101-000000-aaaaaa", "20260202-000000-bbbbbb"


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return run_one(dataset(), pipeline_of())


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


def leave(
    outcome: Outcome, sweep_id: str = SWEEP_ID, done: int = 2, of: int = 2, single: bool = False
) -> Path:
    """A journal in the usual folder, as a finished or a killed process leaves it."""
    with journal_of(
        Path("mlruns/.sweeps"), [outcome] * done, configurations=of, sweep_id=sweep_id, is_sweep=not single
    ) as journal:
        return journal.folder


# In the journal


def test_the_newest_complete_sweep_is_taken(outcome: Outcome) -> None:
    leave(outcome, OLDER)
    leave(outcome, SWEEP_ID)
    leave(outcome, NEWER, done=1)
    leave(outcome, "20260303-000000-cccccc", of=1, done=1, single=True)
    found = rag_sweep.load_sweep()
    assert (found.sweep_id, found.is_complete) == (SWEEP_ID, True)
    assert load_sweep(OLDER).sweep_id == OLDER
    assert load_sweep("20260303-000000-cccccc").planned == 1


def test_its_file_is_written_once(outcome: Outcome) -> None:
    folder = leave(outcome)
    assert load_sweep().file == (folder / "matrix.npz").absolute()
    before = (folder / "matrix.npz").stat()
    assert load_sweep(folder).file.stat().st_ino == before.st_ino
    assert load_sweep(folder / "matrix.npz").sweep_id == SWEEP_ID


def test_no_tracking_store_is_made_or_asked(outcome: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9/nobody")
    leave(outcome)
    assert load_sweep(SWEEP_ID).sweep_id == SWEEP_ID
    assert [path.name for path in Path("mlruns").iterdir()] == [".sweeps"]


@pytest.mark.parametrize("content", [b"", b"cut off", None])
def test_a_file_that_is_damaged_or_of_another_time_is_written_anew(
    outcome: Outcome, content: bytes | None, tmp_path: Path
) -> None:
    folder = leave(outcome)
    if content is None:
        with journal_of(tmp_path / "other", [outcome], sweep_id=OLDER) as journal:
            write_matrix(journal, folder / "matrix.npz")
    else:
        (folder / "matrix.npz").write_bytes(content)
    found = load_sweep()
    assert (found.sweep_id, found.values.shape[0]) == (SWEEP_ID, 2)
    told = "".join(found.notes)
    assert told.startswith("its file was made anew from the journal: ") == (content is not None)
    assert load_sweep().notes == (), "it is said once"


def test_an_incomplete_sweep_is_refused_unless_it_is_asked_for(outcome: Outcome) -> None:
    folder = leave(outcome, done=2, of=5)
    for sweep in (None, SWEEP_ID, folder, str(folder)):
        with pytest.raises(DataError, match="has results of 2 of 5 configurations; partial=True gives them"):
            load_sweep(sweep)
    assert not (folder / "matrix.npz").exists()
    found = load_sweep(partial=True)
    assert (len(found.configurations), found.planned, found.is_complete) == (2, 5, False)
    with pytest.raises(DataError, match=r"partial\.npz has results of 2 of 5"):
        load_sweep(found.file)
    assert load_sweep(found.file, partial=True).planned == 5
    assert not (folder / "matrix.npz").exists(), "which stands for all results"


def test_a_sweep_without_any_result_is_never_given(outcome: Outcome) -> None:
    leave(outcome, done=0, of=5)
    with pytest.raises(DataError, match=r"has results of 0 of 5 configurations$"):
        load_sweep(partial=True)


def test_a_sweep_that_another_process_works_on_is_given_from_its_file_alone(
    outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "_LONGEST_WAIT", 0.2)
    with journal_of(Path("mlruns/.sweeps"), [outcome] * 2) as journal:
        with pytest.raises(DataError, match="is in use by another process"):
            load_sweep(SWEEP_ID)
        write_matrix(journal, journal.folder / "matrix.npz")
        assert load_sweep(SWEEP_ID).is_complete


def test_a_sweep_whose_end_was_never_told_is_incomplete_until_it_is(outcome: Outcome) -> None:
    with journal_of(Path("mlruns/.sweeps"), [outcome], batches=True) as journal:
        folder = journal.folder
    with pytest.raises(DataError, match="has results of 1 configurations, perhaps not of all; partial=True"):
        load_sweep(SWEEP_ID)
    assert load_sweep(SWEEP_ID, partial=True).planned is None
    (folder / "ended").touch()
    assert load_sweep(SWEEP_ID).planned == 1


def test_what_is_not_there_is_told_with_the_places(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no complete sweep") as told:
        load_sweep()
    assert str(tmp_path / "mlruns" / ".sweeps") in str(told.value)
    assert str(tmp_path / "mlruns" / "mlflow.db") in str(told.value)
    with pytest.raises(DataError, match=f"no sweep {NEWER}: looked in the journals in"):
        load_sweep(NEWER, journal="elsewhere")
    with pytest.raises(DataError, match=r"no sweep has the run 'a{32}'"):
        load_sweep("a" * 32)
    with pytest.raises(
        ConfigError, match=r"sweep must be the id of a sweep .* got 'nothing', which is not there"
    ):
        load_sweep("nothing")
    with pytest.raises(ConfigError, match="which is none of them"):
        load_sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"sweep": 5}, r"sweep must be the id of a sweep .* or of a journal, or None, got 5"),
        ({"sweep": b"a.npz"}, "sweep must be .* or None, got b'a.npz'"),
        ({"journal": None}, "journal must be the path of a folder, got None"),
        ({"path": 1.5}, r"path must be the path of a folder, or None, got 1\.5"),
    ],
)
def test_what_is_no_path_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        load_sweep(**given)


# In MLflow


def tracked(folder: Path, file: Path | None, sweep_id: str = SWEEP_ID) -> tuple[str, dict[str, str]]:
    """A store with one sweep that has one child; its folder, and the ids of its runs by name."""
    component = fresh_store(folder)
    tracker = component.tracker()
    tracker.open(SweepRecord(sweep_id, "small sweep", tags={"sweep_id": sweep_id}))
    tracker.log(ChildRecord(0, "k1=0", tags={"sweep_id": sweep_id}))
    tracker.close("FINISHED", {"configurations": 2.0}, {} if file is None else {"sweep.npz": file})
    return component.path, {name: run.info.run_id for name, run in runs_of(component).items()}


@pytest.fixture
def elsewhere(tmp_path: Path, outcome: Outcome) -> tuple[Path, SweepData]:
    """A sweep's file whose journal isn't where it is looked for."""
    with journal_of(tmp_path / "other", [outcome, "it broke"]) as journal:
        write_matrix(journal, tmp_path / "other" / "sweep.npz")
    return tmp_path / "other" / "sweep.npz", SweepData(tmp_path / "other" / "sweep.npz")


def test_the_file_of_the_tracked_sweep_is_taken_where_it_lies(
    tmp_path: Path, elsewhere: tuple[Path, SweepData]
) -> None:
    file, before = elsewhere
    path, runs = tracked(tmp_path, file)
    for sweep in (None, SWEEP_ID, runs["small sweep"], runs["k1=0"]):
        found = load_sweep(sweep, path=path)
        assert found.file.is_relative_to(tmp_path / "mlruns" / "artifacts")
        assert found.values.tobytes() == before.values.tobytes()
    with pytest.raises(DataError, match="experiment 'other'"):
        load_sweep(path=path, experiment="other")


def test_a_run_leads_to_the_journal_of_its_sweep(
    tmp_path: Path, outcome: Outcome, elsewhere: tuple[Path, SweepData]
) -> None:
    _, runs = tracked(tmp_path, None)
    folder = leave(outcome)
    assert load_sweep(runs["k1=0"]).file.parent == folder


def test_a_tracked_sweep_without_its_file_is_not_there(tmp_path: Path) -> None:
    path, runs = tracked(tmp_path, None)
    for sweep in (SWEEP_ID, runs["small sweep"]):
        with pytest.raises(DataError, match=f"no sweep {SWEEP_ID}"):
            load_sweep(sweep, path=path)


def test_an_incomplete_file_is_passed_over(tmp_path: Path, outcome: Outcome) -> None:
    with journal_of(tmp_path / "other", [outcome], configurations=3) as journal:
        write_matrix(journal, tmp_path / "sweep.npz")
    path, _ = tracked(tmp_path, tmp_path / "sweep.npz")
    with pytest.raises(DataError, match="has results of 1 of 3 configurations"):
        load_sweep(path=path)
    assert load_sweep(path=path, partial=True).planned == 3


def test_a_store_that_cannot_be_used_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "mlruns").mkdir()
    (tmp_path / "mlruns" / "mlflow.db").write_bytes(b"no database" * 100)
    with pytest.raises(TrackingError, match="sweeps can't be read from"):
        load_sweep(SWEEP_ID)
    with pytest.raises(TrackingError, match=r"tracking\.uri must be"):
        load_sweep(SWEEP_ID, uri="ftp://nobody")


@pytest.mark.full
def test_a_server_sends_the_file_which_goes_with_the_data(
    tmp_path: Path, elsewhere: tuple[Path, SweepData]
) -> None:
    file, before = elsewhere
    server = Server(tmp_path / "server")
    try:
        server.start()
        tracker = MLflow(uri=server.uri, experiment="served").tracker()
        tracker.open(SweepRecord(NEWER, "served", tags={"sweep_id": NEWER}))
        tracker.close("FINISHED", {"configurations": 2.0}, {"sweep.npz": file})
        found = load_sweep(uri=server.uri, experiment="served")
        assert found.values.tobytes() == before.values.tobytes()
        copy = found.file
        assert copy.is_file()
        del found
        gc.collect()
        assert not copy.exists()
    finally:
        server.kill()


# After the command


@pytest.mark.full
def test_after_a_sweep_its_data_come_from_the_journal_and_from_mlflow(tmp_path: Path) -> None:
    small = [w for w in write_dataset(tmp_path) if not w.startswith(("journal", "tracking", "store"))]
    words = ["run", *small, "-m", "lexical.k1=0.9,1.5", "chunker=document,fixed", "--json"]
    ran = ended(started(*words, cwd=tmp_path))
    assert ran.code == 0, ran.err
    board = json.loads(ran.out)
    from_journal = load_sweep()
    from_mlflow = load_sweep(journal="nowhere")
    assert from_mlflow.file.is_relative_to(tmp_path / "mlruns" / "artifacts")
    assert from_journal.file.read_bytes() == from_mlflow.file.read_bytes()
    frame = from_mlflow.frame().set_index("index")
    assert len(frame) == 4
    for row in board["configurations"]:
        assert frame["ndcg@10"][row["index"]] == row["metrics"]["ndcg@10"]
    assert not np.isnan(from_mlflow.column("recall@3")[:, :5]).any()
