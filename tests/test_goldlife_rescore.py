"""`rag-sweep gold rescore`: the same numbers by the same gold, and which decisions another one turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from comparisons import MadeSweep, noisy
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_sweep.comparing.request import Request
from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.settings import Decide
from rag_sweep.dataset.documents import Documents
from rag_sweep.goldlife.aligned import of_sweep
from rag_sweep.goldlife.deciding import decided
from rag_sweep.goldlife.opened import OpenedGold
from rag_sweep.goldlife.rescore import Rescoring, SweepRescore, rescored
from rag_sweep.goldlife.rescored import RescoredSweep
from rag_sweep.goldlife.telling_sweeps import rescoring_text
from rag_sweep.matrix.data import SweepData
from rag_sweep.records import Gold, Question

QUICK = Decide(resamples=200)


def ranked(
    rankings: Sequence[Sequence[Sequence[int]]], questions: Sequence[Question], **more: Any
) -> SweepData:
    """A sweep with these document numbers, shape (configurations, questions, 10), and with their values."""
    table = np.zeros((len(rankings), sum(not question.is_negative for question in questions)))
    made = MadeSweep(table, questions=questions, documents=rankings, **more)
    true = RescoredSweep(made, of_sweep(made, made.basis.gold))
    made.__dict__.update(values=true.values, means=true.means)
    return made


def asked(number: int, relevant: int = 0) -> list[Question]:
    return [Question(f"q{at:02}", f"what about {at}", {f"d{relevant:03}": 1}) for at in range(number)]


def two(number: int, **more: Any) -> SweepData:
    """Configuration 0 puts document 0 first and document 1 fifth, configuration 1 the other way round."""
    first, other = list(range(10)), [1, 2, 3, 4, 0, 5, 6, 7, 8, 9]
    return ranked([[first] * number, [other] * number], asked(number), **more)


@cache
def request() -> Request:
    return Request.of(["decide.resamples=200", "decide.baseline=0"])


def measured(sweep: SweepData, gold: Sequence[Question]) -> SweepRescore:
    indexes = [one.index for one in sweep.configurations]
    return rescored((sweep, indexes, of_sweep(sweep, Gold(tuple(gold), "2"))), request())


# The same numbers


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 8), st.integers(2, 6))
def test_the_same_gold_gives_the_very_same_values(seed: int, questions: int, configurations: int) -> None:
    rng = np.random.default_rng(seed)
    judged = [
        Question(f"q{at}", f"t{at}", {f"d{d:03}": int(rng.integers(-1, 4)) for d in rng.integers(0, 40, 4)})
        for at in range(questions)
    ]
    documents = np.argsort(rng.random((configurations, questions, 40)), axis=2)[..., :10]
    sweep = ranked(documents.tolist(), judged)
    order = rng.permutation(questions).tolist()
    again = RescoredSweep(sweep, of_sweep(sweep, Gold(tuple(judged[at] for at in order))))
    assert again.values.tobytes() == sweep.values.tobytes()
    assert again.means.tobytes() == sweep.means.tobytes()
    assert again.basis.gold_hash == sweep.basis.gold_hash
    assert again.column("ndcg@5").tobytes() == sweep.column("ndcg@5").tobytes()
    if any(not question.is_negative for question in judged):
        assert not measured(sweep, judged).flips


def test_a_failed_configuration_has_no_values_by_any_gold() -> None:
    sweep = ranked([[list(range(10))] * 3] * 2, asked(3), failures={1: "broken"})
    again = RescoredSweep(sweep, of_sweep(sweep, Gold(tuple(asked(3, 2)))))
    assert np.isnan(again.values[1]).all()
    assert np.isnan(again.means[1]).all()
    assert again.column("ndcg@3")[0].tolist() == pytest.approx([0.5] * 3)


def test_the_choice_is_that_of_compare() -> None:
    for seed in range(4):
        sweep = MadeSweep(noisy([0.5, 0.56, 0.6, 0.62], 60, seed), branches={"lexical": [True] * 4})
        told = compare(Grid.of(sweep), QUICK)
        own = decided(sweep, range(4), QUICK, None)
        assert (own.promote, own.baseline) == (told.decision.promote, told.baseline)


# Flips


def test_other_judgements_flip_a_decision_and_the_questions_that_did_it_are_told() -> None:
    sweep = two(40)
    assert not measured(sweep, asked(40)).flips
    new = [replace(q, grades={"d001": 1}) if at < 38 else q for at, q in enumerate(asked(40))]
    found = measured(sweep, new)
    assert found.flips
    assert found.cause == "judgements"
    assert found.before is not None
    assert found.after is not None
    assert (found.before.index, found.after.index) == (0, 1)
    assert (found.before.mean, found.before.questions) == (1.0, 40)
    assert {one.id for one in found.moved} == {question.query_id for question in new[:38]}
    assert [vars(one) for one in found.moved[0].judgements] == [
        {"doc_id": "d000", "before": 1, "after": None},
        {"doc_id": "d001", "before": None, "after": 1},
    ]
    assert (found.moved[0].old_before, found.moved[0].new_after) == (1.0, 1.0)


def test_a_flip_is_told_with_both_choices_and_its_questions() -> None:
    new = [replace(q, grades={"d001": 1}) if at < 38 else q for at, q in enumerate(asked(39))]
    found = measured(two(40), [*new, Question("new", "what is new", {"d001": 1})])
    opened = OpenedGold(Path("g"), "jsonl", "", Documents(whole=False), Gold(tuple(new), "2"), {}, ())
    told = rescoring_text(Rescoring(opened, (found,), ()), 3, 200)
    lines = [one for one in told if isinstance(one, str)]
    old, better = "the baseline, which the rule chooses", "better than the baseline beyond chance"
    assert lines[0].endswith("2 configurations, ndcg@10): THE DECISION FLIPS")
    assert lines[1] == f"  before: chunker=document k1=0 ({old}) with 1.000 over 40 questions"
    assert lines[3].startswith(f"  after: chunker=document k1=1 ({better}) with 0.984 over 39 questions")
    assert "  1 question without a ranking, so in neither mean: new" in lines
    assert "  1 question not in the gold any more, so only in the mean before: q39" in lines
    assert "  and 37 questions more: --limit 40" in lines
    assert lines[-1] == "1 decision flips under version 2, of 1 sweep measured anew."


def test_the_shares_add_up_to_how_far_the_lead_moved() -> None:
    sweep = two(40)
    new = [replace(q, grades={"d001": 1}) if at < 38 else q for at, q in enumerate(asked(39))]
    found = measured(sweep, new)
    means = {row.index: (row.before, row.after) for row in found.rows}
    moved = (means[1][1] - means[0][1]) - (means[1][0] - means[0][0])
    assert sum(one.share for one in found.moved) == pytest.approx(moved)
    assert [one.id for one in found.moved if one.judgements] == [f"q{at:02}" for at in range(38)]
    assert {one.id: one.new_after for one in found.moved}["q39"] is None


def test_a_flip_by_questions_that_are_gone_is_told_as_such() -> None:
    rows = [[list(range(10))] * 60, [[1, 2, 3, 4, 0, 5, 6, 7, 8, 9]] * 60]
    judged = asked(30) + [replace(q, query_id=f"x{at}", text=f"x{at}") for at, q in enumerate(asked(30, 1))]
    found = measured(ranked(rows, judged), judged[30:])
    assert (found.flips, found.cause) == (True, "questions")
    assert found.shared is not None
    assert found.after is not None
    assert (found.shared.index, found.shared.mean) == (found.after.index, found.after.mean)
    assert found.alignment.removed == tuple(question.query_id for question in judged[:30])


def test_without_an_answerable_question_there_is_no_decision() -> None:
    found = measured(two(5), [replace(question, grades={}) for question in asked(5)])
    assert (found.flips, found.after) == (False, None)
    assert "no question of the gold has a relevant document" in (found.problem or "")


def test_a_negative_that_has_an_answer_now_is_measured() -> None:
    judged = [*asked(4), Question("q04", "what about 4")]
    rows = [[list(range(10))] * 5, [[1, 2, 3, 4, 0, 5, 6, 7, 8, 9]] * 5]
    sweep = ranked(rows, judged, branches={"lexical": [True, False], "dense": [False, True]})
    sweep.__dict__["pool_recall"] = {
        name: np.where(np.arange(5) == 4, np.nan, recall) for name, recall in sweep.pool_recall.items()
    }
    found = measured(sweep, [replace(judged[4], grades={"d001": 1})])
    assert [(row.index, row.after) for row in found.rows] == [(1, 1.0), (0, pytest.approx(0.6309, abs=1e-4))]


# Which questions can be measured


def test_questions_are_matched_by_id_and_words() -> None:
    sweep = two(4)
    here = [
        replace(asked(4)[0], text="What about 0?"),  # the same but for case and punctuation
        replace(asked(4)[1], text="something else"),
        Question("q02", "what about 2", {"d000": 1, "nowhere": 1}),
        Question("new", "what is new", {"d000": 1}),
    ]
    found = of_sweep(sweep, Gold(tuple(here)))
    assert found.at == (0,)
    assert (found.reworded, found.unsearched, found.new, found.removed) == (
        ("q01",),
        ("q02",),
        ("new",),
        ("q03",),
    )
    assert found.loses


def test_a_document_that_isnt_relevant_need_not_have_been_searched() -> None:
    assert of_sweep(two(1), Gold((replace(asked(1)[0], grades={"d000": 1, "nowhere": 0}),))).at == (0,)


def test_where_no_texts_were_kept_words_are_not_compared_and_none_is_shown() -> None:
    sweep = two(2, has_text=False)
    gold = Gold(tuple(replace(question, text="other words") for question in asked(2)))
    found = of_sweep(sweep, gold)
    assert (found.at, found.texts_are_known) == ((0, 1), False)
    assert {question.text for question in found.gold.questions} == {""}
