"""Kappa and its interval: by hand, at its edges, and for a judge whose errors are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.agreement.agreed import YES_NO, Pair, Scale, agreed, decide
from rag_sweep.agreement.kappa import Kappa, confusion, distances, kappa, kappas, share
from rag_sweep.arrays import IntArray
from rag_sweep.errors import ConfigError

RIGHT_OF_GOOD, RIGHT_OF_BAD, GOOD = 0.9, 0.75, 0.6
"""Of the simulated judge: what it says of good and of bad answers, and how many are good."""

tables = st.lists(st.integers(0, 30), min_size=9, max_size=9).map(
    lambda cells: np.array(cells, dtype=np.int64).reshape(3, 3)
)


def table_of(*rows: tuple[int, ...]) -> IntArray:
    return np.array(rows, dtype=np.int64)


def true_kappa() -> float:
    """Of the simulated judge, from its probabilities."""
    both = GOOD * RIGHT_OF_GOOD
    neither = (1 - GOOD) * RIGHT_OF_BAD
    says_good = both + (1 - GOOD) * (1 - RIGHT_OF_BAD)
    by_chance = GOOD * says_good + (1 - GOOD) * (1 - says_good)
    return (both + neither - by_chance) / (1 - by_chance)


def simulated(cases: int, seed: int) -> IntArray:
    """People's labels (right by definition) against the judge's."""
    chance = np.random.default_rng(seed)
    good = chance.random(cases) < GOOD
    right = chance.random(cases) < np.where(good, RIGHT_OF_GOOD, RIGHT_OF_BAD)
    return confusion(good.astype(np.int64), np.where(right, good, ~good).astype(np.int64), 2)


def test_kappa_is_agreement_beyond_chance() -> None:
    # Cohen's own arithmetic: 0.7 agree, 0.5 by chance
    found = kappa(table_of((20, 5), (10, 15)))
    assert found.value == pytest.approx((0.7 - 0.5) / (1 - 0.5))
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower < 0.4 < found.upper


def test_a_near_miss_counts_less_where_the_order_means_something() -> None:
    near, far = table_of((10, 5, 0), (0, 10, 0), (0, 0, 10)), table_of((10, 0, 5), (0, 10, 0), (0, 0, 10))
    plain = [kappa(one).value for one in (near, far)]
    linear = [kappa(one, "linear").value for one in (near, far)]
    assert plain[0] is not None
    assert linear[0] is not None
    assert linear[1] is not None
    assert linear[0] > linear[1]
    assert linear[0] > plain[0]


@given(tables)
def test_kappa_does_not_ask_who_is_the_judge(table: IntArray) -> None:
    for weights in ("none", "linear", "quadratic"):
        ways = np.stack([table, table.T]).astype(np.float64)
        one, other = kappas(ways, distances(3, weights))  # type: ignore[arg-type]
        assert one == pytest.approx(other, nan_ok=True)
        assert np.isnan(one) or -1.0 - 1e-9 <= one <= 1.0


def test_the_same_label_everywhere_says_nothing_and_says_why() -> None:
    found = kappa(table_of((0, 0), (0, 40)))
    assert found == Kappa(None, None, None, "one_kind", "none", 40)
    assert not decide(found, 0.0).may


def test_a_judge_that_says_one_thing_has_no_interval_of_zero_width() -> None:
    found = kappa(table_of((0, 10), (0, 20)))
    assert (found.value, found.lower, found.reason) == (0.0, None, "constant")
    assert "no agreement beyond chance" in decide(found, 0.6).why


def test_nothing_labelled_is_no_number() -> None:
    assert kappa(table_of((0, 0), (0, 0))).reason == "no_cases"
    assert share(0, 0).value is None


def test_a_label_that_is_too_rare_gives_a_value_without_an_interval() -> None:
    found = kappa(table_of((1, 0), (0, 40)))
    assert (found.value, found.lower, found.reason) == (1.0, None, "too_few_of_a_kind")
    assert not decide(found, 0.6).may


def test_perfect_agreement_on_few_cases_is_no_certainty() -> None:
    few, many = kappa(table_of((5, 0), (0, 5))), kappa(table_of((100, 0), (0, 100)))
    assert few.value == many.value == many.upper == 1.0
    assert few.lower is not None
    assert many.lower is not None
    # 1 - 0.025^(1/10) of disagreements can't be excluded, of 0.5 by chance
    assert few.lower == pytest.approx(1 - (1 - 0.025 ** (1 / 10)) / 0.5)
    assert many.lower > 0.95


def test_one_disagreement_never_gives_a_higher_lower_end_than_none() -> None:
    ends = [kappa(table_of((25 - apart, apart), (0, 25))).lower for apart in range(8)]
    assert None not in ends
    assert sorted(ends, reverse=True) == ends  # type: ignore[type-var]


def test_the_kappa_of_a_judge_with_known_errors_is_found() -> None:
    found = kappa(simulated(200_000, 1), resamples=200)
    assert found.value == pytest.approx(true_kappa(), abs=0.006)


@pytest.mark.parametrize("cases", [60, 200])
def test_the_interval_holds_the_true_kappa_as_often_as_it_says(cases: int) -> None:
    rounds, truth = 600, true_kappa()
    found = [kappa(simulated(cases, seed), resamples=600, seed=seed) for seed in range(rounds)]
    held = sum(
        one.lower is not None and one.upper is not None and one.lower <= truth <= one.upper for one in found
    )
    # 0.95 within four standard errors of a simulation, less what a percentile bootstrap of few cases lacks
    assert 0.95 - 0.01 - 4 * (0.05 * 0.95 / rounds) ** 0.5 <= held / rounds <= 0.985


def test_the_interval_of_a_weighted_kappa_holds_it_too() -> None:
    """Grades from 0 to 4, of which the judge gives the right one, or one beside it, or any."""
    chance, rounds = np.random.default_rng(8), 400
    right = np.full((5, 5), 0.1 / 5) + 0.6 * np.eye(5)
    for grade in range(5):
        beside = [at for at in (grade - 1, grade + 1) if 0 <= at < 5]
        right[grade, beside] += 0.3 / len(beside)
    together = np.array([0.1, 0.15, 0.2, 0.25, 0.3])[:, np.newaxis] * right
    truth = float(kappas(together[np.newaxis], distances(5, "quadratic"))[0])
    held = 0
    for seed in range(rounds):
        table = chance.multinomial(100, together.ravel()).reshape(5, 5).astype(np.int64)
        found = kappa(table, "quadratic", resamples=500, seed=seed)
        assert found.lower is not None
        assert found.upper is not None
        held += found.lower <= truth <= found.upper
    assert 0.95 - 0.015 - 4 * (0.05 * 0.95 / rounds) ** 0.5 <= held / rounds <= 0.985


def test_the_lower_end_is_too_high_no_more_often_than_it_says() -> None:
    """What a gate goes by: a judge of exactly the least kappa is let through by chance only."""
    rounds, truth = 600, true_kappa()
    through = sum(
        decide(kappa(simulated(100, seed), resamples=600, seed=seed), truth).may for seed in range(rounds)
    )
    assert 0 < through / rounds <= 0.025 + 4 * (0.025 * 0.975 / rounds) ** 0.5


def test_the_exact_interval_of_a_share_covers() -> None:
    chance = np.random.default_rng(5)
    held = 0
    for count in chance.binomial(40, 0.9, 2_000):
        one = share(int(count), 40)
        assert one.lower is not None
        assert one.upper is not None
        held += one.lower <= 0.9 <= one.upper
    assert held / 2_000 >= 0.94


def test_the_same_cases_in_another_order_agree_the_same() -> None:
    chance = np.random.default_rng(2)
    pairs = [
        Pair(f"c{at}", int(chance.integers(3)), int(chance.integers(3)), int(chance.integers(1, 90)))
        for at in range(50)
    ]
    scale = Scale(("0", "1", "2"), "linear")
    one, other = agreed(pairs, scale, resamples=300), agreed(pairs[::-1], scale, resamples=300)
    assert (one.kappa, one.table, one.length) == (other.kappa, other.table, other.length)
    assert sorted(one.disagreements, key=str) == sorted(other.disagreements, key=str)


def test_the_farthest_disagreements_come_first() -> None:
    scale = Scale(("0", "1", "2"), "quadratic")
    found = agreed([Pair("near", 0, 1, 9), Pair("same", 2, 2, 9), Pair("far", 2, 0, 9, "why")], scale)
    assert [(one.id, one.person, one.judge) for one in found.disagreements] == [
        ("far", "2", "0"),
        ("near", "0", "1"),
    ]
    assert (found.kinder, found.harsher) == (1, 1)


@pytest.mark.parametrize(
    ("found", "may", "why"),
    [
        (Kappa(0.8, 0.65, 0.9, None, "none", 60), True, "reaches 0.6"),
        (Kappa(0.7, 0.5, 0.9, None, "none", 30), False, "label more than 30"),
        (Kappa(0.4, 0.2, 0.6, None, "none", 30), False, "is below 0.6"),
    ],
)
def test_the_lower_end_decides(found: Kappa, may: bool, why: str) -> None:
    decision = decide(found, 0.6)
    assert decision.may is may
    assert why in decision.why


def test_other_weights_are_refused() -> None:
    with pytest.raises(ConfigError, match="weights must be one of none, linear, quadratic"):
        distances(3, "cubic")  # type: ignore[arg-type]


def test_yes_and_no_are_from_bad_to_good() -> None:
    assert [YES_NO.height(at) for at in range(2)] == [0.0, 1.0]
