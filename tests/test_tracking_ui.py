"""The command and the address of the MLflow UI, and a sweep's layout there."""

from __future__ import annotations

import base64
import json
import socket
import subprocess
import sys
import time
import urllib.request
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from servers import own_port, serving, wait_for, with_own_artifacts
from trackers import SWEEP, TABLE, child, client_of, fresh_store, runs_of

from rag_sweep.errors import ConfigError, TrackingError
from rag_sweep.tracking.artifacts import table_json
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.records import ChildRecord
from rag_sweep.tracking.ui import ui_command

PLAIN = "#/experiments/1/runs?workflowType=machine_learning"


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


def log_sweep(component: MLflow, *children: ChildRecord) -> str:
    """Log a sweep; the id of its run."""
    tracker = component.tracker()
    tracker.open(SWEEP)
    for each in children:
        tracker.log(each)
    tracker.close("FINISHED")
    return str(runs_of(component)["handbook"].info.run_id)


def layout(component: MLflow, parent_id: str) -> dict[str, Any]:
    """The layout of a sweep's page, read as the UI reads it."""
    experiment = client_of(component).get_experiment("1")
    envelope = json.loads(experiment.tags[f"mlflow.sharedViewState.rag-sweep-{parent_id}"])
    assert isinstance(envelope["name"], str)
    assert isinstance(envelope["createdAt"], int)
    mode, packed = envelope["state"].split(";")
    assert mode == "deflate"
    state: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed)))
    return state


def test_the_command_starts_a_server_on_the_store_for_this_machine_alone(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    component.tracker()
    command = ui_command(component)
    assert command.argv[:4] == (sys.executable, "-m", "mlflow", "server")
    port = command.argv[command.argv.index("--port") + 1]
    assert command.argv[command.argv.index("--host") + 1] == "127.0.0.1"
    assert command.env["MLFLOW_BACKEND_STORE_URI"] == f"sqlite:///{tmp_path}/mlruns/mlflow.db"
    assert command.env["MLFLOW_DEFAULT_ARTIFACT_ROOT"] == f"{tmp_path}/mlruns/artifacts"
    assert command.url == f"http://127.0.0.1:{port}/{PLAIN}"


def test_the_address_shows_the_last_sweep_in_its_layout_and_a_single_run_in_the_plain_table(
    tmp_path: Path,
) -> None:
    component = fresh_store(tmp_path)
    parent = log_sweep(component, child(0), child(1))
    assert ui_command(component).url.endswith(f"/{PLAIN}&viewStateShareKey=rag-sweep-{parent}")
    time.sleep(0.01)  # runs are ordered by milliseconds
    component.tracker().log_single(SWEEP, child(2))
    assert ui_command(component).url.endswith(f"/{PLAIN}")


def test_a_port_in_use_is_refused_and_by_default_another_one_is_found(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    component.tracker()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"port must be free, but {port} is in use"):
            ui_command(component, port)
    assert ui_command(component, port).argv[-3] == str(port)
    with pytest.raises(ConfigError, match="port must be an int from 1 to 65535, got 0"):
        ui_command(component, 0)


def test_without_a_store_or_an_experiment_it_says_so_and_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(
        TrackingError, match=r"nothing is tracked yet in .*mlflow\.db: start with rag-sweep run"
    ):
        ui_command(MLflow(path=str(tmp_path / "none")))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(TrackingError, match="there is no experiment 'rag-sweep'"):
        ui_command(fresh_store(tmp_path))


def test_a_layout_lists_the_configurations_alone_best_first_with_what_differs(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    fixed = {"k": 10, "lexical.k1": 1.5, "chunker": "fixed", "chunker.overlap": 0}
    small, large = (child(at, params={**fixed, "chunker.size": 80 * at}) for at in (1, 3))
    parent = log_sweep(component, child(0), small, large, child(2, metrics={}, table=None, failure="broken"))
    state = layout(component, parent)
    assert state["searchFilter"] == f"tags.mlflow.parentRunId = '{parent}'"
    found = client_of(component).search_runs(
        ["1"], state["searchFilter"], order_by=[f"{state['orderByKey']} DESC"]
    )
    assert [run.info.run_name for run in found] == ["k1=3", "k1=1", "k1=0", "k1=2"]
    assert state["orderByAsc"] is False
    assert state["selectedColumns"] == [
        "metrics.`ndcg_at_10`",
        "params.`chunker`",
        "params.`chunker.size`",
        "params.`lexical.k1`",
        "metrics.`recall_at_10`",
    ]


def test_its_charts_show_params_that_all_have_and_measures_but_no_counts(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    fixed = {"lexical.k1": 1.5, "chunker": "fixed"}
    small, large = (child(at, params={**fixed, "chunker.size": 80 * at}) for at in (1, 2))
    charts = layout(component, log_sweep(component, child(0), small, large))["compareRunCharts"]
    assert charts[0]["type"] == "PARALLEL"
    assert charts[0]["selectedParams"] == ["chunker", "lexical.k1"]
    assert charts[0]["selectedMetrics"] == ["ndcg_at_10"]
    hidden = {chart["metricKey"]: chart["deleted"] for chart in charts[1:]}
    assert hidden == {"ndcg_at_10": False, "recall_at_10": False, "questions": True}
    assert len({chart["uuid"] for chart in charts}) == len(charts)


def test_a_sweep_that_still_runs_has_its_layout_already(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    tracker.open(SWEEP)
    parent = runs_of(component)["handbook"].info.run_id
    assert layout(component, parent)["orderByKey"] == "metrics.`ndcg_at_10`"
    assert f"viewStateShareKey=rag-sweep-{parent}" in ui_command(component).url
    tracker.close("KILLED")


def test_only_the_last_twenty_layouts_are_kept_and_other_peoples_views_stay(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    client = client_of(component)
    client.set_experiment_tag("1", "mlflow.sharedViewState.abc", "mine")
    for at in range(22):
        tracker.open(replace(SWEEP, name=f"sweep {at}"))
        tracker.close("FINISHED")
        time.sleep(0.002)
    tags = client.get_experiment("1").tags
    kept = {json.loads(value)["name"] for key, value in tags.items() if "rag-sweep-" in key}
    assert kept == {f"sweep {at}" for at in range(2, 22)}
    assert tags["mlflow.sharedViewState.abc"] == "mine"


@pytest.mark.full
def test_a_server_takes_a_whole_sweep_in_silence_and_shows_the_table(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = fresh_store(tmp_path)
    store.tracker()
    command = with_own_artifacts(ui_command(store, own_port()), tmp_path / "served")
    with serving(command) as address:
        component = MLflow(uri=address, experiment="over http", trec=True)
        tracker = component.tracker()
        tracker.open(SWEEP)
        run_id = tracker.log(child(trec_run="q 0 d 1 1.0 x\n"))
        tracker.close("FINISHED", {"best_ndcg@10": 0.5}, {"pages/leaderboard.md": b"#"})
        assert capfd.readouterr() == ("", "")
        runs = runs_of(component)
        assert {run.info.status for run in runs.values()} == {"FINISHED"}
        assert tracker.where().split("\n")[1].strip() == ui_command(component).url
        assert ui_command(component).argv == ()
        shown = f"{address}/get-artifact?path=per_question.json&run_uuid={run_id}"
        with urllib.request.urlopen(shown, timeout=10) as answer:
            assert answer.read() == table_json(TABLE)
    served = {path.name for path in (tmp_path / "served").rglob("*") if path.is_file()}
    assert served == {"per_question.json", "config.yaml", "run.trec", "leaderboard.md"}


@pytest.mark.full
def test_a_server_of_another_kind_is_one_error(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    argv = (
        sys.executable,
        "-m",
        "http.server",
        str(port),
        "--bind",
        "127.0.0.1",
        "--directory",
        str(tmp_path),
    )
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}", process)
        with pytest.raises(TrackingError, match=f"MLflow can't be used at http://127.0.0.1:{port}: "):
            MLflow(uri=f"http://127.0.0.1:{port}").tracker()
    finally:
        process.terminate()
        process.wait(10)
