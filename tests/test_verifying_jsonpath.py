"""A path leads to values, or says where it stopped and what is there."""

from __future__ import annotations

from typing import Any

import pytest

from rag_sweep.errors import ConfigError, ServiceError
from rag_sweep.verifying.jsonpath import JsonPath

ANSWER = {
    "hits": [{"id": "a", "doc": {"id": 1}}, {"id": "b", "doc": {"id": 2}}],
    "pages": [{"rows": [["x"], ["y"]]}, {"rows": [["z"]]}],
    "a.b": {"c[0]": 7},
    "total": 2,
    "*": "star",
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("hits[*].id", ["a", "b"]),
        ("hits[1].id", ["b"]),
        ("hits[*].doc.id", [1, 2]),
        ("pages[*].rows[*][0]", ["x", "y", "z"]),
        ('["a.b"]["c[0]"]', [7]),
        ("total", [2]),
    ],
)
def test_a_path_leads_to_its_values(path: str, found: list[Any]) -> None:
    assert JsonPath.parse(path, "--ids").values(ANSWER) == found


@pytest.mark.parametrize(
    ("path", "data", "found"),
    [("[*]", ["a", "b"], ["a", "b"]), ("[*].id", [{"id": 3}], [3]), ("[0]", [9], [9])],
)
def test_a_path_may_begin_with_a_list(path: str, data: Any, found: list[Any]) -> None:
    assert JsonPath.parse(path, "--ids").values(data) == found


def test_an_empty_list_gives_nothing() -> None:
    assert JsonPath.parse("hits[*].id", "--ids").values({"hits": []}) == []


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("rows[*].id", "the answer has no rows[*].id: it is an object with hits, pages, a.b, total"),
        ("hits.id", "the answer has no hits.id: hits is a list of 2"),
        ("hits[*].name", "the answer has no hits[*].name: hits[*] is an object with id, doc"),
        ("hits[5].id", "the answer has no hits[5].id: hits is a list of 2"),
        ("total[*]", "the answer has no total[*]: total is 2"),
        ("hits[0].doc[0]", "the answer has no hits[0].doc[0]: hits[0].doc is an object with id"),
    ],
)
def test_a_path_that_leads_nowhere_says_where_it_stopped(path: str, told: str) -> None:
    with pytest.raises(ServiceError) as caught:
        JsonPath.parse(path, "--ids").values(ANSWER)
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize(
    "path", ["", "hits[", "hits[x]", "hits[-1]", "a..b", "a b", "[*]id", "hits[*", ".", "$[?(@)]"]
)
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(ConfigError, match=r"--ids must be a path such as hits\[\*\]\.id"):
        JsonPath.parse(path, "--ids")


def test_whatever_json_comes_it_is_a_value_or_a_service_error() -> None:
    path = JsonPath.parse("a[*].b[0]", "--ids")
    for data in (None, 1, "a", [], {}, {"a": None}, {"a": {"b": 1}}, {"a": [1]}, {"a": [{"b": []}]}):
        with pytest.raises(ServiceError):
            path.values(data)
