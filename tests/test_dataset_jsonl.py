"""Text and JSONL files: what is read, and how each broken line is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_sweep.dataset.jsonl import read_rows, shown
from rag_sweep.dataset.places import read_text
from rag_sweep.errors import Fault


def rows_and_faults(path: Path, content: str | bytes) -> tuple[list[dict] | None, list[Fault]]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    faults: list[Fault] = []
    rows = read_rows(path, faults)
    return (None if rows is None else [row.values for row in rows]), faults


def test_line_ends_of_every_system_and_a_byte_order_mark_give_one_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffодин\r\nдва\rтри\n".encode())
    assert read_text(path, []) == "один\nдва\nтри\n"


def test_a_byte_order_mark_inside_the_text_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("a\ufeffb".encode())
    assert read_text(path, []) == "a\ufeffb"


def test_a_file_that_is_not_utf8_is_one_fault_with_line_and_offset(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntwo \xcf\xf0\xe8\n")
    faults: list[Fault] = []
    assert read_text(path, faults) is None
    assert [(f.file, f.line) for f in faults] == [(path, 2)]
    assert "byte 0xcf at offset 8" in faults[0].what


def test_utf16_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("слово".encode("utf-16"))
    faults: list[Fault] = []
    assert read_text(path, faults) is None
    assert "UTF-16" in faults[0].what


def test_a_missing_file_and_a_folder_are_faults(tmp_path: Path) -> None:
    faults: list[Fault] = []
    assert read_text(tmp_path / "none", faults) is None
    assert read_text(tmp_path, faults) is None
    assert faults[0].what == "doesn't exist"
    assert faults[1].what.startswith("can't be read")


def test_empty_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    rows, faults = rows_and_faults(tmp_path / "a.jsonl", '\n{"a": 1}\n  \n{"a": 2\n')
    assert rows == [{"a": 1}]
    assert [fault.line for fault in faults] == [4]


def test_all_broken_lines_are_listed(tmp_path: Path) -> None:
    content = '{"a": 1}\n{"a" 1}\n{"a": 1,}\n{"b": 2}\n{"c": \n'
    rows, faults = rows_and_faults(tmp_path / "a.jsonl", content)
    assert rows == [{"a": 1}, {"b": 2}]
    assert [fault.line for fault in faults] == [2, 3, 5]
    assert faults[0].what == "broken JSON: Expecting ':' delimiter at column 6"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"a": 1, "b": 2, "a": 3}', 'the key "a" is given twice'),
        ('{"x": {"a": 1, "a": 1}}', 'the key "a" is given twice'),
        ('{"a": NaN}', "NaN is no JSON number"),
        ('{"a": -Infinity}', "-Infinity is no JSON number"),
        ('{"a": "\\ud800"}', "surrogate"),
        ('{"a": ' + "9" * 5000 + "}", "broken JSON"),
        ('{"a": ' + "[" * 200_000, "nested too deeply"),
        ('{"a": 1} {"b": 2}', "Extra data at column 10"),
        ('{"a": "x\ty"}', "broken JSON: Invalid control character at column 9"),
        ('"text"', 'must be a JSON object, got "text"'),
        ("null", "must be a JSON object, got null"),
    ],
)
def test_what_json_lets_through_but_a_collection_must_not_hold(tmp_path: Path, line: str, says: str) -> None:
    rows, faults = rows_and_faults(tmp_path / "a.jsonl", '{"first": 1}\n' + line)
    assert rows == [{"first": 1}]
    assert [fault.line for fault in faults] == [2]
    assert says in faults[0].what


def test_a_whole_surrogate_pair_is_one_character(tmp_path: Path) -> None:
    rows, faults = rows_and_faults(tmp_path / "a.jsonl", '{"a": "\\ud83d\\ude00"}')
    assert (rows, faults) == ([{"a": "\U0001f600"}], [])


@pytest.mark.parametrize("content", ['[\n{"a": 1},\n{"a": 2}\n]', '[{"a": 1}, {"a": 2}]', '{\n "a": 1\n}'])
def test_json_that_is_not_jsonl_is_one_fault(tmp_path: Path, content: str) -> None:
    rows, faults = rows_and_faults(tmp_path / "a.json", content)
    assert rows is None
    assert len(faults) == 1
    assert "one JSON object in each line" in faults[0].what


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3)))
def test_every_object_comes_back_whatever_characters_it_holds(tmp_path: Path, objects: list[dict]) -> None:
    content = "\n".join(json.dumps(values, ensure_ascii=False) for values in objects)
    assert rows_and_faults(tmp_path / "a.jsonl", content) == (objects, [])


def test_values_are_shown_as_json_and_cut() -> None:
    assert [shown(value) for value in (True, None, 1.5, [1], {})] == [
        "true",
        "null",
        "1.5",
        "a list",
        "an object",
    ]
    assert len(shown("x" * 500)) == 60
