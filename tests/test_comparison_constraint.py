"""The rule `pareto`: the best that keeps to a budget, and who says what the budget is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_comparison_rules import measured, values

from rag_sweep.comparison.choice import choose
from rag_sweep.comparison.constraint import Constraint
from rag_sweep.comparison.cost import Cost
from rag_sweep.comparison.prices import Prices
from rag_sweep.comparison.rules import Choosing, constrained
from rag_sweep.comparison.settings import Decide
from rag_sweep.errors import ConfigError


def cost(words: float = 100.0, units: int = 100, size: int = 100) -> Cost:
    return Cost(("lexical",), 1, None, 1, 0, size, words, units)


def decide(constraint: str = "words<=150") -> Decide:
    return Decide(rule="pareto", constraint=constraint)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("words<=1500", {"words": 1500}),
        ("units <= 2e6", {"units": 2_000_000}),
        ("bytes<=1,000,000", {"index_bytes": 1_000_000}),
        ("words<=1500.5 and units<=10", {"words": 1500.5, "units": 10}),
        (" units<=10;words<=5 ; bytes<=1_000 ", {"units": 10, "words": 5, "index_bytes": 1000}),
    ],
)
def test_a_constraint_is_read(text: str, most: dict[str, float]) -> None:
    assert dict(Constraint.parse(text).most) == most


@pytest.mark.parametrize(
    "text",
    [
        *("", "words", "words<1500", "words<=", "words<=-1", "words>=5", "latency<=5", "words<=1 words<=2"),
        *("words<=1 and words<=2", "words<=1 or units<=2", "words<=1e999", "words<=1..2", "words<=nan"),
    ],
)
def test_what_is_no_constraint_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"decide\.constraint must be one or more of units, words, bytes"):
        Constraint.parse(text)


@given(
    words=st.floats(0, 1e6),
    units=st.integers(0, 10**6),
    size=st.integers(0, 10**6),
    limit=st.integers(0, 10**6),
)
def test_all_limits_have_to_hold_and_the_limit_itself_is_allowed(
    words: float, units: int, size: int, limit: int
) -> None:
    found = Constraint.parse(f"words<={limit} and units<={limit} and bytes<={limit}")
    assert found.holds(cost(words, units, size)) == (max(words, units, size) <= limit)


def test_rule_and_constraint_belong_together() -> None:
    with pytest.raises(ConfigError, match=r"decide\.constraint must be given with decide\.rule=pareto"):
        Decide(rule="pareto")
    with pytest.raises(ConfigError, match=r"decide\.constraint must be null with decide\.rule=best"):
        Decide(rule="best", constraint="words<=5")
    with pytest.raises(ConfigError, match="must be one or more of"):
        Decide(rule="pareto", constraint="words")


@pytest.mark.parametrize(
    ("means", "words", "pick", "promote", "why"),
    [
        ((0.5, 0.6, 0.7), (100, 100, 900), 1, 1, "better"),
        ((0.5, 0.6, 0.7), (100, 100, 150), 2, 2, "better"),
        ((0.7, 0.6, 0.5), (100, 100, 100), 0, 0, "same"),
        ((0.5, 0.501, 0.7), (100, 100, 900), 1, 0, "chance"),
        ((0.5, 0.501, 0.7), (140, 20, 900), 1, 1, "cheaper"),
        ((0.7, 0.6, 0.5), (900, 100, 100), 1, 1, "constraint"),
        ((0.5, 0.6, 0.5), (900, 100, 100), 1, 1, "better"),
        ((0.6, 0.7, 0.3), (900, 900, 100), 2, 2, "constraint"),
    ],
)
def test_the_best_that_keeps_to_it_is_chosen(
    means: tuple[float, ...], words: tuple[int, ...], pick: int, promote: int, why: str
) -> None:
    prices = Prices.of([cost(one) for one in words], decide().limits)
    found = choose(measured(values(*means), 0), prices, decide())
    assert (found.pick, found.promote, found.why) == (pick, promote, why)


def test_few_questions_do_not_keep_a_baseline_that_breaks_the_limit() -> None:
    prices = Prices.of([cost(900), cost(100)], decide().limits)
    found = choose(measured(values(0.5, 0.4, questions=5), 0), prices, decide())
    assert (found.promote, found.why) == (1, "constraint")


def test_of_equal_ones_the_cheapest_is_chosen() -> None:
    table = np.repeat(values(0.5, 0.6), [1, 3], axis=0)
    prices = Prices.of([cost(10), cost(100), cost(10), cost(900)], decide().limits)
    assert choose(measured(table, 0), prices, decide()).pick == 2


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 300)), min_size=1, max_size=9))
def test_nothing_chosen_breaks_the_limit_or_is_beaten_within_it(rows: list[tuple[int, int]]) -> None:
    means = np.array([[mean / 5] for mean, _ in rows])
    prices = Prices.of([cost(words) for _, words in rows], decide().limits)
    weights = constrained(means, prices)[:, 0]
    if not prices.within.any():
        return
    chosen = np.flatnonzero(weights)
    assert len(chosen)
    assert prices.within[chosen].all()
    assert (means[chosen, 0] == means[prices.within, 0].max()).all()


def test_the_rule_of_the_honest_value_is_the_same() -> None:
    table = values(0.5, 0.6, 0.7)
    prices = Prices.of([cost(100), cost(100), cost(900)], decide().limits)
    choosing = Choosing("pareto", table, prices, 0, 1.0, 1.0)
    assert choosing(table.mean(axis=1)[:, np.newaxis])[:, 0].tolist() == [0, 1, 0]


def test_selected_rows_keep_their_limits() -> None:
    prices = Prices.of([cost(100), cost(900), cost(100)], decide().limits)
    assert prices.select(np.array([1, 2])).within.tolist() == [False, True]
    assert Prices.of([cost(900)]).within.tolist() == [True]
