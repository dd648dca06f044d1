"""A sweep's plan: every distinct node once."""

from __future__ import annotations

from itertools import pairwise

import pytest
from pipelines import dataset_of, pipeline_of

from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.fusion import RRF, LexicalOnly
from rag_sweep.lexical import BM25
from rag_sweep.pipeline import Pipeline, Roots, Settings
from rag_sweep.plan import Plan, describe, plan
from rag_sweep.reranker import ZSum

DATASET = dataset_of({"a": "one two", "b": "three"}, ["one", "three"])


def planned(*pipelines: Pipeline) -> Plan:
    return plan(pipelines, Settings(), Roots.of(DATASET))


def grid() -> list[Pipeline]:
    return [
        pipeline_of(
            chunker=FixedChunker(size), lexical=BM25(k1), embedder=LSAEmbedder(dim), fusion=RRF(k_rrf)
        )
        for size in (10, 20)
        for k1 in (0.9, 1.2, 1.5)
        for dim in (8, 16)
        for k_rrf in (10, 60)
    ]


def test_a_grid_costs_its_distinct_work() -> None:
    assert planned(*grid()).distinct == {
        "passages": 2,
        "passage_terms": 2,
        "query_terms": 1,
        "postings": 2,
        "lexical": 2 * 3,
        "vectors": 2,  # one SVD serves every dim
        "dense": 2 * 2,
        "pool": 24,
        "found": 24,
        "values": 24,
        "pool_recall": 6 + 4 + 12,  # a fusion that keeps all has the recall of the union
    }


def test_one_configuration_needs_one_of_each() -> None:
    distinct = planned(pipeline_of(reranker=ZSum())).distinct
    assert distinct.pop("pool_recall") == 3
    assert set(distinct.values()) == {1}
    assert "reranked" in distinct


def test_a_node_stands_behind_its_inputs() -> None:
    seen: set[str] = set()
    for key, node in planned(*grid()).nodes.items():
        assert key == node.key
        assert all(above.key in seen for above in node.inputs)
        seen.add(key)


def test_configurations_that_are_equal_in_effect_point_to_the_first_of_them() -> None:
    same = [pipeline_of(fusion=LexicalOnly(), embedder=HashEmbedder(dim)) for dim in (8, 16, 32)]
    found = planned(same[0], pipeline_of(), same[1], pipeline_of(), same[2]).alias_of
    assert found == {2: 0, 3: 1, 4: 0}
    assert planned(*grid()).alias_of == {}


def test_the_order_visits_each_once_and_keeps_a_shared_prefix_together() -> None:
    pipelines = grid()
    shuffled = pipelines[::2] + pipelines[1::2]
    one = planned(*shuffled)
    assert sorted(one.order) == list(range(len(shuffled)))
    sizes = [shuffled[at].chunker.size for at in one.order]  # type: ignore[attr-defined]
    assert sum(before != after for before, after in pairwise(sizes)) == 1


def test_shards_hold_each_configuration_once_and_keep_together_what_shares_its_lists() -> None:
    one = planned(*grid())
    for size in (1, 3, 5, 100):
        shards = one.shards(size)
        assert sorted(at for shard in shards for at in shard) == list(range(24))
        assert all(len(shard) <= size for shard in shards)
        assert all(len({one.chains[at].passages.key for at in shard}) == 1 for shard in shards)
    for shard in one.shards(5):
        lists = [tuple(n.key for name, n in one.chains[at].recalls.items() if name != "pool") for at in shard]
        assert all(
            before == after or before not in lists[i + 2 :]
            for i, (before, after) in enumerate(pairwise(lists))
        )


def test_a_description_compares_with_work_that_nobody_shares() -> None:
    one = planned(*grid())
    rows = {row.stage: row for row in describe(one, {one.chains[0].passages.key})}
    assert (rows["vectors"].distinct, rows["vectors"].in_a_loop) == (2, 24)
    assert (rows["passages"].stored, rows["vectors"].stored) == (1, 0)
    assert next(iter(rows)) == "passages"


@pytest.mark.parametrize("number", [0, 1])
def test_small_plans(number: int) -> None:
    assert len(planned(*grid()[:number]).chains) == number
    assert planned(*grid()[:number]).order == tuple(range(number))
