"""What all others are compared with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from comparisons import SHIPPED, MadeSweep, asked, grid_params, noisy

from rag_sweep.comparison.baseline import choose_baseline
from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.parts import StandIn
from rag_sweep.comparison.settings import Decide
from rag_sweep.errors import ConfigError
from rag_sweep.report.comparison_markdown import comparison_markdown
from rag_sweep.report.comparison_text import comparison_text

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
    assert found.note == (
        "stand-in: chunker=document k1=0.9 b=0.75, the closest to your configuration (k1=0.9 instead of 2.0)"
    )
    assert found.stand_in == StandIn(("k1=0.9 instead of 2.0",), ())


@pytest.mark.parametrize("means", [[0.5, 0.5, 0.5, 0.5, 0.8, 0.5, 0.5, 0.5], [0.5] * 8])
def test_a_stand_in_is_never_called_the_baseline(means: list[float]) -> None:
    of = Grid.of(MadeSweep(noisy(means, 40, noise=0.05), PARAMS, questions=asked(40, tags=True)))
    found = compare(of, Decide(resamples=200, repeats=4), {**SHIPPED, "lexical.k1": 2.0})
    data, told = found.to_dict(), found.decision
    assert told.cautions[0] == (
        "Yours wasn't measured and may be better than its stand-in, chunker=document k1=0.9 b=0.75 (k1=0.9 "
        "instead of 2.0): `rag-sweep run` measures it, and as `yours` it joins in `rag-sweep compare`."
    )
    start = "Keep yours, as far as chunker=document k1=0.9 b=0.75 stands in for it (k1=0.9 instead of 2.0): "
    better = ": it beats the closest to yours that was measured (k1=0.9 instead of 2.0), and "
    assert told.headline.startswith(start) if told.keeps_baseline else better in told.headline
    for text in (comparison_markdown(data), *map(str, comparison_text(data, 10, 300))):
        assert "baseline" not in text.lower()
    assert "stand-in" in comparison_markdown(data)


def test_what_measures_yours_is_what_the_sweep_was_run_with_but_its_knobs() -> None:
    made = MadeSweep(noisy([0.5] * 8, 30), PARAMS)
    words = ("+sweep=team", "dataset=files", "dataset.gold=g.jsonl", "lexical.k1=0.9", "chunker=fixed", "k=5")
    made.configurations = tuple(replace(one, overrides=words) for one in made.configurations)
    found = choose_baseline(Grid.of(made), None, {**SHIPPED, "lexical.k1": 2.0}).stand_in
    assert found is not None
    assert found.overrides == ("dataset=files", "dataset.gold=g.jsonl", "k=5")


def test_a_baseline_that_is_as_shipped_or_asked_for_needs_no_caution() -> None:
    for wanted, shipped in ((None, SHIPPED), (None, None), (5, {}), ("chunker=fixed", {"lexical.k1": 2.0})):
        assert choose_baseline(grid(), wanted, shipped).stand_in is None


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
