"""The per-question table of one configuration: what was asked, found and missed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rag_sweep.execute import Outcome
from rag_sweep.ranking import EMPTY
from rag_sweep.records import Corpus, Dataset, Question
from rag_sweep.result import Result
from rag_sweep.tracking.records import Scalar, Table


def question_table(result: Result, dataset: Dataset, with_text: bool = True) -> Table | None:
    """One row a question, in the order of the GOLD; None for a failed configuration.

    Lists and mappings are JSON in one cell: ``relevant`` {doc_id: grade}, ``ranking`` [doc_id, …],
    ``scores`` [score, …], ``passages`` [[doc_id, start, end], …], ``missed`` [doc_id, …] within k.
    Nothing in it depends on time, order or place, so equal configurations give equal bytes.
    """
    outcome = result.outcome
    if outcome is None:
        return None
    text = ("question",) if with_text else ()
    measures = tuple(str(measure) for measure in outcome.evaluation.columns)
    recalls = tuple(f"pool_recall.{branch}" for branch in outcome.pool_recall)
    lists = ("relevant", "ranking", "scores", "passages", "missed")
    columns = ("question_id", *text, "tags", "first_relevant_rank", *measures, *recalls, *lists)
    questions = dataset.gold.questions
    rows = (_row(question, at, outcome, dataset.corpus, with_text) for at, question in enumerate(questions))
    return Table(columns, tuple(tuple(row) for row in rows))


def _row(question: Question, at: int, outcome: Outcome, corpus: Corpus, with_text: bool) -> Iterator[Scalar]:
    evaluation = outcome.evaluation
    yield question.query_id
    if with_text:
        yield question.text
    yield ", ".join(question.tags)
    yield int(evaluation.first_relevant[at]) or None
    yield from (float(value) for value in evaluation.values[at])
    yield from (float(values[at]) for values in outcome.pool_recall.values())
    yield _cell({doc_id: question.grades[doc_id] for doc_id in question.relevant})
    ids, scores = ranking(outcome, at, corpus)
    yield _cell(ids)
    yield _cell(scores)
    yield _cell(passages(outcome, at, corpus))
    yield _cell(list(evaluation.missed(at)))


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
