"""Composing the quick way gives what Hydra's own composition gives, for whatever can be typed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from loaders import TRICKY, by_hydra, loader_of, master_of, write_options
from omegaconf.errors import OmegaConfBaseException

from rag_sweep.config.compose import Composer
from rag_sweep.config.grid import GridReader, expand
from rag_sweep.config.literals import literal, same

OPTIONS = {
    "chunker": ["document", "fixed", "sentence", "heading", "derived", "of_job"],
    "analyzer": ["simple", "stemmed"],
    "lexical": ["bm25", "overlap", "based"],
    "embedder": ["lsa", "hash"],
    "fusion": ["rrf", "lexical_only", "dense_only"],
    "reranker": ["none", "zsum"],
    "tracking": ["none", "mlflow"],
    "dataset": ["handbook", "beir"],
}
KEYS = [
    *("lexical.k1", "lexical.b", "chunker.size", "chunker.overlap", "chunker.max_words", "embedder.dim"),
    *("fusion.k_rrf", "fusion.pool_depth", "analyzer.extra_stop_words", "analyzer.extra_stop_words.0"),
    *(
        "dataset.version",
        "reranker.depth",
        "k",
        "cutoffs",
        "objective",
        "lexical.extra.deep",
        "new",
        "lexical.new",
    ),
]
INTERPOLATIONS = [
    *("${lexical.k1}", "${k}", "${embedder}", "at ${k}", "'${objective} and ${k}'", "${nowhere}", "\\${k}"),
    *("${hydra:runtime.choices.chunker}", "${hydra:nowhere}", "${oc.env:RAG_SWEEP_NOT_SET,7}"),
    "${oc.decode:'[1,2]'}",
]

numbers = st.one_of(st.integers(-5, 500), st.floats(-2, 2), st.just(float("inf")))
data = st.recursive(
    st.one_of(numbers, st.booleans(), st.none(), st.sampled_from(TRICKY)),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b c", "d"]), inner, max_size=2)
    ),
    max_leaves=5,
).map(literal)
texts = st.one_of(data, st.sampled_from(INTERPOLATIONS))
choices = st.sampled_from(sorted(OPTIONS)).flatmap(
    lambda group: st.sampled_from(OPTIONS[group]).map(lambda option: f"{group}={option}")
)
assignments = st.builds(
    "{}{}={}".format, st.sampled_from(["", "", "", "+", "++"]), st.sampled_from(KEYS), texts
)
deletions = st.sampled_from(
    [
        "~lexical.b",
        "~lexical.k1=1.2",
        "~chunker.size",
        "~k",
        "~reranker",
        "~reranker=zsum",
        "~new",
        "~fusion.k_rrf",
    ]
)
odd = st.sampled_from(
    [
        *(
            "lexical={k1:0.3}",
            "+lexical={new:1}",
            "lexical={}",
            "chunker={size:7,overlap:1}",
            "++new={a:{b:1}}",
        ),
        *(
            "+chunker@second=fixed",
            "second.size=3",
            "+second.size=3",
            "chunker@chunker=fixed",
            "lexical@x=bm25",
        ),
        *(
            "+sweep=global",
            "+sweep@_global_=global",
            "sweep={name:x}",
            "sweep.name=y",
            "lexical=[bm25,based]",
        ),
        *(
            "analyzer.extra_stop_words=[${k},b]",
            "hydra.job.name=${lexical.k1}",
            "++lexical=based",
            "chunker=5",
        ),
    ]
)
jobs = st.lists(
    st.one_of(choices, choices, assignments, assignments, assignments, deletions, odd), max_size=6
)


@pytest.fixture(scope="module")
def loader(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return loader_of(write_options(tmp_path_factory.mktemp("conf")))


@pytest.fixture(scope="module")
def master(loader: Any) -> Any:
    return master_of(loader)


REFUSALS = (HydraException, OmegaConfBaseException, ValueError)
"""What Hydra raises for an override that can't be; ValueError for a group whose value is no name."""


def refused_or(compose: Any) -> Any:
    try:
        config, chosen = compose()
    except REFUSALS:
        return "refused"
    return config, {group: chosen[group] for group in OPTIONS if chosen.get(group)}


def check(composer: Composer, loader: Any, master: Any, overrides: Sequence[str]) -> bool:
    """True if the overrides compose; whether or not, both ways must agree."""
    theirs = refused_or(lambda: by_hydra(loader, master, overrides))
    ours = refused_or(lambda: composer.compose(overrides))
    assert same(ours, theirs), overrides
    return bool(theirs != "refused")


def compositions(examples: int) -> settings:
    """Each example takes Hydra a tenth of a second or more: a failing one is shown as it was found."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=examples < 100,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def compare_many(loader: Any, master: Any, examples: int) -> None:
    composer = Composer(loader, master)  # one for all: what it remembers must not leak from job to job
    composed = []

    @compositions(examples)
    @given(jobs)
    def agree(overrides: list[str]) -> None:
        composed.append(check(composer, loader, master, overrides))

    agree()
    assert sum(composed) > examples / 8, "nearly everything was refused: the comparison says little"


def test_what_is_composed_equals_hydras_own(loader: Any, master: Any) -> None:
    compare_many(loader, master, 25)


@pytest.mark.full
def test_what_is_composed_equals_hydras_own_for_many_jobs(loader: Any, master: Any) -> None:
    compare_many(loader, master, 100)


@pytest.mark.parametrize(
    "overrides",
    [
        ["chunker=fixed", "chunker.size=7", "chunker={size:9}"],  # the later one wins, also across kinds
        ["chunker=fixed", "chunker={size:9}", "chunker.size=7"],
        ["chunker=of_job", "lexical=based"],  # an option that reads the job's own Hydra node
        ["chunker=derived", "embedder.dim=3"],
        ["+lexical.new=${hydra:runtime.choices.chunker}", "chunker=fixed"],
        ["+lexical.new=${hydra:overrides.task}"],
        ["~lexical.b", "+lexical.b=[1,null,'a, b']"],
        ["lexical.b=${lexical.k1}", "lexical.k1=0.3"],
        ["+chunker@second=fixed", "second.size=3"],
        ["+sweep=global", "sweep.name=null"],
        ["analyzer.extra_stop_words=[]", "+analyzer.extra_stop_words=[a,'b c']"],
        ["dataset.version='it\\'s'"],
        ["cutoffs=[5]", "cutoffs=[]"],
    ],
    ids=" ".join,
)
def test_what_is_hard_to_copy_equals_hydras_own(loader: Any, master: Any, overrides: list[str]) -> None:
    assert check(Composer(loader, master), loader, master, overrides)


@pytest.mark.parametrize(
    "overrides",
    [
        ["lexical.k11=1"],
        ["+k=3"],
        ["chunker=fixxed"],
        ["chunker=5"],
        ["++chunker=fixed"],
        ["~nope"],
        ["lexical.k1=${nope}"],
    ],
    ids=" ".join,
)
def test_what_hydra_refuses_is_refused(loader: Any, master: Any, overrides: list[str]) -> None:
    assert not check(Composer(loader, master), loader, master, overrides)


def test_the_job_may_read_the_hydra_node_but_not_change_what_comes_after(loader: Any, master: Any) -> None:
    composer = Composer(loader, master)
    for lexical in ("overlap", "based", "bm25"):
        config, _ = composer.compose(["chunker=of_job", f"lexical={lexical}"])
        assert config["chunker"]["note"] == lexical


def test_a_composed_config_can_be_changed_without_harm(loader: Any, master: Any) -> None:
    composer = Composer(loader, master)
    first, chosen = composer.compose(["analyzer.extra_stop_words=[a]"])
    first["analyzer"]["extra_stop_words"].append("b")
    chosen["chunker"] = "changed"
    second, again = composer.compose(["analyzer.extra_stop_words=[a]"])
    assert second["analyzer"]["extra_stop_words"] == ["a"]
    assert again["chunker"] == "document"


def test_options_of_a_search_path_on_the_command_line_are_known(tmp_path: Path) -> None:
    write_options(tmp_path)
    loader = loader_of()
    master = master_of(loader, f"hydra.searchpath=[{literal(f'file://{tmp_path}')}]")
    assert check(Composer(loader, master), loader, master, ["lexical=based", "lexical.b=0.2"])


def test_hydra_composes_once_for_each_choice_of_options(loader: Any, master: Any, monkeypatch: Any) -> None:
    composed = []
    own = type(loader).load_sweep_config
    monkeypatch.setattr(type(loader), "load_sweep_config", lambda *a: (composed.append(a[2]), own(*a))[1])
    composer = Composer(loader, master)
    for option in ("fixed", "sentence"):
        for k1 in range(20):
            composer.compose([f"chunker={option}", f"lexical.k1={k1}"])
    assert len(composed) == 2


# Grids: the cells that our sweeper makes, composed our way, against Hydra's own sweeper and composition.
# Where Hydra's own loses something, ours doesn't: the quotes in str(1) and choice('1'), see test_config_grid.


choice_values = st.lists(data, min_size=1, max_size=3)


def swept(key: str, values: Sequence[str], form: str) -> str:
    listed = ",".join(values)
    bare = "'" not in listed and "null" not in values
    return f"{key}=choice({listed})" if form == "choice" and bare else f"{key}={listed}"


free_keys = [
    "lexical.k1",
    "embedder.dim",
    "fusion.pool_depth",
    "analyzer.language",
    "+lexical.new",
    "++lexical.b",
]
axis = st.one_of(
    st.builds(swept, st.sampled_from(free_keys), choice_values, st.sampled_from(["a,b", "choice"])),
    st.builds("{}={}".format, st.sampled_from(free_keys), data),
    st.sampled_from(
        [
            *(
                "chunker=document,fixed",
                "chunker=glob(*)",
                "chunker=glob([f*,d*],exclude=derived)",
                "fusion=choice(rrf)",
            ),
            *(
                "lexical.k1=range(0,2)",
                "lexical.k1=range(1,0,-0.25)",
                "lexical.k1=sort(3,1,2)",
                "embedder.dim=range(3)",
            ),
            *(
                "lexical.k1=sort(range(0,3),reverse=true)",
                "lexical.k1=float(choice(1,2))",
                "lexical.k1=str(y),str(x)",
            ),
            *(
                "lexical.k1=tag(a,choice(1,2))",
                "embedder=hash,lsa",
                "lexical.b=${lexical.k1},0.5",
                "reranker=zsum",
            ),
        ]
    ),
)
grids = st.lists(axis, min_size=1, max_size=3)


def jobs_of_hydra(loader: Any, overrides: list[str]) -> list[list[str]]:
    parsed = OverridesParser.create(config_loader=loader).parse_overrides(overrides)
    (batch,) = BasicSweeper.split_arguments(parsed, None)
    return batch


def compare_grids(loader: Any, master: Any, examples: int, most: int) -> None:
    composer = Composer(loader, master)
    reader = GridReader(loader)

    @cache  # grids have jobs in common, and Hydra takes a tenth of a second for one
    def by_hydra_once(*job: str) -> Any:
        return refused_or(lambda: by_hydra(loader, master, job))

    @compositions(examples)
    @given(grids)
    def agree(overrides: list[str]) -> None:
        jobs = jobs_of_hydra(loader, overrides)
        assume(len(jobs) <= most)
        found = expand([reader.axes(overrides)], reader, composer.keys_under)
        ours = [refused_or(lambda cell=cell: composer.compose(cell)) for cell in found.cells]
        theirs = [by_hydra_once(*job) for job in jobs]
        assert list(dict.fromkeys(map(repr, ours))) == list(dict.fromkeys(map(repr, theirs))), overrides

    agree()


def test_the_cells_of_a_grid_are_those_of_hydras_own_sweeper(loader: Any, master: Any) -> None:
    compare_grids(loader, master, 8, most=4)


@pytest.mark.full
def test_the_cells_of_many_grids_are_those_of_hydras_own_sweeper(loader: Any, master: Any) -> None:
    compare_grids(loader, master, 100, most=6)
