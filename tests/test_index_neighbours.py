"""The dense search for few questions leaves most passages out and gives the bytes of the sweep's search."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rag_sweep.embedder.search import PASSAGE_BLOCK, QUERY_BLOCK, Vectors
from rag_sweep.index import neighbours
from rag_sweep.index.neighbours import FEW_BLOCKS, FEW_QUESTIONS, Neighbours, Prepared, place_matters
from rag_sweep.ranking import EMPTY, Rankings

MANY = FEW_BLOCKS * PASSAGE_BLOCK + 100
"""Passages from which on some are left out."""


def bytes_of(rankings: Rankings) -> tuple[bytes, bytes]:
    return rankings.items.tobytes(), rankings.scores.tobytes()


def both(passages: np.ndarray, questions: np.ndarray) -> tuple[Vectors, Neighbours]:
    return Vectors(passages, questions), Neighbours(passages, questions, Prepared.of(passages))


def random_vectors(kind: str, rows: int, dim: int, rng: np.random.Generator) -> np.ndarray:
    """Vectors of a kind that is hard in its own way."""
    if kind == "few values":  # ties without end
        return rng.integers(-1, 2, size=(rows, dim)).astype(np.float64)
    if kind == "near ties":  # scores that differ by about 1e-9, which a rough product can't tell apart
        return np.ones((rows, dim)) + rng.choice([1e-2, 1e-3, 1e-4]) * rng.normal(size=(rows, dim))
    if kind == "one direction":  # all sums are of one sign, so rough products are at their worst
        return np.abs(rng.normal(size=(rows, dim)))
    if kind == "tiny":  # squares have no digits left, so a normalised row is not of length 1
        return rng.normal(size=(rows, dim)) * 10.0 ** rng.uniform(-164, -158, size=(rows, 1))
    if kind == "huge":
        return rng.normal(size=(rows, dim)) * 10.0 ** rng.uniform(0, 160, size=(rows, 1))
    return rng.normal(size=(rows, dim)) * (rng.random((rows, dim)) < 0.3)


@settings(max_examples=40)
@example(kind="near ties", dim=33, questions=8, depth=10, seed=0)
@example(kind="near ties", dim=33, questions=8, depth=10, seed=2)
@example(kind="near ties", dim=100, questions=8, depth=100, seed=1)
@given(
    kind=st.sampled_from(["few values", "near ties", "one direction", "tiny", "huge", "sparse"]),
    dim=st.sampled_from([1, 2, 7, 33, 100]),
    questions=st.integers(1, FEW_QUESTIONS + 1),
    depth=st.sampled_from([1, 10, 100, MANY, MANY + 1]),
    seed=st.integers(0, 2**32),
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_it_gives_the_bytes_of_the_search_over_all(
    kind: str, dim: int, questions: int, depth: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    whole, some = both(random_vectors(kind, MANY, dim, rng), random_vectors(kind, questions, dim, rng))
    silent = rng.random(questions) < 0.2
    assert bytes_of(some.search(dim, depth, silent)) == bytes_of(whole.search(dim, depth, silent))


@pytest.mark.parametrize("count", [1, FEW_QUESTIONS, QUERY_BLOCK, QUERY_BLOCK + 1])
def test_scores_of_given_passages_are_those_of_the_search_over_all(count: int) -> None:
    rng = np.random.default_rng(count)
    whole, some = both(rng.normal(size=(MANY, 12)), rng.normal(size=(count, 12)))
    items = rng.integers(EMPTY, MANY, size=(3, count, 9)).astype(np.int32)
    assert some.score_many(12, items).tobytes() == whole.score_many(12, items).tobytes()
    nothing = np.full((1, count, 4), EMPTY, np.int32)
    assert some.score_many(12, nothing).tobytes() == whole.score_many(12, nothing).tobytes()


def test_most_passages_are_left_out() -> None:
    rng = np.random.default_rng(0)
    passages = Prepared.of(rng.normal(size=(20_000, 64)))
    for question in rng.normal(size=(20, 64)):
        reached = passages.reachable(question / np.linalg.norm(question), 100)
        assert 100 <= len(reached) < 200


def test_a_passage_that_a_tie_brings_in_is_not_left_out() -> None:
    passages = np.zeros((MANY, 2))
    passages[:, 0] = 1.0
    whole, some = both(passages, np.array([[1.0, 1.0]]))
    assert some.search(2, 3).items.tolist() == [[0, 1, 2]]
    assert bytes_of(some.search(2, 3)) == bytes_of(whole.search(2, 3))


def test_the_rough_product_of_one_question_replaces_the_blocks_of_all() -> None:
    rng = np.random.default_rng(0)
    _, some = both(rng.normal(size=(MANY, 8)), rng.normal(size=(1, 8)))
    with mock.patch.object(neighbours, "products", wraps=neighbours.products) as products:
        some.search(8, 10)
    ((_, passages),) = [call.args for call in products.call_args_list]
    assert len(passages) == PASSAGE_BLOCK


def test_on_a_machine_where_the_place_matters_nothing_is_left_out() -> None:
    rng = np.random.default_rng(0)
    whole, some = both(rng.normal(size=(MANY, 8)), rng.normal(size=(2, 8)))
    items = np.arange(10, dtype=np.int32).reshape(1, 2, 5)
    with mock.patch.object(neighbours, "place_matters", return_value=True):
        with mock.patch.object(Prepared, "reachable", side_effect=AssertionError("left something out")):
            assert bytes_of(some.search(8, 10)) == bytes_of(whole.search(8, 10))
        assert some.score_many(8, items).tobytes() == whole.score_many(8, items).tobytes()


def test_whether_the_place_matters_is_found_by_trying() -> None:
    assert place_matters() is False  # of OpenBLAS with any of its kernels: what all other tests rely on
    uneven = lambda questions, passages: questions @ passages.T + np.arange(len(passages)) * 1e-17  # noqa: E731
    with mock.patch.object(neighbours, "products", uneven):
        assert place_matters.__wrapped__() is True


def test_passages_without_any_component_give_nothing() -> None:
    whole, some = both(np.zeros((MANY, 0)), np.zeros((1, 0)))
    assert bytes_of(some.search(4, 5)) == bytes_of(whole.search(4, 5))
    assert some.search(4, 5).lengths.tolist() == [0]
