"""Every configuration against one baseline, by randomisation of all together."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rag_sweep.errors import ConfigError
from rag_sweep.statistics.differences import Differences, against_baseline

tables = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(2, 9)),
    elements=st.sampled_from([0.0, 0.25, 1 / 3, 0.63, 1.0]),
)
P = ("p_value", "p_adjusted")


def student(row: np.ndarray) -> float:
    """The angle whose tangent is |t|: finite also where nothing varies but something is there."""
    error = row.std(ddof=1) / math.sqrt(len(row))
    if error < 1e-9:
        return math.pi / 2 if abs(row.mean()) > 1e-9 else 0.0
    return math.atan(abs(row.mean()) / error)


def naive(values: np.ndarray, baseline: int) -> tuple[list[float], list[float]]:
    """Both p-values by going through all sign patterns, one t at a time."""
    rows = values - values[baseline]
    centred = rows - rows.mean(axis=1, keepdims=True)
    observed = [student(row) for row in rows]
    signs = [np.array(one) for one in itertools.product([1, -1], repeat=rows.shape[1])]
    plain = np.array([[student(row * one) for row in rows] for one in signs])
    moved = np.array([[student(row * one) for row in centred] for one in signs])
    alone = [float(np.mean(plain[:, at] > t - 1e-6)) for at, t in enumerate(observed)]
    parts = [[float(np.mean(part.max(axis=1) > t - 1e-6)) for t in observed] for part in (plain, moved)]
    return alone, np.max(parts, axis=0).tolist()


@settings(max_examples=40)
@given(
    values=arrays.arrays(
        np.float64,
        st.tuples(st.integers(1, 4), st.integers(2, 6)),
        elements=st.sampled_from([0, 0.25, 0.63, 1]),
    )
)
def test_few_questions_are_enumerated(values: np.ndarray) -> None:
    found = against_baseline(values, 0)
    alone, together = naive(values, 0)
    assert found.exact
    assert found.p_value == pytest.approx(alone)
    assert found.p_adjusted == pytest.approx(together)


def sweep(configurations: int = 30, questions: int = 60) -> np.ndarray:
    """Related configurations, a few of them better."""
    rng = np.random.default_rng(4)
    better = np.where(np.arange(configurations) % 7 == 3, 0.1, 0.0)[:, np.newaxis]
    noise = rng.normal(0, 0.15, (configurations, questions)) + rng.uniform(0.2, 0.7, questions)
    return np.clip(noise + better, 0, 1)


def test_the_better_ones_are_found() -> None:
    found = against_baseline(sweep(), 0)
    assert set(np.flatnonzero(found.p_adjusted <= 0.05)) == {3, 10, 17, 24}
    assert (found.p_adjusted >= found.p_value).all()
    assert found.p_value.min() >= 1 / 10_001


@pytest.mark.parametrize("questions", [4, 10, 60])
def test_an_interval_leaves_out_nothing_exactly_where_p_is_small(questions: int) -> None:
    found = against_baseline(sweep(60, questions), 0, alpha=0.1, resamples=2_000)
    outside = (found.lower > 0) | (found.upper < 0)
    assert (outside == (found.p_adjusted <= 0.1)).all()
    assert outside.any() == (questions > 4)


def test_the_statistics_are_those_of_the_differences() -> None:
    values = sweep()
    found = against_baseline(values, 2)
    rows = values - values[2]
    effect = np.divide(rows.mean(1), rows.std(1, ddof=1), where=np.arange(30) != 2, out=np.zeros(30))
    assert found.mean == pytest.approx(rows.mean(axis=1), abs=1e-9)
    assert found.effect == pytest.approx(effect, abs=1e-7)
    assert found.statistic == pytest.approx(effect * math.sqrt(60), abs=1e-7)
    middle = (found.lower + found.upper) / 2
    assert middle == pytest.approx(found.mean, abs=1e-8)


def test_more_configurations_need_larger_differences() -> None:
    values = sweep(200)
    assert against_baseline(values[:2], 0).critical == pytest.approx(2.0, abs=0.1)
    assert 3.2 < against_baseline(values, 0).critical < 4.0


def test_doubles_of_one_configuration_count_once() -> None:
    values = sweep(2)
    doubled = values[[0, 1, 1, 1, 1, 1]]
    assert (against_baseline(doubled, 0).p_adjusted[1:] == against_baseline(values, 0).p_adjusted[1]).all()


@given(values=tables)
def test_the_baseline_and_its_doubles_do_not_differ_from_it(values: np.ndarray) -> None:
    found = against_baseline(np.concatenate([values, values[:1]]), 0, resamples=64)
    assert found.mean[[0, -1]].tolist() == found.effect[[0, -1]].tolist() == [0.0, 0.0]
    assert found.p_value[[0, -1]].tolist() == found.p_adjusted[[0, -1]].tolist() == [1.0, 1.0]
    assert (found.lower[0], found.upper[0]) == (0.0, 0.0)
    assert found.lower[-1] < 0.0 < found.upper[-1]


@given(values=tables, data=st.data())
def test_results_follow_the_order_of_the_configurations(values: np.ndarray, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(values))))
    plain = against_baseline(values, 0, resamples=64)
    moved = against_baseline(values[order], order.index(0), resamples=64)
    for name in (*P, "mean", "effect", "lower", "upper"):
        assert (getattr(moved, name) == getattr(plain, name)[order]).all(), name


@given(values=tables, factor=st.sampled_from([0.1, 0.5, 0.9]), constant=st.sampled_from([0.0, 0.03, 0.1]))
def test_p_values_know_no_scale_and_no_zero(values: np.ndarray, factor: float, constant: float) -> None:
    plain = against_baseline(values, 0, resamples=64)
    moved = against_baseline(values * factor + constant, 0, resamples=64)
    assert all((getattr(moved, name) == getattr(plain, name)).all() for name in P)
    assert moved.mean == pytest.approx(plain.mean * factor, abs=1e-8)


@given(values=tables)
def test_a_constant_for_each_question_changes_nothing(values: np.ndarray) -> None:
    moved = values * 0.5 + np.linspace(0, 0.5, values.shape[1])
    plain = against_baseline(values, 0, resamples=64)
    assert (against_baseline(moved, 0, resamples=64).p_adjusted == plain.p_adjusted).all()


def test_thirds_that_differ_by_dust_are_ties() -> None:
    base = np.array([0, 1 / 3, 2 / 3, 0, 1 / 3, 2 / 3, 1, 0.1])
    other = np.array([1 / 3, 2 / 3, 1, 1 / 3, 2 / 3, 1 / 3, 2 / 3, 0.1 + 1e-10])
    found = against_baseline(np.stack([base, other]), 0)
    # seven equal steps, five up and two down: as far as that, or farther, go 2 * (1 + 7 + 21) of 2^7
    assert found.p_value[1] == 2 * (1 + 7 + 21) / 2**7


def test_where_everybody_beats_the_baseline_intervals_still_hold_together() -> None:
    # Flips of the differences themselves are all alike here: their critical value is that of one comparison.
    rng = np.random.default_rng(0)
    base = rng.normal(0.4, 0.02, 50)
    values = np.vstack([base, base + 0.3 + rng.normal(0, 0.02, (40, 50))])
    assert against_baseline(values, 0).critical > 3.0


@pytest.mark.parametrize("dust", [1e-16, 5e-10])
def test_dust_is_no_difference(dust: float) -> None:
    base = np.linspace(0.1, 0.8, 30)
    found = against_baseline(np.stack([base, base + dust]), 0)
    assert found.p_value.tolist() == found.p_adjusted.tolist() == [1.0, 1.0]


def constant(questions: int) -> Differences:
    question = np.linspace(0, 0.5, questions)
    return against_baseline(np.stack([question, question + 0.3]), 0)


def test_the_same_difference_everywhere_has_the_p_of_the_sign_test() -> None:
    found = constant(8)
    assert found.effect[1] == found.statistic[1] == math.inf
    assert found.p_value[1] == found.p_adjusted[1] == 2 / 2**8
    assert found.lower[1] < 0.3 < found.upper[1]
    assert constant(200).p_adjusted[1] == 1 / 10_001
    assert constant(200).lower[1] > 0.25


def test_the_same_difference_everywhere_is_bounded_for_all_comparisons_together() -> None:
    values = np.vstack([np.zeros(50), np.full(50, 0.3), np.random.default_rng(0).random((8, 50))])
    other = 1 - (0.05 / 9 / 2) ** (1 / 50)
    found = against_baseline(values, 0, resamples=200)
    assert found.lower[1] == pytest.approx(0.3 - other * 1.3)
    assert found.upper[1] == pytest.approx(0.3 + other * 0.7)


@pytest.mark.parametrize("questions", [1, 2, 4])
def test_too_few_questions_leave_everything_possible(questions: int) -> None:
    rng = np.random.default_rng(1)
    found = against_baseline(rng.random((3, questions)), 0)
    assert found.critical == math.inf
    assert (found.p_adjusted > 0.05).all()
    assert (found.lower[1:] < 0).all()
    assert (found.upper[1:] > 0).all()


def test_one_configuration_alone_is_its_own_baseline() -> None:
    found = against_baseline(np.random.default_rng(0).random((1, 30)), 0)
    assert found.p_adjusted.tolist() == [1.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": 3}, "baseline must be a row from 0 to 2, got 3"),
        ({"baseline": 0, "alpha": 5}, "alpha must be a number between 0 and 1, got 5"),
        ({"baseline": 0, "resamples": 0}, "resamples must be an int >= 1, got 0"),
        ({"baseline": 0, "bounds": (0.0, 0.5)}, "values must be from 0 to 0.5"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        against_baseline(np.ones((3, 4)), **options)  # type: ignore[arg-type]
