"""Kappa and exact intervals equal those of scikit-learn, statsmodels and scipy."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from rag_sweep.agreement.bias import sign_test
from rag_sweep.agreement.kappa import confusion, kappa, share


@pytest.mark.parametrize("categories", [2, 3, 5])
@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa_equals_two_other_implementations(
    categories: int, weights: Literal["none", "linear", "quadratic"]
) -> None:
    chance = np.random.default_rng(categories)
    for _ in range(20):
        a = chance.integers(0, categories, 60)
        b = np.where(chance.random(60) < 0.6, a, chance.integers(0, categories, 60))
        found = kappa(confusion(a, b, categories), weights, resamples=50).value
        labels = list(range(categories))
        named = None if weights == "none" else weights
        assert found == pytest.approx(cohen_kappa_score(a, b, labels=labels, weights=named))
        theirs = cohens_kappa(confusion(a, b, categories), wt=named, return_results=False)
        assert found == pytest.approx(theirs)


def test_the_bootstrap_interval_is_near_the_one_of_the_delta_method() -> None:
    """On many cases both are right (Fleiss, Cohen and Everitt, Psych. Bull. 1969)."""
    table = np.array([[180, 20], [50, 350]], dtype=np.int64)
    found, theirs = kappa(table), cohens_kappa(table)
    assert found.lower == pytest.approx(theirs.kappa_low, abs=0.01)
    assert found.upper == pytest.approx(theirs.kappa_upp, abs=0.01)


@pytest.mark.parametrize(("count", "of"), [(0, 5), (5, 5), (1, 50), (37, 60)])
def test_the_interval_of_a_share_equals_statsmodels(count: int, of: int) -> None:
    lower, upper = proportion_confint(count, of, method="beta")
    found = share(count, of)
    assert found.lower == pytest.approx(0.0 if count == 0 else lower)
    assert found.upper == pytest.approx(1.0 if count == of else upper)


@pytest.mark.parametrize(("up", "down"), [(0, 3), (7, 2), (4, 4), (1, 30)])
def test_the_sign_test_equals_scipy(up: int, down: int) -> None:
    assert sign_test(up, down) == pytest.approx(binomtest(up, up + down).pvalue, abs=1e-9)
