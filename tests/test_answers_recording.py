"""What is tracked of an evaluation says what decided its numbers."""

from __future__ import annotations

import json
from dataclasses import fields

from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.answers.recording import record_of
from rag_sweep.answers.request import AnswersRequest
from rag_sweep.cases.records import Answer, Case, Cases, Context
from rag_sweep.rules.judging import Rules


def test_the_settings_of_the_rules_are_params_and_in_the_file() -> None:
    cases = Cases((Case("a", "How long?", (Context("d1", "14 days."),)),))
    answers, rules = {"a": Answer("a", "14 days [d1].")}, Rules(max_words=9, refusal_en=("no idea",))
    found = Evaluation(cases, answers, rules.judge_all(cases, answers), rules=rules)
    record = record_of(found, AnswersRequest.of(["tracking=none"]))
    params = {key: value for key, value in record.params.items() if key.startswith("rules.")}
    assert list(params) == [f"rules.{field.name}" for field in fields(Rules)]
    assert params["rules.pass_rules"] == '["citations", "must_include", "numbers"]'
    assert (params["rules.max_words"], params["rules.refusal_en"]) == (9, '["no idea"]')
    assert params["rules.refusal_ru"] is None
    content = record.files["evaluation.json"]
    assert isinstance(content, bytes)
    assert json.loads(content)["rules"]["max_words"] == 9
