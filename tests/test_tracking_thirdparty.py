"""What belongs to the whole process while MLflow is called."""

from __future__ import annotations

import logging
import os
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from trackers import SWEEP, all_runs, child, fresh_store

from rag_sweep.tracking.thirdparty import at_mlflow, calling_mlflow, retries_are_ours

NAMES = (
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES",
    "MLFLOW_HTTP_REQUEST_TIMEOUT",
)


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MLFLOW_TRACKING_URI", *NAMES):
        monkeypatch.delenv(name, raising=False)


def surroundings() -> tuple[Any, ...]:
    """All that a call of MLflow changes for the process."""
    loggers = ("mlflow", "alembic", "sqlalchemy", "urllib3")
    return (
        list(warnings.filters),
        [logging.getLogger(name).level for name in loggers],
        {name: os.environ.get(name) for name in NAMES},
    )


def test_nothing_is_left_after_a_sweep_or_one_that_broke_off(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    before = surroundings()
    tracker.open(SWEEP)
    assert surroundings() != before
    tracker.close("FINISHED")
    assert surroundings() == before
    tracker.log_single(SWEEP, child())
    assert surroundings() == before
    with pytest.raises(ValueError, match="mine"), at_mlflow():
        raise ValueError("mine")
    assert surroundings() == before


def test_sweeps_that_overlap_in_any_order_put_back_what_was_there(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    before = surroundings()
    first, second = component.tracker(), component.tracker()
    first.open(SWEEP)
    during = surroundings()
    second.open(SWEEP)
    first.close("FINISHED")
    assert surroundings() == during
    assert retries_are_ours()
    second.close("FINISHED")
    assert surroundings() == before


def test_warnings_of_those_who_compute_meanwhile_are_not_swallowed() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with at_mlflow():
            warnings.warn_explicit("theirs", UserWarning, "client.py", 1, module="mlflow.tracking.client")
            warnings.warn_explicit("an embedder's", UserWarning, "mine.py", 1, module="mlflowers")
    assert [str(warning.message) for warning in caught] == ["an embedder's"]


def test_logging_in_a_thread_changes_nothing_for_the_one_that_computes(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    before = surroundings()
    tracker = component.tracker()
    tracker.open(SWEEP)
    opened, failures = surroundings(), []

    def write() -> None:
        try:
            for index in range(30):
                tracker.log(child(index))
        except BaseException as error:
            failures.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    seen = []
    while writer.is_alive():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            time.sleep(0.001)
        seen.append(surroundings() == opened)
    writer.join()
    tracker.close("FINISHED")
    assert failures == []
    assert len(seen) > 10
    assert all(seen)
    assert surroundings() == before
    runs = all_runs(component)
    assert len(runs) == 31
    assert {run.info.status for run in runs} == {"FINISHED"}


def test_threads_that_call_at_once_put_back_what_was_there() -> None:
    before = surroundings()
    inside = []

    def call() -> None:
        for _ in range(200):
            with calling_mlflow("a test"):
                inside.append(os.environ.get("MLFLOW_HTTP_REQUEST_MAX_RETRIES"))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(inside) == {"0"}
    assert len(inside) == 800
    assert surroundings() == before


def test_a_sweep_may_be_closed_by_another_thread_than_opened_it(tmp_path: Path) -> None:
    component = fresh_store(tmp_path)
    tracker = component.tracker()
    before = surroundings()
    tracker.open(SWEEP)
    closer = threading.Thread(target=tracker.close, args=("FINISHED",))
    closer.start()
    closer.join()
    assert surroundings() == before
    assert [run.info.status for run in all_runs(component)] == ["FINISHED"]
    assert list((tmp_path / "mlruns" / "running").rglob("*.mark")) == []
