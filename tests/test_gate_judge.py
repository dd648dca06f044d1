"""The judgement: what fails, what is refused, what is only said, and what could have been seen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scorecards import card_of_rankings, gold_of, scorecard_of

from rag_sweep.errors import ConfigError
from rag_sweep.gate import Thresholds, Verdict, judge
from rag_sweep.gate.cautions import smallest_falls
from rag_sweep.measures import MEASURES, Measure
from rag_sweep.records import Gold, Question
from rag_sweep.report.gate_rows import tag_columns
from rag_sweep.scorecard import Scorecard

Ranks = list[int | None]

GOOD: Ranks = [1] * 36 + [None] * 4
WORSE: Ranks = [1] * 20 + [4] * 8 + [None] * 12
"""Twelve of forty are lost, four of them before: recall@5 falls by 0.2."""
SLIGHTLY: Ranks = [1] * 34 + [None] * 6


def card(ranks: Ranks = GOOD, **changes: Any) -> Scorecard:
    return scorecard_of(ranks, **changes)


def dropping(most: float, **others: Any) -> Thresholds:
    return Thresholds(max_drop={"recall@5": most}, **others)


# Minima


@pytest.mark.parametrize(("least", "code"), [(0.89, 0), (0.9, 0), (0.9 + 1e-12, 0), (0.91, 1)])
def test_a_minimum_holds_if_the_mean_reaches_it(least: float, code: int) -> None:
    verdict = judge(card(), None, Thresholds({"recall@5": least}))
    (check,) = verdict.checks
    assert (verdict.exit_code, check.passed, check.value) == (code, code == 0, 0.9)
    assert check.lower is not None
    assert check.upper is not None
    assert check.lower < 0.9 < check.upper


def test_a_minimum_may_be_of_the_questions_with_a_tag() -> None:
    ranks: Ranks = [1, None] * 20
    verdict = judge(card(ranks), None, Thresholds({"even:recall@5": 1.0, "odd:recall@5": 0.1}))
    assert [(check.tag, check.value, check.passed) for check in verdict.checks] == [
        ("even", 1.0, True),
        ("odd", 0.0, False),
    ]
    assert "odd:recall@5 at least 0.1: 0 is 0.1 below 0.1" in [f"{c.what}: {c.why}" for c in verdict.failed]


# Drops


def test_a_drop_that_is_shown_fails_and_it_is_said() -> None:
    verdict = judge(card(WORSE), card(), dropping(0.03))
    (check,) = verdict.checks
    assert (verdict.exit_code, check.difference) == (1, -0.2)
    assert check.difference_upper is not None
    assert check.difference_upper < -0.03
    assert "a drop beyond 0.03 is shown" in check.why


def test_a_measured_drop_fails_too_and_it_is_said_that_it_isnt_shown() -> None:
    verdict = judge(card(SLIGHTLY), card(), dropping(0.03))
    (check,) = verdict.checks
    assert (verdict.exit_code, check.difference) == (1, -0.05)
    assert check.difference_upper is not None
    assert check.difference_upper > -0.03
    assert "the measured drop exceeds 0.03, though none beyond it is shown" in check.why


@pytest.mark.parametrize(("most", "code"), [(0.05, 0), (0.049, 1)])
def test_a_drop_of_just_the_limit_passes(most: float, code: int) -> None:
    assert judge(card(SLIGHTLY), card(), dropping(most)).exit_code == code


@pytest.mark.parametrize(("most", "code"), [(0.03, 1), (0.1, 1), (0.2, 0)])
def test_non_inferiority_passes_only_if_a_larger_drop_is_excluded(most: float, code: int) -> None:
    verdict = judge(card(SLIGHTLY), card(), dropping(most, mode="non_inferiority"))
    (check,) = verdict.checks
    assert verdict.exit_code == code
    assert check.difference_lower is not None
    assert (-check.difference_lower <= most) == (code == 0)
    assert ("is excluded" in check.why) == (code == 0)


def test_the_two_modes_part_where_few_questions_could_hide_a_drop() -> None:
    same_values = scorecard_of([2 if rank == 1 else rank for rank in GOOD])
    regression = judge(same_values, card(), dropping(0.03))
    careful = judge(same_values, card(), dropping(0.03, mode="non_inferiority"))
    assert (regression.exit_code, careful.exit_code) == (0, 1)
    assert "isn't excluded, 0.088 is possible" in careful.checks[0].why.replace("0.0881", "0.088")


def test_nothing_is_doubted_where_nothing_changed_at_all() -> None:
    verdict = judge(card(), card(), dropping(0.0, mode="non_inferiority"))
    assert verdict.exit_code == 0
    assert "nothing that a value depends on has changed" in verdict.checks[0].why
    other_code = judge(card(code="0.2+y"), card(), dropping(0.0, mode="non_inferiority"))
    assert other_code.exit_code == 1


def test_one_number_is_for_every_measure_at_k_and_a_measure_may_have_its_own() -> None:
    verdict = judge(
        card(SLIGHTLY), card(), Thresholds(max_drop={"all": 0.0, "recall@5": 0.1, "recall@3": 0.2})
    )
    limits = {check.measure: check.limit for check in verdict.checks}
    assert limits.pop("recall@3") == 0.2
    assert limits.pop("recall@5") == 0.1
    assert limits == dict.fromkeys(("hit@5", "precision@5", "mrr@5", "ndcg@5", "ndcg_linear@5", "map@5"), 0.0)
    assert judge(card(SLIGHTLY), card(), Thresholds(max_drop=0.0)).exit_code == 1


def test_better_is_never_a_drop() -> None:
    assert judge(card([1] * 40), card(), Thresholds(max_drop=0.0)).exit_code == 0


# What can't be compared


@pytest.mark.parametrize(
    ("baseline", "told"),
    [
        (card([1] * 39), "the gold differs: "),
        (scorecard_of(GOOD, replace(gold_of(), version="2"), k=3), "k differs: 5 here, 3 in the baseline"),
        (
            card().filtered({"tags": ["odd"]}),
            "the filters differ: all questions here, tags odd in the baseline",
        ),
    ],
)
def test_another_gold_filter_or_k_is_refused_and_named(baseline: Scorecard, told: str) -> None:
    verdict = judge(card(WORSE), baseline, dropping(0.03))
    assert verdict.exit_code == 3
    assert any(text.startswith(told) for text in verdict.refused)
    (check,) = verdict.checks
    assert (check.passed, check.difference, check.power) == (None, None, None)
    assert verdict.questions.lost is None
    assert verdict.tags[0].difference is None


def test_minima_are_judged_where_drops_are_refused_and_their_failure_goes_first() -> None:
    other = card([1] * 39)
    limits = Thresholds({"recall@5": 0.95}, {"recall@5": 0.03})
    verdict = judge(card(), other, limits)
    assert [check.passed for check in verdict.checks] == [False, None]
    assert verdict.exit_code == 1
    assert judge(card(), other, replace(limits, minima={"recall@5": 0.5})).exit_code == 3


def test_what_differs_in_two_golds_is_named() -> None:
    first = gold_of()
    questions = list(first.questions)
    questions[3] = replace(questions[3], text="something else")
    questions[4] = replace(questions[4], grades={"x01": 1})
    questions[5] = replace(questions[5], query_id="new")
    other = scorecard_of([*GOOD[:4], None, *GOOD[5:]], Gold(tuple(questions), "2"))
    (told,) = judge(other, card(), dropping(0.1)).refused
    for part in (
        "version 2 here, 1 in the baseline",
        "only here: new",
        "only in the baseline: q05",
        "other relevant documents: q04",
        "other words: q03",
    ):
        assert part in told


def test_other_documents_are_said_and_judged_or_refused_on_request() -> None:
    changed = card(WORSE, corpus_hash="d" * 64, documents=51)
    verdict = judge(changed, card(), dropping(0.03))
    assert verdict.exit_code == 1
    said = "the documents have changed: 51 documents, dddddddd here, 50 documents, cccccccc in the baseline"
    assert verdict.stated == (said,)
    refusing = judge(changed, card(), dropping(0.03), same_corpus=True)
    assert (refusing.exit_code, refusing.refused) == (3, (f"{said} (--same-corpus)",))
    assert judge(card(WORSE), card(), dropping(0.03), same_corpus=True).exit_code == 1


def test_index_version_pool_depth_code_and_knobs_are_said() -> None:
    other = card(index_version="7", pool_depth=50, code="0.2+y", params={"lexical.k1": 9})
    stated = " | ".join(judge(other, card(), dropping(0.1)).stated)
    assert "the index version differs: 7 here, none in the baseline" in stated
    assert "the pool depth differs: 50 here, 100 in the baseline" in stated
    assert "the version of the code differs: 0.2+y here, 0.1+x in the baseline" in stated
    assert "the configuration differs: lexical.k1 1.2 → 9" in stated
    assert judge(other, card(), dropping(0.1), same_corpus=True).exit_code == 3
    unknown = judge(card(corpus_hash=None), card(), dropping(0.1))
    assert any(text.startswith("whether the documents are the same isn't known") for text in unknown.stated)


def test_a_measure_that_only_the_baseline_lacks_cant_be_judged() -> None:
    without = replace(card(), measures=tuple(m.replace("@3", "@4") for m in card().measures))
    verdict = judge(card(), without, Thresholds(max_drop={"recall@3": 0.1}))
    assert verdict.exit_code == 3
    assert verdict.checks[0].why == "the baseline wasn't measured by recall@3"


# Wrong thresholds


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        (Thresholds(), "nothing to judge"),
        (
            Thresholds({"recall@7": 0.5}),
            "recall@7 isn't measured: its cutoff must be k or one of the cutoffs",
        ),
        (
            Thresholds({"price:recall@5": 0.5}),
            "no answerable question has the tag 'price'; there are: even, odd",
        ),
    ],
)
def test_what_cant_be_judged_by_is_an_error(limits: Thresholds, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        judge(card(), card(), limits)


@pytest.mark.parametrize(
    "wrong",
    [
        {"minima": {"recall@5": 80}},
        {"minima": {"recal@5": 0.8}},
        {"minima": {"all": 0.8}},
        {"max_drop": -0.1},
        {"max_drop": {"recall@5": True}},
        {"max_drop": 0.1, "mode": "superiority"},
        {"max_drop": 0.1, "alpha": 0.0},
        {"max_drop": 0.1, "alpha": 95.0},
    ],
)
def test_a_threshold_that_cant_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="thresholds"):
        Thresholds(**wrong)


# Questions


def test_failed_lost_and_newly_found_questions_beside_the_known_misses() -> None:
    now: Ranks = [None, None, 7, *GOOD[3:36], 1, 1, None, None]
    verdict = judge(card(now), card(), dropping(1.0), known_misses=["q01", "q36", "q39", "gone"])
    told = verdict.questions
    assert [one.id for one in told.failed] == ["q00", "q01", "q02", "q38", "q39"]
    assert [one.known for one in told.failed] == [False, True, False, False, True]
    assert told.new == ("q00", "q02", "q38")
    assert told.newly_found == ("q36",)
    assert told.unknown == ("gone",)
    assert told.lost is not None
    assert [(one.id, one.rank, one.baseline_rank) for one in told.lost] == [
        ("q00", None, 1),
        ("q01", None, 1),
        ("q02", 7, 1),
    ]
    assert told.found == ("q36", "q37")
    assert verdict.to_dict()["failed_ids"] == ["q00", "q01", "q02", "q38", "q39"]
    assert verdict.to_dict()["zero_hits"] == 5
    assert judge(card(now), None, Thresholds({"hit@5": 0.1})).questions.new is None


def test_next_steps_go_from_what_was_compared_to_the_gold_and_only_then_to_the_search() -> None:
    steps = judge(card(WORSE, params={"lexical.k1": 200}), card(), dropping(0.03)).next_steps
    assert [step.split("?")[0].split(":")[0] for step in steps] == [
        "Same index, filters and gold",
        "The gold's own entry",
        "Only then the search",
    ]
    assert "lexical.k1 1.2 → 200" in steps[0]
    assert "q28 expects d28 (not among the first 5, before at 1)" in steps[1]
    assert judge(card(), card(), dropping(0.03)).next_steps == ()
    (again,) = judge(card(), card([1] * 39), dropping(0.03)).next_steps
    assert again.startswith("Take a baseline that was measured on the same ground")


def test_each_failing_check_names_the_questions_that_it_fails_by_the_largest_fall_first() -> None:
    now: Ranks = [2, None, *GOOD[2:36], 3, *GOOD[37:]]
    limits = Thresholds(max_drop={"mrr@5": 0.01, "recall@5": 0.9, "odd:recall@5": 0.01})
    verdict = judge(card(now), card(), limits)
    assert [check.fell for check in verdict.checks] == [("q01", "q00"), (), ("q01",)]
    lost, slipped = verdict.questions.fell
    assert (lost.id, lost.rank, lost.baseline_rank, lost.relevant) == ("q01", None, 1, ("d01",))
    assert [(one.target, one.before, one.after) for one in lost.changes] == [
        ("mrr@5", 1.0, 0.0),
        ("odd:recall@5", 1.0, 0.0),
    ]
    assert [(one.target, one.before, one.after) for one in slipped.changes] == [("mrr@5", 1.0, 0.5)]
    assert (slipped.rank, slipped.baseline_rank, slipped.text) == (2, 1, "what about thing 0")
    assert "q01 expects d01" in verdict.next_steps[1]
    assert "q00 expects d00 (now at rank 2, before at 1)" in verdict.next_steps[1]


def test_a_minimum_that_is_missed_names_what_lacks_with_and_without_a_baseline() -> None:
    now: Ranks = [2, *GOOD[1:]]
    alone = judge(card(now), None, Thresholds({"mrr@5": 0.99})).questions.fell
    assert [one.id for one in alone] == ["q36", "q37", "q38", "q39", "q00"]
    assert (alone[0].changes[0].before, alone[0].changes[0].after) == (None, 0.0)
    beside = judge(card(now), card(), Thresholds({"mrr@5": 0.99})).questions.fell
    assert [one.id for one in beside] == ["q00", "q36", "q37", "q38", "q39"]
    refused = judge(card(now), card([1] * 39), Thresholds({"mrr@5": 0.99})).questions.fell
    assert {one.changes[0].before for one in refused} == {None}
    assert judge(card(now), card(), dropping(0.5)).questions.fell == ()


# Power


def test_it_says_what_it_could_have_detected() -> None:
    power = judge(card(SLIGHTLY), card(), dropping(0.03)).checks[0].power
    assert power is not None
    differences = np.array([0.0] * 38 + [1.0] * 2)
    assert power.deviation == pytest.approx(differences.std(ddof=1))
    assert power.detectable is not None
    assert 0.05 < power.detectable < 0.2
    assert power.beyond == pytest.approx(power.detectable + 0.03)
    assert power.needed is not None
    assert power.needed > 40
    same = judge(card(code="0.2+y"), card(), dropping(0.03)).checks[0].power
    assert same is not None
    assert (same.deviation, same.detectable, same.needed) == (None, None, None)
    assert same.excluded == pytest.approx(1 - 0.025 ** (1 / 40))


def test_each_tag_has_its_row_with_what_it_could_have_shown() -> None:
    verdict = judge(card(WORSE), card(), dropping(0.03))
    assert [(row.tag, row.questions) for row in verdict.tags] == [("even", 20), ("odd", 20)]
    assert all(row.power is not None and row.power.detectable is not None for row in verdict.tags)
    assert verdict.tags[0].difference == pytest.approx(-0.2)


def test_so_few_questions_that_nothing_can_be_shown_have_no_interval() -> None:
    gold = gold_of()
    tagged = replace(gold.questions[0], tags=("one",))
    few = Gold((tagged, *gold.questions[1:]), "1")
    now, before = (scorecard_of([rank, *GOOD[1:]], few) for rank in (2, 1))
    limits = Thresholds(max_drop={"mrr@5": 0.5, "one:mrr@5": 0.6})
    verdict = judge(now, before, limits)
    row = next(row for row in verdict.tags if row.tag == "one")
    assert (row.questions, row.difference, row.difference_lower, row.power) == (1, -0.5, None, None)
    assert all(row.difference_lower is not None for row in verdict.tags if row.questions > 5)
    check = verdict.checks[1]
    assert (check.passed, check.difference_lower, check.p_value, check.power) == (True, None, None, None)
    assert check.why == "−0.500 (1 question: too few for an interval): no drop beyond 0.6 was measured"
    careful = judge(now, before, replace(limits, mode="non_inferiority")).checks[1]
    assert (careful.passed, "so few can't exclude a drop beyond 0.6" in careful.why) == (False, True)
    told = tag_columns(verdict.to_dict())
    cells = next(column.cells for column in told if column.head == "its interval")
    assert [cell for cell in cells if "none" in cell] == ["none, 1 question"]
    alone = judge(now, None, Thresholds({"mrr@5": 0.1})).to_dict()
    assert all(column.head != "its interval" for column in tag_columns(alone))


# Cautions


def test_a_limit_that_one_question_breaks_by_its_smallest_fall_is_told() -> None:
    (told,) = judge(card([1] * 13), card([1] * 13), Thresholds(max_drop=0.03)).cautions
    assert told.startswith(
        "one question of 13 that falls as little as it can costs 0.077 of hit@5, 0.077 of recall@5, "
        "0.038 of mrr@5 and 0.038 of map@5: more than the limit of 0.03"
    )
    assert judge(card([1] * 13), card([1] * 13), Thresholds(max_drop=0.08)).cautions == ()
    assert judge(card(), card(), Thresholds(max_drop=0.03)).cautions == ()
    (of_tag,) = judge(card(), card(), Thresholds(max_drop={"odd:recall@5": 0.03})).cautions
    assert "one question of 20 with the tag odd" in of_tag
    assert judge(card([1] * 13), card([1] * 13), Thresholds(max_drop=0.0)).cautions == ()


def test_a_cutoff_that_leaves_no_document_out_is_told() -> None:
    limits = Thresholds({"recall@5": 0.1, "hit@5": 0.1, "recall@3": 0.1, "mrr@5": 0.1})
    (told,) = judge(card(documents=5), None, limits).cautions
    assert told.startswith("5 ranks hold all 5 documents, so recall@5 and hit@5 can't fail as long as")
    assert judge(card(documents=6), None, limits).cautions == ()
    assert judge(card(documents=None), None, limits).cautions == ()


@given(st.permutations([3, 2, 0, 0]), st.booleans(), st.sampled_from(sorted(MEASURES)))
def test_the_smallest_fall_of_a_question_is_one_that_a_worse_ranking_has(
    grades: list[int], is_alone: bool, name: str
) -> None:
    relevant = {f"d{at}": grade for at, grade in enumerate(grades) if grade > (2 if is_alone else 0)}
    gold = Gold((Question("q", "what", relevant),))
    ranking, measure = [f"d{at}" for at in range(4)], Measure(name, 3)

    def value(ids: Sequence[str]) -> float:
        return float(card_of_rankings({"q": ids}, gold, k=3).column(str(measure))[0])

    least = smallest_falls(card_of_rankings({"q": ranking}, gold, k=3), measure)[0]
    falls = [value(ranking) - value(ids) for ids in permutations([*ranking, "x"], 4)]
    falls = [fall for fall in falls if fall > 1e-9]
    assert not np.isfinite(least) or any(fall == pytest.approx(least) for fall in falls)
    if is_alone:  # no way to lose a little here and to win a little there
        assert least == pytest.approx(min(falls, default=np.inf))


# The whole


def test_equal_arguments_give_equal_bytes() -> None:
    def told() -> str:
        verdict: Verdict = judge(
            card(WORSE), card(), Thresholds({"recall@5": 0.8}, 0.03), known_misses=["q39"]
        )
        return json.dumps(verdict.to_dict(), allow_nan=False)

    assert told() == told()


def test_the_report_carries_what_it_takes_to_make_it_again() -> None:
    data = judge(card(gold_date="2026-01-02", gold_origin={"log": 40}), card(), dropping(0.03)).to_dict()
    assert data["k"] == 5
    for side in ("current", "baseline"):
        for key in ("gold", "corpus", "configuration", "code", "questions", "filters", "index_version"):
            assert key in data[side]
    assert (data["current"]["gold_date"], data["current"]["gold_origin"]) == ("2026-01-02", {"log": 40})
    assert (data["exit_code"], data["passed"], data["headline"]) == (
        0,
        True,
        "PASSED: 1 check. Judged: made on made",
    )
