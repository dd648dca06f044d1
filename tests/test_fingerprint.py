"""The canonical hash: equal content, equal bytes; different content, different bytes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.fingerprint import canonical_json, class_name, fingerprint

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)


@dataclass(frozen=True)
class Knob:
    size: int = 1
    name: str = "x"


@dataclass(frozen=True)
class Twin:
    size: int = 1
    name: str = "x"


@dataclass(frozen=True)
class Newer(Knob):
    version: ClassVar[int] = 2


def same(first: Any, second: Any) -> bool:
    """Equality that tells 1 from 1.0 and from True."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(same, first, second))
    return type(first) is type(second) and first == second


@given(first=values, second=values)
def test_two_values_have_one_hash_exactly_if_they_are_the_same(first: Any, second: Any) -> None:
    assert (fingerprint(first) == fingerprint(second)) == same(first, second)


@given(mapping=st.dictionaries(st.text(), scalars))
def test_the_order_of_a_mapping_has_no_effect(mapping: dict[str, Any]) -> None:
    turned = dict(reversed(mapping.items()))
    assert fingerprint(turned) == fingerprint(mapping)


def test_it_is_the_same_on_every_machine() -> None:
    value = {"ё": [1, 1.0, -0.0, True, None, "é\n"], "a": b"\x00", "knob": Knob()}
    assert canonical_json(value) == (
        '{"a":{"sha256":"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"},'
        f'"knob":["{__name__}.Knob",1,{{"name":"x","size":1}}],'
        '"ё":[1,1.0,0.0,true,null,"é\\n"]}'
    )
    assert fingerprint([1, 1.0, "ё"]) == "39788edc598d36d4ffc68f313b5d410beb6baefabdffe3a206541f7f281aab2e"


def test_a_component_is_its_class_its_version_and_its_fields() -> None:
    kinds = [Knob(), Knob(2), Knob(name="y"), Twin(), Newer()]
    assert len({fingerprint(kind) for kind in kinds}) == len(kinds)
    assert fingerprint(Knob(1, "x")) == fingerprint(Knob())
    assert class_name(Knob) == f"{__name__}.Knob"


def test_a_tuple_is_the_list_that_it_becomes_in_yaml() -> None:
    assert fingerprint((1, (2, 3))) == fingerprint([1, [2, 3]])


def test_a_lone_surrogate_can_be_hashed() -> None:
    assert fingerprint("\ud800") != fingerprint("\ud801")


@pytest.mark.parametrize("value", [math.nan, math.inf, [-math.inf]])
def test_what_is_no_number_has_no_hash(value: Any) -> None:
    with pytest.raises(ValueError, match="no canonical form"):
        fingerprint(value)


@pytest.mark.parametrize("value", [{1: "a"}, {1, 2}, np.zeros(2), np.int64(1), object(), Knob])
def test_other_kinds_of_values_are_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        fingerprint(value)
