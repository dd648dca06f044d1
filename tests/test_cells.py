"""Sums over some cells are those of the whole block, bit by bit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from zipf import zipf_counts, zipf_queries

import rag_sweep.cells as module
from rag_sweep.accumulate import Block
from rag_sweep.cells import in_pieces, sums_are_contracted
from rag_sweep.lexical import BM25, LexicalIndex
from rag_sweep.ranking import EMPTY
from rag_sweep.terms import count_terms

texts = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=9), min_size=1, max_size=30)


def block_of(passages: list[list[str]], queries: list[list[str]]) -> Block:
    index = LexicalIndex.of(count_terms(passages), count_terms(queries))
    return Block.of(index.postings, index.queries)


@given(passages=texts, queries=texts, piece=st.integers(1, 60), data=st.data())
def test_sums_of_some_cells(
    passages: list[list[str]], queries: list[list[str]], piece: int, data: st.DataObject
) -> None:
    block = block_of(passages, queries)
    weights = BM25().weigh(block.postings)
    wanted = np.array(
        data.draw(
            st.lists(
                st.booleans(), min_size=len(queries) * len(passages), max_size=len(queries) * len(passages)
            )
        )
    ).reshape(block.shape)
    expected, seen = block.scores(weights, "count"), np.zeros_like(wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", piece)
        for cells in in_pieces(block, wanted):
            sums = cells.sums(block.multiplied(weights)[:, None]).reshape(cells.items.shape)
            there = cells.items != EMPTY
            rows = np.broadcast_to(cells.queries[:, None], there.shape)[there]
            assert sums[there].tobytes() == expected[rows, cells.items[there]].tobytes()
            assert not sums[~there].any()
            assert (np.diff(np.where(there, cells.items, 99).astype(int), axis=1) >= there[:, 1:]).all()
            seen[rows, cells.items[there]] = True
    assert (seen == wanted).all()


def test_queries_without_a_wanted_cell_are_left_out() -> None:
    block = block_of([["a"], ["b"]], [["a"], ["b"], []])
    wanted = np.array([[False, False], [False, True], [False, False]])
    (cells,) = in_pieces(block, wanted)
    assert cells.queries.tolist() == [1]
    assert cells.items.tolist() == [[1]]
    assert not list(in_pieces(block, np.zeros_like(wanted)))


def test_pieces_hold_queries_with_about_equally_many_cells() -> None:
    index = LexicalIndex.of(zipf_counts(500, 900, 30, seed=1), zipf_queries(40, 900, 5, seed=2))
    block = Block.of(index.postings, index.queries)
    wanted = block.scores(BM25().weigh(block.postings), "count") > 0
    pieces = list(in_pieces(block, wanted))
    assert sum(cells.items.size for cells in pieces) < 1.5 * wanted.sum()
    assert len(pieces) < 20


@pytest.mark.parametrize(("rounded", "answer"), [(True, False), (False, True)])
def test_whether_sums_are_contracted_is_found_out_by_a_sum(
    rounded: bool, answer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Row:
        """A row of a matrix, whose last product is rounded before it is added, or not."""

        def __init__(self, row: np.ndarray) -> None:
            self.row = [Fraction(value) for value in row[0].tolist()]

        def __matmul__(self, values: np.ndarray) -> np.ndarray:
            first, last = (
                [factor * Fraction(v) for v in row.tolist()]
                for factor, row in zip(self.row, values, strict=True)
            )
            products = [Fraction(float(p)) if rounded else p for p in last]
            return np.array([float(a + b) for a, b in zip(first, products, strict=True)])

    monkeypatch.setattr(module.sparse, "csr_array", Row)
    assert sums_are_contracted.__wrapped__() is answer
