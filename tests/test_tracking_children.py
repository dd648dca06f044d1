"""How many configurations get a run."""

from __future__ import annotations

from typing import Any

import pytest

from rag_sweep.errors import ConfigError
from rag_sweep.tracking.children import Children
from rag_sweep.tracking.mlflow import MLflow


@pytest.mark.parametrize(
    ("text", "configurations", "logged"),
    [
        ("auto", 1, None),
        ("auto", 2_000, None),
        ("auto", 2_001, 100),
        ("all", 2_001, None),
        ("all", 1_000_000, None),
        ("best:1", 2, 1),
        ("best:100", 100, None),
        ("best:100", 101, 100),
        ("best:007", 8, 7),
        ("none", 1, 0),
        ("none", 10_000, 0),
    ],
)
def test_a_choice_and_a_number_of_configurations_say_how_many_are_logged(
    text: str, configurations: int, logged: int | None
) -> None:
    assert Children.parse(text).limit(configurations) == logged


@pytest.mark.parametrize(
    "text", ["", "best", "best:", "best:0", "best:-1", "best:1.5", "best: 3", "ALL", 5, None]
)
def test_any_other_text_is_refused(text: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        MLflow(children=text)
    assert str(caught.value) == (
        f"tracking.children must be auto, all, none or best:N with N >= 1, got {text!r}"
    )


def test_choices_are_values() -> None:
    assert Children.parse("best:5") == Children.parse("best:5") == Children(5)
    assert len({Children.parse("all"), Children.parse("all"), Children.parse("none")}) == 2
