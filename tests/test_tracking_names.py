"""Metric names in tables and in MLflow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlflow.utils.validation import _validate_metric_name

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.names import from_mlflow, to_mlflow

NAMES = st.text(st.characters(codec="ascii"), max_size=40) | st.from_regex(
    r"[a-z_]{1,9}(@\d{1,3})?(_at_\d)?", fullmatch=True
)


@pytest.mark.parametrize(
    ("name", "logged"),
    [
        ("ndcg@10", "ndcg_at_10"),
        ("ndcg_linear@5", "ndcg_linear_at_5"),
        ("questions", "questions"),
        ("pool_recall/fused@100", "pool_recall/fused_at_100"),
        ("look_at_me", "look_at_me"),
    ],
)
def test_a_cutoff_becomes_at_and_comes_back(name: str, logged: str) -> None:
    assert to_mlflow(name) == logged
    assert from_mlflow(logged) == name


@given(NAMES)
def test_a_name_is_refused_or_survives_both_ways_and_pleases_mlflow(name: str) -> None:
    try:
        logged = to_mlflow(name)
    except TrackingError:
        return
    assert from_mlflow(logged) == name
    _validate_metric_name(logged)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ndcg_at_10",
        "a_at_1_at_2",
        "a@1@2",
        "ndcg@",
        "ndcg@k",
        "точность",
        "a,b",
        "a" * 251,
        "../a",
        "a//b",
    ],
)
def test_a_name_that_would_be_lost_is_refused(name: str) -> None:
    with pytest.raises(TrackingError, match="a metric's name must"):
        to_mlflow(name)
