"""A value written as an override of Hydra and read by Hydra is the same value."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hypothesis import given
from hypothesis import strategies as st
from loaders import TRICKY

from rag_sweep.config.literals import literal, same
from rag_sweep.errors import ConfigError

keys = st.one_of(st.from_regex(r"[A-Za-z_][A-Za-z_ ,:=()\[\]{}\\-]{0,6}", fullmatch=True), st.integers())
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.sampled_from(TRICKY),
    st.text(st.characters(exclude_categories=["Cs"])),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


def read(text: str) -> Any:
    override = OverridesParser.create().parse_overrides([f"key={text}"])[0]
    assert not override.is_sweep_override()
    return override.value()


@given(values)
def test_any_value_is_read_back_as_it_was(value: Any) -> None:
    assert same(read(literal(value)), value)


@pytest.mark.parametrize("value", TRICKY)
def test_tricky_texts_are_read_back_alone_in_a_list_and_in_a_mapping(value: str) -> None:
    assert read(literal(value)) == value
    assert read(literal([value, [value]])) == [value, [value]]
    assert read(literal({"key": value})) == {"key": value}


def test_plain_words_stay_as_they_are_typed() -> None:
    assert [literal(v) for v in ("fixed", "lexical_only", "a-b.c", 3, 0.5, None, True)] == [
        *("fixed", "lexical_only", "a-b.c", "3", "0.5", "null", "true")
    ]


@pytest.mark.parametrize("value", [{"ключ": 1}, {'"': 1}, {"2": 1}, [{"'": None}]])
def test_what_the_grammar_cannot_say_is_refused_and_never_changed(value: Any) -> None:
    with pytest.raises(ConfigError, match="can't be written as an override"):
        literal(value)


def test_same_tells_types_apart() -> None:
    assert same([1, {"a": math.nan}], [1, {"a": math.nan}])
    assert not same(1, 1.0)
    assert not same(True, 1)
    assert not same([1], [True])
