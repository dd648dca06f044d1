"""Whose fault a failed question is, by what is known of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rag_sweep.answers.attribution import Attribution, Known, SpanFate, SpanState, attribute, faults_of
from rag_sweep.answers.cited import cited_verdict
from rag_sweep.cases.records import Answer, Case, Context, Rubric
from rag_sweep.rules.judging import Rules

CASE = Case("q", "How long is the trial?", (Context("d1", "The trial takes 14 days."),), evidence=True)
GOOD, MADE_UP, REFUSAL = "It takes 14 days [d1].", "It takes 30 days [d1].", "I don't know."


def fate(state: SpanState = "handed_over", covered: float = 1.0) -> SpanFate:
    return SpanFate("d1", 0, 24, state, covered)


def known(*spans: SpanFate, negative: bool = False, **more: Any) -> Known:
    relevant = {} if negative else {"d1": 1}
    there = not negative and all(span.state in ("handed_over", "cut") for span in spans)
    given = {"relevant": relevant, "supporting": ("d1",) if there else (), **more}
    return Known(negative=negative, spans=spans, has_spans=bool(spans), **given)


def judged_as(answer: str | None, case: Case = CASE, of: Known | None = None) -> Attribution | None:
    given = None if answer is None else Answer(case.id, answer)
    cited = None if of is None else cited_verdict(case, given, of)
    return attribute(Rules().judge(case, given), of, cited)


def fault(answer: str | None, case: Case = CASE, of: Known | None = None) -> tuple[str, str] | None:
    found = judged_as(answer, case, of)
    return None if found is None else (found.to, found.reason)


def missing(case: Case = CASE) -> Case:
    return replace(case, evidence=False, context=(Context("d2", "Parking is free."),))


def test_an_answer_that_passes_is_nobodys_fault() -> None:
    assert fault(GOOD, of=known(fate())) is None
    assert fault(REFUSAL, missing(), known(negative=True)) is None


def test_a_wrong_answer_from_its_evidence_is_the_generators() -> None:
    assert fault(MADE_UP, of=known(fate())) == ("generation", "unsupported_number")
    assert fault("It takes 14 days.", of=known(fate())) == ("generation", "no_citation")
    assert fault(REFUSAL, of=known(fate())) == ("generation", "wrongly_refused")


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("not_retrieved", "document_not_handed_over"),
        ("other_passage", "other_passage_of_the_document"),
        ("cut", "evidence_cut"),
    ],
)
@pytest.mark.parametrize("answer", [MADE_UP, REFUSAL])
def test_without_its_evidence_it_is_retrieval_with_what_became_of_the_span(
    state: SpanState, reason: str, answer: str
) -> None:
    assert fault(answer, missing(), known(fate(state, 0.0))) == ("retrieval", reason)


def test_a_question_of_the_gold_that_got_no_answer_failed_though_refusing_was_right() -> None:
    case, of = missing(), known(fate("not_retrieved", 0.0))
    judged = Rules().judge(case, Answer("q", REFUSAL))
    assert judged.passed
    cited = cited_verdict(case, judged.answer, of)
    assert faults_of(judged, cited) == ("evidence_cited: evidence_not_in_context",)
    assert faults_of(judged) == ()


def test_an_answer_that_cites_another_passage_than_the_evidence_failed_though_it_passes() -> None:
    case = replace(CASE, context=(*CASE.context, Context("d2", "Trips take 14 days.")))
    assert fault("Trips take 14 days [d2].", case, known(fate())) == ("generation", "other_passage")
    assert fault("It takes 14 days [d1].", case, known(fate())) is None
    unmarked = replace(case, evidence=None)
    assert fault("Trips take 14 days [d2].", unmarked, known()) == ("gold", "no_evidence_marked")


@pytest.mark.parametrize(
    ("of", "reason"),
    [
        (known(fate("empty", 0.0)), "evidence_is_empty"),
        (known(fate("not_in_corpus", 0.0)), "evidence_not_in_corpus"),
        (known(relevant={"gone": None}, missing=("gone",)), "evidence_not_in_corpus"),
    ],
)
def test_evidence_that_does_not_exist_is_the_golds(of: Known, reason: str) -> None:
    assert fault(MADE_UP, missing(), of) == ("gold", reason)


def test_an_answered_negative_is_the_golds_if_the_gold_has_an_answer_and_the_generators_if_not() -> None:
    case = missing()
    assert fault("Parking is free [d2].", case, known(negative=True)) == ("generation", "should_refuse")
    labelled = known(negative=True, has_answer=True)
    assert fault("Parking is free [d2].", case, labelled) == ("gold", "negative_has_an_answer")


def test_where_no_evidence_is_marked_only_what_is_made_up_can_be_the_generators() -> None:
    case = replace(CASE, evidence=None)
    assert fault(MADE_UP, case, known()) == ("generation", "unsupported_number")
    assert fault(REFUSAL, case, known()) == ("gold", "no_evidence_marked")


def test_no_answer_is_the_generators_whatever_else_is_wrong() -> None:
    assert fault(None, missing(), known(fate("empty", 0.0))) == ("generation", "no_answer")
    failed = Rules().judge(CASE, Answer("q", "", failure="HTTP 500"))
    found = attribute(failed)
    assert found is not None
    assert (found.to, found.reason) == ("generation", "generator_failed")


def test_without_a_gold_the_case_itself_says_what_it_can() -> None:
    asks = replace(CASE, rubric=Rubric(must_include=(("14",),)))
    wrong = "It ends soon [d1]."
    assert fault(wrong, asks) == ("generation", "missing")
    elsewhere = replace(missing(asks), evidence=None)
    assert fault("Parking is free [d2].", elsewhere) == ("retrieval", "must_include_not_in_context")
    assert fault("Parking is free [d2].", replace(elsewhere, evidence=True)) == (
        "gold",
        "must_include_not_in_context",
    )
    assert fault("Parking is free [d2].", replace(elsewhere, evidence=False)) == (
        "retrieval",
        "evidence_not_in_context",
    )
    assert fault(GOOD, replace(asks, context=(), evidence=None)) == ("retrieval", "nothing_handed_over")


def test_the_evidence_says_what_it_is_told_from() -> None:
    found = judged_as(MADE_UP, replace(CASE, evidence=False), known(fate("cut", 0.25)))
    assert found is not None
    assert found.to_dict()["evidence"] == {
        "in_context": False,
        "faults": ["numbers: unsupported_number", "refusal: should_refuse"],
        "negative": False,
        "spans": [{"doc_id": "d1", "start": 0, "end": 24, "state": "cut", "covered": 0.25}],
        "relevant": {"d1": 1},
    }


def test_evidence_is_cited_by_an_id_that_is_written_with_other_signs() -> None:
    case = replace(CASE, context=(Context("hr-4", "It takes 14 days."), *CASE.context))
    of = replace(known(fate()), supporting=("hr-4",))
    assert judged_as("It takes 14 days [hr\u20114].", case, of) is None
    odd = replace(case, context=(Context("hr\u20114", "It takes 14 days."), *CASE.context))
    assert judged_as("It takes 14 days [hr-4].", odd, replace(of, supporting=("hr\u20114",))) is None


def test_what_must_be_said_is_looked_for_in_the_context_as_the_rule_compares_it() -> None:
    rubric = Rubric(must_include=(("24-hour",),))
    case = Case("q", "How long?", (Context("d1", "A 24\u00a0hour window."),), rubric, evidence=True)
    assert fault("It is long [d1].", case) == ("generation", "missing")
    elsewhere = replace(case, context=(Context("d1", "A long window."),))
    assert fault("It is long [d1].", elsewhere) == ("gold", "must_include_not_in_context")
