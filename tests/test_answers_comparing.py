"""Two evaluations, paired: what the statistics are over, and what isn't compared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rag_sweep.answers.comparing import Comparison, compare
from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.cases.records import Answer, Case, Cases, Context, Rubric
from rag_sweep.errors import DataError, NotComparable
from rag_sweep.gate.evaluations import read_evaluation
from rag_sweep.rules.judging import Rules
from rag_sweep.rules.verdict import Verdict
from rag_sweep.statistics.differences import against_baseline
from rag_sweep.statistics.intervals import bootstrap_differences

CASES = Cases(
    tuple(
        Case(f"q{at}", f"How long is trial {at}?", (Context("d1", f"Trial {at} takes 14 days."),))
        for at in range(12)
    )
)
RIGHT, WRONG, SILENT = "It takes 14 days [d1].", "It takes 30 days [d1].", "I don't know."


def evaluated(*texts: str, cases: Cases = CASES, rules: Rules | None = None, **more: Any) -> dict[str, Any]:
    answers = {case.id: Answer(case.id, text) for case, text in zip(cases.cases, texts, strict=True)}
    return Evaluation(cases, answers, (rules or Rules()).judge_all(cases, answers), **more).to_dict()


def compared(a: Mapping[str, Any], b: Mapping[str, Any]) -> Comparison:
    return compare(a, b, ("a", "b"))


def test_it_is_the_statistics_of_retrieval_over_the_cases_measured_in_both() -> None:
    a = evaluated(*[WRONG] * 8, *[RIGHT] * 4)
    b = evaluated(*[RIGHT] * 7, WRONG, *[RIGHT] * 4)
    found = {one.name: one for one in compared(a, b).measures}["pass_at_1"]
    table = np.array([[0.0] * 8 + [1.0] * 4, [1.0] * 7 + [0.0] + [1.0] * 4])
    tested, apart = against_baseline(table, 0), bootstrap_differences(table, 0)
    assert (found.over, found.better, found.worse, found.same) == (12, 7, 0, 5)
    assert found.p_value == tested.p_value[1]
    assert (found.lower, found.upper) == (apart.lower[1], apart.upper[1])
    assert found.difference == pytest.approx(7 / 12)


def test_a_case_that_is_not_applicable_in_one_counts_in_neither_mean() -> None:
    a, b = evaluated(*[RIGHT] * 12), evaluated(SILENT, SILENT, WRONG, *[RIGHT] * 9)
    found = {one.name: one for one in compared(a, b).measures}
    assert found["citations_ok"].over == 10
    assert (found["citations_ok"].only_a, found["citations_ok"].only_b) == (2, 0)
    assert found["must_include_ok"].difference is None


def test_the_cases_that_pass_in_one_only_are_listed_with_the_fault() -> None:
    found = compared(evaluated(*[RIGHT] * 12), evaluated(WRONG, *[RIGHT] * 11))
    (one,) = found.changed
    assert (one.id, one.a, one.b) == ("q0", True, False)
    assert (one.fault_a, one.fault_b) == (None, "generation: unsupported_number")
    assert found.attribution_b == {"gold": 0, "retrieval": 0, "generation": 1}


def test_other_cases_are_refused_and_the_difference_is_named() -> None:
    every = evaluated(*[RIGHT] * 12)
    fewer = evaluated(*[RIGHT] * 11, cases=Cases(CASES.cases[:11]))
    with pytest.raises(NotComparable, match="only A has 'q11'"):
        compared(every, fewer)
    first = replace(CASES.cases[0], question="And how long is it?")
    other = evaluated(*[RIGHT] * 12, cases=Cases((first, *CASES.cases[1:])))
    with pytest.raises(NotComparable, match="'q0' ask something else"):
        compared(every, other)
    first = replace(CASES.cases[0], rubric=Rubric(must_include=(("14",),)))
    other = evaluated(*[RIGHT] * 12, cases=Cases((first, *CASES.cases[1:])))
    with pytest.raises(NotComparable, match="rubrics"):
        compared(every, other)
    with pytest.raises(NotComparable, match="other rules decide"):
        compared(every, evaluated(*[RIGHT] * 12, rules=Rules(pass_rules=("numbers",))))


def test_another_context_is_compared_and_said() -> None:
    moved = Cases(tuple(replace(one, context=(Context("d1", "It takes 14 days."),)) for one in CASES.cases))
    found = compared(evaluated(*[RIGHT] * 12), evaluated(*[RIGHT] * 12, cases=moved))
    assert not found.same_context
    assert "other passages were handed over" in found.notes[0]


def test_measures_of_another_judge_are_left_out() -> None:
    graded = {("q0", "faithfulness"): Verdict("faithfulness", "pass", "supported", {}, 1.0)}
    a = evaluated(*[RIGHT] * 12, verdicts=graded, judge_model="small")
    same = compared(a, a)
    other = compared(a, evaluated(*[RIGHT] * 12, verdicts=graded, judge_model="large"))
    assert "faithfulness" in {one.name for one in same.measures}
    assert {one.name for one in same.measures} - {one.name for one in other.measures} == {"faithfulness"}
    assert "faithfulness: left out" in other.notes[0]


def test_what_is_no_evaluation_is_refused_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps({"cases": []}))
    with pytest.raises(DataError, match=r"x\.json is no evaluation"):
        read_evaluation(file)
    (tmp_path / "0").mkdir()
    (tmp_path / "0" / "evaluation.json").write_text(json.dumps(evaluated(*[RIGHT] * 12)))
    with pytest.raises(DataError, match="name one of 0 in it"):
        read_evaluation(tmp_path)
    assert read_evaluation(tmp_path / "0")["pass_at_1"] == 1.0
