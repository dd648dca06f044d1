"""Where no question tells configurations apart: that is what is said, and what would."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from comparisons import MadeSweep, asked
from decisions import PARAMS, decided, exact

from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.settings import Decide


def level(number: int = 3, questions: int = 60) -> np.ndarray:
    """The same values for each configuration."""
    return np.tile(exact(0.5, questions=questions), (number, 1))


def test_these_questions_cannot_decide() -> None:
    found = decided(level(questions=7), depths=[1000, 100, 1000])
    told = found.decision
    assert (told.why, told.keeps_baseline, told.promote) == ("undecided", True, found.baseline)
    assert told.headline == (
        "Keep the baseline, chunker=document k1=1.2 b=0.75 pool_depth=1000: these 7 questions can't decide, "
        "all 3 configurations measure the same on each of them"
    )
    assert not any("below 25" in caution or "honest value" in caution for caution in told.cautions)


@pytest.mark.parametrize("rule", ["best", "cheapest_of_the_best", "one_standard_error"])
@pytest.mark.parametrize("correction", ["max_t", "holm"])
def test_no_rule_and_no_test_finds_a_winner_where_there_is_none(rule: str, correction: str) -> None:
    told = decided(level(), depths=[1000, 100, 1000], rule=rule, correction=correction).decision
    assert (told.why, told.keeps_baseline) == ("undecided", True)


def test_negatives_and_the_order_of_equals_change_nothing() -> None:
    values, questions = level(), asked(65, negatives=5)
    assert decided(values, questions=questions).decision.why == "undecided"
    assert decided(values, baseline=2).decision.promote != decided(values, baseline=0).decision.promote


def test_a_difference_on_one_question_is_one() -> None:
    values = level()
    values[1, 0] += 0.01
    assert decided(values).decision.why != "undecided"


def test_two_and_a_single_question_are_told_in_their_words() -> None:
    assert decided(level(2)).decision.headline.endswith(
        "these 60 questions can't decide, both configurations measure the same on each of them"
    )
    assert decided(level(2, 1)).decision.headline.endswith(
        "this one question can't decide, both configurations measure the same on it"
    )


def test_equal_rankings_and_equal_values_are_told_apart() -> None:
    assert decided(level()).decision.reasons[0] == (
        "Every configuration has 0.500 in ndcg@10, and no question differs between two, though they rank "
        "documents "
        "differently."
    )
    documents = np.tile(np.arange(10), (3, 60, 1))
    found = compare(Grid.of(MadeSweep(level(), PARAMS[:3], documents=documents)), Decide(resamples=200))
    assert found.decision.reasons[0] == (
        "Every configuration has 0.500 in ndcg@10, and no question differs between two: what was varied (k1 "
        "and b) "
        "changes the ranking of no question."
    )


@pytest.mark.parametrize(
    ("values", "remedy"),
    [
        (np.ones((3, 60)), "All of 60 questions are answered as well as can be: to choose, ask harder ones."),
        (
            np.zeros((3, 60)),
            "Nothing relevant is found by any of them: `rag-sweep gold check` says whether the gold belongs "
            "to these "
            "documents.",
        ),
        (level(), "To choose, ask more and harder questions (in the words of users, with near-duplicates"),
    ],
)
def test_what_would_tell_them_apart_depends_on_what_is_found(values: Any, remedy: str) -> None:
    assert decided(values).decision.reasons[1].startswith(remedy)


def test_the_cheaper_one_is_named_and_left_to_the_reader() -> None:
    told = decided(level(), depths=[1000, 100, 500]).decision
    assert told.reasons[-1] == (
        "chunker=document k1=1.2 b=0.4 pool_depth=100 is cheaper, 13 % as much computing a question and 100 "
        "words "
        "instead of 100; nothing here speaks against it, or shows that it is as good."
    )
    assert not any("is cheaper" in reason for reason in decided(level()).decision.reasons)
