"""An evaluation that was damaged or edited is refused, whatever of it was."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.cases.records import Answer, Case, Cases, Context
from rag_sweep.errors import DataError
from rag_sweep.gate.evaluations import read_evaluation
from rag_sweep.rules.judging import Rules
from rag_sweep.rules.verdict import Verdict

CASES = tuple(
    Case(f"c{at}", "How long?", (Context("d1", "It takes 14 days."),), evidence=True) for at in range(4)
)
ANSWERS = {
    case.id: Answer(case.id, text, "writer")
    for case, text in zip(
        CASES, ("14 days [d1].", "30 days [d1].", "I don't know.", "It takes 14 days [d1]."), strict=True
    )
}


def evaluated() -> dict[str, Any]:
    judged = Rules().judge_all(Cases(CASES), ANSWERS)
    verdicts = {
        (case.id, "faithfulness"): Verdict("faithfulness", "pass", "supported", {}, at / 3)
        for at, case in enumerate(CASES)
    }
    verdicts["c0", "faithfulness"] = Verdict("faithfulness", "not_measured", "timeout")
    found = Evaluation(Cases(CASES), ANSWERS, judged, verdicts, prompts=("claims.en 1 abc",), judge_model="m")
    data: dict[str, Any] = json.loads(json.dumps(found.to_dict()))
    return data


def written(folder: Path, data: Any) -> Path:
    file = folder / "e.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_what_was_judged_is_read_as_it_is(tmp_path: Path) -> None:
    data = evaluated()
    assert read_evaluation(written(tmp_path, data)) == data


def test_without_texts_it_is_read_too(tmp_path: Path) -> None:
    data = evaluated()
    for case in data["cases"].values():
        case["answer"] = None
    assert read_evaluation(written(tmp_path, data)) == data


Change = Callable[[dict[str, Any]], Any]


def first(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["cases"]["c0"]
    return found


EDITS: dict[str, Change] = {
    "a mean": lambda data: data.update(pass_at_1=1.0),
    "a mean of a judge": lambda data: data.update(faithfulness=1.0),
    "a mean of nothing": lambda data: data.update(must_include_ok=0.5),
    "a mean that is none": lambda data: data.update(groundedness=None),
    "a case that is gone": lambda data: data["cases"].pop("c1"),
    "an answer": lambda data: first(data).update(answer="7 days [d1]."),
    "a pass": lambda data: first(data).update({"pass": False}),
    "a value": lambda data: first(data)["verdicts"][1].update(value=0.25),
    "a state": lambda data: data["cases"]["c1"]["verdicts"][-1].update(state="not_applicable", value=None),
    "verdicts": lambda data: first(data).update(verdicts=[]),
    "a count": lambda data: data["over"]["faithfulness"].update(not_measured=-30),
}
DAMAGE: dict[str, Change] = {
    "a mean as text": lambda data: data.update(pass_at_1="0.9"),
    "a true mean": lambda data: data.update(pass_at_1=True),
    "a mean of 5": lambda data: data.update(pass_at_1=5),
    "a count that is none": lambda data: data["over"]["faithfulness"].update(not_measured={}),
    "rules that are a number": lambda data: data.update(pass_rules=10**400),
    "prompts that are none": lambda data: data.update(prompts=[False]),
    "a model that is a number": lambda data: data.update(judge_model=3),
    "a value that is a mapping": lambda data: first(data)["verdicts"][0].update(value={}),
    "a huge value": lambda data: first(data)["verdicts"][0].update(value=10**400),
    "a pass that is a number": lambda data: first(data).update({"pass": 10**400}),
    "a rule that is a list": lambda data: first(data)["verdicts"][0].update(rule=[1]),
    "a state that isn't one": lambda data: first(data)["verdicts"][0].update(state="fine"),
    "a fault without a place": lambda data: first(data).update(attribution={"reason": "x"}),
    "no hash": lambda data: data.pop("answers_hash"),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_was_edited_is_told(tmp_path: Path, name: str) -> None:
    data = copy.deepcopy(evaluated())
    EDITS[name](data)
    with pytest.raises(DataError, match="was changed after it was judged: "):
        read_evaluation(written(tmp_path, data))


@pytest.mark.parametrize("name", DAMAGE)
def test_what_is_damaged_is_refused(tmp_path: Path, name: str) -> None:
    data = copy.deepcopy(evaluated())
    DAMAGE[name](data)
    with pytest.raises(DataError):
        read_evaluation(written(tmp_path, data))


def test_what_is_no_number_of_json_is_refused(tmp_path: Path) -> None:
    data = evaluated() | {"pass_at_1": float("nan")}
    with pytest.raises(DataError, match="NaN is no JSON number"):
        read_evaluation(written(tmp_path, data))
