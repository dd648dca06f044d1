"""JSON out of what models write around it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from rag_sweep.llm.parsing import json_object, sayable, without_thoughts


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
        ("{}", {}),
        ('{x} { } {"a": 1}', {}),
        ('{\u00a0} {"a": 1}', {"a": 1}),
        ('{\n\t"a": 1\n}', {"a": 1}),
        ('{"a": 1, broken} {"b": 2}', None),
        ('```\nnothing\n``` {"a": 1}', {"a": 1}),
        ('```JSON {"a": 1}', {"a": 1}),
        ('{"before": 0} ```json\n{"a": 1}\n```', {"a": 1}),
    ],
)
def test_the_first_whole_object_is_found(text: str, found: dict[str, Any] | None) -> None:
    assert json_object(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "```json\n" + "\n" * 3_000_000,
        "```" * 1_000_000,
        "{" * 3_000_000,
        "{\n" * 1_500_000,
        "{x}\n" * 750_000,
        "{\u00a0}\n" * 750_000,
        "{" + " " * 3_000_000,
        '{"a":' * 600_000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_a_long_reply_without_an_object_takes_no_time(text: str) -> None:
    begun = time.process_time()
    assert json_object(text) is None
    assert time.process_time() - begun < 1.0


def test_what_utf8_can_not_say_is_replaced() -> None:
    assert sayable("a\ud83d") == "a\ufffd"
    assert sayable("😀 да") == "😀 да"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>a</think> b", "b"),
        ("a, hm.\n</think>\n\nb", "b"),
        ("</THINKING>b", "b"),
        ("a</think>b</think>c", "b</think>c"),
        ("a</think>b <think>c</think>", "b <think>c</think>"),
        ('{"a": 1}?</think>{"b": 2}', '{"b": 2}'),
        ("<think>a</reasoning>b", ""),
        ("a</think>", ""),
        ("b, with <think> and </think>", "b, with <think> and </think>"),
        ("a </thinker> b", "a </thinker> b"),
        ("b", "b"),
        ("", ""),
    ],
)
def test_thoughts_go_also_where_only_their_end_is_told(text: str, rest: str) -> None:
    assert without_thoughts(text) == rest


@pytest.mark.parametrize(
    "text", ["<" * 3_000_000, "a <think>" * 300_000, "<think>" * 400_000, "</" * 2_000_000]
)
def test_many_tags_take_no_time(text: str) -> None:
    begun = time.process_time()
    without_thoughts(text)
    assert time.process_time() - begun < 1.0
