"""A job of another launcher, in a process of its own: evaluated, and carried to the parent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rag_sweep.config import build
from rag_sweep.errors import StageFailed
from rag_sweep.single import evaluate_single
from rag_sweep.sweep.objective import Objective


def evaluate_job(
    config: Mapping[str, Any], choices: Mapping[str, str], overrides: Sequence[str]
) -> Objective:
    """Evaluate one configuration; nothing is kept but in the store, and nothing tracked."""
    configuration = build.configuration(config, choices, 0, overrides)
    dataset = build.component(config, "dataset").load()
    store = build.component(config, "store").open()
    try:
        outcome = evaluate_single(configuration, dataset, store)
    except StageFailed as error:
        return Objective.carrying(0.0, None, str(error))
    return Objective.carrying(outcome.evaluation.mean(configuration.objective), outcome, None)
