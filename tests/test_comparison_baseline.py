"""What all others are compared with."""

from __future__ import annotations

import pytest
from comparisons import SHIPPED, MadeSweep, grid_params, noisy

from rag_sweep.comparison.baseline import choose_baseline
from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.settings import Decide
from rag_sweep.errors import ConfigError

PARAMS = grid_params(chunker=["document", "fixed"], lexical__k1=[0.9, 1.2], lexical__b=[0.4, 0.75])


def grid(**options: object) -> Grid:
    return Grid.of(MadeSweep(noisy([0.5 + at / 100 for at in range(8)], 30, noise=0.01), PARAMS, **options))


def index(of: Grid, row: int) -> int:
    return of.members[row].record.index


def test_it_is_the_configuration_as_shipped() -> None:
    found = choose_baseline(grid(), None, SHIPPED)
    assert index(grid(), found.row) == 3
    assert found.note == "baseline: chunker=document k1=1.2 b=0.75, the configuration as shipped"


def test_where_that_isnt_there_it_is_the_closest_and_said() -> None:
    found = choose_baseline(grid(), None, {**SHIPPED, "lexical.k1": 2.0, "lexical.k3": 7})
    assert index(grid(), found.row) == 1  # of two that differ in k1 only, the one with the smaller index
    assert "the configuration as shipped isn't among those compared" in found.note
    assert found.note.endswith("(lexical.k1=0.9 instead of 2.0)")
    assert found.caution == (
        "the configuration as shipped isn't among those compared: the baseline is the one closest to it "
        "(lexical.k1=0.9 instead of 2.0)"
    )
    told = compare(grid(), Decide(resamples=200, repeats=4), {**SHIPPED, "lexical.k1": 2.0}).decision
    assert "The configuration as shipped isn't among those compared" in told.cautions[-1]


def test_a_baseline_that_is_as_shipped_or_asked_for_needs_no_caution() -> None:
    for wanted, shipped in ((None, SHIPPED), (None, None), (5, {}), ("chunker=fixed", {"lexical.k1": 2.0})):
        assert choose_baseline(grid(), wanted, shipped).caution == ""


def test_a_knob_that_another_option_hasnt_got_is_no_difference_of_its_own() -> None:
    params = [{"chunker": "fixed", "chunker.size": 80}, {"chunker": "document", "lexical.k1": 0.9}]
    both = Grid.of(MadeSweep([[0.1], [0.2]], params))
    assert index(both, choose_baseline(both, None, {"chunker": "document", "lexical.k1": 1.2}).row) == 0


def test_without_the_shipped_params_it_is_the_first() -> None:
    assert index(grid(), choose_baseline(grid(), None, None).row) == 0


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (5, 5),
        ("5", 5),
        ("chunker=fixed k1=0.9 b=0.4", 4),
        ("chunker=fixed lexical.b=0.75 lexical.k1=1.20", 7),
        ("chunker=fixed", 7),  # the closest to the shipped one
    ],
)
def test_it_is_found_by_index_name_or_override_words(wanted: int | str, expected: int) -> None:
    assert index(grid(), choose_baseline(grid(), wanted, SHIPPED).row) == expected


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (8, r"decide.baseline must be the index of a configuration that is compared \(at most 7\), got 8"),
        ("lexical.k1=3", "override words .*, got 'lexical.k1=3', which holds for none"),
        (
            "chunker fixed",
            r"decide.baseline must be an index, a name \(such as chunker=fixed .*got 'chunker fixed'",
        ),
        ("", "decide.baseline must be an index, a name"),
    ],
)
def test_what_isnt_there_is_refused(wanted: int | str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        choose_baseline(grid(), wanted, SHIPPED)


@pytest.mark.parametrize(
    "wanted", [2, "chunker=document k1=1.2 b=0.4", "lexical.k1=1.2 chunker=document lexical.b=0.4"]
)
def test_one_that_failed_is_refused(wanted: int | str) -> None:
    with pytest.raises(ConfigError, match=r"k1=1\.2 b=0\.4 failed: no memory"):
        choose_baseline(grid(failures={2: "no memory"}), wanted, SHIPPED)


def test_a_failed_shipped_one_is_replaced_by_the_closest() -> None:
    of = grid(failures={3: "no memory"})
    assert index(of, choose_baseline(of, None, SHIPPED).row) == 1
