"""A row of the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rag_sweep.configuration import Scalar


@dataclass(frozen=True)
class Row:
    """One configuration on the leaderboard.

    Attributes
    ----------
    rank
        From 1; equal means share one.
    sweep, index
        The number of its sweep, and its index there.
    params
        The knobs that differ; None where a knob means nothing.
    mean, lower, upper
        Of the objective, with its bootstrap interval.
    difference, difference_lower, difference_upper
        From the baseline, with the bootstrap interval of this one difference; None for the baseline, like all
        that compares with it.
    p_value, p_adjusted, effect
        Alone, with all comparisons taken into account, and the standardised difference d_z.
    shown
        True if the difference is real: p_adjusted is at most alpha.
    wins, ties, losses
        Questions that are better, equal and worse than with the baseline.
    chosen_share
        How often it is chosen when only a part of the questions may choose; None where that wasn't looked at.
    alias_of
        The row of the configuration that is equal to it in effect.
    twins
        Rows that rank every question's documents the same though their knobs have an effect.
    evidence, words
        Of the gold's spans, and words handed over a question at `k`.
    cost, pareto
        Deterministic costs; and whether no configuration is both better and cheaper.
    """

    row: int
    rank: int
    sweep: int
    index: int
    name: str
    params: Mapping[str, Scalar]
    mean: float
    lower: float
    upper: float
    means: Mapping[str, float]
    difference: float | None
    difference_lower: float | None
    difference_upper: float | None
    p_value: float | None
    p_adjusted: float | None
    effect: float | None
    shown: bool
    wins: int | None
    ties: int | None
    losses: int | None
    is_baseline: bool
    in_best: bool
    chosen_share: float | None
    alias_of: int | None
    twins: tuple[int, ...]
    evidence: Mapping[str, float] | None
    words: float | None
    cost: Mapping[str, Any] | None
    pareto: bool
    warnings: tuple[str, ...]
