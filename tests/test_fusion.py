"""Fusion, against reciprocal rank fusion written out in plain Python."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pipelines import rows_of
from test_ranking import rankings

from rag_sweep.errors import ConfigError
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.ranking import Rankings


def naive_rrf(lists: list[list[int]], weights: tuple[float, ...], k_rrf: int) -> list[tuple[int, float]]:
    scores: dict[int, float] = {}
    for ids, weight in zip(lists, weights, strict=True):
        for rank, item in enumerate(ids, 1):
            scores[item] = scores.get(item, 0.0) + weight / (k_rrf + rank)
    return sorted(((i, round(s, 9)) for i, s in scores.items()), key=lambda pair: (-pair[1], pair[0]))


@given(
    lexical=rankings(),
    dense=rankings(),
    k_rrf=st.sampled_from([1, 2, 10, 60, 1000]),
    weights=st.sampled_from([(1.0, 1.0), (0.3, 1.0), (2.0, 0.5), (0.0, 1.0), (1.0, 0.0)]),
)
def test_rrf_is_the_sum_of_weighted_reciprocal_ranks(
    lexical: Rankings, dense: Rankings, k_rrf: int, weights: tuple[float, float]
) -> None:
    fused = RRF(k_rrf, 100, *weights).fuse({"dense": dense, "lexical": lexical})
    lists = [[[item for item, _ in row] for row in rows_of(branch)] for branch in (lexical, dense)]
    expected = [naive_rrf([lists[0][at], lists[1][at]], weights, k_rrf) for at in range(3)]
    for row, wanted in zip(rows_of(fused), expected, strict=True):
        assert [item for item, _ in row] == [item for item, _ in wanted]
        assert [score for _, score in row] == pytest.approx([score for _, score in wanted], abs=1e-15)


@given(lexical=rankings(), dense=rankings())
def test_only_ranks_count(lexical: Rankings, dense: Rankings) -> None:
    fused = RRF().fuse({"lexical": lexical, "dense": dense})
    other = Rankings(dense.items, dense.scores * 100 + 7)
    assert rows_of(RRF().fuse({"lexical": lexical, "dense": other})) == rows_of(fused)


@given(lexical=rankings(), dense=rankings())
def test_equal_weights_make_the_branches_exchangeable(lexical: Rankings, dense: Rankings) -> None:
    one = RRF(10).fuse({"lexical": lexical, "dense": dense})
    assert rows_of(RRF(10).fuse({"lexical": dense, "dense": lexical})) == rows_of(one)


@given(lexical=rankings(), dense=rankings())
def test_a_single_branch_is_handed_on_as_it_is(lexical: Rankings, dense: Rankings) -> None:
    branches = {"lexical": lexical, "dense": dense}
    assert LexicalOnly().fuse(branches) is lexical
    assert DenseOnly().fuse(branches) is dense


def test_what_each_fusion_reads_and_what_its_scores_are_made_of() -> None:
    kinds = {kind.__name__: (kind.branches, kind.made_of_ranks) for kind in (RRF, LexicalOnly, DenseOnly)}
    assert kinds == {
        "RRF": (("lexical", "dense"), True),
        "LexicalOnly": (("lexical",), False),
        "DenseOnly": (("dense",), False),
    }


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"k_rrf": 0}, "fusion.k_rrf must be an int >= 1, got 0"),
        ({"k_rrf": 1.5}, "fusion.k_rrf must be an int >= 1, got 1.5"),
        ({"k_rrf": True}, "fusion.k_rrf must be an int >= 1, got True"),
        ({"pool_depth": 0}, "fusion.pool_depth must be an int >= 1, got 0"),
        ({"lexical_weight": -0.5}, "fusion.lexical_weight must be a number >= 0, got -0.5"),
        ({"dense_weight": math.inf}, "fusion.dense_weight must be a number >= 0, got inf"),
        ({"dense_weight": math.nan}, "fusion.dense_weight must be a number >= 0, got nan"),
        (
            {"lexical_weight": 0.0, "dense_weight": 0.0},
            "fusion.lexical_weight must be above 0 where dense_weight is 0, got 0.0",
        ),
    ],
)
def test_parameters_that_cannot_be_are_refused(values: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        RRF(**values)  # type: ignore[arg-type]
    assert str(refusal.value) == message


@pytest.mark.parametrize("fusion", [LexicalOnly, DenseOnly])
def test_a_single_branch_needs_a_depth_too(fusion: type[LexicalOnly | DenseOnly]) -> None:
    with pytest.raises(ConfigError, match=r"^fusion\.pool_depth must be an int >= 1, got -1$"):
        fusion(-1)
