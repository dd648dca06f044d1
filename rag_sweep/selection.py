"""Choosing a configuration, and what the choice is worth on questions that it was not chosen by."""

from __future__ import annotations

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.ranking import DECIMALS


def split_half_value(values: FloatArray, repeats: int = 500, seed: int = 0) -> float:
    """Expected value, on new questions, of "the best configuration on half of the questions".

    The best of many on the same questions is too high by construction (Cawley and Talbot, JMLR 2010). Here
    each half of the questions chooses, and the other half measures what was chosen.

    Parameters
    ----------
    values : float64, shape (configurations, questions)
        One measure; answerable questions only.
    repeats
        Random splits, each used in both directions.
    seed
        Of the splits.

    Returns
    -------
    float
        Mean over the splits; NaN with fewer than two questions.
    """
    number = values.shape[1]
    if number < 2:
        return float("nan")
    rng = np.random.default_rng(seed)
    half = np.zeros((number, repeats))
    for column in range(repeats):
        half[rng.permutation(number)[: number // 2], column] = 1.0
    first, second = values @ half / half.sum(axis=0), values @ (1.0 - half) / (1.0 - half).sum(axis=0)
    value = np.mean([_value_of_best(first, second), _value_of_best(second, first)])
    return round(float(value), DECIMALS)  # behind it stands the order of sums: of threads, of a sweep


def _value_of_best(chosen_by: FloatArray, measured: FloatArray) -> FloatArray:
    """What the best one is worth elsewhere, shape (splits,); of equally good ones, their mean."""
    # Means that differ by rounding errors alone are equal: else the order of a sweep would break the tie.
    best = chosen_by >= chosen_by.max(axis=0) - 1e-9
    value: FloatArray = np.where(best, measured, 0.0).sum(axis=0) / best.sum(axis=0)
    return value
