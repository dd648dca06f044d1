"""What the store already holds of a sweep, found by the sweep's id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_sweep.tracking.content import (
    FAILED_CHILDREN,
    FAILURE_TAG,
    INDEX_TAG,
    OUTCOME_TAG,
    OUTCOMES,
    PARENT_TAG,
    SWEEP_TAG,
)

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

_PAGE = 1000


@dataclass(frozen=True)
class Held:
    """The runs of one sweep.

    Attributes
    ----------
    parent
        The sweep's own run, None if there is none.
    whole
        The runs that hold all of their configuration, by its index.
    rest
        Half-logged ones, second ones, and what stands below a parent that is gone.
    """

    parent: Run | None
    whole: Mapping[int, Run]
    rest: tuple[Run, ...]


NOTHING = Held(None, {}, ())


def find_sweep(client: MlflowClient, experiment_id: str, sweep_id: str) -> Held:
    """What there is of a sweep with a run for each configuration."""
    found = _runs(client, experiment_id, sweep_id)
    children = [run for run in found if PARENT_TAG in run.data.tags]
    parents = [run for run in found if PARENT_TAG not in run.data.tags and INDEX_TAG not in run.data.tags]
    below = Counter(run.data.tags[PARENT_TAG] for run in children)
    parents.sort(key=lambda run: (-below[run.info.run_id], run.info.start_time, run.info.run_id))
    parent = parents[0] if parents else None
    own = [run for run in children if parent and run.data.tags[PARENT_TAG] == parent.info.run_id]
    whole = _whole(own)
    kept = {run.info.run_id for run in whole.values()}
    return Held(parent, whole, (*parents[1:], *(run for run in children if run.info.run_id not in kept)))


def find_single(client: MlflowClient, experiment_id: str, sweep_id: str) -> Held:
    """What there is of a configuration that was evaluated alone."""
    found = _runs(client, experiment_id, sweep_id)
    single = [run for run in found if PARENT_TAG not in run.data.tags and INDEX_TAG in run.data.tags]
    whole = _whole(single)
    kept = {run.info.run_id for run in whole.values()}
    return Held(None, whole, tuple(run for run in single if run.info.run_id not in kept))


def has_failed(run: Run) -> bool:
    """True if the configuration of a whole run failed."""
    return bool(run.info.status == "FAILED")


def was_closed(held: Held) -> bool:
    """True if the sweep's own run ended as its configurations say, with nothing interrupted or in the way."""
    if held.parent is None:
        return False
    state, reason = held.parent.info.status, held.parent.data.tags.get(FAILURE_TAG, "")
    return bool(state == "FINISHED" or (state == "FAILED" and reason.startswith(FAILED_CHILDREN)))


def _whole(runs: Sequence[Run]) -> dict[int, Run]:
    """The first whole run of each index."""
    first: dict[int, Run] = {}
    for run in sorted(runs, key=lambda run: (run.info.start_time, run.info.run_id)):
        index = run.data.tags.get(INDEX_TAG, "")
        if index.isdecimal() and OUTCOMES.get(run.data.tags.get(OUTCOME_TAG, "")) == run.info.status:
            first.setdefault(int(index), run)
    return first


def _runs(client: MlflowClient, experiment_id: str, sweep_id: str) -> list[Run]:
    found: list[Run] = []
    token: str | None = None
    while True:
        page = client.search_runs(
            [experiment_id], f"tags.{SWEEP_TAG} = '{sweep_id}'", max_results=_PAGE, page_token=token
        )
        found.extend(page)
        token = page.token
        if not token:
            return found
