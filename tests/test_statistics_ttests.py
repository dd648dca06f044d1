"""Paired t-tests with Holm's correction."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.statistics.ttests import holm, paired_t


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_steps_down(p_values: list[float]) -> None:
    found = holm(np.array(p_values))
    raised = 0.0
    for rank, at in enumerate(np.argsort(p_values, kind="stable")):
        raised = max(raised, min((len(p_values) - rank) * p_values[at], 1.0))
        assert found[at] == pytest.approx(raised)


def test_the_baseline_is_no_comparison() -> None:
    values = np.random.default_rng(0).random((2, 30))
    found = paired_t(values, 1)
    assert found.p_adjusted[0] == found.p_value[0]
    assert found.p_adjusted[1] == found.p_value[1] == 1.0
    assert (found.lower[1], found.upper[1]) == (0.0, 0.0)
    assert (found.method, found.patterns, found.exact) == ("holm", 0, False)


def test_the_same_difference_everywhere_has_the_p_of_the_sign_test() -> None:
    question = np.linspace(0, 0.5, 6)
    found = paired_t(np.stack([question, question, question + 0.3, question - 0.0]), 0)
    assert found.p_value.tolist() == [1.0, 1.0, 2 / 2**6, 1.0]
    assert found.statistic[2] == math.inf


def test_intervals_are_wide_enough_for_all_comparisons() -> None:
    values = np.random.default_rng(0).random((20, 40))
    two, all_ = paired_t(values[:2], 0), paired_t(values, 0)
    assert all_.critical > two.critical == pytest.approx(2.0227, abs=1e-4)
    assert all_.upper[1] > two.upper[1] > two.mean[1]


def test_one_question_says_nothing() -> None:
    found = paired_t(np.array([[0.1], [0.9]]), 0)
    assert found.p_adjusted.tolist() == [1.0, 1.0]
    assert found.lower[1] < 0 < found.upper[1]
