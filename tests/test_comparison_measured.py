"""The tests of a comparison tell one truth: who leads the baseline, and who is among the best."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from comparisons import MadeSweep
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.comparison import Comparison
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.settings import Decide
from rag_sweep.report.comparison_sections import sections


def compared(values: np.ndarray, **decide: Any) -> Comparison:
    how: dict[str, Any] = {"resamples": 200, "repeats": 2, "folds": 2, "baseline": 0, **decide}
    return compare(Grid.of(MadeSweep(values)), Decide(**how))


def near_chance(seed: int, configurations: int, questions: int, lead: float) -> np.ndarray:
    """One or more lead the first one by about as much as chance explains; some have equal values."""
    rng = np.random.default_rng(seed)
    table = np.repeat(rng.uniform(0.2, 0.8, (1, questions)), configurations, axis=0)
    steps = rng.normal(0.0, 0.1, table.shape) * (rng.random(table.shape) < 0.6)
    steps[1:] += lead * 0.1 * rng.choice([-1.0, 0.3, 1.0], (configurations - 1, 1)) / np.sqrt(questions)
    table[1:] += steps[1:]
    if configurations > 3:
        table[-1] = table[rng.integers(0, 2)]
    return np.clip(table, 0.0, 1.0)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    configurations=st.integers(2, 7),
    questions=st.integers(3, 40),
    lead=st.floats(0.0, 8.0),
    correction=st.sampled_from(["max_t", "holm"]),
    rule=st.sampled_from(["cheapest_of_the_best", "one_standard_error", "best"]),
)
@example(seed=0, configurations=2, questions=30, lead=2.0, correction="max_t", rule="best")
def test_what_one_section_says_no_other_one_denies(
    seed: int, configurations: int, questions: int, lead: float, correction: str, rule: str
) -> None:
    values = near_chance(seed, configurations, questions, lead)
    found = compared(values, correction=correction, rule=rule)
    base = found.rows[found.baseline]
    better = [row for row in found.rows if row.shown and (row.difference or 0.0) > 0]
    assert base.in_best == (not better)
    for row in found.rows:
        if row.wins == row.losses == 0:  # equal to the baseline on every question
            assert row.in_best == base.in_best
        if row.shown and (row.difference or 0.0) < 0:
            assert not row.in_best
        elif base.rank == 1:
            assert row.in_best
    assert found.rows[0].in_best
    says_none = "none is shown to be better" in found.decision.headline and found.decision.keeps_baseline
    assert not (says_none and better)
    whole = " ".join(text for section in sections(found.to_dict()) for text in section.sentences)
    alone = "stands alone" in " ".join(found.decision.reasons) + whole
    assert alone <= (len(found.best.rows) == 1 < found.distinct)
    assert not (alone and says_none and found.best.rows != (found.baseline,))
    if found.distinct == 2:
        other = found.rows[1 - found.baseline]
        assert len(found.best.rows) == (1 if other.shown else 2)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_lead_that_is_real_to_one_side_only_is_none(sign: float) -> None:
    # the p of a pair is some 0.07 to both sides, 0.035 to one
    rng = np.random.default_rng(3)
    apart = rng.normal(0.0, 0.1, 40)
    apart += 1.85 * apart.std(ddof=1) / np.sqrt(40) - apart.mean()
    found = compared(0.5 + np.array([np.zeros(40), sign * apart]), resamples=2_000)
    (p,) = [row.p_adjusted for row in found.rows if row.p_adjusted is not None]
    assert 0.05 < p < 0.1
    assert [row.in_best for row in found.rows] == [True, True]
    assert found.best.sentences[0] == "None of them can be told from the best one."
