"""What the set of the best says of the knobs."""

from __future__ import annotations

import numpy as np
from comparisons import MadeSweep, grid_params

from rag_sweep.comparison.bests import best_of, told_of
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.parts import Best, Leaning

PARAMS = grid_params(analyzer=["simple", "stemmed"], lexical__k1=[0.6, 0.9, 1.2], lexical__b=[0.4, 0.75])


def grid_of_params() -> Grid:
    return Grid.of(MadeSweep(np.full((len(PARAMS), 3), 0.5), PARAMS))


def best(inside: list[int]) -> Best:
    """Of a full grid, with these configurations by their index as the set of the best."""
    grid = grid_of_params()
    rows = [row for row, one in enumerate(grid.members) if one.record.index in inside]
    return best_of(grid, np.array(rows), 0.05)


def test_shared_narrowed_and_free_knobs() -> None:
    found = best(
        [at for at, one in enumerate(PARAMS) if one["analyzer"] == "stemmed" and one["lexical.k1"] != 0.6]
    )
    assert [(knob.key, knob.value) for knob in found.shared] == [("analyzer", "stemmed")]
    assert [(knob.key, knob.values, knob.of) for knob in found.narrowed] == [
        ("lexical.k1", (0.9, 1.2), (0.6, 0.9, 1.2))
    ]
    assert [(knob.key, knob.values) for knob in found.free] == [("lexical.b", (0.4, 0.75))]
    assert found.sentences == (
        "All of them use analyzer=stemmed.",
        "None of them has k1=0.6.",
        "Every value of b that was tried is among them.",
    )


def test_few_of_many_values_are_named_themselves() -> None:
    found = best([at for at, one in enumerate(PARAMS) if one["lexical.k1"] == 0.9])
    assert "All of them use k1=0.9." in found.sentences
    assert "Every value of analyzer and b that was tried is among them." in found.sentences


def test_a_value_that_most_have_is_said() -> None:
    stemmed = [at for at, one in enumerate(PARAMS) if one["analyzer"] == "stemmed"]
    found = best([*stemmed, 0, 3])
    assert found.sentences[0] == "Most of them use analyzer=stemmed (6 of 8)."
    assert "analyzer" in [knob.key for knob in found.free]
    assert found.leaning == (Leaning("analyzer", "stemmed", 6, 8),)


def test_of_free_knobs_some_may_be_left_out_and_the_others_remarked_on() -> None:
    stemmed = [at for at, one in enumerate(PARAMS) if one["analyzer"] == "stemmed"]
    grid = grid_of_params()
    found = best([*stemmed, 0, 3])
    whole = told_of(found, grid.knobs, len(PARAMS))
    assert whole == list(found.sentences)
    told = told_of(found, grid.knobs, len(PARAMS), ["lexical.b"], {"analyzer": "simple costs less"})
    assert told == [
        "Most of them use analyzer=stemmed (6 of 8; simple costs less).",
        "Every value of k1 that was tried is among them.",
    ]


def test_one_alone_and_all_together_are_said() -> None:
    assert best([4]).sentences == ("One configuration stands alone: every other one is worse beyond chance.",)
    everything = best(list(range(len(PARAMS))))
    assert everything.sentences[0] == "None of them can be told from the best one."
    assert everything.shared == everything.narrowed == ()


def test_a_knob_that_means_nothing_to_some_is_never_shared() -> None:
    params = [
        {"chunker": "fixed", "chunker.size": 80},
        {"chunker": "fixed", "chunker.size": 160},
        {"chunker": "document"},
    ]
    grid = Grid.of(MadeSweep(np.full((3, 2), 0.5), params))
    found = best_of(grid, np.array([0, 2]), 0.05)
    assert found.shared == ()
    assert [(knob.key, knob.values) for knob in found.narrowed] == [("chunker.size", (80,))]
    only = best_of(grid, np.array([2]), 0.05)
    assert [knob.key for knob in only.shared] == ["chunker"]


def test_an_only_configuration_has_nothing_to_say() -> None:
    grid = Grid.of(MadeSweep([[0.5]]))
    assert best_of(grid, np.array([0]), 0.05).sentences == ()
