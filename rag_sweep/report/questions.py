"""The per-question table of one configuration: what was asked, found and missed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rag_sweep.execute import Outcome
from rag_sweep.ranking import EMPTY
from rag_sweep.records import Corpus, Dataset, Question
from rag_sweep.result import Result
from rag_sweep.tracking.records import Scalar, Table


def question_table(result: Result, dataset: Dataset, with_text: bool = True) -> Table | None:
    """One row a question, in the order of the GOLD; None for a failed configuration.

    Lists and mappings are JSON in one cell: ``ranking`` [doc_id, …], ``relevant`` {doc_id: grade}, ``missed``
    [doc_id, …] within k, ``scores`` [score, …], ``passages`` [[doc_id, start, end], …]. What MLflow groups
    and compares by comes first. Nothing in it depends on time, order or place, so equal configurations
    give equal bytes.
    """
    outcome = result.outcome
    if outcome is None:
        return None
    columns = _columns(outcome, dataset, with_text)
    return Table(tuple(columns), tuple(zip(*columns.values(), strict=True)))


def _columns(outcome: Outcome, dataset: Dataset, with_text: bool) -> dict[str, Sequence[Scalar]]:
    questions, evaluation = dataset.gold.questions, outcome.evaluation
    places = range(len(questions))
    found = [ranking(outcome, at, dataset.corpus) for at in places]
    measures = zip(map(str, evaluation.columns), evaluation.values.T.tolist(), strict=True)
    return {
        **({"question": [q.text for q in questions]} if with_text else {"question_id": _ids(questions)}),
        "ranking": [_cell(ids) for ids, _ in found],
        **({"question_id": _ids(questions)} if with_text else {}),
        "tags": [", ".join(q.tags) for q in questions],
        "relevant": [_cell({doc_id: q.grades[doc_id] for doc_id in q.relevant}) for q in questions],
        "missed": [_cell(list(evaluation.missed(at))) for at in places],
        "first_relevant_rank": [rank or None for rank in evaluation.first_relevant.tolist()],
        **dict(measures),
        **{f"pool_recall.{name}": values.tolist() for name, values in outcome.pool_recall.items()},
        "scores": [_cell(scores) for _, scores in found],
        "passages": [_cell(passages(outcome, at, dataset.corpus)) for at in places],
    }


def _ids(questions: Sequence[Question]) -> list[Scalar]:
    return [question.query_id for question in questions]


def ranking(outcome: Outcome, at: int, corpus: Corpus) -> tuple[list[str], list[float]]:
    """Ids and scores of the documents that question number `at` found, best first."""
    found = outcome.found.documents
    kept = found.items[at] != EMPTY
    return [corpus.documents[item].doc_id for item in found.items[at][kept]], found.scores[at][kept].tolist()


def passages(outcome: Outcome, at: int, corpus: Corpus) -> list[list[Any]]:
    """Document id, start and end of the passages that question number `at` found, best first."""
    items = outcome.found.passages.items[at]
    spans = outcome.passages
    return [
        [corpus.documents[spans.document[item]].doc_id, int(spans.start[item]), int(spans.end[item])]
        for item in items[items != EMPTY]
    ]


def _cell(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
