"""z-scores and their sum, against the statistics module."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rag_sweep.errors import ConfigError
from rag_sweep.ranking import EMPTY, Rankings
from rag_sweep.reranker import Candidates, NoReranker, ZSum, z_scores

values = st.floats(-50, 50).map(lambda value: round(value, 6))
rows = st.lists(values, min_size=1, max_size=9)


def naive_z(row: list[float]) -> list[float]:
    deviation = statistics.pstdev(row)
    return [(value - statistics.fmean(row)) / deviation if deviation >= 1e-9 else 0.0 for value in row]


@given(row=rows)
def test_a_z_score_is_the_distance_to_the_mean_in_population_deviations(row: list[float]) -> None:
    found = z_scores(np.array([row]), np.ones((1, len(row)), np.bool_))
    assert found[0].tolist() == pytest.approx(naive_z(row), abs=1e-6)


@given(row=rows, padding=arrays.arrays(np.float64, st.integers(0, 9), elements=st.floats(allow_nan=True)))
def test_padding_changes_no_bit(row: list[float], padding: np.ndarray) -> None:
    alone = z_scores(np.array([row]), np.ones((1, len(row)), np.bool_))
    wider = np.concatenate([row, padding])[None, :]
    with np.errstate(invalid="ignore", over="ignore"):
        padded = z_scores(wider, np.arange(wider.shape[1])[None, :] < len(row))
    assert padded[:, : len(row)].tobytes() == alone.tobytes()
    assert not padded[:, len(row) :].any()


@given(table=st.lists(rows, min_size=2, max_size=4))
def test_a_question_is_scored_as_if_it_were_alone(table: list[list[float]]) -> None:
    width = max(map(len, table))
    scores = np.array([row + [0.0] * (width - len(row)) for row in table])
    present = np.array([[at < len(row) for at in range(width)] for row in table])
    together = z_scores(scores, present)
    for at, row in enumerate(table):
        alone = z_scores(np.array([row]), np.ones((1, len(row)), np.bool_))
        assert together[at, : len(row)].tobytes() == alone[0].tobytes()


@pytest.mark.parametrize("row", [[3.0], [2.5, 2.5, 2.5], [0.1 + 0.2, 0.3], [0.0, 0.0]])
def test_scores_without_a_deviation_become_0(row: list[float]) -> None:
    assert z_scores(np.array([row]), np.ones((1, len(row)), np.bool_)).tolist() == [[0.0] * len(row)]


def test_nothing_to_score_is_nothing() -> None:
    assert z_scores(np.empty((2, 0)), np.empty((2, 0), np.bool_)).shape == (2, 0)
    assert z_scores(np.ones((1, 3)), np.zeros((1, 3), np.bool_)).tolist() == [[0.0] * 3]


def candidates(lexical: list[float], dense: list[float], padding: int = 0) -> Candidates:
    number = len(lexical)
    items = np.array([[*range(number), *[EMPTY] * padding]], np.int32)
    scores = {
        "lexical": np.array([lexical + [0.0] * padding]),
        "dense": np.array([dense + [0.0] * padding]),
    }
    return Candidates(Rankings(items, np.zeros(items.shape)), scores, ["?"], str)


@given(
    pairs=st.lists(st.tuples(values, values), min_size=1, max_size=9),
    weight=st.sampled_from([0.0, 0.5, 1.0, 3.0]),
)
def test_zsum_adds_the_weighted_z_score_of_the_dense_branch(
    pairs: list[tuple[float, float]], weight: float
) -> None:
    lexical, dense = [list(column) for column in zip(*pairs, strict=True)]
    found = ZSum(weight, 50).rescore(candidates(lexical, dense, padding=2))[0, : len(pairs)]
    expected = [a + weight * b for a, b in zip(naive_z(lexical), naive_z(dense), strict=True)]
    assert found.tolist() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("factor", "constant"), [(1.0, 5.0), (4.0, 0.0), (0.25, -3.0)])
def test_the_scale_of_a_branchs_scores_has_no_effect(factor: float, constant: float) -> None:
    lexical, dense = [4.0, 1.0, 0.0, 2.0], [0.1, 0.9, 0.5, -0.2]
    scaled = [factor * value + constant for value in lexical]
    one, other = (ZSum().rescore(candidates(scores, dense)) for scores in (lexical, scaled))
    np.testing.assert_allclose(other, one, atol=1e-12)


def test_without_a_reranker_nothing_is_reordered() -> None:
    assert (NoReranker().depth, NoReranker().needs) == (0, ())
    given_ones = candidates([1.0, 2.0], [0.0, 0.0])
    assert NoReranker().rescore(given_ones) is given_ones.ranking.scores


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"depth": 0}, "reranker.depth must be an int >= 1, got 0"),
        ({"depth": 2.0}, "reranker.depth must be an int >= 1, got 2.0"),
        ({"weight": -1.0}, "reranker.weight must be a number >= 0, got -1.0"),
        ({"weight": math.nan}, "reranker.weight must be a number >= 0, got nan"),
        ({"weight": math.inf}, "reranker.weight must be a number >= 0, got inf"),
    ],
)
def test_parameters_that_cannot_be_are_refused(values: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        ZSum(**values)  # type: ignore[arg-type]
    assert str(refusal.value) == message
