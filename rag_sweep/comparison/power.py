"""What this gold can find: the smallest difference, and how many questions another one needs."""

from __future__ import annotations

import math

from rag_sweep.comparison.measured import Measured
from rag_sweep.comparison.parts import Power, Wanted
from rag_sweep.comparison.settings import Decide
from rag_sweep.errors import ConfigError
from rag_sweep.statistics.power import detectable_difference, paired_deviation, questions_needed
from rag_sweep.statistics.table import settle

POWER = 0.8
"""Chance of finding a difference that is there, as is usual (Cohen 1988, section 2.4)."""


def power_at(measured: Measured, decide: Decide) -> Power | None:
    """Power from the variance of differences from the baseline; None if none differs, or of one question."""
    deviation = paired_deviation(measured.table, measured.baseline)
    questions, comparisons = measured.table.shape[1], len(measured.table) - 1
    if math.isnan(deviation):
        return None
    # so few questions that no pattern of signs is rare enough, be the difference what it may
    is_hopeless = math.isinf(measured.differences.critical)
    detectable, alone = (
        math.inf if is_hopeless else _detectable(deviation, questions, decide.alpha, number)
        for number in (comparisons, 1)
    )
    return Power(
        deviation=settle(deviation),
        detectable=detectable,
        alone=alone,
        power=POWER,
        alpha=decide.alpha,
        comparisons=comparisons,
        wanted=_wanted(deviation, comparisons, decide),
    )


def _detectable(deviation: float, questions: int, alpha: float, comparisons: int) -> float:
    found = detectable_difference(deviation, questions, power=POWER, alpha=alpha, comparisons=comparisons)
    return settle(found)


def _wanted(deviation: float, comparisons: int, decide: Decide) -> Wanted | None:
    if decide.difference is None:
        return None
    try:
        questions = questions_needed(
            decide.difference, deviation, power=POWER, alpha=decide.alpha, comparisons=comparisons
        )
    except ConfigError:  # more than anybody asks
        questions = None
    return Wanted(decide.difference, questions)
