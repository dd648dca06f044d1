"""Which knobs differ, in which order, and where they mean something."""

from __future__ import annotations

from comparisons import MadeSweep, grid_params, noisy

from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.knobs import Knob, knobs_of


def knobs(*params: dict[str, object], equals: list[int] | None = None) -> dict[str, Knob]:
    found = knobs_of(params, [()] * len(params), equals or list(range(len(params))))
    return {knob.key: knob for knob in found}


def test_numbers_are_sorted_and_words_keep_their_order() -> None:
    found = knobs(
        {"chunker": "fixed", "lexical.k1": 10},
        {"chunker": "document", "lexical.k1": 9.5},
        {"lexical.k1": 0.5},
    )
    assert found["lexical.k1"].values == (0.5, 9.5, 10)
    assert found["chunker"].values == ("fixed", "document")
    assert found["chunker"].at == (0, 1, None)


def test_whole_numbers_and_others_are_one_value_and_true_is_none_of_them() -> None:
    found = knobs({"lexical.k1": 1}, {"lexical.k1": 1.0}, {"lexical.k1": 2})
    assert found["lexical.k1"].values == (1, 2)
    assert knobs({"lexical.k1": True}, {"lexical.k1": 1})["lexical.k1"].texts == ("true", "1")


def test_only_what_differs_and_says_how_to_search_is_a_knob() -> None:
    assert (
        knobs({"dataset.path": "a", "k": 5, "lexical.b": 1}, {"dataset.path": "b", "k": 9, "lexical.b": 1})
        == {}
    )


def test_a_knob_that_only_one_option_has_means_nothing_elsewhere() -> None:
    found = knobs(
        {"chunker": "fixed", "chunker.size": 80},
        {"chunker": "fixed", "chunker.size": 160},
        {"chunker": "document"},
    )
    assert found["chunker.size"].labels == ("80", "160", None)
    assert found["chunker.size"].value(2) is None
    # with one size only it doesn't differ: the chunker says it all
    assert set(knobs({"chunker": "fixed", "chunker.size": 80}, {"chunker": "document"})) == {"chunker"}


def test_null_is_a_value_of_its_own() -> None:
    found = knobs({"embedder.dim": None}, {"embedder.dim": 64}, {})
    assert found["embedder.dim"].labels == ("null", "64", None)


def test_a_knob_of_equals_in_effect_means_nothing_there() -> None:
    params = (
        {"fusion": "lexical_only", "embedder.dim": 64},
        {"fusion": "lexical_only", "embedder.dim": 128},
        {"fusion": "rrf", "embedder.dim": 64},
        {"fusion": "rrf", "embedder.dim": 128},
    )
    found = knobs(*params, equals=[0, 0, 2, 3])
    assert found["embedder.dim"].labels == (None, None, "64", "128")
    # equal in effect here and there only: then it does mean something
    third = {"fusion": "lexical_only", "embedder.dim": 256}
    found = knobs(*params, third, equals=[0, 0, 2, 3, 4])
    assert found["embedder.dim"].labels == ("64", "128", "64", "128", "256")


def test_short_names_are_never_ambiguous() -> None:
    found = knobs(
        {"fusion.depth": 1, "reranker.depth": 1, "lexical.b": 0},
        {"fusion.depth": 2, "reranker.depth": 2, "lexical.b": 1},
    )
    assert [knob.short for knob in found.values()] == ["fusion.depth", "reranker.depth", "b"]


def test_knobs_of_a_branch_that_isnt_read_mean_nothing_unless_a_reranker_may_read_it() -> None:
    params = grid_params(
        fusion=["lexical_only", "rrf"],
        embedder__dim=[64, 128],
        lexical__k1=[0.9, 1.2],
        reranker=["none", "zsum"],
    )
    dense = [one["fusion"] == "rrf" for one in params]
    sweep = MadeSweep(noisy([0.5] * 16, 5), params, branches={"lexical": [True] * 16, "dense": dense})
    grid = Grid.of(sweep)
    dim = next(knob for knob in grid.knobs if knob.key == "embedder.dim")
    for row, one in enumerate(grid.members):
        idle = one.record.params["fusion"] == "lexical_only" and one.record.params["reranker"] == "none"
        assert (dim.at[row] is None) == idle
    assert all(place is not None for knob in grid.knobs if knob.key == "lexical.k1" for place in knob.at)
