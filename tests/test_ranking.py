"""Ranked lists and the one order of ties, against sorts written out in plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from pipelines import rows_of

from rag_sweep.pooling import pool
from rag_sweep.ranking import EMPTY, Rankings, first_occurrence, fold, reorder, rounded, top

# Few distinct scores, so that ties are the rule.
scores = st.sampled_from([-math.inf, -1.5, -1e-9, 0.0, 1e-9, 0.25, 0.250000001, 3.0])
score_rows = arrays.arrays(
    np.float64, st.tuples(st.integers(0, 4), st.integers(0, 12)), elements=scores, fill=st.nothing()
)


@st.composite
def rankings(draw: st.DrawFn, queries: int = 3, items: int = 9) -> Rankings:
    """Rankings of distinct items, each row with scores that fall; of every length from 0 to the depth."""
    depth = draw(st.integers(0, items))
    found = Rankings(np.full((queries, depth), EMPTY, np.int32), np.full((queries, depth), -np.inf))
    for row in range(queries):
        ids = draw(st.lists(st.integers(0, items - 1), unique=True, max_size=depth))
        found.items[row, : len(ids)] = ids
        found.scores[row, : len(ids)] = -np.arange(len(ids))
    return found


def ranked(row: dict[int, float]) -> list[tuple[int, float]]:
    """The rule: score descending, then the lower number."""
    return sorted(row.items(), key=lambda pair: (-pair[1], pair[0]))


@given(table=score_rows, depth=st.integers(1, 20))
def test_top_is_the_head_of_a_full_sort(table: np.ndarray, depth: int) -> None:
    found = top(table, depth)
    expected = [
        ranked({at: s for at, s in enumerate(row) if s > -math.inf})[:depth] for row in table.tolist()
    ]
    assert rows_of(found) == expected
    assert found.items.shape == found.scores.shape == (len(table), min(depth, table.shape[1]))
    assert found.items.dtype == np.int32
    assert found.scores.dtype == np.float64


@given(table=score_rows, depth=st.integers(1, 20), shorter=st.integers(0, 20))
def test_a_shorter_top_is_a_prefix_of_a_longer_one(table: np.ndarray, depth: int, shorter: int) -> None:
    shorter = min(shorter, depth)
    longer = top(table, depth)
    assert rows_of(longer.head(shorter)) == [row[:shorter] for row in rows_of(longer)]
    if shorter:
        assert rows_of(top(table, shorter)) == rows_of(longer.head(shorter))


@given(table=score_rows, depth=st.integers(1, 20))
def test_a_row_is_ranked_as_if_it_were_alone(table: np.ndarray, depth: int) -> None:
    alone = [rows_of(top(table[at : at + 1], depth))[0] for at in range(len(table))]
    assert rows_of(top(table, depth)) == alone


def test_padding_stands_behind_the_end_only() -> None:
    found = top(np.array([[-np.inf, 2.0, -np.inf], [-np.inf] * 3]), 3)
    assert found.items.tolist() == [[1, EMPTY, EMPTY], [EMPTY] * 3]
    assert found.scores.tolist() == [[2.0, -math.inf, -math.inf], [-math.inf] * 3]
    assert found.lengths.tolist() == [1, 0]
    assert found.trimmed().items.tolist() == [[1], [EMPTY]]


def test_all_tied_scores_keep_the_order_of_the_numbers() -> None:
    assert top(np.full((2, 50), 0.5), 7).items.tolist() == [list(range(7))] * 2


def test_rounding_makes_a_tie_of_what_differs_in_the_last_bits_and_no_negative_zero() -> None:
    close = np.array([0.1 + 0.2, 0.3, -1e-12, 5e-10, 1.4999999996])
    found = rounded(close)
    assert found.tolist() == [0.3, 0.3, 0.0, 0.0, 1.5]
    assert not np.signbit(found[2])


@given(ranking=rankings(), depth=st.integers(1, 12), data=st.data())
def test_a_document_stands_where_its_first_passage_stood(
    ranking: Rankings, depth: int, data: st.DataObject
) -> None:
    document_of = np.array(data.draw(st.lists(st.integers(0, 4), min_size=9, max_size=9)), dtype=np.int32)
    expected = []
    for row in rows_of(ranking):
        best: dict[int, float] = {}
        for passage, score in row:
            best.setdefault(int(document_of[passage]), score)
        expected.append(list(best.items())[:depth])
    found = fold(ranking, document_of, depth)
    assert rows_of(found) == expected
    assert found.items.shape == found.scores.shape == (3, depth)


def test_a_document_is_worth_its_best_passage_not_the_sum_of_them() -> None:
    passages = Rankings(np.array([[2, 0, 1]], np.int32), np.array([[0.9, 0.8, 0.7]]))
    assert rows_of(fold(passages, np.array([0, 0, 1], np.int32), 5)) == [[(1, 0.9), (0, 0.8)]]


@given(
    rows=arrays.arrays(np.int32, st.tuples(st.integers(0, 4), st.integers(0, 9)), elements=st.integers(-1, 4))
)
def test_first_occurrence_marks_each_item_once_and_never_padding(rows: np.ndarray) -> None:
    expected = [
        [item != EMPTY and item not in row[:at] for at, item in enumerate(row)] for row in rows.tolist()
    ]
    assert first_occurrence(rows).tolist() == expected


@given(branches=st.lists(rankings(), min_size=1, max_size=3))
def test_a_pool_is_the_union_and_knows_each_branchs_ranks(branches: list[Rankings]) -> None:
    pooled = pool(branches)
    lists = [[[item for item, _ in row] for row in rows_of(branch)] for branch in branches]
    for query in range(3):
        union = sorted({item for branch in lists for item in branch[query]})
        width = pooled.items.shape[1]
        assert pooled.items[query].tolist() == union + [EMPTY] * (width - len(union))
        for at, branch in enumerate(lists):
            ranks = [branch[query].index(i) + 1.0 if i in branch[query] else math.inf for i in union]
            assert pooled.ranks[at, query].tolist() == ranks + [math.inf] * (width - len(union))


@given(branches=st.lists(rankings(), min_size=1, max_size=3), data=st.data())
def test_a_pool_is_ranked_by_rounded_scores_and_then_by_number(
    branches: list[Rankings], data: st.DataObject
) -> None:
    pooled = pool(branches)
    elements = st.sampled_from([-1.0, 0.0, 0.5, 0.5 + 1e-12, 2.0, -math.inf])
    given_scores = data.draw(arrays.arrays(np.float64, pooled.items.shape, elements=elements))
    given_scores = np.where(np.isinf(given_scores), 0.5, given_scores)
    expected = [
        ranked({i: round(s, 9) for i, s in zip(items, row, strict=True) if i != EMPTY})
        for items, row in zip(pooled.items.tolist(), given_scores.tolist(), strict=True)
    ]
    assert rows_of(pooled.ranked(given_scores)) == expected


def test_the_pool_of_empty_rankings_is_empty() -> None:
    nothing = Rankings(np.full((2, 3), EMPTY, np.int32), np.full((2, 3), -np.inf))
    assert pool([nothing, nothing]).items.shape == (2, 0)
    assert rows_of(pool([nothing]).ranked(np.empty((2, 0)))) == [[], []]


def test_the_largest_passage_number_is_pooled_like_any_other() -> None:
    last = np.iinfo(np.int32).max - 1
    one = Rankings(np.array([[last, 0], [0, EMPTY]], np.int32), np.zeros((2, 2)))
    pooled = pool([one])
    assert pooled.items.tolist() == [[0, last], [0, EMPTY]]
    assert pooled.ranks[0].tolist() == [[2.0, 1.0], [1.0, math.inf]]


@given(ranking=rankings(), data=st.data())
def test_reordering_sorts_the_head_and_leaves_the_rest(ranking: Rankings, data: st.DataObject) -> None:
    depth = data.draw(st.integers(0, ranking.items.shape[1]))
    elements = st.sampled_from([-2.0, 0.0, 1.0, 1.0 + 1e-12, math.nan])  # NaN: whatever stands at padding
    new = data.draw(arrays.arrays(np.float64, (3, depth), elements=elements, fill=st.nothing()))
    new = np.where((ranking.items[:, :depth] != EMPTY) & np.isnan(new), 7.0, new)
    before = rows_of(ranking)
    expected = []
    for row, values in zip(before, new.tolist(), strict=True):
        head = {item: round(values[at], 9) for at, (item, _) in enumerate(row[:depth])}
        expected.append(ranked(head) + row[depth:])
    assert rows_of(reorder(ranking, new)) == expected
    assert rows_of(ranking) == before  # a ranking is shared by others: it isn't changed in place


@settings(deadline=None)
@given(ranking=rankings(), depth=st.integers(0, 12))
def test_a_head_is_a_prefix_and_trimming_loses_nothing(ranking: Rankings, depth: int) -> None:
    assert rows_of(ranking.head(depth)) == [row[:depth] for row in rows_of(ranking)]
    assert rows_of(ranking.trimmed()) == rows_of(ranking)
    width = ranking.trimmed().items.shape[1]
    assert width == max(len(row) for row in rows_of(ranking))


@pytest.mark.parametrize("constant", [0.0, 1.0, 1234.5])
def test_adding_a_constant_to_all_scores_changes_no_order(constant: float) -> None:
    table = np.random.default_rng(0).integers(0, 9, (20, 40)) / 8
    assert top(table + constant, 15).items.tolist() == top(table, 15).items.tolist()


pool_scores = st.sampled_from(
    [-2.5, -1e-9, -4e-10, -0.0, 0.0, 4e-10, 1e-9, 0.25, 0.2500000004, 0.250000001, 7.0]
)


@given(first=rankings(), second=rankings(), data=st.data())
def test_a_pool_ranked_by_keys_is_the_pool_ranked_by_a_sort(
    first: Rankings, second: Rankings, data: st.DataObject
) -> None:
    union = pool([first, second])
    given_scores = data.draw(
        arrays.arrays(np.float64, union.items.shape, elements=pool_scores, fill=st.nothing())
    )
    by_keys, by_sort = union.ranked(given_scores), union._ranked_slowly(given_scores)
    assert by_keys.items.tobytes() == by_sort.items.tobytes()
    assert by_keys.scores.tobytes() == by_sort.scores.tobytes()


def test_scores_too_large_for_keys_are_ranked_all_the_same() -> None:
    one = Rankings(np.array([[4, 2, 7]], np.int32), np.zeros((1, 3)))
    found = pool([one]).ranked(np.array([[1e12, 3e12, 2e12]]))
    assert rows_of(found) == [[(4, 3e12), (7, 2e12), (2, 1e12)]]
