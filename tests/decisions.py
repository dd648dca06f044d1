"""Decisions on a few made configurations, the first one of which is as shipped."""

from __future__ import annotations

from typing import Any

import numpy as np
from comparisons import SHIPPED, MadeSweep, grid_params

from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.comparison import Comparison
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.parts import History
from rag_sweep.comparison.settings import Decide

PARAMS = grid_params(chunker=["document"], lexical__k1=[1.2, 0.9], lexical__b=[0.75, 0.4])


def exact(*means: float, questions: int = 60, noise: float = 0.05) -> np.ndarray:
    """Values whose means are exactly these."""
    rng = np.random.default_rng(1)
    hard = rng.uniform(-0.1, 0.1, questions)
    rows = rng.normal(0, noise, (len(means), questions))
    return np.array(means)[:, np.newaxis] + (hard - hard.mean()) + rows - rows.mean(axis=1, keepdims=True)


def decided(
    values: Any,
    *,
    words: list[float] | None = None,
    depths: list[int] | None = None,
    history: History | None = None,
    questions: Any = None,
    **decide: Any,
) -> Comparison:
    number = len(values)
    metrics = [
        {"context.words": (words or [100.0] * number)[at], "pool_recall.lexical": 0.5} for at in range(number)
    ]
    params = [
        {**one, "fusion.pool_depth": (depths or [100] * number)[at]} for at, one in enumerate(PARAMS[:number])
    ]
    sweep = MadeSweep(values, params, metrics=metrics, questions=questions)
    return compare(Grid.of(sweep), Decide(resamples=500, repeats=10, **decide), SHIPPED, history)
