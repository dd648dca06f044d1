"""The gate as a drill asks it."""

from __future__ import annotations

import pytest
from scorecards import gold_of, scorecard_of

from rag_sweep.drill.judging import in_words, judged, judged_measures, named_measures, unfit, without_tags
from rag_sweep.gate import Thresholds, judge

BEFORE = scorecard_of([1] * 18 + [None] * 2)
WORSE = scorecard_of([2] * 10 + [1] * 8 + [None] * 2, fingerprint="e" * 64)
DROP = Thresholds(max_drop=0.03)


def test_the_exit_code_is_that_of_the_gate() -> None:
    for thresholds in (DROP, Thresholds({"recall@5": 0.8}), Thresholds({"mrr@5": 0.8})):
        found = judged(WORSE, BEFORE, thresholds, "mrr@5")
        assert found.exit_code == judge(WORSE, BEFORE, thresholds).exit_code
    assert judged(WORSE, BEFORE, DROP, "mrr@5").exit_code == 1
    assert judged(WORSE, BEFORE, Thresholds({"recall@5": 0.8}), "mrr@5").exit_code == 0


def test_effect_and_power_are_told_whatever_is_judged() -> None:
    one = judged(WORSE, BEFORE, Thresholds({"recall@5": 0.8}), "mrr@5")
    other = judged(WORSE, BEFORE, DROP, "mrr@5")
    assert (one.lower, one.upper, one.detectable) == (other.lower, other.upper, other.detectable)
    assert one.lower is not None
    assert one.upper is not None
    assert one.lower < -0.25 < one.upper < 0
    (row,) = [check for check in judge(WORSE, BEFORE, DROP).checks if check.measure == "mrr@5"]
    assert row.power is not None
    assert one.detectable == row.power.detectable


def test_the_check_that_is_missed_by_most_is_the_reason() -> None:
    (reason,) = judged(WORSE, BEFORE, DROP, "mrr@5").reasons
    assert reason.startswith("mrr@5 at most 0.03 below the baseline: −0.250 (")
    assert "more checks fail" in reason
    (reason,) = judged(WORSE, BEFORE, Thresholds({"mrr@5": 0.9, "recall@5": 0.95}), "mrr@5").reasons
    assert reason.startswith("mrr@5 at least 0.9: 0.65 is")


def test_another_gold_is_told_by_its_hash_and_the_values_are_judged_beside_it() -> None:
    other = scorecard_of([2] * 10 + [1] * 8 + [None] * 2, gold_hash="b" * 64)
    found = judged(other, BEFORE, DROP, "mrr@5")
    assert found.exit_code == 3
    assert found.reasons[0].startswith("the gold differs")
    assert found.reasons[1] == "by its values alone, without that hash, it would fail"
    assert found.lower is not None
    assert found.lower < -0.25


def test_another_gold_with_the_same_rankings_is_not_taken_for_unchanged() -> None:
    # one judgement differs, and so one value, though nothing was searched in another way
    gold = gold_of(20)
    wrong = scorecard_of([1] * 17 + [None] * 3, gold, gold_hash="b" * 64)
    found = judged(wrong, BEFORE, DROP, "mrr@5")
    assert found.exit_code == 3
    assert found.lower is not None
    assert found.lower < 0


def test_a_gate_that_fails_the_working_search_is_unfit() -> None:
    told = unfit(BEFORE, Thresholds({"recall@5": 0.95}))
    assert told is not None
    assert told.startswith("unbroken, it fails: recall@5 at least 0.95: 0.9 is 0.05 below 0.95")


def test_a_gate_that_fails_a_change_of_nothing_is_unfit() -> None:
    few = scorecard_of([1, 1, 2])
    told = unfit(few, Thresholds(max_drop={"mrr@5": 0.03}, mode="non_inferiority"))
    assert told is not None
    assert told.startswith("it fails a change that changes no value: mrr@5 at most 0.03")


def test_a_gate_that_passes_what_works_is_fit() -> None:
    assert unfit(BEFORE, DROP) is None
    assert unfit(scorecard_of([1, 1, 2]), DROP) is None


def test_what_the_gate_is_told_is_said_in_words() -> None:
    thresholds = Thresholds({"recall@5": 0.8, "even:mrr@5": 0.5}, {"all": 0.03, "ndcg@5": 0.02})
    assert in_words(thresholds, 5) == (
        "recall@5 at least 0.8",
        "even:mrr@5 at least 0.5",
        "every measure at 5 at most 0.03 below the baseline",
        "ndcg@5 at most 0.02 below the baseline",
        "mode regression",
    )
    assert named_measures(thresholds) == ("recall@5", "ndcg@5")
    assert {"recall@5", "ndcg@5", "hit@5", "map@5"} <= set(judged_measures(thresholds, 5))


@pytest.mark.parametrize(("key", "kept"), [("mrr@5", False), ("even:mrr@5", True)])
def test_tags_are_kept_only_where_a_limit_names_one(key: str, kept: bool) -> None:
    assert bool(without_tags(BEFORE, Thresholds({key: 0.5})).all_tags) == kept
    plain, whole = without_tags(WORSE, DROP), without_tags(BEFORE, DROP)
    assert judge(plain, whole, DROP).exit_code == judge(WORSE, BEFORE, DROP).exit_code
