"""`rag-sweep score`: rankings of another system, measured like our own; nothing is retrieved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.config import build
from rag_sweep.config.asked import group_of
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.config.program import compose_once
from rag_sweep.dataset.gold import gold_alone
from rag_sweep.dataset.rankings import ForeignRankings, gold_of, read_rankings
from rag_sweep.errors import UsageError
from rag_sweep.evaluation import Evaluation, evaluate
from rag_sweep.judgements import IndexedRankings, Judgements, document_space, rankings_to_indices
from rag_sweep.pipeline import Settings
from rag_sweep.records import Dataset, Gold


@dataclass(frozen=True, eq=False)
class Score:
    """What another system's rankings are worth.

    Attributes
    ----------
    gold, settings
        What they were measured on, at which cutoffs.
    rankings
        As they were read, with index version and warnings.
    missing, unknown
        Questions without a ranking (they count 0); rankings that belong to no question (left out).
    dataset
        With the documents, where a dataset was named.
    """

    gold: Gold
    settings: Settings
    rankings: ForeignRankings
    evaluation: Evaluation
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    dataset: Dataset | None = None


def score(path: Path, gold: Path | None, overrides: Sequence[str]) -> Score:
    """Measure a file of rankings.

    Parameters
    ----------
    path
        A TREC run file, or JSONL of ``id`` and ``retrieved_doc_ids``.
    gold
        A GOLD JSONL to use without its documents; None takes the dataset of the overrides, or else the
        ``expected_doc_ids`` that stand beside the rankings.
    overrides
        As of `rag-sweep run`: dataset, k, cutoffs.
    """
    _refuse_pipeline(overrides)
    config = compose_once(overrides)
    settings = build.settings(config)
    rankings = read_rankings(path)
    with_dataset = any("dataset" in o.partition("=")[0] for o in overrides)
    judged, doc_ids, dataset = _judged(rankings, gold, config, with_dataset)
    judgements = Judgements.of(judged, doc_ids)
    found: IndexedRankings = rankings_to_indices(rankings.rankings, judgements.query_ids, doc_ids)
    evaluation = evaluate(judgements, found.documents, settings.k, settings.cutoffs)
    evaluation.mean(evaluation.columns[0])  # refuses a gold in which nothing is answerable
    return Score(judged, settings, rankings, evaluation, found.missing, found.unknown, dataset)


def _refuse_pipeline(overrides: Sequence[str]) -> None:
    """Refuse overrides that would silently do nothing."""
    for override in overrides:
        group = group_of(override)
        if group in (*PIPELINE_GROUPS, "evidence", "decide"):
            raise UsageError(
                f"{override}: nothing is retrieved, so {group} has no effect; give dataset, k, cutoffs"
            )


def _judged(
    rankings: ForeignRankings, gold: Path | None, config: Mapping[str, Any], with_dataset: bool
) -> tuple[Gold, Sequence[str], Dataset | None]:
    """The GOLD and the documents there are, with their dataset where one was named."""
    if gold is not None and with_dataset:
        raise UsageError("--gold and dataset=… both name a GOLD: give one of them")
    if with_dataset:
        dataset: Dataset = build.component(config, "dataset").load()
        return dataset.gold, [document.doc_id for document in dataset.corpus.documents], dataset
    if gold is not None:
        judged = gold_alone(gold)
    elif rankings.expected is not None:
        judged = gold_of(rankings.expected)
    else:
        raise UsageError(
            f"{rankings.source} doesn't say what is relevant (no expected_doc_ids): "
            "name the GOLD by --gold FILE or dataset=…"
        )
    return judged, document_space(judged, rankings.rankings), None


def score_json(score: Score) -> dict[str, Any]:
    """The score as plain data, with the values of every question."""
    evaluation = score.evaluation
    columns = [str(column) for column in evaluation.columns]
    questions = [
        {
            "id": question.query_id,
            "first_relevant_rank": int(evaluation.first_relevant[at]) or None,
            "missed": list(evaluation.missed(at)),
            **{name: _number(value) for name, value in zip(columns, evaluation.values[at], strict=True)},
        }
        for at, question in enumerate(score.gold.questions)
    ]
    return {
        "rankings": str(score.rankings.source),
        "index_version": score.rankings.index_version,
        "gold": score.gold.fingerprint,
        "gold_version": score.gold.version,
        "answerable": evaluation.answerable,
        "negatives": len(score.gold.negatives),
        "without_ranking": list(score.missing),
        "of_no_question": list(score.unknown),
        "k": score.settings.k,
        "cutoffs": list(score.settings.cutoffs),
        "means": evaluation.means(),
        "questions": questions,
    }


def _number(value: float) -> float | None:
    return None if value != value else float(value)
