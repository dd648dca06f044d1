"""What configurations cost: counted by hand, and the same however it is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from matrices import dataset, journal_of
from pipelines import pipeline_of, run_one

from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.comparison.cost import READING, Cost, cost_of, costs_of, pareto
from rag_sweep.fusion import LexicalOnly
from rag_sweep.matrix import SweepData, write_matrix
from rag_sweep.matrix.layout import ConfigurationRecord
from rag_sweep.passages import Passages

FOUR = np.arange(4, dtype=np.int32)
PASSAGES = Passages(FOUR, FOUR, FOUR, np.array([10, 0, 20, 30], np.int32))
LEXICAL = {"pool_recall.lexical": 1.0, "pool_recall.pool": 1.0, "context.words": 35.5}
HYBRID = {**LEXICAL, "pool_recall.dense": 0.5, "effective_dim": 8.0}
DENSE = {"pool_recall.dense": 1.0, "pool_recall.pool": 1.0, "effective_dim": 8.0}


def record(metrics: dict[str, float], **params: Any) -> ConfigurationRecord:
    named = {"fusion.pool_depth": 100, **{key.replace("_", ".", 1): value for key, value in params.items()}}
    return ConfigurationRecord(0, "x", (), named, "f", None, None, metrics, ())


def test_a_lexical_search_costs_its_passages_and_its_candidates() -> None:
    assert cost_of(record(LEXICAL), PASSAGES) == Cost(("lexical",), 4, None, 100, 0, 60 * 8, 35.5, 4 + 100)


def test_a_hybrid_adds_the_products_of_its_vectors() -> None:
    found = cost_of(record(HYBRID), PASSAGES)
    assert (found.stages, found.dim) == (("lexical", "dense"), 8)
    assert (found.index_bytes, found.units) == (60 * 8 + 4 * 8 * 4, 4 + 4 * 8 + 200)


def test_a_dense_search_has_no_postings() -> None:
    found = cost_of(record(DENSE), PASSAGES)
    assert (found.stages, found.index_bytes, found.units) == (("dense",), 4 * 8 * 4, 4 * 8 + 100)


def test_zsum_scores_its_candidates_in_both_branches_also_in_one_that_does_not_search() -> None:
    zsum = {"reranker": "zsum", "reranker_depth": 50}
    hybrid = cost_of(record(HYBRID, **zsum), PASSAGES)
    assert hybrid.stages == ("lexical", "dense", "reranker")
    assert (hybrid.candidates, hybrid.units) == (50, 4 + 4 * 8 + 200 + 50 * 9)
    dense = cost_of(record(DENSE, **zsum), PASSAGES)
    assert (dense.stages, dense.index_bytes) == (("dense", "reranker"), 60 * 8 + 4 * 8 * 4)
    lexical = cost_of(record({**LEXICAL, "effective_dim": 8.0}, **zsum), PASSAGES)
    assert (lexical.dim, lexical.units) == (8, 4 + 100 + 50 * 9)


def test_another_reranker_reads_the_words_of_its_candidates() -> None:
    found = cost_of(record(LEXICAL, reranker="mine", reranker_depth=20), PASSAGES)
    assert (found.units, found.index_bytes) == (4 + 100 + 20 * 15 * READING, 60 * 8)


def test_as_plain_data_it_has_every_part() -> None:
    assert cost_of(record(LEXICAL), PASSAGES).to_dict() == {
        "stages": ["lexical"],
        "passages": 4,
        "dim": None,
        "depth": 100,
        "candidates": 0,
        "index_bytes": 480,
        "words": 35.5,
        "units": 104,
    }


def test_the_costs_of_a_sweep_are_those_of_its_configurations(tmp_path: Path) -> None:
    pipelines = (pipeline_of(), pipeline_of(chunker=FixedChunker(6, 2), fusion=LexicalOnly()))
    first, second = (run_one(dataset(), pipeline) for pipeline in pipelines)
    with journal_of(tmp_path / "j", [first, "it broke", second]) as journal:
        write_matrix(journal, tmp_path / "matrix.npz")
    sweep = SweepData(tmp_path / "matrix.npz")
    found = costs_of(sweep)
    assert found[1] is None
    assert costs_of(sweep, [2, 0]) == (found[2], found[0])
    assert found[0] is not None
    assert found[2] is not None
    assert (found[0].stages, found[2].stages) == (("lexical", "dense"), ("lexical",))
    assert (found[0].passages, found[2].passages) == (4, len(second.passages))
    assert found[0].words == first.words[:3].mean()


numbers = st.one_of(st.integers(0, 4).map(float), st.just(float("nan")))


@given(st.lists(st.tuples(numbers, numbers), max_size=12))
def test_the_pareto_set_is_what_nothing_dominates(points: list[tuple[float, float]]) -> None:
    quality, cost = (np.array([point[at] for point in points], dtype=np.float64) for at in (0, 1))

    def dominated(at: int) -> bool:
        return any(
            quality[other] >= quality[at]
            and cost[other] <= cost[at]
            and (quality[other] > quality[at] or cost[other] < cost[at])
            for other in range(len(points))
        )

    known = ~(np.isnan(quality) | np.isnan(cost))
    quality, cost = np.where(known, quality, np.nan), np.where(known, cost, np.nan)
    expected = [bool(known[at]) and not dominated(at) for at in range(len(points))]
    assert pareto(quality, cost).tolist() == expected
