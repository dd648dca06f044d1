"""Several searches at the price of their distinct work, and whether two gave the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from rag_sweep.configuration import Configuration
from rag_sweep.drill.tampering import without_spans
from rag_sweep.errors import RagSweepError
from rag_sweep.execute import Execution, Outcome
from rag_sweep.pipeline import Roots
from rag_sweep.plan import plan
from rag_sweep.records import Dataset
from rag_sweep.store.entry import Store


@dataclass(frozen=True, eq=False)
class Case:
    """A search that is evaluated, on the documents and the GOLD that it is evaluated on."""

    configuration: Configuration
    dataset: Dataset


def outcomes_of(cases: Sequence[Case], store: Store | None) -> list[Outcome | RagSweepError]:
    """The outcome of each case, or why it failed; cases on one dataset are one plan."""
    groups: dict[int, list[int]] = {}
    for at, case in enumerate(cases):
        groups.setdefault(id(case.dataset), []).append(at)
    found: dict[int, Outcome | RagSweepError] = {}
    for members in groups.values():
        together = _together([cases[at] for at in members], store)
        found.update(zip(members, together, strict=True))
    return [found[at] for at in range(len(cases))]


def _together(cases: Sequence[Case], store: Store | None) -> list[Outcome | RagSweepError]:
    dataset = without_spans(cases[0].dataset)
    pipelines = [case.configuration.pipeline for case in cases]
    planned = plan(pipelines, cases[0].configuration.settings, Roots.of(dataset))
    found = dict(Execution(planned, dataset, store=store).outcomes())
    return [found[at] for at in range(len(cases))]


def differing_parts(one: Outcome, other: Outcome) -> tuple[str, ...]:
    """What isn't the same to the last bit in two outcomes; nothing if all is."""
    parts: dict[str, tuple[NDArray[Any], NDArray[Any]]] = {
        "values": (one.evaluation.values, other.evaluation.values),
        "rankings of documents": (one.found.documents.items, other.found.documents.items),
        "scores of documents": (one.found.documents.scores, other.found.documents.scores),
        "rankings of passages": (one.found.passages.items, other.found.passages.items),
        "scores of passages": (one.found.passages.scores, other.found.passages.scores),
    }
    return tuple(name for name, (a, b) in parts.items() if a.shape != b.shape or a.tobytes() != b.tobytes())
