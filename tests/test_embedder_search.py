"""Exact cosine search, against plain numpy, and its independence of batches and threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from pipelines import rows_of
from threadpoolctl import threadpool_limits

from rag_sweep.embedder.search import PASSAGE_BLOCK, QUERY_BLOCK, Vectors, normalised
from rag_sweep.ranking import EMPTY, Rankings

small_ints = st.integers(-3, 3).map(float)


def random_vectors(passages: int, queries: int, width: int, seed: int = 0) -> Vectors:
    rng = np.random.default_rng(seed)
    return Vectors(rng.normal(size=(passages, width)), rng.normal(size=(queries, width)))


def only(vectors: Vectors, rows: slice) -> Vectors:
    return Vectors(vectors.passages, vectors.queries[rows])


@settings(deadline=None, max_examples=50)
@given(
    passages=arrays.arrays(np.float64, st.tuples(st.integers(1, 9), st.just(4)), elements=small_ints),
    queries=arrays.arrays(np.float64, st.tuples(st.integers(1, 5), st.just(4)), elements=small_ints),
    dim=st.integers(1, 6),
    depth=st.integers(1, 12),
)
def test_it_ranks_by_the_cosine_over_the_leading_components(
    passages: np.ndarray, queries: np.ndarray, dim: int, depth: int
) -> None:
    found = rows_of(Vectors(passages, queries).search(dim, depth))
    for row, query in zip(found, queries[:, :dim], strict=True):
        if not query.any():
            assert row == []
            continue
        lengths = np.linalg.norm(passages[:, :dim], axis=1) * np.linalg.norm(query)
        cosines = np.where(lengths > 0, passages[:, :dim] @ query / np.where(lengths > 0, lengths, 1), 0.0)
        scores = dict(enumerate((np.round(cosines, 9) + 0.0).tolist()))
        expected = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:depth]
        assert [score for _, score in row] == pytest.approx([score for _, score in expected], abs=1.1e-9)
        assert [item for item, _ in row] == [item for item, _ in expected]


def test_scores_of_0_and_below_are_kept() -> None:
    passages = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, 0.0]])
    vectors = Vectors(passages, np.array([[2.0, 0.0]]))
    assert rows_of(vectors.search(2, 10)) == [[(0, 1.0), (1, 0.0), (3, 0.0), (2, -1.0)]]


def test_a_question_without_tokens_or_without_a_direction_gets_an_empty_ranking() -> None:
    queries = np.array([[1.0, 1.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
    vectors, silent = Vectors(np.eye(2), queries), np.array([False, True, False, False])
    assert vectors.search(2, 5, silent).lengths.tolist() == [2, 0, 2, 0]
    assert vectors.search(1, 5, silent).lengths.tolist() == [
        2,
        0,
        0,
        0,
    ]  # the third has nothing in one component


def test_the_length_of_a_vector_has_no_effect() -> None:
    vectors = random_vectors(50, 3, 8)
    scaled = Vectors(vectors.passages * 1024.0, vectors.queries / 64.0)
    assert scaled.search(8, 50).scores.tobytes() == vectors.search(8, 50).scores.tobytes()


def test_normalised_rows_have_length_1_and_zero_rows_stay() -> None:
    rows = normalised(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert rows.tolist() == [[0.6, 0.8], [0.0, 0.0]]


def test_more_than_one_block_of_both_is_searched_whole() -> None:
    vectors = random_vectors(PASSAGE_BLOCK + 7, QUERY_BLOCK + 3, 5)
    found = vectors.search(5, 20)
    scores = np.round(normalised(vectors.queries) @ normalised(vectors.passages).T, 9)
    best = -np.sort(-scores, axis=1)[:, :20]
    np.testing.assert_allclose(found.scores, best, atol=1.1e-9)
    assert int(found.items.max()) >= PASSAGE_BLOCK
    assert len(found.items) == QUERY_BLOCK + 3


@pytest.mark.parametrize("width", [1, 7, 64, 300])
def test_a_questions_bytes_depend_on_no_other_question_on_no_batch_and_on_no_further_passage(
    width: int,
) -> None:
    vectors = random_vectors(150, QUERY_BLOCK + 20, width, seed=width)
    whole = vectors.search(width, 150)
    parts = [only(vectors, slice(at, at + 13)).search(width, 150) for at in range(0, QUERY_BLOCK + 20, 13)]
    assert np.concatenate([part.scores for part in parts]).tobytes() == whole.scores.tobytes()
    assert np.concatenate([part.items for part in parts]).tobytes() == whole.items.tobytes()
    more = np.concatenate([vectors.passages, np.full((PASSAGE_BLOCK, width), -vectors.queries[0])])
    wider = Vectors(more, vectors.queries)
    everything = Rankings(
        np.tile(np.arange(150, dtype=np.int32), (len(vectors.queries), 1)), np.zeros((84, 150))
    )
    assert wider.score(width, everything).tobytes() == vectors.score(width, everything).tobytes()


@pytest.mark.parametrize("width", [64, 300])
def test_two_threads_give_the_same_bytes_as_one(width: int) -> None:
    vectors = random_vectors(500, 90, width)
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.append(vectors.search(width, 500).scores.tobytes())
    assert found[0] == found[1]


def test_the_scores_of_given_passages_are_those_of_the_search() -> None:
    vectors = random_vectors(40, QUERY_BLOCK + 2, 6)
    found = vectors.search(4, 10)
    padded = Rankings(np.pad(found.items, ((0, 0), (0, 2)), constant_values=EMPTY), np.zeros((66, 12)))
    scores = vectors.score(4, padded)
    assert scores[:, :10].tobytes() == found.scores.tobytes()
    assert not scores[:, 10:].any()


def test_a_larger_dim_than_there_is_uses_all_components() -> None:
    vectors = random_vectors(20, 4, 6)
    assert vectors.width == 6
    assert vectors.search(512, 9).scores.tobytes() == vectors.search(6, 9).scores.tobytes()
