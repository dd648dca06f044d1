"""The proof: the index is built anew from the documents, and must find what the sweep measured.

Nothing is learned from the gold yet. What will be, such as a trained reranker, is to be refitted here on all
answerable questions: golden rankings are then those of the refit, while the values stay cross-fitted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rag_sweep.champion import Golden, golden_of
from rag_sweep.comparing.texts import as_overrides
from rag_sweep.config import build
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.config.program import compose_with_choices
from rag_sweep.configuration import Configuration, code_version
from rag_sweep.errors import DataError
from rag_sweep.index import Index
from rag_sweep.matrix.data import SweepData
from rag_sweep.promotion.plan import Plan
from rag_sweep.ranking import EMPTY
from rag_sweep.records import Dataset
from rag_sweep.stages import Found

SHOWN = 5
"""Questions, documents, that an error names."""

Tell = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Proved:
    """A configuration that was built anew and finds what was measured."""

    configuration: Configuration
    choices: dict[str, str]
    dataset: Dataset
    index: Index
    golden: Golden


def proved(plan: Plan, tell: Tell) -> Proved:
    """Build the index from the documents as they are now, and compare every ranking.

    Raises
    ------
    DataError
        If documents or gold have changed since, or anything is found otherwise than it was measured.
    ConfigError, StageFailed
        If the configuration can't be built any more.
    """
    configuration, choices = rebuilt(plan)
    tell("reading the documents")
    dataset: Dataset = build.component(configuration.config, "dataset").load()
    _check_dataset(dataset, plan.sweep)
    tell(f"building the index of {len(dataset.corpus):,} documents")
    index = Index.build(configuration.pipeline, dataset.corpus)
    tell(f"asking all {len(dataset.gold.questions):,} questions of the gold")
    depth = configuration.settings.depth
    found = index.search([question.text for question in dataset.gold.questions], depth)
    _check_found(found, plan.sweep, plan.member.record.index)
    golden = golden_of(dataset.gold.questions, found, dataset.corpus, configuration.settings.k, depth)
    return Proved(configuration, choices, dataset, index, golden)


def rebuilt(plan: Plan) -> tuple[Configuration, dict[str, str]]:
    """The configuration that was measured, composed anew from its params, with the options chosen.

    Raises
    ------
    ConfigError
        If it can't be built, such as without the user's component.
    DataError
        If what is built isn't the same any more.
    """
    sweep, record = plan.sweep, plan.member.record
    given = plan.request.overrides
    folder = given[:2] if given[:1] == ("--config-dir",) else ()
    words = [word for word in given[len(folder) :] if word.lstrip("+").startswith(("dataset=", "dataset."))]
    config, choices = compose_with_choices(
        [
            *folder,
            *(words or as_overrides(record.params, ("dataset",))),
            *as_overrides(record.params, PIPELINE_GROUPS),
            f"k={sweep.k}",
            f"cutoffs=[{','.join(map(str, sweep.cutoffs))}]",
            f"evidence.share={sweep.share}",
            f"objective={plan.grid.objective}",
        ]
    )
    made = build.configuration(config, choices, record.index, record.overrides)
    if made.fingerprint != record.fingerprint:
        raise DataError(f"{plan.title}: its components are others today than when it was measured")
    return made, choices


def _check_dataset(dataset: Dataset, sweep: SweepData) -> None:
    again = f"run the sweep again, or bring back what {sweep.sweep_id} was measured on"
    if dataset.corpus.fingerprint != sweep.basis.corpus_hash:
        raise DataError(
            f"the documents of {dataset.name} have changed since sweep {sweep.sweep_id}"
            f"{_moved(dataset, sweep.doc_ids)}: its values say nothing about them; {again}"
        )
    if dataset.gold.fingerprint != sweep.basis.gold_hash:
        raise DataError(
            f"the gold of {dataset.name} has changed since sweep {sweep.sweep_id}: its values are of other "
            f"questions or judgements; {again}"
        )


def _moved(dataset: Dataset, before: Sequence[str]) -> str:
    """`` (2 are new: a, b; 1 is gone: c)``, or that texts are others."""
    now = {document.doc_id for document in dataset.corpus.documents}
    new, gone = sorted(now - set(before)), sorted(set(before) - now)
    parts = [_listed(new, "new"), _listed(gone, "gone")]
    told = "; ".join(part for part in parts if part) or "titles or texts are others"
    return f" ({told})"


def _listed(ids: Sequence[str], what: str) -> str:
    more = ", …" if len(ids) > SHOWN else ""
    return f"{len(ids)} {what}: {', '.join(ids[:SHOWN])}{more}" if ids else ""


def _check_found(found: Found, sweep: SweepData, index: int) -> None:
    """Every question's documents and passages, and the first score, against what was measured."""
    row = sweep.row(index)
    measured: list[tuple[Any, ...]] = [
        (found.documents.items, sweep.documents[row]),
        (found.passages.items, sweep.passage_numbers[row]),
    ]
    apart = []
    for at, question in enumerate(sweep.questions):
        same = all(_ranked(now[at]) == _ranked(then[at]) for now, then in measured)
        if not same or not _same_score(found, at, float(sweep.top_scores[row, at])):
            apart.append(question.query_id)
    if apart:
        named = f"{', '.join(apart[:SHOWN])}{', …' if len(apart) > SHOWN else ''}"
        raise DataError(
            f"{len(apart)} of {len(sweep.questions)} questions are answered otherwise than sweep "
            f"{sweep.sweep_id} measured: {named}. It was measured by {sweep.code}, this is {code_version()}: "
            "nothing is promoted that isn't what was measured; run the sweep again"
        )


def _ranked(items: Any) -> list[int]:
    return [item for item in items.tolist() if item != EMPTY]


def _same_score(found: Found, at: int, measured: float) -> bool:
    scores = found.documents.scores[at].tolist()
    first = scores[0] if _ranked(found.documents.items[at]) else float("-inf")
    return bool(first == measured)
