"""A sweep as a union of grids: which cells it has, and what is refused before anything is composed."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import RangeSweep
from hypothesis import given
from hypothesis import strategies as st
from loaders import TRICKY, loader_of, master_of, write_options

from rag_sweep.config.build import configuration
from rag_sweep.config.compose import Composer
from rag_sweep.config.grid import GridReader, numbers
from rag_sweep.config.literals import literal, same
from rag_sweep.config.sweeping import cells, compose_all
from rag_sweep.errors import ConfigError


@pytest.fixture(scope="module")
def loader(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return loader_of(write_options(tmp_path_factory.mktemp("conf")))


@pytest.fixture(scope="module")
def composer(loader: Any) -> Composer:
    return composer_of(loader, ())


@cache
def composer_of(loader: Any, overrides: tuple[str, ...]) -> Composer:
    return Composer(loader, master_of(loader, *overrides))


def sweep(loader: Any, *overrides: str) -> Any:
    """The cells of a sweep, as the sweeper finds them."""
    ours = ("chunker", "analyzer", "lexical", "embedder", "fusion", "reranker")
    for_hydra = tuple(o for o in overrides if not o.lstrip("+~").startswith(ours))
    return cells(composer_of(loader, for_hydra), overrides)


def grids(*mappings: dict[str, Any]) -> str:
    return f"sweep.grids={literal(list(mappings))}"


def read(override: str) -> Any:
    return OverridesParser.create().parse_overrides([override])[0].value()


# Unions, and keys that exist under one option only


def test_a_union_of_grids_on_the_command_line_is_evaluated_grid_by_grid(loader: Any) -> None:
    found = sweep(loader, "sweep.grids=[{chunker:[document]},{chunker:[fixed],chunker.size:[100,200]}]")
    assert found.cells == [
        ("chunker=document",),
        ("chunker=fixed", "chunker.size=100"),
        ("chunker=fixed", "chunker.size=200"),
    ]
    assert (found.dropped, found.repeated) == ({}, 0)


def test_a_union_of_grids_in_a_yaml_is_the_same(loader: Any) -> None:
    found = sweep(loader, "+sweep=shared")
    assert found.cells == [
        ("+sweep=shared", "chunker=fixed", f"chunker.size={size}", "lexical.b='${lexical.k1}'")
        for size in (20, 40)
    ]


def test_an_interpolation_in_a_value_belongs_to_each_configuration(loader: Any) -> None:
    composer = composer_of(loader, ("+sweep=shared",))
    found = cells(composer, ["+sweep=shared", "lexical.k1=0.25,0.5"])
    config, _ = composer.compose(found.cells[-1])
    assert (config["lexical"]["k1"], config["lexical"]["b"]) == (0.5, 0.5)


def test_a_key_of_another_option_does_not_multiply_and_is_noted_once(composer: Composer) -> None:
    overrides = ["chunker=document,fixed,sentence", "chunker.size=80,160", "lexical.k1=1,2"]
    found = cells(composer, overrides)
    assert len(found.cells) == 2 + 2 * 2 + 2
    assert found.dropped == {"chunker.size": ["chunker=document", "chunker=sentence"]}
    assert all("chunker.size=80" not in cell or "chunker=fixed" in cell for cell in found.cells)


def test_a_key_of_another_group_is_kept_where_its_option_is_swept_elsewhere(composer: Composer) -> None:
    found = cells(composer, ["fusion=lexical_only,rrf", "fusion.k_rrf=10,60"])
    assert [cell for cell in found.cells if "fusion=lexical_only" in cell] == [("fusion=lexical_only",)]
    assert len(found.cells) == 3


def test_a_plus_adds_a_key_under_every_option(composer: Composer) -> None:
    found = cells(composer, ["chunker=document,fixed", "+chunker.new=1,2"])
    assert len(found.cells) == 4


def test_a_part_of_a_list_and_a_deletion_are_keys_too(composer: Composer) -> None:
    overrides = ["analyzer.extra_stop_words=[a,b]", "analyzer.extra_stop_words.0=c,d", "~lexical.b"]
    found = cells(composer, overrides)
    assert len(found.cells) == 2
    assert all("~lexical.b" in cell for cell in found.cells)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["chunker=fixed", "chunker.sise=1,2"], "chunker.sise .*chunker=fixed.*did you mean chunker.size"),
        (["lexical.k11=1,2"], "lexical.k11 .*did you mean lexical.k1"),
        (["lexical.k1=1", "chunker=document", "chunker.size=1,2"], "it exists under chunker=fixed"),
        (["sweep.grids=[{chunker:[fixed],chunker.sise:[1]}]"], "did you mean chunker.size"),
    ],
)
def test_a_key_that_exists_nowhere_is_an_error_with_the_nearest_right_one(
    loader: Any, overrides: list[str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        sweep(loader, *overrides)


def test_all_misspelt_keys_are_told_at_once(composer: Composer) -> None:
    with pytest.raises(ConfigError) as caught:
        cells(composer, ["lexical.k11=1,2", "fusion.krrf=1"])
    assert [line.partition(" ")[0] for line in str(caught.value).splitlines()] == [
        "lexical.k11",
        "fusion.krrf",
    ]


# Overrides against grids, and cells that stand in several


@pytest.mark.parametrize("override", ["lexical.k1=0.5", "+lexical.k1=0.5", "++lexical.k1=0.5", "~lexical.k1"])
def test_an_override_of_a_swept_key_wins(loader: Any, override: str) -> None:
    found = sweep(loader, override, grids({"lexical.k1": [1, 2], "lexical.b": [0.1, 0.2]}))
    assert found.cells == [(override, "lexical.b=0.1"), (override, "lexical.b=0.2")]


def test_an_override_of_an_option_leaves_out_the_keys_of_the_other_and_says_so(loader: Any) -> None:
    union = grids({"chunker": ["fixed"], "chunker.size": [1, 2], "lexical.k1": [1, 2]})
    found = sweep(loader, "chunker=document", union)
    assert found.cells == [("chunker=document", "lexical.k1=1"), ("chunker=document", "lexical.k1=2")]
    assert found.dropped == {"chunker.size": ["chunker=document"]}
    with pytest.raises(ConfigError, match=r"chunker\.sise .*did you mean chunker\.size"):
        sweep(loader, "chunker=document", grids({"chunker": ["fixed"], "chunker.sise": [1]}))


def test_an_override_with_several_values_replaces_those_of_the_grid(loader: Any) -> None:
    found = sweep(loader, "lexical.k1=3,4,5", grids({"lexical.k1": [1, 2]}))
    assert found.cells == [("lexical.k1=3",), ("lexical.k1=4",), ("lexical.k1=5",)]


def test_of_two_overrides_of_one_key_the_later_one_wins(composer: Composer) -> None:
    assert cells(composer, ["lexical.k1=1,2", "lexical.k1=3"]).cells == [("lexical.k1=3",)]


def test_a_cell_that_stands_in_two_grids_is_evaluated_once(loader: Any) -> None:
    found = sweep(
        loader,
        grids(
            {"chunker": ["fixed", "document"], "lexical.k1": [1, 2]},
            {"lexical.k1": [2, 3], "chunker": ["document"]},
        ),
    )
    assert len(found.cells) == 5
    assert found.repeated == 1
    assert found.cells[-1] == ("lexical.k1=3", "chunker=document")


def test_a_value_given_twice_is_evaluated_once_and_counted(composer: Composer) -> None:
    found = cells(composer, ["lexical.k1=1,1,2"])
    assert (len(found.cells), found.repeated) == (2, 1)


# Values


@given(st.lists(st.one_of(st.sampled_from(TRICKY), st.text("ab ,'\"\\[]{}=:$é", max_size=6)), min_size=1))
def test_texts_of_a_grid_are_never_read_as_anything_else(values: list[str]) -> None:
    axes = READER.grid_axes({"analyzer.extra_stop_words": [values, *values]}, "grid")
    assert [read(text) for text in axes["analyzer.extra_stop_words"]] == [values, *values]


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -1, 1.5, 1e-7, 1e300, [], {}, [None, [1, "a,b"]], {"a": [1, {"b": "x y"}]}],
    ids=repr,
)
def test_values_of_a_grid_keep_their_types(value: Any) -> None:
    (text,) = READER.grid_axes({"lexical.k1": [value]}, "grid")["lexical.k1"]
    assert same(read(text), value)


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("'a,b','c d',null,true,1,1.50", ["a,b", "c d", None, True, 1, 1.5]),
        ("'1','null',\"it's\",\"\\\\\"", ["1", "null", "it's", "\\"]),
        ("[a,'b,c'],{k:[1,2]},[]", [["a", "b,c"], {"k": [1, 2]}, []]),
        (r"a\,b,c\ d", ["a,b", "c d"]),
        ("str(choice(1,2.5,true))", ["1", "2.5", "true"]),
        ("'слово','два слова'", ["слово", "два слова"]),
        ("${lexical.b},'${k} x'", ["${lexical.b}", "${k} x"]),
        ("choice('',' ')", ["", " "]),
        (r"choice('1','null','\\\'','a,b')", ["1", "null", "\\'", "a,b"]),
    ],
)
def test_values_of_the_command_line_stay_what_they_are(typed: str, values: list[Any]) -> None:
    (texts,) = READER.axes([f"lexical.k1={typed}"]).values()
    assert same([read(text) for text in texts], values)


def test_a_single_value_stays_as_it_was_typed() -> None:
    assert READER.axes(["lexical.k1=1.50", "++lexical.b='a'"]) == {
        "lexical.k1": ["lexical.k1=1.50"],
        "++lexical.b": ["++lexical.b='a'"],
    }


def test_a_text_in_a_grid_is_read_in_hydras_grammar(loader: Any) -> None:
    reader = GridReader(loader)
    found = reader.grid_axes(
        {"chunker": "glob(f*)", "lexical.k1": "range(1,2,0.5)", "reranker": "zsum"}, "grid"
    )
    assert found == {
        "chunker": ["chunker=fixed"],
        "lexical.k1": ["lexical.k1=1.0", "lexical.k1=1.5"],
        "reranker": ["reranker=zsum"],
    }


# Ranges


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("range(0,1,0.1)", [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
        ("range(0.6,2.1,0.3)", [0.6, 0.9, 1.2, 1.5, 1.8]),
        ("range(1,0,-0.25)", [1.0, 0.75, 0.5, 0.25]),
        ("range(0,0.3,0.1)", [0.0, 0.1, 0.2]),
        ("sort(range(0,0.3,0.1),reverse=true)", [0.2, 0.1, 0.0]),
        ("range(1e-3,4e-3,1e-3)", [0.001, 0.002, 0.003]),
        ("range(3)", [0, 1, 2]),
        ("range(10,0,-5)", [10, 5]),
        ("range(5,1)", []),
    ],
)
def test_a_range_has_no_dust_and_excludes_its_end(typed: str, values: list[float]) -> None:
    swept = read(f"lexical.k1={typed}")
    assert isinstance(swept, RangeSweep)
    assert same(numbers(swept), values)


@given(
    st.decimals(-50, 50, places=3),
    st.decimals(Decimal("0.001"), 5, places=3),
    st.integers(0, 60),
    st.booleans(),
)
def test_any_range_counts_and_adds_in_decimals(
    start: Decimal, step: Decimal, count: int, downwards: bool
) -> None:
    step = -step if downwards else step
    found = numbers(RangeSweep(start=float(start), stop=float(start + count * step), step=float(step)))
    assert found == [float(start + at * step) for at in range(count)]


def test_a_shuffled_range_has_the_same_numbers() -> None:
    swept = read("lexical.k1=shuffle(range(0,5,0.1))")
    found = numbers(swept)
    assert sorted(found) == [at / 10 for at in range(50)] != found


@pytest.mark.parametrize("typed", ["range(0,1,0)", "range(0,inf)", "range(nan,1,0.5)"])
def test_a_range_without_an_end_is_refused(typed: str) -> None:
    with pytest.raises(ConfigError, match="finite numbers with a step other than 0"):
        READER.axes([f"lexical.k1={typed}"])


def test_parameter_names_carry_no_dust(composer: Composer) -> None:
    found = cells(composer, ["lexical.b=range(0,1,0.1)"])
    configurations = compose_all(composer, found.cells).configurations
    assert [c.params["lexical.b"] for c in configurations] == [at / 10 for at in range(10)]


# What can't be a sweep


@pytest.mark.parametrize(
    "override",
    [
        *("k=1,2", "+k=1,2", "++k=1,2", "k=choice(5,10)", "k=range(1,3)", "cutoffs=[1],[2]", "cutoffs.0=1,2"),
        *("objective=ndcg@10,mrr@10", "dataset=handbook,files", "dataset.version=a,b", "dataset=glob(*)"),
        *("tracking=none,mlflow", "tracking.text=full,none", "sweep.name=a,b", "+sweep=handbook,shared"),
        *("+new=1,2", "dataset@dataset=handbook,beir", "evidence.share=0.5,1"),
    ],
)
def test_what_would_make_the_comparison_unfair_is_not_swept(loader: Any, override: str) -> None:
    with pytest.raises(
        ConfigError, match=r"can't be swept: every configuration is measured on the same GOLD"
    ):
        sweep(loader, override, "lexical.k1=1,2")


@pytest.mark.parametrize(
    "key",
    ["k", "+k", "++k", "cutoffs", "dataset.path", "objective", "tracking", "evidence.share", "hydra.verbose"],
)
@pytest.mark.parametrize("values", [[5], [5, 10], "5", "5,10", "choice(5,10)", 5])
def test_a_grid_may_not_hold_such_a_key_at_all(key: str, values: Any) -> None:
    with pytest.raises(ConfigError, match=r"^sweep\.grids\[1\]: \S+ can't be swept"):
        READER.grid_axes({"lexical.k1": [1], key: values}, "sweep.grids[1]")


def test_one_value_for_all_is_no_sweep_over_it(loader: Any) -> None:
    assert len(sweep(loader, "k=5", "dataset.version=x", "lexical.k1=1,2").cells) == 2


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("lexical.k1=range(1,1)", "has no values: the grid would be empty"),
        ("chunker=glob(zz*)", "has no values: the grid would be empty"),
        ("lexical.k1=interval(0,1)", "a grid needs values one by one"),
        ("sweep.grids=[{chunker:[]}]", r"sweep\.grids\[0\]: chunker has no values"),
        ("sweep.grids=[{}]", "there is nothing to sweep"),
        ("sweep.grids=[1]", "must be a list of mappings"),
        ("sweep.grids=abc", "must be a list of mappings"),
        ("sweep.grids=[{5:[fixed]}]", "a key must be a text such as lexical.k1, got 5"),
        ("sweep.grids=[{lexical.k1:'1,'}]", r"sweep\.grids\[0\]: lexical.k1=1, can't be read"),
        (
            "sweep.grids=[{lexical.k1:'слово'}]",
            r"need quotes(?s:.*)stands in a list: lexical\.k1: \['слово'\]",
        ),
        ("tracking=none", "there is nothing to sweep"),
        ("sweep.name=x", "there is nothing to sweep"),
    ],
)
def test_a_sweep_of_nothing_or_of_something_else_is_refused(loader: Any, override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        sweep(loader, override)


def test_every_configuration_that_cannot_be_is_told_with_its_overrides(composer: Composer) -> None:
    jobs = [["lexical.k1=-1"], ["lexical.k1=1"], ["chunker=fixed", "chunker.size=0"], ["+lexical.k1=5"]]
    with pytest.raises(ConfigError) as caught:
        compose_all(composer, jobs)
    lines = str(caught.value).splitlines()
    assert lines[0] == "3 of 4 configurations can't be:"
    assert lines[1] == "lexical.k1 must be a number >= 0, got -1.0  (lexical.k1=-1)"
    assert lines[2] == "chunker.size must be an int >= 1, got 0  (chunker=fixed chunker.size=0)"
    assert lines[-1].endswith("(+lexical.k1=5)")


def test_many_faulty_configurations_are_counted_and_some_are_shown(composer: Composer) -> None:
    with pytest.raises(ConfigError) as caught:
        compose_all(composer, [[f"lexical.k1=-{at}"] for at in range(1, 101)])
    lines = str(caught.value).splitlines()
    assert (len(lines), lines[0], lines[-1]) == (12, "100 of 100 configurations can't be:", "and 90 more")


@pytest.mark.parametrize("job", [["k=5"], ["+sweep=unfair"], ["objective=mrr@10"], ["tracking=none"]])
def test_jobs_of_another_sweeper_may_not_differ_in_what_is_shared(tmp_path: Path, job: list[str]) -> None:
    file = write_options(tmp_path) / "sweep" / "unfair.yaml"
    file.write_text("# @package _global_\ncutoffs: [2]\n")
    loader = loader_of(tmp_path)
    with pytest.raises(ConfigError, match=r"differs between configurations: \S+ can't be swept"):
        compose_all(composer_of(loader, ()), [["lexical.k1=1"], job])


def test_equal_values_of_different_spelling_are_one_configuration(composer: Composer) -> None:
    built = [
        configuration(*composer.compose([text]), 0, [text]) for text in ("lexical.k1=1", "lexical.k1=1.0")
    ]
    assert built[0].fingerprint == built[1].fingerprint


READER = GridReader(loader_of())
