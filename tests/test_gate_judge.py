"""The judgement: what fails, what is refused, what is only said, and what could have been seen."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scorecards import gold_of, scorecard_of

from rag_sweep.errors import ConfigError
from rag_sweep.gate import Thresholds, Verdict, judge
from rag_sweep.records import Gold
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
    assert (data["exit_code"], data["passed"], data["headline"]) == (0, True, "PASSED: 1 check")
