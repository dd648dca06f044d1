"""A resolved config becomes components: values by type hints, everything else an error that names the key."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Literal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.config.build import coerce, component, configuration, settings
from rag_sweep.config.program import compose_once
from rag_sweep.errors import ConfigError
from rag_sweep.lexical import BM25
from rag_sweep.report.record import card


@pytest.fixture(scope="module")
def config() -> dict[str, Any]:
    return compose_once([])


CHOICES = {"chunker": "document", "lexical": "bm25"}


@pytest.mark.parametrize(
    ("value", "hint", "meant"),
    [
        (1, float, 1.0),
        (1.0, int, 1),
        (1e15, int, 10**15),
        (3, str, "3"),
        ("x", str, "x"),
        (True, bool, True),
        (None, int | None, None),
        (2, str | None, "2"),
        ([1.0, 2], tuple[int, ...], (1, 2)),
        ([], tuple[str, ...], ()),
        ([[1], [2.0]], tuple[tuple[float, ...], ...], ((1.0,), (2.0,))),
        ("full", Literal["full", "none"], "full"),
    ],
)
def test_a_value_takes_the_type_of_its_hint(value: Any, hint: Any, meant: Any) -> None:
    found = coerce(value, hint, "key")
    assert (type(found), repr(found)) == (type(meant), repr(meant))


@pytest.mark.parametrize(
    ("value", "hint", "message"),
    [
        (float("nan"), float, "key must be a finite number, got nan"),
        (float("inf"), float, "key must be a finite number, got inf"),
        (10**400, float, "key must be a finite number, got 1000"),
        (10**400, int, "key must be an int, got 1000"),
        ("1", float, "key must be a finite number, got '1'"),
        (True, float, "key must be a finite number, got True"),
        (None, float, "key must be a finite number, got None"),
        (1.5, int, "key must be an int, got 1.5"),
        (True, int, "key must be an int, got True"),
        ([1], int, r"key must be an int, got \[1\]"),
        (1, bool, "key must be true or false, got 1"),
        ("true", bool, "key must be true or false, got 'true'"),
        (None, str, "key must be a string, got None"),
        (2026.1, str, "key must be a string, got 2026.1: put it in quotes, 'key=\"…\"'"),
        (True, str | None, "key must be a string, got True$"),
        ("a", tuple[str, ...], "key must be a list, got 'a'"),
        ([1, "x"], tuple[int, ...], r"key\[1\] must be an int, got 'x'"),
        ("all", Literal["full", "none"], "key must be one of full, none, got 'all'"),
    ],
)
def test_a_value_that_would_have_to_be_guessed_is_refused(value: Any, hint: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        coerce(value, hint, "key")


@given(st.integers(-(2**53), 2**53))
def test_an_int_and_its_float_are_one_value_under_either_hint(number: int) -> None:
    for hint in (int, float):
        assert repr(coerce(number, hint, "key")) == repr(coerce(float(number), hint, "key"))


def test_one_configuration_of_the_default_config(config: dict[str, Any]) -> None:
    built = configuration(config, CHOICES, 3, ["lexical.k1=1"])
    assert (built.index, built.overrides, str(built.objective)) == (3, ("lexical.k1=1",), "ndcg@10")
    assert built.pipeline.lexical == BM25(1.2, 0.75)
    assert built.params["chunker"] == "document"
    assert (built.params["lexical.k1"], built.params["cutoffs"], built.params["k"]) == (1.2, "[1,3,5,10]", 10)
    assert built.params["dataset.language"] == "ru"
    assert not [key for key in built.params if "_target_" in key]


def test_the_text_of_a_configuration_is_the_resolved_config(config: dict[str, Any]) -> None:
    text = card(configuration(config, CHOICES, 0, ()), ()).text
    assert yaml.safe_load(text) == config
    assert "${" not in text


def changed(config: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    group, _, field = key.partition(".")
    return {**config, group: {**config[group], field: value} if field else value}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("lexical.k11", 1, r"lexical\.k11 doesn't exist: did you mean lexical\.k1\?"),
        ("lexical.foo", 1, r"lexical\.foo doesn't exist; there are lexical\.k1, lexical\.b"),
        ("chunkr", {}, r"chunkr doesn't exist: did you mean chunker\?"),
        ("lexical", None, "lexical must be an option of the group .* got None"),
        ("lexical", {"k1": 1}, "lexical must be an option of the group"),
        ("lexical._target_", "nowhere.Nothing", r"lexical\._target_ 'nowhere\.Nothing' can't be imported"),
        ("lexical._target_", "rag_sweep.lexical.Nothing", "has no attribute 'Nothing'"),
        ("lexical._target_", "Nothing", "can't be imported"),
        ("lexical._target_", "rag_sweep.lexical.idf", "must name a frozen dataclass"),
        ("lexical._target_", "rag_sweep.sweep.session.Session", "must name a frozen dataclass"),
        ("lexical._target_", "rag_sweep.config.grid.Cells", "must name a frozen dataclass"),
        ("lexical.k1", None, r"lexical\.k1 must be a finite number, got None"),
        ("k", 0, "k must be an int >= 1, got 0"),
        ("k", "abc", "k must be an int, got 'abc'"),
        ("cutoffs", [1, 0], "cutoffs must be an int >= 1, got 0"),
        ("cutoffs", 5, "cutoffs must be a list, got 5"),
        ("evidence", 0.5, "evidence must be a mapping with share, got 0.5"),
        ("evidence", {"part": 1}, r"evidence\.part doesn't exist; there is evidence\.share"),
        ("evidence", {"share": "all"}, r"evidence\.share must be a finite number, got 'all'"),
        ("evidence", {"share": 0}, r"evidence\.share must be a number above 0, at most 1, got 0\.0"),
        (
            "objective",
            "ndcg@7",
            r"objective must be at k or at one of the cutoffs \(1, 3, 5, 10\), got ndcg@7",
        ),
        ("objective", "nonsense", "objective must be one of hit, .*got 'nonsense'"),
        ("objective", "ndcg", "objective must be .*such as ndcg@10, got 'ndcg'"),
        ("objective", "ndcg@0", "objective must be .*a cutoff from 1, such as ndcg@10, got 'ndcg@0'"),
        ("objective", 10, "objective must be one of"),
        ("dry_run", "maybe", "dry_run must be true or false, got 'maybe'"),
    ],
)
def test_what_cannot_be_is_refused_with_its_key(
    config: dict[str, Any], key: str, value: Any, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        configuration(changed(config, key, value), CHOICES, 0, ())


def test_a_value_that_the_user_must_give_is_asked_for(config: dict[str, Any]) -> None:
    for missing in ("???", None):
        node = {"_target_": "rag_sweep.dataset.beir.Beir", "path": missing}
        with pytest.raises(ConfigError, match=r"dataset\.path is required: give it as dataset\.path="):
            component({**config, "dataset": node}, "dataset")


def test_settings_are_sorted_and_without_repetition(config: dict[str, Any]) -> None:
    found = settings({**config, "k": 5.0, "cutoffs": [10, 1, 10]})
    assert (found.k, found.cutoffs, found.share) == (5, (1, 10), 1.0)
    assert settings({**config, "evidence": {"share": 1}}) == settings(config)
    assert settings({**config, "evidence": {"share": 0.5}}).share == 0.5


USERS = """
from __future__ import annotations
import sys
from rag_sweep.errors import Terminated
from dataclasses import dataclass
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from nowhere import Unknown

@dataclass(frozen=True)
class Strict:
    size: int = 1
    def __post_init__(self):
        if self.size > 5:
            raise ValueError("size is too large")

@dataclass(frozen=True)
class Leaving:
    size: int = 1
    def __post_init__(self):
        sys.exit("size is\\ntoo large")

@dataclass(frozen=True)
class Odd:
    size: int = 1
    def __post_init__(self):
        raise OddError

class OddError(BaseException):
    pass

@dataclass(frozen=True)
class Signalled:
    size: int = 1
    def __post_init__(self):
        raise Terminated(143)

@dataclass(frozen=True)
class Hinted:
    size: Unknown = 1

@dataclass
class Mutable:
    size: int = 1
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("users_component.Strict", "chunker: .*Strict can't be made: ValueError: size is too large$"),
        ("users_component.Leaving", "chunker: .*Leaving can't be made: SystemExit: size is too large$"),
        ("users_component.Odd", "chunker: .*Odd can't be made: OddError$"),
        ("users_component.Hinted", "the type hints of Hinted can't be read: name 'Unknown' is not defined"),
        ("users_component.Mutable", "must name a frozen dataclass"),
        ("users_broken.Any", "can't be imported: SyntaxError"),
        ("users_leaving.Any", "can't be imported: SystemExit: 3"),
    ],
)
def test_a_faulty_component_of_the_user_is_an_error_without_a_traceback(
    config: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    (tmp_path / "users_component.py").write_text(USERS)
    (tmp_path / "users_broken.py").write_text("def :\n")
    (tmp_path / "users_leaving.py").write_text("import sys\nsys.exit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    try:
        with pytest.raises(ConfigError, match=message):
            component({**config, "chunker": {"_target_": name, "size": 7}}, "chunker")
    finally:
        sys.modules.pop("users_component", None)


def test_a_signal_while_a_component_is_made_is_no_fault_of_it(
    config: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "users_signalled.py").write_text(USERS)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemExit) as caught:
        component({**config, "chunker": {"_target_": "users_signalled.Signalled"}}, "chunker")
    assert caught.value.code == 143
