"""Biases that were built into a judge are found, and none that weren't."""

from __future__ import annotations

import numpy as np
import pytest

from rag_sweep.agreement.bias import consistency, length_bias, order_bias, sign_test

PASSED, FAILED = (True, 1.0), (False, 0.0)


def test_the_slope_of_a_judge_that_likes_long_answers_is_found() -> None:
    words = [10, 20, 40, 80] * 10
    higher = [{10: 0.0, 20: 0.1, 40: 0.2, 80: 0.3}[one] for one in words]
    found = length_bias(higher, words, resamples=500)
    assert found.slope == pytest.approx(0.1)
    assert found.correlation == pytest.approx(1.0)
    assert found.lower is not None
    assert found.lower > 0.09


def test_a_judge_that_errs_for_long_answers_only_has_an_interval_above_zero() -> None:
    chance = np.random.default_rng(3)
    words = chance.integers(5, 200, 300)
    higher = (chance.random(300) < np.where(words > 100, 0.4, 0.0)).astype(float)
    found = length_bias(list(higher), [int(one) for one in words], resamples=1_000)
    assert found.lower is not None
    assert found.lower > 0
    # against numpy's own, where the errors go one way: point-biserial
    assert found.correlation == pytest.approx(np.corrcoef(np.log2(words), higher)[0, 1])


def test_the_interval_of_no_bias_misses_zero_as_rarely_as_it_says() -> None:
    chance, missed, rounds = np.random.default_rng(4), 0, 300
    for _ in range(rounds):
        words = [int(one) for one in chance.integers(5, 200, 60)]
        higher = [float(one) for one in chance.choice([-1.0, 0.0, 1.0], 60, p=[0.15, 0.7, 0.15])]
        found = length_bias(higher, words, resamples=400)
        assert found.lower is not None
        assert found.upper is not None
        missed += not found.lower <= 0 <= found.upper
    assert missed / rounds <= 0.05 + 0.02 + 4 * (0.05 * 0.95 / rounds) ** 0.5


@pytest.mark.parametrize(
    ("higher", "words", "reason"),
    [
        ([0.0, 0.0, 0.0, 0.0], [1, 2, 3, 4], "no_disagreement"),
        ([1.0, 1.0, 1.0], [1, 2, 3], "same_everywhere"),
        ([0.0, 1.0, 0.0], [7, 7, 7], "same_length"),
        ([0.0, 1.0], [1, 2], "too_few_cases"),
        ([], [], "too_few_cases"),
    ],
)
def test_where_length_says_nothing_it_says_why(higher: list[float], words: list[int], reason: str) -> None:
    found = length_bias(higher, words, resamples=50)
    assert (found.slope, found.lower, found.reason) == (None, None, reason)


def test_one_disagreement_is_no_bias_with_an_interval_of_no_width() -> None:
    found = length_bias([0.0] * 19 + [1.0], [10] * 19 + [80])
    assert found.slope == pytest.approx(1 / 3)
    assert (found.lower, found.upper, found.reason) == (None, None, "too_few_disagreements")
    # nor is one agreement among errors that are all alike
    found = length_bias([1.0] * 19 + [0.0], [10] * 19 + [80])
    assert (found.lower, found.reason) == (None, "too_few_disagreements")
    assert length_bias([0.0] * 15 + [1.0] * 5, range(5, 25)).reason is None


def test_one_answer_of_another_length_gives_no_interval() -> None:
    found = length_bias([0.0, 1.0] * 10, [10] * 19 + [80])
    assert found.slope is not None
    assert (found.lower, found.upper, found.reason) == (None, None, "too_few_lengths")


def test_lengths_that_are_not_known_tell_nothing() -> None:
    found = length_bias([0.0, 1.0, 1.0], [None, None, None])
    assert (found.slope, found.reason) == (None, "unknown_length")


def test_flips_are_counted_with_their_direction() -> None:
    given = [PASSED, FAILED, FAILED, FAILED, PASSED, None, PASSED]
    swapped = [PASSED, PASSED, PASSED, FAILED, FAILED, PASSED, None]
    found = order_bias(given, swapped)
    assert (found.flipped.count, found.flipped.of) == (3, 5)
    assert (found.to_pass, found.to_fail, found.not_judged) == (2, 1, 2)
    assert found.moved == pytest.approx(1 / 5)


def test_flips_in_one_direction_are_told_from_chance() -> None:
    assert sign_test(10, 0) == pytest.approx(2 / 2**10)
    assert sign_test(5, 5) == 1.0
    assert sign_test(0, 0) is None


def test_what_can_not_be_reversed_is_in_no_share() -> None:
    found = order_bias([PASSED, PASSED], [FAILED, PASSED], not_reversed=10)
    assert (found.flipped.count, found.flipped.of, found.not_reversed, found.reason) == (1, 2, 10, None)
    found = order_bias([], [], not_reversed=12)
    assert (found.flipped.value, found.p_value, found.moved) == (None, None, None)
    assert (found.not_reversed, found.reason) == (12, "nothing_to_reverse")


def test_order_without_a_verdict_is_no_number() -> None:
    found = order_bias([None], [PASSED])
    assert (found.flipped.value, found.moved, found.p_value) == (None, None, None)


def test_a_case_is_consistent_only_if_every_round_says_the_same() -> None:
    rounds = [
        [PASSED, PASSED, FAILED, PASSED],
        [PASSED, FAILED, FAILED, None],
        [PASSED, PASSED, (False, 0.4), PASSED],
    ]
    found = consistency(rounds)
    assert (found.same.count, found.same.of, found.rounds, found.not_judged) == (2, 3, 3, 1)
    assert found.spread == 1.0
