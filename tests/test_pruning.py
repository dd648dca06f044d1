"""A family that is searched at once gives each member what it gives alone, bit by bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from zipf import zipf_counts, zipf_queries

import rag_sweep.cells
import rag_sweep.lexical
import rag_sweep.pruning as module
from rag_sweep.accumulate import Block
from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.arrays import FloatArray
from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.dataset.beir import Beir
from rag_sweep.errors import StageFailed
from rag_sweep.lexical import BM25, Lexical, LexicalIndex, Overlap, is_factored
from rag_sweep.passages import PassageTexts, chunk
from rag_sweep.pruning import Factors, reachable, search_pruned
from rag_sweep.ranking import EMPTY, Rankings
from rag_sweep.terms import Postings, TermCounts, count_terms

WORDS = list("abcdefgh")
texts = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=9) | st.just(["a"]) | st.just(["a", "b"]),
    min_size=1,
    max_size=40,
)
questions = st.lists(st.lists(st.sampled_from([*WORDS, "x"]), max_size=9), min_size=1, max_size=7)
k1s = st.sampled_from([0.0, 0.3, 1.2, 1.5, 20.0]) | st.floats(0, 30)
bs = st.sampled_from([0.0, 0.4, 0.75, 1.0]) | st.floats(0, 1)
families = st.lists(st.tuples(st.builds(BM25, k1s, bs), st.integers(1, 50)), min_size=1, max_size=24)
grids = st.tuples(st.lists(k1s, min_size=1, max_size=5), st.lists(bs, min_size=1, max_size=5)).map(
    lambda axes: [BM25(k1, b) for k1 in axes[0] for b in axes[1]]
)


def index_of(passages: Sequence[Sequence[str]], queries: Sequence[Sequence[str]]) -> LexicalIndex:
    return LexicalIndex.of(count_terms(passages), count_terms(queries))


def bits(found: Rankings) -> tuple[tuple[int, ...], str, bytes, bytes]:
    return found.items.shape, str(found.items.dtype), found.items.tobytes(), found.scores.tobytes()


def alone(index: LexicalIndex, family: Sequence[tuple[Lexical, int]]) -> list[Rankings]:
    return [index.search(*member) for member in family]


def pruned(index: LexicalIndex, family: Sequence[tuple[BM25, int]]) -> list[Rankings]:
    """Searched at once however small the family is, and however little can be left out."""
    block = Block.of(index.postings, index.queries)
    assume(len(block.postings.tf))  # or else there is nothing to prune
    factors = rag_sweep.lexical._factors(block, [lexical for lexical, _ in family])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST", 1.0)
        found = search_pruned(block, factors, [depth for _, depth in family])
    assert found is not None
    return found


@settings(max_examples=150)
@given(passages=texts, queries=questions, family=families)
def test_a_family_gives_each_member_what_it_gives_alone(
    passages: list[list[str]], queries: list[list[str]], family: list[tuple[BM25, int]]
) -> None:
    index = index_of(passages, queries)
    assert [bits(one) for one in pruned(index, family)] == [bits(one) for one in alone(index, family)]


@settings(max_examples=60)
@given(
    passages=texts,
    queries=questions,
    grid=grids,
    depth=st.integers(1, 6),
    sizes=st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 40)),
)
def test_the_sizes_of_tiles_chunks_and_pieces_change_nothing(
    passages: list[list[str]],
    queries: list[list[str]],
    grid: list[BM25],
    depth: int,
    sizes: tuple[int, int, int],
) -> None:
    index, family = index_of(passages, queries), [(lexical, depth) for lexical in grid]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "TILE", sizes[0])
        patch.setattr(module, "CHUNK", sizes[1])
        patch.setattr(rag_sweep.cells, "PIECE", sizes[2])
        found = pruned(index, family)
    assert [bits(one) for one in found] == [bits(one) for one in alone(index, family)]


@settings(max_examples=40)
@given(passages=texts, queries=questions, grid=grids, depth=st.integers(1, 6))
def test_it_is_the_same_where_sums_of_products_are_contracted(
    passages: list[list[str]], queries: list[list[str]], grid: list[BM25], depth: int
) -> None:
    index, family = index_of(passages, queries), [(lexical, depth) for lexical in grid]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "sums_are_contracted", lambda: True)
        found = pruned(index, family)
    assert [bits(one) for one in found] == [bits(one) for one in alone(index, family)]


@given(passages=texts, queries=questions, grid=grids, depth=st.integers(1, 6))
def test_what_is_left_out_is_among_the_best_of_no_member(
    passages: list[list[str]], queries: list[list[str]], grid: list[BM25], depth: int
) -> None:
    index = index_of(passages, queries)
    block = Block.of(index.postings, index.queries)
    assume(len(block.postings.tf))
    kept = reachable(block, rag_sweep.lexical._factors(block, grid), min(depth, len(passages)))
    for lexical in grid:
        found = index.search(lexical, depth)
        rows, ranks = np.nonzero(found.items != EMPTY)
        assert kept[rows, found.items[rows, ranks]].all()


GRID = [BM25(k1, b) for k1 in (0.0, 0.6, 0.9, 1.2, 2.0) for b in (0.0, 0.4, 0.75, 1.0)]


def test_much_is_left_out_of_text_like_the_real_one() -> None:
    index = LexicalIndex.of(zipf_counts(2000, 5000, 60, seed=1), zipf_queries(30, 5000, 7, seed=2))
    block = Block.of(index.postings, index.queries)
    kept = reachable(block, rag_sweep.lexical._factors(block, GRID), 20)
    assert 20 <= kept.sum() / len(kept) < 0.1 * kept.shape[1]


@pytest.mark.parametrize("depth", [1, 20, 100, 3000])
def test_blocks_and_families_of_synthetic_text(depth: int) -> None:
    index = LexicalIndex.of(zipf_counts(2000, 5000, 60, seed=1), zipf_queries(30, 5000, 7, seed=2))
    family: list[tuple[Lexical, int]] = [(lexical, depth) for lexical in [*GRID, Overlap()]]
    expected = [bits(one) for one in alone(index, family)]
    assert [bits(one) for one in index.search_family(family)] == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rag_sweep.lexical, "BLOCK_CELLS", 7 * 2000)
        assert [bits(one) for one in index.search_family(family)] == expected


def counts_of(shared: Path, size: int | None) -> tuple[TermCounts, TermCounts]:
    dataset, analyzer = Beir(str(shared / "data/cranfield")).load(), StemmedAnalyzer()
    passages = chunk(DocumentChunker() if size is None else FixedChunker(size), dataset.corpus)
    return (
        count_terms(analyzer.tokens(text) for text in PassageTexts(dataset.corpus, passages)),
        count_terms(analyzer.tokens(question.text) for question in dataset.gold.questions),
    )


@pytest.mark.parametrize("size", [None, 40])
def test_every_member_of_a_grid_on_cranfield_is_what_it_is_alone(shared: Path, size: int | None) -> None:
    index = LexicalIndex.of(*counts_of(shared, size))
    family = [(BM25(k1 / 10, b / 10), 100) for k1 in range(0, 30, 5) for b in range(0, 11, 2)]
    found = index.search_family(family)
    assert [bits(one) for one in found] == [bits(one) for one in alone(index, family)]
    assert len({bits(one) for one in found}) > 30


# What can't be pruned is searched as ever


def test_an_index_without_any_posting_finds_nothing() -> None:
    index = index_of([["a"], ["b"]], [["x"], [], ["y", "y"]])
    for found in index.search_family([(lexical, 3) for lexical in GRID]):
        assert (found.items == EMPTY).all()
        assert found.items.shape == (3, 2)


@dataclass(frozen=True)
class Doubled(BM25):
    """Weighs in another way than its factors say."""

    def weigh(self, postings: Postings) -> FloatArray:
        return 2.0 * super().weigh(postings)


@dataclass(frozen=True)
class Negative(BM25):
    """Declares factors that are below 0 for some terms."""

    def weigh(self, postings: Postings) -> FloatArray:
        tf = self.saturation(postings.tf, postings.lengths[postings.passages], postings.avgdl)
        return tf * self.importance(postings.df, postings.N)[postings.term]

    def saturation(self, tf: FloatArray, lengths: FloatArray, avgdl: float) -> FloatArray:
        return super().saturation(tf, lengths, avgdl)

    def importance(self, df: FloatArray, N: int) -> FloatArray:
        return super().importance(df, N) - 0.5


def test_only_the_class_that_weighs_can_say_what_its_factors_are() -> None:
    assert is_factored(BM25)
    assert is_factored(Negative)
    assert not is_factored(Doubled)
    assert not is_factored(Overlap)


@pytest.mark.parametrize("component", [Doubled, Negative])
def test_components_whose_factors_cannot_be_trusted_are_searched_alone(component: type[BM25]) -> None:
    index = LexicalIndex.of(zipf_counts(200, 300, 20, seed=1), zipf_queries(9, 300, 5, seed=2))
    family = [(component(one.k1, one.b), 10) for one in GRID]
    found = index.search_family(family)
    assert [bits(one) for one in found] == [bits(one) for one in alone(index, family)]


def test_factors_that_are_no_numbers_or_too_large_for_keys_are_not_pruned() -> None:
    index = LexicalIndex.of(zipf_counts(50, 60, 20, seed=1), zipf_queries(3, 60, 5, seed=2))
    block = Block.of(index.postings, index.queries)
    sound = rag_sweep.lexical._factors(block, GRID)
    assert search_pruned(block, sound, [3] * len(GRID)) is not None
    for factor in (np.nan, np.inf, -1.0, 1e9):
        broken = Factors(sound.importance, sound.members * factor)
        assert search_pruned(block, broken, [3] * len(GRID)) is None


def test_one_member_that_overflows_fails_the_call_with_its_own_name() -> None:
    index = index_of([["a", *["b"] * 20], ["c"]], [["a"]])
    family = [(lexical, 5) for lexical in [*GRID, BM25(1e308, 1.0)]]
    with pytest.raises(StageFailed, match=r"^lexical\.k1=1e\+308 is too large"):
        index.search_family(family)
