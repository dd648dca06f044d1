"""`rag-sweep gate --suggest`: thresholds from the history of runs, the current release minus its noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.comparison.words import counted
from rag_sweep.errors import UsageError
from rag_sweep.gate.current import Current, current_of
from rag_sweep.gate.history import History, history_of
from rag_sweep.gate.plainyaml import dump
from rag_sweep.gate.policy import Entry, Policy
from rag_sweep.gate.request import Wish, asked_of
from rag_sweep.scorecard import Scorecard
from rag_sweep.scorecard.sources import today
from rag_sweep.statistics.intervals import bootstrap_means
from rag_sweep.statistics.power import detectable_difference, paired_deviation

MEASURES = ("hit", "recall", "ndcg")
"""Measures at k that limits are proposed for: found at all, found whole, found early."""

ALPHA, HALF = 0.05, 0.5
"""An interval reaches as far as the drop that is told from none in half of the cases."""

STEP = 1000
"""Limits have three decimals, rounded to the side that lets pass."""


@dataclass(frozen=True)
class Suggested:
    """A file of thresholds as text, and notes for the user."""

    text: str
    policy: Policy
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Noise:
    """How far a mean may lie below the release without anything being worse, and where that is from."""

    size: float
    source: str


def suggest(overrides: Sequence[str], wish: Wish, config_dir: str | None = None) -> Suggested:
    """Measure the current release, and propose minima and largest drops.

    The noise of a measure is the half width of the interval of its difference from a typical run of the
    history on the same gold (the median of the paired deviations), or how far the same configuration lay
    below in an earlier run, if that is more. Without any other run it is the lower arm of the bootstrap
    interval of the release's own mean. A minimum is the release minus its noise, a largest drop the noise.

    Raises
    ------
    UsageError, ConfigError, DataError
        For wrong input.
    """
    if wish.minima or wish.drops or wish.baseline or wish.thresholds:
        raise UsageError(
            "--suggest proposes limits: leave out --min, --max-drop, --thresholds and --baseline"
        )
    if wish.filters:
        raise UsageError("--suggest is about all questions: leave out --tag")
    asked = asked_of(overrides, config_dir)
    current = current_of(asked, wish)
    history = history_of(asked, current.card.gold_hash)
    policy = Policy("suggested", _entries(current.card, history))
    policy.thresholds()
    return Suggested(
        _head(current, history) + dump(policy.to_dict()), policy, (*current.notes, *history.notes)
    )


def _entries(card: Scorecard, history: History) -> dict[str, Entry]:
    minima, drops = {}, {}
    for name in MEASURES:
        measure = f"{name}@{card.k}"
        noise = _noise(card, history, measure)
        value = card.means()[measure]
        told = f"the release has {value:.4f} on {card.created}; its noise is {noise.size:.4f}, {noise.source}"
        least = max(0.0, math.floor((value - noise.size) * STEP) / STEP)
        most = min(1.0, math.ceil(noise.size * STEP) / STEP)
        minima[f"minima.{measure}"] = Entry(least, told, today())
        drops[f"max_drop.{measure}"] = Entry(most, told, today())
    return {"mode": Entry("regression", "the default", today()), **minima, **drops}


def _noise(card: Scorecard, history: History, measure: str) -> _Noise:
    own = card.column(measure)
    others = history.values(measure)
    found = _from_others(own, others)
    if found is None:
        interval = bootstrap_means(own[np.newaxis], level=1.0 - ALPHA)
        arm = float(interval.estimate[0] - interval.lower[0])
        return _Noise(arm, "the lower arm of its own interval, since no other run of the history differs")
    same = history.values(measure, card.fingerprint)
    below = float(own.mean() - same.mean(axis=1).min()) if len(same) else 0.0
    if below > found:
        return _Noise(below, "as far as the same configuration lay below in an earlier run")
    runs = counted(len(others), "run")
    return _Noise(found, f"the half width of its difference from a typical one of {runs} in the history")


def _from_others(own: FloatArray, others: FloatArray) -> float | None:
    """Half width of the interval of a difference from a typical other run; None if none differs."""
    if not len(others) or len(own) < 2:
        return None
    deviation = paired_deviation(np.concatenate([own[np.newaxis], others]), 0)
    if math.isnan(deviation):
        return None
    return detectable_difference(deviation, len(own), power=HALF, alpha=ALPHA)


def _head(current: Current, history: History) -> str:
    """Comments in front: what the limits are made of."""
    card = current.card
    lines = [
        "Thresholds of `rag-sweep gate --thresholds`: each with a reason; a lowered one needs a new one.",
        f"Suggested for {current.judged}",
        f"on gold {card.gold_hash[:8]} ({counted(card.questions, 'answerable question')}, k = {card.k}),",
        f"from {counted(history.runs, 'run')} in {counted(len(history.sweeps), 'sweep')} of the history.",
    ]
    return "".join(f"# {' '.join(line.split())}\n" for line in lines)
