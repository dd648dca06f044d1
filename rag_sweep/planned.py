"""`dry_run=true`: what a sweep would compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from rag_sweep.cached import Cached
from rag_sweep.configuration import Configuration
from rag_sweep.pipeline import Roots
from rag_sweep.plan import StageCount, describe, plan
from rag_sweep.records import Dataset
from rag_sweep.store.entry import Store


class StoreSource(Protocol):
    """A store's component."""

    def open(self) -> Store:
        """The store."""
        ...


@dataclass(frozen=True)
class PlannedWork:
    """Configurations, those that are equal in effect to another, and what each stage would do."""

    configurations: int
    aliases: int
    stages: tuple[StageCount, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def planned_work(
    configurations: Sequence[Configuration], dataset: Dataset, store: StoreSource
) -> PlannedWork:
    """Plan an evaluation and look into the store; nothing is computed."""
    pipelines = [configuration.pipeline for configuration in configurations]
    found = plan(pipelines, configurations[0].settings, Roots.of(dataset))
    stored = Cached(store.open()).there(found.nodes.values())
    return PlannedWork(len(configurations), len(found.alias_of), tuple(describe(found, stored)))
