"""BM25 and overlap: formulas by hand, and the one search that they share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pipelines import rows_of

import rag_sweep.lexical as module
from rag_sweep.errors import ConfigError, StageFailed
from rag_sweep.lexical import BM25, LexicalIndex, Overlap, idf, length_norm, saturated_tf
from rag_sweep.ranking import EMPTY, Rankings
from rag_sweep.terms import Postings, count_terms

WORDS = list("abcdefg")
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=7), min_size=1, max_size=8)
questions = st.lists(st.lists(st.sampled_from([*WORDS, "x", "y"]), max_size=5), min_size=1, max_size=6)


def index_of(passages: list[str] | list[list[str]], queries: list[str] | list[list[str]]) -> LexicalIndex:
    split = [
        [text.split() if isinstance(text, str) else text for text in part] for part in (passages, queries)
    ]
    return LexicalIndex.of(count_terms(split[0]), count_terms(split[1]))


def test_bm25_by_hand() -> None:
    # N = 3, avgdl = (4 + 2 + 0) / 3 = 2; "vpn" has df 1 and tf 2 where dl is 4.
    index = index_of(["vpn is a vpn", "other words", ""], ["vpn"])
    weight = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5)) * 2 * (1.5 + 1) / (2 + 1.5 * (1 - 0.75 + 0.75 * 4 / 2))
    assert rows_of(index.search(BM25(1.5, 0.75), 10)) == [[(0, round(weight, 9))]]


def test_empty_passages_stay_in_N_and_avgdl() -> None:
    with_empty = rows_of(index_of(["a b", "c", ""], ["a"]).search(BM25(), 5))[0][0][1]
    without = rows_of(index_of(["a b", "c"], ["a"]).search(BM25(), 5))[0][0][1]
    N, avgdl = 3, 1.0
    expected = math.log(1 + (N - 1 + 0.5) / 1.5) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / avgdl))
    assert with_empty == round(expected, 9)
    assert with_empty != without


def test_a_repeated_query_word_counts_each_time_in_bm25_and_once_in_overlap() -> None:
    index = index_of(["a b", "b c c"], ["a", "a a", "a a b"])
    one, two, _ = rows_of(index.search(BM25(), 5))
    assert two[0][1] == pytest.approx(2 * one[0][1], abs=1e-9)
    assert rows_of(index.search(Overlap(), 5)) == [[(0, 1.0)], [(0, 1.0)], [(0, 2.0), (1, 1.0)]]


def test_overlap_counts_distinct_words_of_the_passage_whatever_their_number_there() -> None:
    index = index_of(["a a a", "a b", "c"], ["a b z"])
    assert rows_of(index.search(Overlap(), 5)) == [[(1, 2.0), (0, 1.0)]]


@pytest.mark.parametrize("lexical", [BM25(), BM25(0, 0), Overlap()])
def test_a_passage_with_score_0_is_never_returned(lexical: BM25 | Overlap) -> None:
    index = index_of(["a b", "c", "", "a"], ["a", "c", "x", "", "x y"])
    found = rows_of(index.search(lexical, 10))
    assert [[item for item, _ in sorted(row)] for row in found] == [[0, 3], [1], [], [], []]


def test_a_word_that_every_passage_has_still_counts() -> None:
    found = rows_of(index_of(["a", "a", "a"], ["a"]).search(BM25(), 2))
    assert found == [[(0, pytest.approx(math.log(1 + 0.5 / 3.5), abs=1e-9)), (1, found[0][0][1])]]


def test_k1_of_0_ignores_how_often_a_word_occurs_and_b_of_0_the_length() -> None:
    index = index_of(["a", "a a a b c d", "z"], ["a"])
    assert len({score for _, score in rows_of(index.search(BM25(0, 0.75), 5))[0]}) == 1
    flat = dict(rows_of(index.search(BM25(1.2, 0), 5))[0])
    value = idf(np.array([2.0]), 3)[0]
    assert flat == {0: round(value, 9), 1: round(value * 3 * 2.2 / 4.2, 9)}


def test_a_very_large_k1_counts_words_without_saturation() -> None:
    index = index_of(["a a a b", "a b b c"], ["a"])
    large, small = (dict(rows_of(index.search(BM25(k1, 0), 5))[0]) for k1 in (1e12, 1.2))
    assert large[0] == pytest.approx(3 * large[1], abs=3e-9)
    assert small[0] < 2 * small[1]


def test_a_k1_at_which_numbers_overflow_fails_instead_of_finding_nothing() -> None:
    with pytest.raises(StageFailed, match=r"^lexical\.k1=1e\+308 is too large: overflow"):
        index_of(["a" + " b" * 20, "c"], ["a"]).search(BM25(1e308, 1.0), 5)


@given(df=st.integers(0, 50), more=st.integers(0, 50))
def test_idf_is_never_negative_and_falls_with_df(df: int, more: int) -> None:
    N = df + more
    values = idf(np.array([df, df + 1.0]), max(N, df + 1))
    assert values[0] > values[1] > 0


@given(tf=st.integers(1, 30), dl=st.integers(1, 60), k1=st.floats(0, 10), b=st.floats(0, 1))
def test_saturated_tf_rises_with_tf_and_stays_below_k1_plus_1(tf: int, dl: int, k1: float, b: float) -> None:
    first, second = saturated_tf(np.array([tf, tf + 1.0]), length_norm(np.array([dl, dl]), 20.0, b), k1)
    assert 0 < first <= second * (1 + 1e-12)
    assert second <= (k1 + 1) * (1 + 1e-12)


@settings(max_examples=40, deadline=None)
@given(passages=texts, queries=questions, rows=st.integers(1, 3))
def test_a_questions_scores_depend_on_no_other_question_and_on_no_block(
    passages: list[list[str]], queries: list[list[str]], rows: int
) -> None:
    whole = rows_of(index_of(passages, queries).search(BM25(), 4))
    alone = [rows_of(index_of(passages, [query]).search(BM25(), 4))[0] for query in queries]
    assert alone == whole
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK_CELLS", rows * len(passages))
        assert rows_of(index_of(passages, queries).search(BM25(), 4)) == whole


@given(passages=texts, queries=questions)
def test_the_scores_of_given_passages_are_those_of_the_search(
    passages: list[list[str]], queries: list[list[str]]
) -> None:
    index = index_of(passages, queries)
    everything = np.tile(np.arange(len(passages), dtype=np.int32), (len(queries), 1))
    padded = np.concatenate([everything, np.full((len(queries), 2), EMPTY, np.int32)], axis=1)
    scores = index.score(BM25(), Rankings(padded, np.zeros(padded.shape)))
    assert (scores[:, len(passages) :] == 0).all()
    for row, found in zip(scores.tolist(), rows_of(index.search(BM25(), 99)), strict=True):
        assert {at: score for at, score in enumerate(row) if score > 0} == dict(found)


def test_k1_written_as_an_int_scores_like_the_float() -> None:
    index = index_of(["a b a", "b", "", "a c c"], ["a b", "c"])
    assert rows_of(index.search(BM25(1, 1), 5)) == rows_of(index.search(BM25(1.0, 1.0), 5))


@dataclass(frozen=True)
class Given:
    """Weights as they come."""

    weights: tuple[float, ...]
    repeats: ClassVar[Literal["count", "distinct"]] = "count"

    def weigh(self, postings: Postings) -> np.ndarray:
        return np.array(self.weights)


@pytest.mark.parametrize(
    ("weights", "reason"),
    [((1.0, math.nan), "no number"), ((math.inf, 1.0), "no number"), ((1.0,), "2 weights")],
)
def test_weights_that_are_no_numbers_or_too_few_are_refused(weights: tuple[float, ...], reason: str) -> None:
    with pytest.raises(StageFailed, match=reason):
        index_of(["a", "a b"], ["a"]).search(Given(weights), 5)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"k1": -1.0}, "lexical.k1 must be a number >= 0, got -1.0"),
        ({"k1": math.nan}, "lexical.k1 must be a number >= 0, got nan"),
        ({"k1": math.inf}, "lexical.k1 must be a number >= 0, got inf"),
        ({"b": 1.01}, "lexical.b must be a number from 0 to 1, got 1.01"),
        ({"b": -0.1}, "lexical.b must be a number from 0 to 1, got -0.1"),
    ],
)
def test_parameters_that_cannot_be_are_refused(values: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        BM25(**values)
    assert str(refusal.value) == message
