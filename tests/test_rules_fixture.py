"""The reference answers: what is expected of each, exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rag_sweep.cases.reading import read_answers, read_cases
from rag_sweep.rules.judging import Rules, means


@pytest.fixture
def folder(shared: Path) -> Path:
    return shared / "fixtures" / "answers"


@pytest.fixture
def expected(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_the_answers_are_judged_exactly_as_expected(folder: Path, expected: dict[str, Any]) -> None:
    judged = Rules().judge_all(read_cases(folder / "cases.jsonl"), read_answers(folder / "answers.jsonl"))
    found = {one.case.id: one.to_dict() for one in judged}
    assert found.keys() == expected["cases"].keys()
    for name, wanted in expected["cases"].items():
        assert {key: found[name][key] for key in wanted} == wanted
    assert means(judged)["pass_at_1"].value == expected["pass_at_1"] == 0.4


def test_the_negative_control_fails_everywhere_as_stated(folder: Path, expected: dict[str, Any]) -> None:
    control = expected["negative_control"]
    judged = Rules().judge_all(read_cases(folder / "cases.jsonl"), read_answers(folder / control["file"]))
    for one in judged:
        found = one.to_dict()
        assert {key: found[key] for key in control["every_case"]} == control["every_case"]
        assert found["must_include_ok"] == control["must_include_ok"][one.case.id]
    assert means(judged)["pass_at_1"].value == control["pass_at_1"]
