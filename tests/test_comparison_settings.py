"""How it is decided: what may be said."""

from __future__ import annotations

from typing import Any

import pytest

from rag_sweep.comparison.settings import Decide
from rag_sweep.errors import ConfigError


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"baseline": -1}, "decide.baseline must be an index >= 0, a name, override words, or null, got -1"),
        (
            {"baseline": True},
            "decide.baseline must be an index >= 0, a name, override words, or null, got True",
        ),
        ({"alpha": 5.0}, "decide.alpha must be a number between 0 and 1, got 5.0"),
        ({"level": 1.0}, "decide.level must be a number between 0 and 1, got 1.0"),
        ({"resamples": 99}, "decide.resamples must be an int >= 100, got 99"),
        ({"seed": -1}, "decide.seed must be an int >= 0, got -1"),
        ({"folds": 1}, "decide.folds must be an int >= 2, got 1"),
        ({"repeats": 0}, "decide.repeats must be an int >= 1, got 0"),
        ({"correction": "none"}, "decide.correction must be one of max_t, holm, got 'none'"),
        ({"groups": "tag"}, "decide.groups must be one of question, document, got 'tag'"),
        (
            {"rule": "luck"},
            "decide.rule must be one of cheapest_of_the_best, best, one_standard_error, pareto, got 'luck'",
        ),
        ({"difference": 0.0}, "decide.difference must be a number above 0, or null, got 0.0"),
        ({"difference": float("nan")}, "decide.difference must be a number above 0, or null, got nan"),
    ],
)
def test_what_cant_be_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Decide(**given)
    assert str(caught.value) == told


def test_the_edges_are_allowed() -> None:
    edges = Decide(baseline=0, alpha=0.5, folds=2, repeats=1, resamples=100, difference=1, seed=0)
    assert edges.difference == 1
    assert Decide(baseline="lexical.k1=1.2").baseline == "lexical.k1=1.2"
