"""An evaluation that was damaged or edited is refused, whatever of it was."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.answers.reading import read_evaluation, values_of
from rag_sweep.answers.recording import without_texts
from rag_sweep.cases.records import Answer, Case, Cases, Context
from rag_sweep.errors import DataError
from rag_sweep.rules.judging import NAMES, Rules, metric_of
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
    said = {"prompts": ("claims.en 1 abc",), "judge_model": "m", "rules": Rules(max_words=9)}
    found = Evaluation(Cases(CASES), ANSWERS, judged, verdicts, **said)
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


def test_it_says_with_which_settings_the_rules_judged() -> None:
    told = evaluated()["rules"]
    assert list(told) == [field.name for field in fields(Rules)]
    assert (told["pass_rules"], told["max_words"]) == (["citations", "must_include", "numbers"], 9)
    assert (told["every_sentence"], told["least_overlap"], told["refusal_ru"]) == (False, 0.5, None)


def test_one_of_a_former_format_is_told_as_such(tmp_path: Path) -> None:
    data = evaluated() | {"format": 1}
    del data["rules"]
    with pytest.raises(DataError, match=r"no evaluation of this version \(its format is 1, and 2 is read\)"):
        read_evaluation(written(tmp_path, data))


def test_every_rule_has_a_mean_be_it_over_nothing(tmp_path: Path) -> None:
    failed = {case.id: Answer(case.id, "", failure="down") for case in CASES}
    found = Evaluation(Cases(CASES), failed, Rules().judge_all(Cases(CASES), failed))
    assert list(found.means) == ["pass_at_1", *map(metric_of, NAMES)]
    data = read_evaluation(written(tmp_path, found.to_dict()))
    nothing = {"measured": 0, "not_applicable": 0, "not_measured": 4}
    assert (data["refusal_ok"], data["over"]["refusal_ok"]) == (None, nothing)
    assert data["citations_ok"] == 0.0


@pytest.mark.parametrize("pass_rules", [("must_include",), NAMES, ("citations", "numbers")])
def test_answers_that_are_missing_pass_nothing_with_and_without_texts(
    tmp_path: Path, pass_rules: tuple[str, ...]
) -> None:
    answers = {**ANSWERS, "c0": Answer("c0", ""), "c1": Answer("c1", "", failure="down")}
    del answers["c2"]
    rules = Rules(pass_rules=pass_rules)
    found = Evaluation(Cases(CASES), answers, rules.judge_all(Cases(CASES), answers), rules=rules)
    data = json.loads(json.dumps(found.to_dict()))
    assert [case["pass"] for case in data["cases"].values()] == [False, False, False, True]
    for one in (data, without_texts(data)):
        assert read_evaluation(written(tmp_path, one)) == one
        one["cases"]["c0"]["pass"] = True
        with pytest.raises(DataError, match="pass of the case 'c0' isn't what its verdicts say"):
            read_evaluation(written(tmp_path, one))
        one["cases"]["c0"]["pass"] = False


def test_what_is_asked_has_one_hash_in_any_order() -> None:
    turned = Evaluation(Cases(CASES[::-1]), ANSWERS, Rules().judge_all(Cases(CASES[::-1]), ANSWERS))
    data = turned.to_dict()
    assert data["asked_hash"] == evaluated()["asked_hash"]
    assert data["cases_hash"] != evaluated()["cases_hash"]


def test_values_are_those_that_means_are_of() -> None:
    data = evaluated()
    assert values_of(data, "pass_at_1") == {"c0": 1.0, "c1": 0.0, "c2": 1.0, "c3": 1.0}
    assert values_of(data, "faithfulness") == {"c1": 1 / 3, "c2": 2 / 3, "c3": 1.0}
    of_numbers = {"c0": 1.0, "c1": 0.0, "c2": 1.0, "c3": 1.0}
    assert values_of(data, "groundedness") == values_of(data, "numbers") == of_numbers
    assert values_of(data, "nothing") == {}


Change = Callable[[dict[str, Any]], Any]


def first(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["cases"]["c0"]
    return found


def all_pass(data: dict[str, Any]) -> None:
    for case in data["cases"].values():
        case["pass"] = True
    data["pass_at_1"] = 1.0


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
    "every pass": lambda data: all_pass(data),
    "a pass and its mean": lambda data: (
        data["cases"]["c1"].update({"pass": True}),
        data.update(pass_at_1=1.0),
    ),
    "the rules that count": lambda data: (data.update(pass_rules=["length"]), all_pass(data)),
    "no rules that count": lambda data: (data.update(pass_rules=[]), all_pass(data)),
    "a fault that is gone": lambda data: data["cases"]["c1"].update(attribution=None),
    "a fault that is gone and not counted": lambda data: (
        data["cases"]["c1"].update(attribution=None),
        data["attribution"].update(generation=1),
    ),
    "a fault of nothing": lambda data: first(data).update(attribution=data["cases"]["c1"]["attribution"]),
    "a place of a fault": lambda data: data["cases"]["c1"]["attribution"].update(to="gold"),
    "a count of faults": lambda data: data["attribution"].update(generation=0),
    "what a fault is told from": lambda data: data["cases"]["c1"]["attribution"]["evidence"].update(
        faults=[]
    ),
    "a value beside the verdicts": lambda data: data["cases"]["c1"].update(groundedness=1.0),
    "a judge's value beside the verdicts": lambda data: first(data).update(faithfulness=1.0),
    "a measure that is gone": lambda data: data["over"].pop("refusal_ok"),
    "a verdict that is gone": lambda data: first(data)["verdicts"].pop(4),
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
    "no settings of rules": lambda data: data.pop("rules"),
    "settings of rules that are a list": lambda data: data.update(rules=[]),
    "a failed verdict without a value": lambda data: data["cases"]["c1"]["verdicts"][1].update(value=None),
    "a value that wasn't measured": lambda data: first(data)["verdicts"][-1].update(value=0.5),
    "a count of faults that is a text": lambda data: data["attribution"].update(gold="many"),
    "a count of faults that is a flag": lambda data: data["attribution"].update(gold=False),
    "a place of faults that isn't one": lambda data: data["attribution"].update(weather=0),
    "rules that don't exist": lambda data: data.update(pass_rules=["grammar"]),
    "evidence that is a text": lambda data: first(data).update(evidence="yes"),
    "no hash of a context": lambda data: first(data).pop("context_hash"),
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
