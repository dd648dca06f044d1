"""The set of the best."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rag_sweep.errors import ConfigError
from rag_sweep.statistics import best
from rag_sweep.statistics.best import set_of_best
from rag_sweep.statistics.flips import Flips

tables = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(2, 9)),
    elements=st.sampled_from([0.0, 0.25, 1 / 3, 0.63, 1.0]),
)


def naive(values: np.ndarray, alpha: float, flips: Flips) -> list[bool]:
    """For each configuration the largest studentised lead over it, under every pattern."""
    signs = np.concatenate(list(flips.blocks()))
    members = []
    for row in values:
        rows = values - row
        scale = np.sqrt((rows**2).sum(axis=1) * rows.shape[1])
        rows = np.divide(
            rows, scale[:, np.newaxis], out=np.zeros_like(rows), where=scale[:, np.newaxis] > 1e-9
        )
        reached = (signs @ rows.T).max(axis=1) >= rows.sum(axis=1).max() - 1e-6
        members.append(bool(flips.p_value(np.array(float(reached.sum()))) > alpha))
    return members


@given(values=tables, alpha=st.sampled_from([0.05, 0.3]))
def test_few_questions_are_enumerated(values: np.ndarray, alpha: float) -> None:
    found = set_of_best(values, alpha=alpha)
    assert found.exact
    assert found.member.tolist() == naive(values, alpha, Flips(values.shape[1]))


def sweep(configurations: int, questions: int, seed: int) -> np.ndarray:
    """Families of near relatives: differences within are small and steady, between them erratic."""
    rng = np.random.default_rng(seed)
    family = rng.normal(0, 0.2, (5, questions))[np.arange(configurations) % 5]
    steps = -rng.exponential(0.04, configurations)[:, np.newaxis]
    return 0.5 + family + steps + rng.normal(0, 0.05, (configurations, questions))


@pytest.mark.parametrize("seed", range(3))
def test_answers_before_the_last_pattern_are_those_of_all_patterns(seed: int) -> None:
    values = sweep(40, 50, seed)
    found = set_of_best(values, resamples=3_000, seed=seed)
    assert found.member.tolist() == naive(np.round(values, 9), 0.05, Flips(50, 3_000, seed))
    assert 1 < found.member.sum() < 40


@pytest.mark.parametrize("seed", range(3))
def test_looking_at_some_rivals_first_changes_no_answer(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    values = sweep(60, 40, seed)
    plain = set_of_best(values, resamples=2_000).member
    monkeypatch.setattr(best, "RIVALS", 4)
    monkeypatch.setattr(best, "NEAR", 100)
    assert (set_of_best(values, resamples=2_000).member == plain).all()
    assert plain.tolist() == naive(np.round(values, 9), 0.05, Flips(40, 2_000))


@pytest.mark.parametrize("rough", [1e-6, 1e9])
def test_single_precision_decides_nothing(rough: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best, "ROUGH", rough)  # the larger one computes everything twice
    values = np.random.default_rng(0).choice([0.0, 1 / 3, 0.5, 1.0], (12, 9))
    found = set_of_best(values, alpha=0.2)
    assert found.exact
    assert found.member.tolist() == naive(values, 0.2, Flips(9))


@given(values=tables)
def test_the_best_are_always_in_it(values: np.ndarray) -> None:
    found = set_of_best(values, resamples=64)
    means = values.mean(axis=1)
    assert found.best.tolist() == (means > means.max() - 1e-9).tolist()
    assert found.member[found.best].all()
    assert found.behind == pytest.approx(means.max() - means, abs=1e-9)


@given(values=tables, data=st.data())
def test_it_follows_the_order_of_the_configurations(values: np.ndarray, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(values))))
    plain, moved = set_of_best(values, resamples=64), set_of_best(values[order], resamples=64)
    assert (moved.member == plain.member[order]).all()


@given(values=tables)
def test_doubles_change_nothing(values: np.ndarray) -> None:
    doubled = set_of_best(np.concatenate([values, values]))
    assert doubled.member.tolist() == set_of_best(values).member.tolist() * 2


@given(values=tables)
def test_neither_a_constant_nor_a_factor_nor_hard_questions_change_it(values: np.ndarray) -> None:
    moved = values * 0.5 + np.linspace(0, 3, values.shape[1])
    assert (set_of_best(moved).member == set_of_best(values).member).all()


def test_a_steady_small_lag_is_seen_beside_erratic_strangers() -> None:
    rng = np.random.default_rng(0)
    best = rng.uniform(0.4, 0.8, 100)
    values = np.stack([best, best - 0.02 + rng.normal(0, 0.01, 100), rng.permutation(best) + 0.02])
    assert set_of_best(values).member.tolist() == [True, False, True]


def test_equal_ones_mostly_stay() -> None:
    tables = np.random.default_rng(0).random((20, 30, 40))
    assert np.mean([set_of_best(values, resamples=500).member for values in tables]) > 0.9


def test_a_clear_winner_is_alone() -> None:
    values = np.random.default_rng(0).uniform(0, 0.2, (300, 40))
    values[7] += 0.7
    assert np.flatnonzero(set_of_best(values).member).tolist() == [7]


def test_a_level_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="alpha must be a number between 0 and 1, got 95"):
        set_of_best(np.ones((2, 2)), alpha=95)
