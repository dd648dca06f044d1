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
from rag_sweep.answers.reading import read_evaluation
from rag_sweep.answers.recording import without_texts
from rag_sweep.cases.records import Answer, Case, Cases, Context, Rubric
from rag_sweep.errors import DataError, NotComparable
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
    judged = (rules or Rules()).judge_all(cases, answers)
    return Evaluation(cases, answers, judged, **{"rules": rules or Rules(), **more}).to_dict()


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


def test_one_that_was_kept_without_texts_is_compared_by_its_hashes() -> None:
    every = evaluated(*[RIGHT] * 12)
    bare = without_texts(evaluated(WRONG, *[RIGHT] * 11))
    assert [one.id for one in compared(every, bare).changed] == ["q0"]
    first = replace(CASES.cases[0], question="And how long is it?")
    other = without_texts(evaluated(*[RIGHT] * 12, cases=Cases((first, *CASES.cases[1:]))))
    with pytest.raises(NotComparable, match="the questions, rubrics or references of A"):
        compared(every, other)


def test_another_context_is_compared_and_said() -> None:
    moved = Cases(tuple(replace(one, context=(Context("d1", "It takes 14 days."),)) for one in CASES.cases))
    found = compared(evaluated(*[RIGHT] * 12), evaluated(*[RIGHT] * 12, cases=moved))
    assert not found.same_context
    assert "other passages were handed over in 12 of 12 cases" in found.notes[0]


def test_the_order_of_the_cases_changes_nothing() -> None:
    turned = Cases(CASES.cases[::-1])
    a, b = evaluated(*[WRONG] * 3, *[RIGHT] * 9), evaluated(*[RIGHT] * 9, SILENT, *[WRONG] * 2, cases=turned)
    found, same = compared(a, b), compared(a, evaluated(*[WRONG] * 2, SILENT, *[RIGHT] * 9))
    assert (found.measures, found.same_context, found.notes) == (same.measures, True, ())


def test_evidence_that_is_marked_otherwise_is_named() -> None:
    known = Cases(tuple(replace(one, evidence=at > 1) for at, one in enumerate(CASES.cases)))
    a, b = evaluated(*[RIGHT] * 12, cases=known), evaluated(*[RIGHT] * 12)
    some = evaluated(*[RIGHT] * 12, cases=Cases((*known.cases[:2], *CASES.cases[2:])))
    for one, other in ((b, some), (without_texts(b), without_texts(some))):
        found = compared(one, other)
        assert (found.same_context, found.other_evidence) == (True, ("q0", "q1"))
        assert found.notes == (
            "evidence is marked otherwise in 2 cases, over the same passages ('q0', 'q1'): what "
            "refusals count, and whose fault it is, may differ by that",
        )
    assert "'q2' and 9 more" in compared(a, b).notes[0]
    moved = Cases(tuple(replace(one, context=(), evidence=False) for one in CASES.cases))
    found = compared(b, evaluated(*[RIGHT] * 12, cases=moved))
    assert (found.same_context, found.other_evidence) == (False, ())


def test_measures_of_another_judge_are_left_out() -> None:
    graded = {("q0", "faithfulness"): Verdict("faithfulness", "pass", "supported", {}, 1.0)}
    a = evaluated(*[RIGHT] * 12, verdicts=graded, judge_model="small")
    same = compared(a, a)
    other = compared(a, evaluated(*[RIGHT] * 12, verdicts=graded, judge_model="large"))
    assert "faithfulness" in {one.name for one in same.measures}
    assert {one.name for one in same.measures} - {one.name for one in other.measures} == {"faithfulness"}
    assert other.notes == ("faithfulness: left out, small judged A, and large judged B",)
    assert other.left_out == {"faithfulness": "small judged A, and large judged B"}


def by_judges(*names: str, prompts: tuple[str, ...] = (), model: str | None = "m") -> dict[str, Any]:
    """All right, with a verdict of each judge."""
    verdicts = {("q0", name): Verdict(name, "pass", "fine", {}, 1.0) for name in names}
    return evaluated(*[RIGHT] * 12, verdicts=verdicts, judge_model=model, prompts=prompts)


def test_one_more_judge_on_one_side_takes_no_other_judge_away() -> None:
    a = by_judges("relevance", prompts=("relevance.en 1 aa", "repair.en 1 bb"))
    b = by_judges(
        "relevance", "completeness", prompts=("relevance.en 1 aa", "completeness.en 1 cc", "repair.en 1 bb")
    )
    for one, other, which in ((a, b, "B"), (b, a, "A")):
        found = compared(one, other)
        assert "relevance" in {row.name for row in found.measures}
        assert found.left_out == {"completeness": f"only {which} was judged by it"}
        assert found.notes == (f"completeness: left out, only {which} was judged by it",)
    assert compared(by_judges(model=None), a).left_out == {"relevance": "only B was judged by it"}


def test_a_judge_with_another_prompt_or_setting_is_left_out_alone() -> None:
    names, of_both = ("relevance", "completeness"), ("completeness.en 1 cc", "repair.en 1 bb")
    a = by_judges(*names, prompts=("relevance.en 1 aa", *of_both, "llm.temperature=0.0"))
    b = by_judges(*names, prompts=("relevance.en 2 dd", *of_both, "llm.temperature=0.0"))
    told = "with other prompts or settings: relevance.en 1 aa in A, relevance.en 2 dd in B"
    assert compared(a, b).left_out == {"relevance": told}
    warm = by_judges(*names, prompts=("relevance.en 1 aa", *of_both, "llm.temperature=0.7"))
    assert set(compared(a, warm).left_out) == set(names)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (Rules(max_words=100), "rules.max_words is 60 in A and 100 in B"),
        (Rules(every_sentence=True), "rules.every_sentence is false in A and true in B"),
        (Rules(least_overlap=0.75), "rules.least_overlap is 0.5 in A and 0.75 in B"),
        (Rules(refusal_en=("no idea",)), r'rules.refusal_en is null in A and \["no idea"\] in B'),
    ],
)
def test_other_settings_of_the_rules_are_refused_and_named(rules: Rules, told: str) -> None:
    with pytest.raises(NotComparable, match=f"the rules judged otherwise: {told}$"):
        compared(evaluated(*[RIGHT] * 12), evaluated(*[RIGHT] * 12, rules=rules))


def test_settings_that_nobody_says_are_no_settings() -> None:
    known, silent = evaluated(*[RIGHT] * 12), evaluated(*[RIGHT] * 12)
    silent["rules"] = None
    with pytest.raises(NotComparable, match="only A says with which settings its rules judged"):
        compared(known, silent)
    assert compared(silent, silent).notes == (
        "nobody says with which settings the rules judged: they may differ",
    )


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
