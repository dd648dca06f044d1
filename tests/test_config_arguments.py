"""The words behind `rag-sweep run`: what is an option, what is for Hydra, what is for our own sweeper."""

from __future__ import annotations

import pytest

from rag_sweep.config.arguments import for_other_sweeper, hold_back, parse, with_multirun
from rag_sweep.errors import UsageError


def test_options_and_overrides_may_stand_in_any_order() -> None:
    for words in (["a=1", "-m", "b=2", "-cd", "x"], ["--config-dir", "x", "--multirun", "a=1", "b=2"]):
        found = parse(words)
        assert found.options == {"multirun": True, "config_dir": "x"}
        assert found.overrides == ("a=1", "b=2")


def test_the_line_for_hydra_says_the_same() -> None:
    found = parse(["~a", "--config-dir=a b", "x='1,2'", "-c", "job", "--info", "plugins"])
    assert parse(found.line()) == found
    assert found.line()[-2:] == ["~a", "x='1,2'"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--nonsense"], "option --nonsense doesn't exist"),
        (["--jsno", "a=1"], r"option --jsno doesn't exist: did you mean --json\?"),
        (["--multirum"], r"did you mean --multirun\?"),
        (["--cfg", "foo"], "argument --cfg/-c: invalid choice: 'foo'"),
        (["--config-dir"], "argument --config-dir/-cd: expected one argument"),
        (["=5"], "'=5' is no override: it must be key=value"),
        (["--experimental-rerun", "x.pickle"], "would load a pickle"),
        (["--package=foo"], "--package goes with --cfg only"),
    ],
)
def test_what_cannot_be_read_is_one_line(words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        parse(words)
    assert "\n" not in str(caught.value)


def test_a_sweep_holds_back_what_hydra_would_refuse() -> None:
    given = parse(["-m", "chunker=document,fixed", "chunker.size=1,2", "k=5", "~lexical.b", "+fusion@x=rrf"])
    theirs, ours = hold_back(given)
    assert theirs.overrides == ("k=5",)
    assert ours == ("chunker=document,fixed", "chunker.size=1,2", "~lexical.b", "+fusion@x=rrf")
    assert theirs.is_multirun


@pytest.mark.parametrize(
    "words",
    [["chunker=fixed"], ["-m", "chunker=fixed", "hydra/sweeper=basic"], ["--cfg", "job", "chunker=fixed"]],
)
def test_a_single_run_and_another_sweeper_hold_nothing_back(words: list[str]) -> None:
    assert hold_back(parse(words)) == (parse(words), ())


def test_our_own_sweeper_may_be_named() -> None:
    assert hold_back(parse(["-m", "chunker=fixed", "hydra/sweeper=rag_sweep"]))[1] == ("chunker=fixed",)


def test_a_folder_named_like_a_group_is_no_override() -> None:
    theirs, ours = hold_back(parse(["-m", "--config-dir", "chunker", "lexical.k1=1"]))
    assert theirs.options["config_dir"] == "chunker"
    assert ours == ("lexical.k1=1",)


@pytest.mark.parametrize("word", ["+sweep=handbook", "sweep=handbook", "++sweep=handbook"])
def test_a_named_sweep_is_a_sweep_without_m(word: str) -> None:
    assert with_multirun(parse([word])).is_multirun


@pytest.mark.parametrize(
    "words", [["sweep.name=x"], ["sweep={name:x}"], ["+sweep=handbook", "--cfg", "job"], ["lexical.k1=1"], []]
)
def test_nothing_else_becomes_a_sweep(words: list[str]) -> None:
    assert not with_multirun(parse(words)).is_multirun


def test_another_sweeper_gets_a_folder_and_optuna_a_direction() -> None:
    found = for_other_sweeper(parse(["-m", "hydra/sweeper=optuna"]), "/a, b")
    assert found.overrides[1:] == ("hydra.sweep.dir='/a, b'", "hydra.sweeper.direction=maximize")
    named = parse(["-m", "hydra/sweeper=optuna", "hydra.sweep.dir=x", "hydra.sweeper.direction=minimize"])
    assert for_other_sweeper(named, "/a") == named
    assert for_other_sweeper(parse(["hydra/sweeper=basic"]), "/a").overrides[1:] == ("hydra.sweep.dir='/a'",)


def test_another_sweeper_with_another_launcher_is_refused() -> None:
    with pytest.raises(UsageError, match=r"hydra/sweeper=basic works with hydra/launcher=rag_sweep only"):
        for_other_sweeper(parse(["hydra/sweeper=basic", "hydra/launcher=joblib"]), "/a")


def test_the_help_of_hydra_needs_none_of_our_keys() -> None:
    found = parse(["--hydra-help", "dataset=beir"])
    assert (found.line(), found.asks_hydra) == (["--hydra-help"], True)
    assert not parse(["dataset=beir"]).asks_hydra
    assert parse(["--cfg", "job", "--package", "lexical"]).options["package"] == "lexical"
