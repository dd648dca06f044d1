"""JSON out of what models write around it."""

from __future__ import annotations

from typing import Any

import pytest

from rag_sweep.llm.parsing import json_object, sayable


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('Sure! {"a": 1} Hope it helps.', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('Here:\n```\n{"a": "}"}\n```\nDone {"b": 2}', {"a": "}"}),
        ('{not json} {"a": 1}', {"a": 1}),
        ('[{"a": 1}]', {"a": 1}),
        ('{"a": {"b": [1, 2]}}', {"a": {"b": [1, 2]}}),
        ('{"a": "да"}', {"a": "да"}),
        ('{"verdicts": [{"claim": 1, "supported": true}', None),
        ('```json\n{"a": {"b": 1}', None),
        ("", None),
        ("no", None),
        ("null", None),
        ("[1, 2]", None),
        ("{" * 50_000, None),
        ('{"a": ' + "9" * 5000 + "}", None),
    ],
)
def test_the_first_whole_object_is_found(text: str, found: dict[str, Any] | None) -> None:
    assert json_object(text) == found


def test_what_utf8_can_not_say_is_replaced() -> None:
    assert sayable("a\ud83d") == "a\ufffd"
    assert sayable("😀 да") == "😀 да"
