"""Measures on arrays of grades: worked examples, properties, and independence of the batch."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_sweep.errors import ConfigError
from rag_sweep.measures import (
    MEASURES,
    Measure,
    auroc,
    average_precision,
    cutoff,
    first_relevant_rank,
    hit,
    ndcg,
    ndcg_linear,
    precision,
    recall,
    reciprocal_rank,
)

every_measure = pytest.mark.parametrize("name", list(MEASURES))


def ints(*rows: list[int]) -> np.ndarray:
    return np.array(rows, dtype=np.int64)


@st.composite
def graded_rows(draw: st.DrawFn, highest: int = 4) -> tuple[list[int], list[int]]:
    """Grades in rank order and the ideal of the same query: the ranking holds some of its documents."""
    ideal = sorted(draw(st.lists(st.integers(1, highest), min_size=1, max_size=9)), reverse=True)
    unjudged = [0] * draw(st.integers(0, 12))
    ranking = draw(st.permutations(ideal + unjudged))
    return ranking[: draw(st.integers(0, len(ranking)))], ideal


def padded(rows: list[list[int]]) -> np.ndarray:
    width = max(map(len, rows))
    return ints(*[row + [0] * (width - len(row)) for row in rows])


def test_a_worked_example_of_every_measure():
    grades, ideal = ints([0, 2, 0, 1, 0]), ints([2, 1, 1])
    assert hit(grades, ideal, 1)[0] == 0.0
    assert hit(grades, ideal, 2)[0] == 1.0
    assert recall(grades, ideal, 5)[0] == 2 / 3
    assert precision(grades, ideal, 4)[0] == 2 / 4
    assert reciprocal_rank(grades, ideal, 5)[0] == 1 / 2
    assert average_precision(grades, ideal, 5)[0] == pytest.approx((1 / 2 + 2 / 4) / 3, abs=1e-15)
    gain = 3 / math.log2(3) + 1 / math.log2(5)
    best = 3 + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg(grades, ideal, 5)[0] == pytest.approx(gain / best, abs=1e-15)
    gain = 2 / math.log2(3) + 1 / math.log2(5)
    best = 2 + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg_linear(grades, ideal, 5)[0] == pytest.approx(gain / best, abs=1e-15)


def test_the_graded_example_of_the_shared_fixture_comes_out(shared: Path):
    example = json.loads((shared / "fixtures/ranks/expected.json").read_text())["ndcg_graded_example"]
    grades = ints(example["grades_in_rank_order"])
    ideal = ints(sorted((grade for grade in grades[0] if grade), reverse=True))
    assert ndcg(grades, ideal, 4)[0] == pytest.approx(example["ndcg@4"], abs=1e-15)
    assert example["dcg@4"] / example["idcg@4"] == pytest.approx(example["ndcg@4"], abs=1e-15)


def test_the_gain_is_named_and_makes_a_difference():
    grades, ideal = ints([1, 2]), ints([2, 1])
    assert ndcg(grades, ideal, 2)[0] == pytest.approx(0.7967, abs=1e-4)
    assert ndcg_linear(grades, ideal, 2)[0] == pytest.approx(0.8597, abs=1e-4)


def test_the_ideal_is_cut_at_k_too():
    assert ndcg(ints([1, 0]), ints([1, 1, 1]), 1)[0] == 1.0
    assert ndcg_linear(ints([1, 0]), ints([1, 1, 1]), 1)[0] == 1.0


def test_precision_divides_by_k_when_fewer_came_back():
    assert precision(ints([1]), ints([1]), 10)[0] == 1 / 10


def test_average_precision_divides_by_all_relevant_documents_not_by_k():
    assert average_precision(ints([1, 0]), ints([1, 1, 1, 1]), 1)[0] == 1 / 4


@every_measure
def test_a_query_without_a_relevant_document_is_nan_and_leaves_its_neighbours_alone(name: str):
    alone = MEASURES[name](ints([0, 1]), ints([1]), 2)
    both = MEASURES[name](ints([0, 0], [0, 1], [0, 0]), ints([0], [1], [0]), 2)
    assert np.isnan(both).tolist() == [True, False, True]
    assert both[1] == alone[0]


@every_measure
def test_a_missing_ranking_counts_zero(name: str):
    assert MEASURES[name](np.zeros((1, 0), dtype=np.int64), ints([2, 1]), 10).tolist() == [0.0]


@every_measure
def test_gold_without_any_relevant_document_gives_only_nan(name: str):
    values = MEASURES[name](ints([0], [0]), np.zeros((2, 0), dtype=np.int64), 3)
    assert np.isnan(values).tolist() == [True, True]


@every_measure
def test_grades_below_zero_count_as_not_relevant(name: str):
    measure = MEASURES[name]
    assert measure(ints([-1, 1, -3]), ints([2, 1]), 3) == measure(ints([0, 1, 0]), ints([2, 1]), 3)


@every_measure
def test_the_best_possible_ranking_has_the_best_possible_value(name: str):
    ideal = ints([3, 3, 2, 1])
    best = {"precision": 4 / 10}.get(name, 1.0)
    assert MEASURES[name](ideal, ideal, 10).tolist() == [best]


@every_measure
@settings(deadline=None)
@given(row=graded_rows(), k=st.integers(1, 25))
def test_values_lie_between_zero_and_one(name: str, row: tuple[list[int], list[int]], k: int):
    value = MEASURES[name](padded([row[0]]), ints(row[1]), k)[0]
    assert 0.0 <= value <= 1.0 + 1e-12


@every_measure
@settings(deadline=None)
@given(row=graded_rows(), k=st.integers(1, 12), swap=st.integers(0, 30))
def test_moving_a_better_document_up_never_lowers_a_value(
    name: str, row: tuple[list[int], list[int]], k: int, swap: int
):
    ranking, ideal = row
    if len(ranking) < 2:
        return
    at = swap % (len(ranking) - 1)
    better = list(ranking)
    better[at : at + 2] = sorted(better[at : at + 2], reverse=True)
    before, after = MEASURES[name](ints(ranking, better), ints(ideal, ideal), k)
    assert after >= before - 1e-12


@every_measure
@settings(max_examples=40, deadline=None)
@given(rows=st.lists(graded_rows(), min_size=2, max_size=20), k=st.integers(1, 25), extra=st.integers(0, 140))
def test_a_row_has_the_same_bytes_alone_and_in_any_batch(
    name: str, rows: list[tuple[list[int], list[int]]], k: int, extra: int
):
    measure = MEASURES[name]
    grades, ideal = padded([row[0] for row in rows]), padded([row[1] for row in rows])
    alone = b"".join(measure(padded([ranking]), ints(best), k).tobytes() for ranking, best in rows)
    assert measure(grades, ideal, k).tobytes() == alone
    wide = np.pad(grades, ((0, 0), (0, extra)))
    assert measure(wide, np.pad(ideal, ((0, 0), (0, extra))), k).tobytes() == alone
    assert measure(np.asfortranarray(wide), np.asfortranarray(ideal), k).tobytes() == alone
    assert measure(wide[::-1], ideal[::-1], k)[::-1].tobytes() == alone
    family = measure(np.stack([np.zeros_like(grades), grades, np.roll(grades, 1, axis=1)]), ideal, k)
    assert family.shape == (3, len(rows))
    assert family[1].tobytes() == alone


@every_measure
def test_a_long_row_has_the_same_bytes_alone_and_in_a_big_batch(name: str):
    # Pairwise summation starts at blocks of 8 and 128: short rows would not show it.
    random = np.random.default_rng(7)
    grades = random.integers(0, 5, size=(6, 40, 400))
    ideal = -np.sort(-random.integers(1, 5, size=(40, 500)), axis=-1)
    batch = MEASURES[name](grades, ideal, 333)
    for configuration, query in [(0, 0), (3, 17), (5, 39)]:
        one = MEASURES[name](grades[configuration, query : query + 1], ideal[query : query + 1], 333)
        assert batch[configuration, query].tobytes() == one[0].tobytes()


@settings(deadline=None)
@given(row=graded_rows(highest=40), k=st.integers(1, 25))
def test_measuring_gains_in_units_of_the_highest_changes_no_bit(row: tuple[list[int], list[int]], k: int):
    def dcg(grades: list[int]) -> float:
        total = 0.0
        for rank, grade in enumerate(grades[:k], 1):
            total += (2.0**grade - 1) / math.log2(rank + 1)
        return total

    assert ndcg(padded([row[0]]), ints(row[1]), k)[0] == dcg(row[0]) / dcg(row[1])


def test_huge_grades_do_not_overflow():
    grades, ideal = ints([1, 5000, 4999]), ints([5000, 4999, 1])
    swapped = (1 / math.log2(3) + 0.5 / math.log2(4)) / (1 + 0.5 / math.log2(3))
    assert ndcg(grades, ideal, 3)[0] == pytest.approx(swapped, abs=1e-15)
    assert np.isfinite(ndcg(ints([2**62, 1]), ints([2**62, 1]), 2)).all()


@every_measure
@pytest.mark.parametrize("k", [0, -1, True, 2.0, "3", None])
def test_a_cutoff_below_one_or_of_another_type_is_refused(name: str, k: object):
    with pytest.raises(ConfigError, match="k must be an int >= 1, got"):
        MEASURES[name](ints([1]), ints([1]), k)


def test_a_refused_cutoff_is_named_by_its_key():
    with pytest.raises(ConfigError, match=r"^cutoffs must be an int >= 1, got 0$"):
        cutoff(0, "cutoffs")


def test_first_relevant_rank_counts_from_one_and_is_zero_where_none():
    ranks = first_relevant_rank(ints([0, 0, 1], [2, 1, 0], [0, 0, 0]))
    assert ranks.tolist() == [3, 1, 0]
    assert ranks.dtype == np.int64
    assert first_relevant_rank(np.zeros((2, 3, 0), dtype=np.int64)).tolist() == [[0] * 3] * 2


def test_the_mean_reciprocal_rank_of_the_shared_example_comes_out(shared: Path):
    example = json.loads((shared / "fixtures/ranks/expected.json").read_text())["mrr_example"]
    grades = ints(
        *[[int(rank == first) for rank in range(1, 5)] for first in example["first_relevant_ranks"]]
    )
    assert first_relevant_rank(grades).tolist() == example["first_relevant_ranks"]
    mean = reciprocal_rank(grades, ints([1], [1], [1]), 4).mean()
    assert mean == pytest.approx(example["mrr"], abs=1e-15)


def test_the_registry_has_its_names_in_the_order_of_tables():
    assert list(MEASURES) == ["hit", "recall", "precision", "mrr", "ndcg", "ndcg_linear", "map"]


@every_measure
@settings(deadline=None)
@given(k=st.integers(1, 10_000))
def test_a_measure_is_read_back_from_its_text(name: str, k: int):
    assert Measure.parse(str(Measure(name, k))) == Measure(name, k)


def test_a_measure_evaluates_what_it_names():
    assert Measure.parse("precision@4").values(ints([1]), ints([1])).tolist() == [0.25]


@pytest.mark.parametrize(
    ("text", "nearest"), [("ndgc@10", "ndcg"), ("MRR@5", "mrr"), ("rr@5", "mrr"), ("precison@1", "precision")]
)
def test_a_misspelt_measure_is_answered_with_the_nearest_right_name(text: str, nearest: str):
    with pytest.raises(ConfigError, match=rf"did you mean {nearest}\?$"):
        Measure.parse(text)


def test_a_name_near_to_none_lists_what_is_allowed():
    with pytest.raises(ConfigError, match=r"must be one of hit, recall, .*, map, got 'xyzzy'$"):
        Measure.parse("xyzzy@1")


@pytest.mark.parametrize("text", ["ndcg", "ndcg@", "ndcg@x", "ndcg@-1", "ndcg@1.5", "ndcg@1@2", "ndcg@²"])
def test_a_measure_without_a_whole_cutoff_is_refused(text: str):
    with pytest.raises(ConfigError, match=r"such as ndcg@10, got"):
        Measure.parse(text)


def test_a_measure_at_zero_is_refused():
    with pytest.raises(ConfigError, match=r"measure must be .* cutoff from 1, such as ndcg@10, got 'ndcg@0'"):
        Measure.parse("ndcg@0")


def test_auroc_counts_ties_one_half():
    assert auroc(np.array([2.0, 1.0]), np.array([1.0, 0.0])) == 3.5 / 4
    assert auroc(np.array([1.0]), np.array([-np.inf])) == 1.0
    assert auroc(np.array([-np.inf]), np.array([-np.inf])) == 0.5


def test_auroc_of_an_empty_side_is_nan():
    assert math.isnan(auroc(np.array([1.0]), np.array([])))
    assert math.isnan(auroc(np.array([]), np.array([1.0])))
