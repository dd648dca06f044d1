"""Which configuration to promote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.comparison.measured import Measured
from rag_sweep.comparison.prices import Prices
from rag_sweep.comparison.rules import constrained, preferred, standard_errors
from rag_sweep.comparison.settings import Decide
from rag_sweep.statistics.table import TIE, best_share

FEW_QUESTIONS = 25
"""Questions below which one more or less may turn the order around."""

Why = Literal["alone", "undecided", "few", "better", "cheaper", "constraint", "same", "chance"]


@dataclass(frozen=True)
class Choice:
    """Rows of `measured.table`, and why.

    Attributes
    ----------
    pick
        What the rule chooses from all questions.
    promote
        That, or the baseline where nothing speaks for a change.
    why
        ``better`` than the baseline beyond chance; ``cheaper`` than it and not measured below it; the
        baseline doesn't keep to the ``constraint``; or the
        baseline is kept, because the rule chooses it (``same``) or because what it chooses isn't better
        beyond ``chance``. Or nothing was decided, and the baseline is kept: the configurations differ on no
        question (``undecided``), or nothing is better beyond chance and the questions are too ``few`` to say
        that something cheaper isn't worse. ``alone``: one configuration.
    """

    pick: int
    promote: int
    why: Why


def choose(measured: Measured, prices: Prices, decide: Decide) -> Choice:
    """Apply the rule, then ask what speaks for leaving the baseline.

    Parameters
    ----------
    prices
        Of the rows of `measured.table`.
    """
    pick = int(np.flatnonzero(_weights(measured, prices, decide))[0])
    why = _why(measured, prices, pick)
    return Choice(pick, pick if why in ("better", "cheaper", "constraint") else measured.baseline, why)


def _why(measured: Measured, prices: Prices, pick: int) -> Why:
    if len(measured.table) == 1:
        return "alone"
    if not prices.within[measured.baseline]:
        return "better" if measured.better[pick] else "constraint"
    if np.ptp(measured.table, axis=0).max() <= TIE:
        return "undecided"
    if measured.better[pick]:
        return "better"
    if measured.table.shape[1] < FEW_QUESTIONS:
        return "few"
    if pick == measured.baseline:
        return "same"
    return "cheaper" if prices.than(measured.baseline)[pick] else "chance"


def _weights(measured: Measured, prices: Prices, decide: Decide) -> FloatArray:
    means = measured.table.mean(axis=1)[:, np.newaxis]
    if decide.rule == "best":
        return best_share(means)[:, 0]
    if decide.rule == "pareto":
        return constrained(means, prices)[:, 0]
    near = measured.best
    if decide.rule == "one_standard_error":  # after Breiman, Friedman, Olshen and Stone (1984)
        top = int(means.argmax())
        near = means[top] - means[:, 0] <= standard_errors(measured.table, top) + TIE
    beyond = measured.better[:, np.newaxis]
    return preferred(means, near[:, np.newaxis], beyond, prices, measured.baseline)[:, 0]
