"""What is in a run, and how a sweep's runs hang together."""

from __future__ import annotations

import json
import math
from pathlib import Path

import mlflow
import pytest
from trackers import (
    DATASETS,
    SWEEP,
    TABLE,
    artifact,
    child,
    client_of,
    fresh_store,
    inputs_of,
    runs_of,
    table_of,
)

from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.records import SweepRecord


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


def test_a_sweep_is_a_run_with_a_run_below_it_for_each_configuration(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    ids = [tracker.log(child(0)), tracker.log(child(1))]
    tracker.close("FINISHED", {"best_ndcg@10": 0.6}, {"report/leaderboard.md": b"# best\n"})
    runs = runs_of(component)
    parent = runs.pop("handbook")
    assert {run.data.tags["mlflow.parentRunId"] for run in runs.values()} == {parent.info.run_id}
    assert [runs["k1=0"].info.run_id, runs["k1=1"].info.run_id] == ids
    assert parent.info.status == "FINISHED"
    assert parent.data.params == {"k": "10", "dataset": "handbook"}
    assert parent.data.metrics == {"best_ndcg_at_10": 0.6}
    note = parent.data.tags["mlflow.note.content"]
    assert note.endswith("\n\nTwo **configurations**.")
    assert f"viewStateShareKey=rag-sweep-{parent.info.run_id}" in note
    assert "open it with the **[+]** before its name" in note
    assert artifact(parent, "report/leaderboard.md") == b"# best\n"


def test_a_configuration_is_there_with_params_metrics_tags_and_files(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    tracker.log(child(3, metrics={"ndcg@10": 1 / 3, "auroc": math.nan}, trec_run="q 0 d 1 1.0 x\n"))
    tracker.close("FINISHED")
    run = runs_of(component)["k1=3"]
    assert run.info.status == "FINISHED"
    assert run.data.params == {"k": "10", "lexical.k1": "3.5", "chunker": "document"}
    assert run.data.metrics == {"ndcg_at_10": 1 / 3}
    tags = run.data.tags
    assert tags["mlflow.source.name"] == "rag-sweep"
    assert tags["sweep_id"] == "s-1"
    assert tags["configuration"] == "e" * 64
    assert json.loads(tags["mlflow.loggedArtifacts"]) == [{"path": "per_question.json", "type": "table"}]
    assert table_of(run) == {
        "columns": list(TABLE.columns),
        "data": [list(TABLE.rows[0]), [TABLE.rows[1][0], "", None, None]],
    }
    assert artifact(run, "config.yaml") == b"k: 10\n"
    assert not (Path(run.info.artifact_uri) / "run.trec").exists()


def test_mlflow_itself_reads_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    component = fresh_store(tmp_path)
    run_id = component.tracker().log_single(SWEEP, child())
    assert run_id is not None
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{component.path}/mlflow.db")
    frame = client_of(component).load_table(
        runs_of(component)["k1=0"].info.experiment_id, "per_question.json", run_ids=[run_id]
    )
    assert frame["ranking"].tolist() == [TABLE.rows[0][1], ""]


def test_the_rankings_are_a_file_where_asked(tmp_path: Path) -> None:
    component = fresh_store(tmp_path, trec=True)
    component.tracker().log_single(SWEEP, child(trec_run="q 0 d 1 1.0 x\n"))
    assert artifact(runs_of(component)["k1=0"], "run.trec") == b"q 0 d 1 1.0 x\n"


def test_data_sets_are_inputs_of_the_sweep_with_short_and_full_digest(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    tracker.log(child())
    tracker.close("FINISHED")
    runs = runs_of(component)
    assert inputs_of(runs["k1=0"]) == []
    inputs = {i.tags[0].value: i.dataset for i in inputs_of(runs["handbook"])}
    assert set(inputs) == {"corpus", "gold"}
    assert inputs["gold"].name == "handbook gold"
    assert inputs["gold"].digest == "d" * 36
    assert json.loads(inputs["gold"].source) == {"uri": "bundled", "sha256": "d" * 64}
    assert json.loads(inputs["gold"].profile or "") == {"questions": 60, "negatives": 8}


def test_one_configuration_alone_is_one_run_without_a_parent_and_with_the_data_sets(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    component.tracker().log_single(SWEEP, child())
    (run,) = runs_of(component).values()
    assert "mlflow.parentRunId" not in run.data.tags
    assert run.info.status == "FINISHED"
    assert run.data.tags["gold"] == "d" * 64
    assert run.data.metrics["ndcg_at_10"] == 0.5
    assert len(inputs_of(run)) == len(DATASETS)
    assert table_of(run)["columns"] == list(TABLE.columns)


def test_a_tracker_takes_one_sweep_after_another_and_keeps_their_failures_apart(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    tracker.log(child(failure="broken"))
    tracker.close("FINISHED")
    tracker.open(SweepRecord("s-2", "second"))
    tracker.log(child(name="again"))
    tracker.close("FINISHED")
    states = {name: run.info.status for name, run in runs_of(component).items()}
    assert states == {"handbook": "FAILED", "k1=0": "FAILED", "second": "FINISHED", "again": "FINISHED"}


def test_values_are_written_as_they_are_typed(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    params = {"a": None, "b": True, "c": False, "d": 0.1, "e": 10, "f": "", "g": "x,y='1'"}
    component.tracker().log_single(SWEEP, child(params=params))
    logged = runs_of(component)["k1=0"].data.params
    assert logged == {"a": "null", "b": "true", "c": "false", "d": "0.1", "e": "10", "f": "", "g": "x,y='1'"}


def test_a_long_value_is_whole_in_a_file_and_the_param_points_there(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    params = {"prompt": "я" * 6001, "fits": "a" * 6000}
    component.tracker().log_single(SWEEP, child(params=params))
    run = runs_of(component)["k1=0"]
    assert run.data.params["prompt"] == "6001 characters, see long_params.json"
    assert run.data.params["fits"] == "a" * 6000
    assert json.loads(artifact(run, "long_params.json")) == {"prompt": "я" * 6001}


def test_more_than_a_hundred_params_all_arrive(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    component.tracker().log_single(SWEEP, child(params={f"p.{i}": i for i in range(250)}))
    assert len(runs_of(component)["k1=0"].data.params) == 250


def test_nothing_of_the_environment_gets_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other").mkdir()
    other = fresh_store(tmp_path / "other")
    component = fresh_store(tmp_path)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")  # what the next line sets is undone
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/other/mlruns/mlflow.db")
    foreign = mlflow.start_run(run_name="foreign")
    try:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
        monkeypatch.setenv("MLFLOW_RUN_ID", foreign.info.run_id)
        monkeypatch.setenv("MLFLOW_EXPERIMENT_ID", "0")
        monkeypatch.setenv("MLFLOW_EXPERIMENT_NAME", "somewhere")
        monkeypatch.setenv("MLFLOW_ACTIVE_MODEL_ID", "m-nothing")
        tracker = MLflow(uri=f"sqlite:///{component.path}/mlflow.db").tracker()
        tracker.open(SWEEP)
        tracker.log(child())
        tracker.close("FINISHED")
        active = mlflow.active_run()
        assert active is not None
        assert active.info.run_id == foreign.info.run_id
    finally:
        mlflow.end_run()
        mlflow.set_tracking_uri(None)  # type: ignore[arg-type]
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    assert set(runs_of(component)) == {"handbook", "k1=0"}
    assert runs_of(component)["k1=0"].data.metrics["ndcg_at_10"] == 0.5
    assert [run.info.run_name for run in client_of(other).search_runs(["0"])] == ["foreign"]
    assert client_of(other).search_runs(["0"])[0].data.params == {}


def test_it_says_what_to_type_and_to_open_the_sweep(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    text = component.tracker().where()
    assert f"rag-sweep ui tracking.path={component.path}" in text
    assert "[+] before a sweep's name" in text


def test_a_password_is_not_in_what_is_to_be_typed() -> None:
    assert "secret" not in MLflow(uri="postgresql://me:secret@db/runs")._overrides()
