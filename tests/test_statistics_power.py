"""Detectable differences, and questions needed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_sweep.errors import ConfigError
from rag_sweep.statistics.differences import against_baseline
from rag_sweep.statistics.power import (
    detectable_difference,
    is_too_few,
    paired_deviation,
    power_of,
    questions_needed,
)

share = st.floats(0.06, 0.95)


@settings(max_examples=30)
@given(st.integers(2, 2000), st.floats(0.01, 2), share, st.floats(0.001, 0.04), st.integers(1, 500))
def test_the_detectable_difference_has_the_power(
    questions: int, deviation: float, power: float, alpha: float, comparisons: int
) -> None:
    options = {"alpha": alpha, "comparisons": comparisons}
    found = detectable_difference(deviation, questions, power=power, **options)
    assert power_of(found, deviation, questions, **options) == pytest.approx(power, abs=1e-4)


@given(st.floats(0.01, 0.5), st.floats(0.02, 0.6), share, st.integers(1, 500))
def test_as_many_questions_as_needed_are_enough_and_one_less_is_not(
    difference: float, deviation: float, power: float, comparisons: int
) -> None:
    found = questions_needed(difference, deviation, power=power, comparisons=comparisons)
    assert power_of(difference, deviation, found, comparisons=comparisons) >= power
    if found > 2:
        assert power_of(difference, deviation, found - 1, comparisons=comparisons) < power


def test_known_figures() -> None:
    # a paired t-test with 34 pairs finds d_z = 0.5 with power 0.8: Cohen's classic
    assert questions_needed(0.5, 1.0) == 34
    assert questions_needed(-0.5, 1.0) == 34
    assert detectable_difference(0.2, 34) == pytest.approx(0.0990, abs=5e-4)


def test_more_comparisons_need_more() -> None:
    assert detectable_difference(0.2, 100, comparisons=500) > 1.4 * detectable_difference(0.2, 100)
    assert questions_needed(0.05, 0.2, comparisons=500) > 2 * questions_needed(0.05, 0.2)


def test_without_noise_every_difference_is_found() -> None:
    assert detectable_difference(0.0, 10) == 0.0
    assert questions_needed(0.1, 0.0) == 2
    assert (power_of(0.1, 0.0, 5), power_of(0.0, 0.0, 5)) == (1.0, 0.05)


@pytest.mark.parametrize("shift", [10.0, 100.0, 1e4])
def test_a_large_difference_is_found_for_certain(shift: float) -> None:
    assert power_of(shift, 1.0, 50) == pytest.approx(1.0)


def test_a_typical_pair_is_the_median_of_all() -> None:
    values = np.random.default_rng(0).random((12, 30))
    pairs = [(values[i] - values[j]).std(ddof=1) for i in range(12) for j in range(i)]
    assert paired_deviation(values) == pytest.approx(np.median(pairs))
    beside = [(values[i] - values[4]).std(ddof=1) for i in range(12) if i != 4]
    assert paired_deviation(values, 4) == pytest.approx(np.median(beside))


def test_pairs_without_noise_are_left_out() -> None:
    values = np.random.default_rng(0).random((2, 30))
    more = values[[0, 1, 1, 1, 1, 0, 0]]
    assert paired_deviation(more) == pytest.approx((values[0] - values[1]).std(ddof=1))
    assert paired_deviation(more, 0) == pytest.approx((values[0] - values[1]).std(ddof=1))
    assert math.isnan(paired_deviation(values[[0, 0]]))
    assert math.isnan(paired_deviation(np.stack([values[0], values[0] + 0.1])))
    assert math.isnan(paired_deviation(values[[0, 0]], 1))
    assert math.isnan(paired_deviation(values[:, :1]))


def test_of_very_many_configurations_a_sample_is_enough_in_any_order() -> None:
    rng = np.random.default_rng(0)
    values = rng.random((1_700, 20))
    found = paired_deviation(values)
    assert found == pytest.approx(paired_deviation(values[:1_400]), rel=0.01)
    assert found == pytest.approx(paired_deviation(rng.permutation(values)), abs=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: detectable_difference(0.2, 1), "questions must be an int >= 2, got 1"),
        (lambda: detectable_difference(-0.2, 9), "deviation must be a finite number >= 0, got -0.2"),
        (lambda: detectable_difference(math.nan, 9), "deviation must be a finite number >= 0, got nan"),
        (lambda: detectable_difference(0.2, 9, power=80), "power must be a number between 0 and 1, got 80"),
        (lambda: detectable_difference(0.2, 9, power=0.04), "power must be larger than alpha / comparisons"),
        (lambda: detectable_difference(0.2, 9, alpha=0), "alpha must be a number between 0 and 1, got 0"),
        (lambda: detectable_difference(0.2, 9, comparisons=0), "comparisons must be an int >= 1, got 0"),
        (lambda: questions_needed(0.0, 0.2), "difference must be a finite number other than 0, got 0.0"),
        (lambda: questions_needed(1e-9, 0.2), "difference must be large enough for 10\\^9 questions"),
    ],
)
def test_what_cannot_be_is_refused(call: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        call()  # type: ignore[operator]


@pytest.mark.parametrize(("alpha", "fewest"), [(0.05, 6), (0.01, 8), (0.5, 2)])
def test_so_few_questions_can_show_nothing_that_their_rarest_pattern_of_signs_is_too_likely(
    alpha: float, fewest: int
) -> None:
    assert not is_too_few(fewest, alpha)
    assert is_too_few(fewest - 1, alpha)
    values = np.zeros((2, fewest))
    values[1] = 0.5 + np.arange(fewest) / 100  # all to one side
    assert against_baseline(values, 0, alpha=alpha).p_value[1] <= alpha
    assert against_baseline(values[:, 1:], 0, alpha=alpha).p_value[1] > alpha
