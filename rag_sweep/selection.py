"""Choosing a configuration, and what the choice is worth on questions that it was not chosen by."""

from __future__ import annotations

import numpy as np

from rag_sweep.arrays import FloatArray


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
    split = np.arange(repeats)
    measured = second[first.argmax(axis=0), split], first[second.argmax(axis=0), split]
    return float(np.mean(measured))
