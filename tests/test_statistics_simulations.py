"""What the statistics promise, on simulated sweeps whose truth is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr

from rag_sweep.statistics.best import set_of_best
from rag_sweep.statistics.differences import against_baseline
from rag_sweep.statistics.intervals import bootstrap_differences, bootstrap_means
from rag_sweep.statistics.nested import nested_value
from rag_sweep.statistics.pairs import all_pairs
from rag_sweep.statistics.power import detectable_difference, questions_needed
from rag_sweep.statistics.table import best_share
from rag_sweep.statistics.ttests import paired_t

pytestmark = pytest.mark.full

KINDS = ["ndcg", "hit", "recall"]


def measured(kind: str, quality: np.ndarray) -> np.ndarray:
    """Normal qualities as values of a measure: dense with some 0, 0 or 1, or thirds."""
    share = ndtr(quality)
    if kind == "ndcg":
        return np.where(share < 0.1, 0.0, np.sqrt(share))
    if kind == "hit":
        return (share > 0.25).astype(float)
    return np.ceil(np.clip((share - 0.15) * 3.4, 0, 3)) / 3


def sweep(rng: np.random.Generator, configurations: int, questions: int) -> np.ndarray:
    """Qualities of equally good configurations in five families: hard questions are hard for all of them."""
    question = rng.normal(size=questions)
    family = rng.normal(size=(5, questions))[np.arange(configurations) % 5]
    own = rng.normal(size=(configurations, questions))
    return math.sqrt(0.7) * (0.8 * question + 0.6 * family) + math.sqrt(0.3) * own


def most(expected: float, simulations: int) -> float:
    """The expected share plus three Monte Carlo standard errors."""
    return expected + 3 * math.sqrt(expected * (1 - expected) / simulations)


@pytest.mark.parametrize("questions", [20, 60])
@pytest.mark.parametrize("kind", KINDS)
def test_where_nothing_differs_hardly_any_sweep_has_a_difference(kind: str, questions: int) -> None:
    runs = 500
    wrong = np.zeros(4)
    for seed in range(runs):
        values = measured(kind, sweep(np.random.default_rng(seed), 25, questions))
        top = int(values.mean(axis=1).argmax())
        wrong += [
            against_baseline(values, 0, resamples=399, seed=seed).p_adjusted.min() <= 0.05,
            paired_t(values, 0).p_adjusted.min() <= 0.05,
            all_pairs(values, resamples=399, seed=seed).p_values(top).min() <= 0.05,
            not set_of_best(values, resamples=399, seed=seed).member[0],
        ]
    assert (wrong[[0, 2, 3]] / runs <= most(0.05, runs)).all(), wrong / runs
    # the t-test isn't exact where values are few and discrete
    assert wrong[1] / runs <= most(0.06, runs)
    assert wrong[0] / runs > 0.005, "a test that never rejects has no power"


def test_beside_true_differences_the_others_hardly_ever_differ() -> None:
    runs, wrong, found = 400, 0, 0
    for seed in range(runs):
        quality = sweep(np.random.default_rng(seed), 24, 60)
        quality[12:] += 0.7
        p = against_baseline(measured("ndcg", quality), 0, resamples=399, seed=seed).p_adjusted
        wrong += int(p[:12].min() <= 0.05)
        found += int(p[12:].min() <= 0.05)
    assert wrong / runs <= most(0.05, runs)
    assert found / runs > 0.9


@pytest.mark.parametrize("lead", [0.0, 0.3])
def test_simultaneous_intervals_hold_together_also_where_everybody_beats_the_baseline(lead: float) -> None:
    runs, held = 400, 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        base = rng.normal(0.4, 0.02, 50)
        values = np.vstack([base, base + lead + rng.normal(0, 0.04, (40, 50))])
        found = against_baseline(values, 0, resamples=799, seed=seed)
        held += int(((found.lower[1:] <= lead) & (lead <= found.upper[1:])).all())
    assert 1 - held / runs <= most(0.05, runs)


def test_the_truly_best_is_hardly_ever_left_out_and_much_worse_ones_are() -> None:
    runs, lost, kept = 300, 0, 0.0
    for seed in range(runs):
        quality = sweep(np.random.default_rng(seed), 30, 80) + np.linspace(-1.0, 0.0, 30)[:, np.newaxis]
        member = set_of_best(measured("ndcg", quality), resamples=399, seed=seed).member
        lost += int(not member[-1])
        kept += member[:10].mean() / runs
    assert lost / runs <= most(0.05, runs)
    assert kept < 0.2


@pytest.mark.parametrize("questions", [30, 100, 225])
@pytest.mark.parametrize("kind", KINDS)
def test_intervals_cover(kind: str, questions: int) -> None:
    runs = 3_000
    rng = np.random.default_rng(questions)
    truth = measured(kind, rng.normal(size=2_000_000)).mean()
    found = bootstrap_means(measured(kind, rng.normal(size=(runs, questions))), resamples=2_000)
    covered = ((found.lower <= truth) & (truth <= found.upper)).mean()
    # discrete values cover more than asked for; BCa is accurate to the order 1 / n
    assert 1 - covered <= most(0.05, runs) + 0.2 / questions
    assert covered < 0.975


@pytest.mark.parametrize(("share", "questions"), [(0.97, 50), (0.99, 100), (0.99, 225), (0.9, 50)])
def test_near_the_ceiling_intervals_cover(share: float, questions: int) -> None:
    values = (np.random.default_rng(0).random((3_000, questions)) < share).astype(float)
    found = bootstrap_means(values, resamples=2_000)
    covered = (found.lower <= share) & (share <= found.upper)
    assert 1 - covered.mean() <= most(0.05, 3_000)
    assert (found.exact == (np.ptp(values, axis=1) == 0)).all()
    assert found.exact.any()


def test_intervals_of_differences_cover() -> None:
    runs, held = 300, 0.0
    for seed in range(runs):
        quality = sweep(np.random.default_rng(seed), 10, 80)
        found = bootstrap_differences(measured("recall", quality), 0, resamples=999, seed=seed)
        held += ((found.lower <= 0) & (found.upper >= 0))[1:].mean() / runs
    # the ten of a sweep hang together, so the error is that of the sweeps
    assert abs(held - 0.95) < 3 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.parametrize(
    ("kind", "questions", "spread"), [("ndcg", 50, 0.0), ("ndcg", 100, 0.2), ("hit", 50, 0.2)]
)
def test_the_nested_value_is_unbiased_and_the_naive_one_is_not(
    kind: str, questions: int, spread: float
) -> None:
    runs = 250
    offset = np.random.default_rng(7).normal(0, spread, (60, 1))
    truth = measured(kind, offset + np.random.default_rng(8).normal(size=100_000)).mean(axis=1)
    honest, naive, target, lower, upper = np.zeros((5, runs))
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        values = measured(kind, sweep(rng, 60, questions) + offset)
        other = measured(kind, sweep(rng, 60, questions * 4 // 5) + offset)
        found = nested_value(values, repeats=10, resamples=100, seed=seed)
        honest[seed], naive[seed] = found.value, found.naive
        lower[seed], upper[seed] = found.lower, found.upper
        target[seed] = best_share(other.mean(axis=1, keepdims=True))[:, 0] @ truth
    worth = target.mean()
    error = math.sqrt((honest.var() + target.var()) / runs)
    assert abs(honest.mean() - worth) < 3 * error
    assert naive.mean() - worth > 3 * error
    assert 1 - ((lower <= worth) & (worth <= upper)).mean() <= most(0.05, runs)


@pytest.mark.parametrize("comparisons", [1, 40])
@pytest.mark.parametrize("questions", [15, 80])
def test_the_detectable_difference_is_found_with_the_power_stated(questions: int, comparisons: int) -> None:
    runs, deviation = 8_000, 0.08
    lead = detectable_difference(deviation, questions, power=0.8, comparisons=comparisons)
    noise = np.random.default_rng(questions).normal(lead, deviation, (runs, questions))
    values = np.vstack([np.zeros(questions), noise])
    found = paired_t(values, 0, bounds=(-2.0, 2.0)).p_value[1:] <= 0.05 / comparisons
    assert abs(found.mean() - 0.8) < 3 * math.sqrt(0.16 / runs)
    assert questions_needed(lead * 1.000001, deviation, comparisons=comparisons) == questions


def test_randomisation_finds_the_detectable_difference_as_often() -> None:
    runs, lead = 500, detectable_difference(0.1, 50, power=0.8)
    found = 0
    for seed in range(runs):
        values = np.vstack([np.zeros(50), np.random.default_rng(seed).normal(lead, 0.1, 50)])
        found += int(against_baseline(values, 0, resamples=499, bounds=(-1.0, 1.0)).p_adjusted[1] <= 0.05)
    assert abs(found / runs - 0.8) < 3 * math.sqrt(0.16 / runs) + 0.01
