"""Questions seen across all configurations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rag_sweep.errors import ConfigError
from rag_sweep.statistics.questions import view_questions, winners_without

tables = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 9)),
    elements=st.sampled_from([0.0, 0.25, 1 / 3, 0.63, 1.0]),
)

#                  easy dead hard divisive
VALUES = np.array([[1.0, 0.5, 0.0, 1.0], [1.0, 0.5, 0.3, 0.0], [0.9, 0.5, 0.1, 0.8]])


def test_hard_easy_divisive_and_dead() -> None:
    found = view_questions(VALUES)
    assert found.hardest(2).tolist() == [2, 1]
    assert found.easiest(2).tolist() == [0, 3]
    assert found.divisive(9).tolist() == [3, 2, 0]
    assert found.dead.tolist() == [False, True, False, False]
    assert found.mean == pytest.approx(VALUES.mean(axis=0), abs=1e-9)
    assert found.deviation == pytest.approx(VALUES.std(axis=0), abs=1e-9)


def test_without_the_question_that_decides_another_one_wins() -> None:
    assert view_questions(VALUES).decisive.tolist() == [0, 0, 0, 1]
    assert winners_without(VALUES, 3).tolist() == [1]
    assert winners_without(VALUES, 0).tolist() == [0]


def test_drawing_level_counts_and_losing_a_rival_does_not() -> None:
    assert view_questions(np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])).decisive.tolist() == [0, 1, 0]
    assert view_questions(np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])).decisive.tolist() == [0, 0, 0]


@given(values=tables)
def test_the_winners_without_a_question_are_those_of_the_other_questions(values: np.ndarray) -> None:
    found = view_questions(values)
    means = values.mean(axis=1)
    for at in range(values.shape[1]):
        sums = np.delete(values, at, axis=1).sum(axis=1)
        best = set(np.flatnonzero(sums > sums.max() - 1e-8).tolist())
        assert set(winners_without(values, at).tolist()) == best
        assert found.decisive[at] == len(best - set(np.flatnonzero(means > means.max() - 1e-8).tolist()))


@given(values=tables, data=st.data())
def test_the_order_of_the_configurations_has_no_effect(values: np.ndarray, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(values))))
    plain, moved = view_questions(values), view_questions(values[order])
    for name in ("mean", "deviation", "dead", "decisive"):
        assert (getattr(plain, name) == getattr(moved, name)).all(), name


@given(values=tables)
def test_dead_questions_have_no_deviation_and_decide_nothing(values: np.ndarray) -> None:
    found = view_questions(values)
    assert (found.deviation[found.dead] == 0).all()
    if values.shape[1] > 1:
        assert (found.decisive[found.dead] == 0).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: winners_without(VALUES, 4), "question must be a column from 0 to 3, got 4"),
        (lambda: view_questions(VALUES).hardest(-1), "number must be an int >= 0, got -1"),
        (lambda: view_questions(np.full((2, 2), np.inf)), "values must be finite, got \\[inf\\]"),
    ],
)
def test_what_cannot_be_is_refused(call: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        call()  # type: ignore[operator]
