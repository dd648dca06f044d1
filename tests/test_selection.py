"""What "the best of this sweep" is worth on questions that it was not chosen by."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rag_sweep.selection import split_half_value

tables = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(2, 9)),
    elements=st.sampled_from([0.0, 0.25, 1 / 3, 0.63, 1.0]),
)


def naive(values: np.ndarray, repeats: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    measured = []
    for _ in range(repeats):
        order = rng.permutation(values.shape[1])
        halves = order[: len(order) // 2], order[len(order) // 2 :]
        for mine, other in (halves, halves[::-1]):
            means = [math.fsum(row[mine]) / len(mine) for row in values]
            best = [at for at, mean in enumerate(means) if mean > max(means) - 1e-9]
            measured.append(np.mean([values[at, other].mean() for at in best]))
    return float(np.mean(measured))


@settings(deadline=None)
@given(values=tables, seed=st.integers(0, 9))
def test_each_half_chooses_and_the_other_measures(values: np.ndarray, seed: int) -> None:
    found = split_half_value(values, repeats=20, seed=seed)
    assert found == pytest.approx(naive(values, 20, seed), abs=1e-8)


@settings(deadline=None)
@given(values=tables, data=st.data())
def test_the_order_of_the_configurations_has_no_effect(values: np.ndarray, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(values))))
    assert split_half_value(values[order], 20) == split_half_value(values, 20)


def test_a_tie_on_the_half_that_chooses_is_worth_the_mean_of_both() -> None:
    # On either question two are equally good; on the other one they are worth 0 and 1.
    assert split_half_value(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])) == 0.5


def test_one_configuration_alone_is_worth_its_mean() -> None:
    values = np.array([[0.0, 1.0, 0.5, 0.5]])
    assert split_half_value(values) == pytest.approx(0.5)


def test_a_choice_by_chance_is_worth_less_than_it_looks() -> None:
    chance = np.random.default_rng(1).integers(0, 2, (200, 40)).astype(float)
    honest = split_half_value(chance)
    assert honest < chance.mean(axis=1).max() - 0.1
    assert honest == pytest.approx(0.5, abs=0.05)


def test_a_configuration_that_is_better_everywhere_is_worth_what_it_shows() -> None:
    values = np.stack([np.full(30, 0.9), np.full(30, 0.2)])
    assert split_half_value(values) == 0.9


@pytest.mark.parametrize("questions", [0, 1])
def test_fewer_than_two_questions_have_no_halves(questions: int) -> None:
    assert math.isnan(split_half_value(np.ones((3, questions))))
