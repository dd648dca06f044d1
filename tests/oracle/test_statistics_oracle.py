"""Statistics against scipy and statsmodels."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.anova import AnovaRM
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from rag_sweep.statistics.differences import against_baseline
from rag_sweep.statistics.effects import knob_effects
from rag_sweep.statistics.intervals import bootstrap_means
from rag_sweep.statistics.pairs import all_pairs
from rag_sweep.statistics.power import detectable_difference, power_of, questions_needed
from rag_sweep.statistics.ttests import holm, paired_t


def tables() -> dict[str, np.ndarray]:
    """Values as measures have them: dense, with many ties, and nearly all the same."""
    rng = np.random.default_rng(8)
    return {
        "ndcg": rng.beta(2, 1, (6, 60)),
        "hit": (rng.random((6, 60)) < 0.7).astype(float),
        "recall": rng.choice([0, 1 / 3, 0.5, 2 / 3, 1], (6, 60)),
        "rare": np.where(np.arange(60) == 7, 1.0, rng.random((6, 60)) < 0.06),
    }


@pytest.mark.parametrize("kind", ["ndcg", "hit", "recall", "rare"])
def test_bca_is_that_of_scipy(kind: str) -> None:
    values = tables()[kind]
    found = bootstrap_means(values, resamples=20_000)
    theirs = stats.bootstrap(
        (values,), np.mean, axis=1, method="BCa", n_resamples=20_000, rng=np.random.default_rng(1), batch=500
    ).confidence_interval
    # hits come in steps of 1 / 60, and either end may fall on one or the next by chance
    near = 0.004 if kind == "ndcg" else 1 / 60 + 1e-9
    assert not found.exact.any()
    assert found.lower == pytest.approx(theirs.low, abs=near)
    assert found.upper == pytest.approx(theirs.high, abs=near)
    assert np.abs(found.lower - theirs.low).mean() < 0.004
    assert np.abs(found.upper - theirs.high).mean() < 0.004


@pytest.mark.parametrize(("hits", "questions"), [(0, 30), (30, 30), (0, 225), (225, 225)])
def test_at_the_ends_the_bound_is_that_of_clopper_and_pearson(hits: int, questions: int) -> None:
    found = bootstrap_means(np.full((1, questions), hits / questions), resamples=10)
    theirs = stats.binomtest(hits, questions).proportion_ci(0.95, method="exact")
    assert (found.lower[0], found.upper[0]) == pytest.approx((theirs.low, theirs.high))


@pytest.mark.parametrize("kind", ["ndcg", "hit", "recall"])
def test_t_and_holm_are_those_of_scipy_and_statsmodels(kind: str) -> None:
    values = tables()[kind]
    found = paired_t(values, 0)
    theirs = [stats.ttest_rel(row, values[0]) for row in values[1:]]
    assert found.statistic[1:] == pytest.approx([one.statistic for one in theirs], abs=1e-7)
    assert found.p_value[1:] == pytest.approx([one.pvalue for one in theirs], abs=1e-7)
    adjusted = multipletests(found.p_value[1:], method="holm")[1]
    assert found.p_adjusted[1:] == pytest.approx(adjusted, abs=1e-12)
    intervals = [one.confidence_interval(1 - 0.05 / 5) for one in theirs]
    assert found.lower[1:] == pytest.approx([one.low for one in intervals], abs=1e-7)
    assert found.upper[1:] == pytest.approx([one.high for one in intervals], abs=1e-7)


def test_holm_is_that_of_statsmodels_with_ties() -> None:
    p_values = np.array([0.01, 0.2, 0.01, 0.03, 1.0, 0.0004, 0.03])
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


@pytest.mark.parametrize("kind", ["ndcg", "recall"])
def test_unadjusted_randomisation_is_that_of_scipy(kind: str) -> None:
    values = tables()[kind][:3, :11]
    found = against_baseline(values, 0)
    for row in (1, 2):
        theirs = stats.permutation_test(
            (values[row] - values[0],), np.mean, permutation_type="samples", n_resamples=np.inf
        )
        assert found.p_value[row] == pytest.approx(theirs.pvalue)


def test_the_randomised_range_is_near_to_tukey_where_he_is_right() -> None:
    values = np.random.default_rng(0).normal(0, 1, (8, 400))
    found = all_pairs(values)
    error = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    deviation = np.sqrt((error**2).sum() / (7 * 399))
    tukey = stats.studentized_range.ppf(0.95, 8, 7 * 399) * deviation / np.sqrt(400)
    assert found.critical_difference == pytest.approx(tukey, rel=0.03)


@pytest.mark.parametrize(
    ("effect", "questions", "alpha"), [(0.2, 40, 0.05), (0.5, 34, 0.05), (0.1, 400, 0.001), (1.5, 6, 0.05)]
)
def test_power_is_that_of_statsmodels(effect: float, questions: int, alpha: float) -> None:
    theirs = TTestPower().power(effect, questions, alpha)
    assert power_of(effect * 0.3, 0.3, questions, alpha=alpha) == pytest.approx(theirs, abs=1e-8)
    solved = TTestPower().solve_power(nobs=questions, alpha=alpha, power=0.8)
    assert detectable_difference(0.3, questions, alpha=alpha) == pytest.approx(0.3 * solved, rel=1e-5)
    needed = TTestPower().solve_power(effect_size=effect, alpha=alpha, power=0.8)
    assert questions_needed(effect, 1.0, alpha=alpha) == int(np.ceil(needed))


@pytest.mark.parametrize(("degrees", "shift", "alpha"), [(1, 2e5, 5e-6), (1, 5000.0, 1e-4), (200, 9.0, 1e-4)])
def test_power_holds_where_the_noncentral_t_of_scipy_has_no_number(
    degrees: int, shift: float, alpha: float
) -> None:
    rng = np.random.default_rng(0)
    t = (rng.normal(size=400_000) + shift) / np.sqrt(rng.chisquare(degrees, 400_000) / degrees)
    simulated = (np.abs(t) > stats.t.isf(alpha / 2, degrees)).mean()
    effect = shift / np.sqrt(degrees + 1)
    assert power_of(effect, 1.0, degrees + 1, alpha=alpha) == pytest.approx(simulated, abs=0.005)


def test_partial_eta_squared_is_that_of_a_repeated_measures_anova() -> None:
    sizes, weights = ["80", "160", "320"], ["0", "0.75"]
    cells = list(itertools.product(sizes, weights))
    rng = np.random.default_rng(3)
    values = (
        rng.uniform(0.2, 0.5, 15) + rng.uniform(0, 0.4, (6, 15)) + np.array([0, 0, 0.1, 0, 0, 0.05])[:, None]
    )
    found = knob_effects(values, {"size": [one for one, _ in cells], "b": [one for _, one in cells]})
    long = pd.DataFrame(
        [
            {"size": size, "b": b, "question": at, "value": value}
            for (size, b), row in zip(cells, values, strict=True)
            for at, value in enumerate(row)
        ]
    )
    theirs = AnovaRM(long, "value", "question", within=["size", "b"]).fit().anova_table
    explained = theirs["F Value"] * theirs["Num DF"]
    eta = explained / (explained + theirs["Den DF"])
    assert [one.partial_eta for one in found] == pytest.approx(eta.loc[["size", "b", "size:b"]], abs=1e-8)


def test_effects_in_a_union_of_grids_are_those_of_a_regression_with_blocks() -> None:
    rng = np.random.default_rng(5)
    rows = [row for row in itertools.product("abc", "xy", "012") if rng.random() < 0.7]
    labels = {name: [row[at] for row in rows] for at, name in enumerate(["first", "second", "third"])}
    values = rng.random((len(rows), 20))
    found = {one.knobs: one for one in knob_effects(values, labels, resamples=20)}[("first",)]
    level = pd.get_dummies(pd.Series(labels["first"])).to_numpy(float)[:, 1:]
    block = pd.get_dummies(pd.Series([row[1] + row[2] for row in rows])).to_numpy(float)
    fitted = OLS(values.mean(axis=1), np.hstack([level, block])).fit().params[:2]
    assert sorted(set(labels["first"])) == ["a", "b", "c"]
    effect = {name: found.effect[at] for at, (name,) in enumerate(found.levels)}
    assert effect["b"] - effect["a"] == pytest.approx(fitted[0], abs=1e-9)
    assert effect["c"] - effect["a"] == pytest.approx(fitted[1], abs=1e-9)
    assert sum(effect.values()) == pytest.approx(0.0, abs=1e-9)
