"""The critical difference of all pairs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rag_sweep.statistics.pairs import all_pairs

tables = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(2, 7)),
    elements=st.sampled_from([0.0, 0.25, 1 / 3, 0.63, 1.0]),
)


@settings(max_examples=40)
@given(values=tables)
def test_the_range_of_every_pattern_is_the_reference(values: np.ndarray) -> None:
    found = all_pairs(values)
    signs = itertools.product([1, -1], repeat=values.shape[1])
    moved = [((values - values.mean(axis=0)) * one).mean(axis=1) for one in signs]
    assert found.flips.exact
    assert found.reference == pytest.approx(sorted(np.ptp(one) for one in moved), abs=1e-9)


@given(values=tables, data=st.data())
def test_pairs_follow_the_order_of_the_configurations(values: np.ndarray, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(values))))
    plain, moved = all_pairs(values), all_pairs(values[order])
    assert moved.critical_difference == plain.critical_difference
    assert (moved.p_values(0) == plain.p_values(order[0])[order]).all()


@given(values=tables)
def test_doubles_do_not_differ(values: np.ndarray) -> None:
    found = all_pairs(np.concatenate([values, values]))
    assert [found.p_value(row, len(values) + row) for row in range(len(values))] == [1.0] * len(values)


def test_p_is_small_beyond_the_critical_difference() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(0, 0.2, (20, 50)) + np.linspace(0, 0.4, 20)[:, np.newaxis]
    found = all_pairs(values)
    for row in range(20):
        beyond = np.abs(found.mean - found.mean[row]) > found.critical_difference
        assert ((found.p_values(row) <= 0.05) == beyond).all()
        assert 0 < beyond.sum() < 20


def test_too_few_questions_tell_nobody_apart() -> None:
    assert all_pairs(np.random.default_rng(0).random((3, 4))).critical_difference == math.inf


def test_one_configuration_alone_equals_itself() -> None:
    assert all_pairs(np.random.default_rng(0).random((1, 40))).p_value(0, 0) == 1.0
