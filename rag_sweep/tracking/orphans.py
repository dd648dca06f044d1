"""A run that is RUNNING though nobody writes to it is a lie; here it gets its true state."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_sweep.tracking.alive import TAG, Mark
from rag_sweep.tracking.content import FAILURE_TAG, INDEX_TAG, SWEEP_TAG, disowned

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

REASON = "the process ended without closing this run"
_MANY = 1000


def reap(client: MlflowClient, experiment_id: str, mark: Mark) -> None:
    """Mark the runs of dead processes KILLED. Only processes of this machine are judged."""
    with mark.dead() as names:
        if names:
            close_all(client, experiment_id, names)


@dataclass(frozen=True)
class Ended:
    """A configuration of a sweep, or without `index` the sweep itself, whose run has its true end."""

    sweep_id: str
    index: str = ""


def close_all(
    client: MlflowClient, experiment_id: str, names: Set[str], ended: Set[Ended] = frozenset()
) -> None:
    """Mark KILLED every run that is RUNNING and was begun by one of the processes `names`.

    One of what has `ended` is a second run, made when the answer to the first request was lost: it is
    deleted.
    """
    from mlflow.entities import RunTag

    for run in _running(client, experiment_id):
        tags = run.data.tags
        if tags[TAG] not in names:
            continue
        if Ended(tags.get(SWEEP_TAG, ""), tags.get(INDEX_TAG, "")) in ended:
            client.delete_run(run.info.run_id)
        else:
            said = {FAILURE_TAG: REASON, **disowned(run)}
            client.log_batch(run.info.run_id, tags=[RunTag(key, value) for key, value in said.items()])
            client.set_terminated(run.info.run_id, "KILLED")


def _running(client: MlflowClient, experiment_id: str) -> list[Run]:
    running = f"attributes.status = 'RUNNING' AND tags.`{TAG}` != ''"
    found: list[Run] = []
    page = client.search_runs([experiment_id], running, max_results=_MANY)
    found.extend(page)
    while page.token:
        page = client.search_runs([experiment_id], running, max_results=_MANY, page_token=page.token)
        found.extend(page)
    return found
