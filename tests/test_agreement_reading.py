"""A report of an agreement that was edited is refused in a line; its numbers are reckoned from its tables."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rag_sweep.agreement.agreed import YES_NO, Decision, Further, Pair, agreed
from rag_sweep.agreement.licence import licence
from rag_sweep.agreement.reading import read_agreement
from rag_sweep.answers.agreeing import Agreement, Compared
from rag_sweep.errors import DataError

PROMPTS = ["claims.en 1 aa", "verdicts.en 1 bb", "repair.en 1 cc", "claims.without_claims=null"]
EVALUATION = {
    "judge_model": "m",
    "answer_models": [],
    "prompts": PROMPTS,
    "pass_rules": ["citations"],
    "cases_hash": "",
    "answers_hash": "",
}


def report(agreeing: int = 6, apart: int = 6) -> dict[str, Any]:
    """Of a judge that is right as often as it says."""
    pairs = [Pair(f"a{at}", at % 2, at % 2, 5 + at) for at in range(agreeing)]
    pairs += [Pair(f"d{at}", at % 2, 1 - at % 2, 5 + at) for at in range(apart)]
    found = agreed(pairs, YES_NO)
    column = Compared("judge", len(pairs), 0, 0, {}, found, None, Further(), Decision(False, ""))
    whole = Agreement({**EVALUATION, "rules": None, "cases": {}}, 0.6, {"faithfulness": column}, ())
    data: dict[str, Any] = json.loads(json.dumps(whole.to_dict()))
    return data


def written(folder: Path, data: Any) -> Path:
    file = folder / "agreement.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_what_was_made_is_read_as_it_is(tmp_path: Path) -> None:
    for data in (report(), report(40, 0), report(0, 0), report(1, 0), report(30, 2)):
        assert read_agreement(written(tmp_path, data)) == data


def test_an_end_that_other_resamples_may_give_is_reckoned_again(tmp_path: Path) -> None:
    data = report(40, 8)
    other = copy.deepcopy(data)
    kappa_of(other)["lower"] += 0.001
    assert read_agreement(written(tmp_path, other)) == data


Change = Callable[[dict[str, Any]], Any]


def kappa_of(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["labels"]["faithfulness"]["kappa"]
    return found


def label_of(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["labels"]["faithfulness"]
    return found


EDITS: dict[str, Change] = {
    "a lower end": lambda data: kappa_of(data).update(lower=0.8),
    "a value": lambda data: kappa_of(data).update(value=0.9),
    "a whole kappa": lambda data: kappa_of(data).update(value=0.9, lower=0.8, upper=1.0),
    "an upper end that is gone": lambda data: kappa_of(data).update(upper=None),
    "a reason": lambda data: kappa_of(data).update(reason="zzz"),
    "a reason instead of numbers": lambda data: kappa_of(data).update(value=None, lower=None, reason="zzz"),
    "weights": lambda data: kappa_of(data).update(weights="linear", of=13),
    "cases": lambda data: kappa_of(data).update(of=400),
    "a table": lambda data: label_of(data).update(table=[[6, 0], [0, 6]]),
    "disagreements": lambda data: label_of(data).update(disagreements=[]),
    "a level": lambda data: data.update(level=0.1),
    "resamples": lambda data: data.update(resamples=10**12),
    "a seed": lambda data: data.update(seed=None),
}
DAMAGE: dict[str, Change] = {
    "a former format": lambda data: data.update(format=1),
    "no table": lambda data: label_of(data).pop("table"),
    "a table of texts": lambda data: label_of(data).update(table=[["6", "0"], ["0", "6"]]),
    "a table with holes": lambda data: label_of(data).update(table=[[6], [0, 6]]),
    "a table of huge counts": lambda data: label_of(data).update(table=[[10**400, 0], [0, 6]]),
    "a table below nothing": lambda data: label_of(data).update(table=[[-6, 0], [0, 6]]),
    "a scale of one": lambda data: label_of(data).update(scale=["yes"], table=[[12]]),
    "a scale of numbers": lambda data: label_of(data).update(scale=[0, 1]),
    "no kappa": lambda data: label_of(data).update(kappa=None),
    "half a kappa": lambda data: kappa_of(data).pop("upper"),
    "a kappa of 7": lambda data: kappa_of(data).update(value=7),
    "weights that aren't": lambda data: kappa_of(data).update(weights="heavy"),
    "weights that are a list": lambda data: kappa_of(data).update(weights=[]),
    "disagreements that are a number": lambda data: label_of(data).update(disagreements=3),
    "a disagreement without labels": lambda data: label_of(data).update(disagreements=[{}]),
    "a label that is none": lambda data: data["labels"].update(faithfulness=3),
    "prompts that are a text": lambda data: data.update(prompts="claims.en"),
    "a model that is a number": lambda data: data.update(judge_model=3),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_was_edited_is_told_in_a_line(tmp_path: Path, name: str) -> None:
    data = copy.deepcopy(report())
    EDITS[name](data)
    with pytest.raises(DataError, match="was changed after it was made: ") as caught:
        read_agreement(written(tmp_path, data))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", DAMAGE)
def test_what_is_damaged_is_refused_in_a_line(tmp_path: Path, name: str) -> None:
    data = copy.deepcopy(report())
    DAMAGE[name](data)
    with pytest.raises(DataError, match="is no agreement of this version") as caught:
        read_agreement(written(tmp_path, data))
    assert "\n" not in str(caught.value)


def test_what_is_no_number_of_json_is_refused(tmp_path: Path) -> None:
    data = report()
    kappa_of(data)["lower"] = float("nan")
    with pytest.raises(DataError, match="NaN is no JSON number"):
        read_agreement(written(tmp_path, data))


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ([*PROMPTS[:3], "claims.without_claims=1"], "other prompts or settings than claims.without_claims=1"),
        ([*PROMPTS, "llm.temperature=0.7"], "other prompts or settings than llm.temperature=0.7"),
        (PROMPTS[2:], "doesn't say which model, with which prompts"),
        (["llm.temperature=0.7"], "doesn't say which model, with which prompts"),
    ],
)
def test_a_licence_is_for_the_same_prompts_and_settings(labels: list[str], told: str) -> None:
    agreement = report(40, 0)
    assert licence("faithfulness", EVALUATION, agreement, 0.6).may
    found = licence("faithfulness", {**EVALUATION, "prompts": labels}, agreement, 0.6)
    assert (found.may, told in found.why) == (False, True)
