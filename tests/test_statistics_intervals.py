"""Bootstrap intervals over questions, and the bound that stands where the bootstrap has nothing to say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rag_sweep.errors import ConfigError
from rag_sweep.statistics.intervals import (
    bootstrap_differences,
    bootstrap_means,
    resample_counts,
    same_everywhere,
)

tables = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(2, 9)),
    elements=st.sampled_from([0.0, 0.25, 1 / 3, 0.63, 1.0]),
)


@given(values=tables)
def test_an_interval_holds_its_estimate_within_the_bounds_and_has_a_width(values: np.ndarray) -> None:
    found = bootstrap_means(values, resamples=200)
    assert found.estimate == pytest.approx(values.mean(axis=1), abs=1e-9)
    assert ((found.lower >= 0) & (found.upper <= 1)).all()
    assert (found.lower < found.upper).all()
    assert (found.lower <= found.estimate).all()
    assert (found.estimate <= found.upper).all()


@settings(max_examples=30)
@given(values=tables, data=st.data())
def test_intervals_follow_the_order_of_the_configurations(values: np.ndarray, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(values))))
    plain, moved = bootstrap_means(values, resamples=200), bootstrap_means(values[order], resamples=200)
    assert (moved.lower == plain.lower[order]).all()
    assert (moved.upper == plain.upper[order]).all()


def test_an_interval_moves_and_stretches_with_its_values() -> None:
    values = np.random.default_rng(0).random((4, 40)) / 4
    plain, moved = bootstrap_means(values), bootstrap_means(0.3 + 2 * values)
    assert moved.lower == pytest.approx(0.3 + 2 * plain.lower, abs=1e-8)
    assert moved.upper == pytest.approx(0.3 + 2 * plain.upper, abs=1e-8)


def test_a_wider_level_has_a_wider_interval() -> None:
    values = np.random.default_rng(0).random((1, 40))
    narrow, wide = bootstrap_means(values, level=0.8), bootstrap_means(values, level=0.99)
    assert wide.lower < narrow.lower < narrow.upper < wide.upper


def test_only_one_value_everywhere_takes_the_bound() -> None:
    found = bootstrap_means(np.array([[1.0] * 20, [0.0] * 20, [0.4] * 20, [0.0] + [1.0] * 19]))
    assert found.exact.tolist() == [True, True, True, False]
    reach = 1 - 0.025 ** (1 / 20)
    assert found.lower[:3] == pytest.approx([1 - reach, 0.0, 0.4 * (1 - reach)])
    assert found.upper[:3] == pytest.approx([1.0, reach, 0.4 + 0.6 * reach])


def test_dust_is_one_value() -> None:
    assert bootstrap_means(np.array([[0.3, 0.1 + 0.2, 0.3]])).exact.all()


def test_the_bound_shrinks_with_questions_and_never_vanishes() -> None:
    lower, _ = same_everywhere(np.ones(1), np.array([1, 10, 10_000])[2], 0.05, 0.0, 1.0)
    assert 0.999 < lower[0] < 1.0


def test_differences_are_paired() -> None:
    question = np.random.default_rng(0).random(50) / 2
    values = np.stack([question, question + 0.1 + np.random.default_rng(1).random(50) / 50])
    found, alone = bootstrap_differences(values, 0), bootstrap_means(values)
    assert 0.1 < found.lower[1] < found.upper[1] < 0.13
    assert found.upper[1] - found.lower[1] < (alone.upper[1] - alone.lower[1]) / 5


def test_the_baseline_differs_by_nothing_and_its_double_by_what_new_questions_may_bring() -> None:
    found = bootstrap_differences(np.array([[0.2, 0.9, 0.4]] * 2), 0)
    assert (found.lower[0], found.upper[0]) == (0.0, 0.0)
    assert found.lower[1] < 0.0 < found.upper[1]
    assert found.exact.tolist() == [True, True]


def test_a_resample_has_as_many_questions() -> None:
    counts = resample_counts(7, 100, 3)
    assert counts.shape == (7, 100)
    assert (counts.sum(axis=0) == 7).all()
    assert (counts == resample_counts(7, 100, 3)).all()
    assert (counts != resample_counts(7, 100, 4)).any()


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([[0.1, np.nan]], {}, "values must be finite, got \\[nan\\]"),
        ([[0.1, 1.2]], {}, "values must be from 0 to 1, got \\[1.2\\]"),
        ([0.1, 0.2], {}, "values must be a table"),
        (np.zeros((2, 0)), {}, "values must be a table"),
        ([[0.1]], {"level": 95}, "level must be a number between 0 and 1, got 95"),
        ([[0.1]], {"resamples": 0}, "resamples must be an int >= 1, got 0"),
        ([[0.1]], {"bounds": (1.0, 0.0)}, "bounds must be a pair"),
    ],
)
def test_what_cannot_be_is_refused(values: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        bootstrap_means(np.asarray(values), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("row", [-1, 2, True])
def test_a_baseline_that_is_not_there_is_refused(row: int) -> None:
    with pytest.raises(ConfigError, match="baseline must be a row from 0 to 1"):
        bootstrap_differences(np.zeros((2, 3)), row)
