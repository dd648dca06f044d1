"""The value of a choice on questions that it was not made by."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.special import stdtrit

from rag_sweep.errors import ConfigError
from rag_sweep.statistics.folds import held_out
from rag_sweep.statistics.intervals import resample_counts
from rag_sweep.statistics.nested import nested_value

tables = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(2, 9)),
    elements=st.sampled_from([0.0, 0.25, 1 / 3, 0.63, 1.0]),
)


def naive(values: np.ndarray, held: np.ndarray, repeats: int) -> tuple[np.ndarray, np.ndarray]:
    """Value on each question, and how often each configuration is chosen, fold by fold."""
    by_question = np.zeros(values.shape[1])
    chosen = np.zeros(len(values))
    for fold in held.T.astype(bool):
        means = [math.fsum(row[~fold]) / (~fold).sum() for row in values]
        best = [at for at, mean in enumerate(means) if mean > max(means) - 1e-9]
        by_question[fold] += values[best][:, fold].mean(axis=0) / repeats
        chosen[best] += 1 / len(best) / held.shape[1]
    return by_question, chosen


@settings(max_examples=50)
@given(values=tables, seed=st.integers(0, 9))
def test_each_fold_measures_what_the_others_choose(values: np.ndarray, seed: int) -> None:
    found = nested_value(values, repeats=3, folds=2, resamples=20, seed=seed)
    by_question, chosen = naive(values, held_out(values.shape[1], 3, 2, seed), 3)
    assert found.by_question == pytest.approx(by_question, abs=1e-8)
    assert found.chosen == pytest.approx(chosen, abs=1e-8)
    assert found.value == pytest.approx(by_question.mean(), abs=1e-8)
    assert found.naive == pytest.approx(values.mean(axis=1).max(), abs=1e-8)
    assert found.optimism == pytest.approx(found.naive - found.value, abs=1e-8)


@settings(max_examples=50)
@given(values=tables, data=st.data())
def test_the_order_of_the_configurations_has_no_effect(values: np.ndarray, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(values))))
    plain, moved = (nested_value(one, repeats=5, folds=2, resamples=20) for one in (values, values[order]))
    assert (moved.value, moved.lower, moved.upper) == (plain.value, plain.lower, plain.upper)
    assert (moved.chosen == plain.chosen[order]).all()


@given(values=tables)
def test_doubles_change_nothing(values: np.ndarray) -> None:
    plain, doubled = (
        nested_value(one, repeats=5, folds=2, resamples=20) for one in (values, np.tile(values, (3, 1)))
    )
    assert doubled.value == pytest.approx(plain.value, abs=1e-8)


@given(values=tables)
def test_a_constant_and_a_factor_go_through(values: np.ndarray) -> None:
    plain, moved = (
        nested_value(one, repeats=5, folds=2, resamples=20) for one in (values, values * 0.5 + 0.2)
    )
    assert moved.value == pytest.approx(plain.value * 0.5 + 0.2, abs=1e-8)


@given(values=tables)
def test_the_interval_holds_the_value_and_has_a_width(values: np.ndarray) -> None:
    found = nested_value(values, repeats=2, folds=2, resamples=50)
    assert 0.0 <= found.lower <= found.value <= found.upper <= 1.0
    assert found.lower < found.upper


def test_a_choice_by_chance_is_worth_less_than_it_looks() -> None:
    tables = np.random.default_rng(1).integers(0, 2, (20, 200, 40)).astype(float)
    found = [nested_value(values, repeats=5) for values in tables]
    assert np.mean([one.value for one in found]) == pytest.approx(0.5, abs=0.03)
    assert np.mean([one.naive for one in found]) > 0.7
    assert found[0].chosen.sum() == pytest.approx(1.0, abs=1e-6)


def test_a_clear_winner_is_always_chosen_and_worth_what_it_shows() -> None:
    values = np.random.default_rng(1).uniform(0, 0.4, (20, 40))
    values[3] += 0.5
    found = nested_value(values)
    assert found.chosen[3] == 1.0
    assert found.optimism == pytest.approx(0.0, abs=1e-8)


def test_the_interval_is_that_of_resampled_groups_that_are_dealt_and_chosen_by_anew() -> None:
    values = np.random.default_rng(3).random((6, 20))
    groups = [at // 2 for at in range(20)]
    found = nested_value(values, folds=3, groups=groups, resamples=40, seed=5)
    counts = resample_counts(10, 40, 5)[groups]
    held = held_out(20, 80, 3, 6, groups).astype(bool).reshape(20, 40, 6)
    drawn = []
    for resample in range(40):
        count, total = counts[:, resample], 0.0
        for fold in held[:, resample].T:
            best = int(((values * count)[:, ~fold].sum(axis=1)).argmax())
            total += float((values[best] * count)[fold].sum())
        drawn.append(total / 2 / 20)
    half = float(stdtrit(9, 0.975)) * float(np.std(drawn, ddof=1))
    assert found.lower == pytest.approx(found.value - half)
    assert found.upper == pytest.approx(found.value + half)


def test_equal_but_for_dust_is_chosen_in_equal_parts() -> None:
    base = np.linspace(0.2, 0.7, 20)
    found = nested_value(np.stack([base, base + 5e-10, base - 0.1]), resamples=10)
    assert found.chosen.tolist() == [0.5, 0.5, 0.0]


def test_repeated_questions_tell_nothing_of_each_other() -> None:
    values = np.random.default_rng(1).integers(0, 2, (200, 40)).astype(float)
    twice, groups = np.tile(values, 2), [*range(40), *range(40)]
    leaking, kept = nested_value(twice), nested_value(twice, groups=groups)
    assert leaking.value > 0.6
    assert kept.value == pytest.approx(nested_value(values).value, abs=0.03)
    assert kept.upper - kept.lower > 1.2 * (leaking.upper - leaking.lower)


def test_a_rule_may_choose_otherwise() -> None:
    values = np.array([[0.9, 0.8, 0.9, 0.9], [0.89, 0.8, 0.88, 0.9], [0.1, 0.2, 0.1, 0.2]])
    cost = np.array([[5.0], [1.0], [0.1]])

    def cheapest(means: np.ndarray) -> np.ndarray:
        good = means >= means.max(axis=0) - 0.05
        priced = np.where(good, cost, np.inf)
        return (priced == priced.min(axis=0)).astype(float)

    found = nested_value(values, folds=2, rule=cheapest)
    assert found.chosen.tolist() == [0.0, 1.0, 0.0]
    assert found.value == found.naive == pytest.approx(values[1].mean())


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda means: means[:1], "rule must be weights of shape \\(3, 20\\), got \\(1, 20\\)"),
        (lambda means: np.ones_like(means), "rule must be weights >= 0 with the sum 1 for each choice"),
    ],
)
def test_a_rule_that_does_not_choose_is_refused(rule: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        nested_value(np.ones((3, 9)), repeats=10, folds=2, rule=rule)  # type: ignore[arg-type]


def test_the_same_value_everywhere_has_the_bounded_interval() -> None:
    found = nested_value(np.ones((3, 20)))
    assert (found.value, found.upper) == (1.0, 1.0)
    assert found.lower == pytest.approx(0.025 ** (1 / 20))
