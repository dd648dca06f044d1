"""The per-question table of one configuration: what was asked, found and missed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import compress
from typing import Any

from rag_sweep.execute import Outcome
from rag_sweep.passages import Passages
from rag_sweep.ranking import EMPTY
from rag_sweep.records import Basis
from rag_sweep.tracking.records import Scalar, Table


def question_table(outcome: Outcome, basis: Basis, with_text: bool = True) -> Table:
    """The table of one configuration; see `QuestionTables`, which makes many."""
    return QuestionTables(basis, with_text).of(outcome)


class QuestionTables:
    """Per-question tables of configurations on one dataset: one row a question, in the order of the GOLD.

    Lists and mappings are JSON in one cell: ``ranking`` [doc_id, …], ``relevant`` {doc_id: grade}, ``missed``
    [doc_id, …] within k, ``scores`` [score, …], ``passages`` [[doc_id, start, end], …]. What MLflow groups
    and compares by comes first. Nothing in it depends on time, order or place, so equal configurations
    give equal bytes. What all tables share is encoded once.
    """

    def __init__(self, basis: Basis, with_text: bool = True) -> None:
        self._basis, self._with_text = basis, with_text
        self._questions = basis.gold.questions
        self._passages: tuple[Passages | None, dict[int, str]] = (None, {})

    def of(self, outcome: Outcome) -> Table:
        """The table of a configuration."""
        columns = self._columns(outcome)
        return Table(tuple(columns), tuple(zip(*columns.values(), strict=True)))

    def _columns(self, outcome: Outcome) -> dict[str, Sequence[Scalar]]:
        evaluation, found = outcome.evaluation, outcome.found
        measures = zip(map(str, evaluation.columns), evaluation.values.T.tolist(), strict=True)
        ids = {"question_id": [q.query_id for q in self._questions]}
        text = {"question": [q.text for q in self._questions]} if self._with_text else {}
        return {
            **(text or ids),
            "ranking": [self._ids(row) for row in found.documents.items.tolist()],
            **ids,
            "tags": [", ".join(q.tags) for q in self._questions],
            "relevant": self._relevant,
            "missed": self._missed(found.documents.items[:, : evaluation.k].tolist()),
            "first_relevant_rank": [rank or None for rank in evaluation.first_relevant.tolist()],
            **dict(measures),
            **{f"pool_recall.{name}": values.tolist() for name, values in outcome.pool_recall.items()},
            **_evidence(outcome),
            "scores": self._scores(outcome),
            "passages": self._spans(outcome),
        }

    @cached_property
    def _encoded(self) -> list[str]:
        """Each document's id as JSON."""
        return [_cell(doc_id) for doc_id in self._basis.doc_ids]

    @cached_property
    def _relevant(self) -> list[Scalar]:
        return [_cell({d: q.grades[d] for d in q.relevant}) for q in self._questions]

    @cached_property
    def _wanted(self) -> list[list[tuple[int, str]]]:
        """Each question's relevant documents, best grade first: number (-2 outside the corpus) and JSON."""
        position = self._basis.position
        return [
            [
                (position.get(doc_id, -2), _cell(doc_id))
                for doc_id in sorted(q.relevant, key=lambda d: (-q.grades[d], d))
            ]
            for q in self._questions
        ]

    def _ids(self, row: Iterable[int]) -> str:
        return _list(self._encoded[item] for item in row if item != EMPTY)

    def _missed(self, rows: Iterable[list[int]]) -> list[Scalar]:
        return [
            _list(text for item, text in wanted if item not in row)
            for wanted, row in zip(self._wanted, rows, strict=True)
        ]

    def _scores(self, outcome: Outcome) -> list[Scalar]:
        documents = outcome.found.documents
        present = (documents.items != EMPTY).tolist()
        rows = zip(documents.scores.tolist(), present, strict=True)
        return [_list(map(repr, compress(row, there))) for row, there in rows]

    def _spans(self, outcome: Outcome) -> list[Scalar]:
        if self._passages[0] is not outcome.passages:
            self._passages = outcome.passages, {}
        known, passages = self._passages[1], outcome.passages
        rows = outcome.found.passages.items.tolist()
        for item in {item for row in rows for item in row}.difference(known, (EMPTY,)):
            start, end = passages.start[item], passages.end[item]
            known[item] = f"[{self._encoded[passages.document[item]]}, {start}, {end}]"
        return [_list(known[item] for item in row if item != EMPTY) for row in rows]


def _evidence(outcome: Outcome) -> dict[str, Sequence[Scalar]]:
    """Recall and precision in characters, and the share of spans found, where the GOLD has spans."""
    found = vars(outcome.evidence) if outcome.evidence else {}
    return {f"evidence.{name}@{outcome.evaluation.k}": values.tolist() for name, values in found.items()}


def ranking(outcome: Outcome, at: int, basis: Basis) -> list[str]:
    """Ids of the documents that question number `at` found, best first."""
    items = outcome.found.documents.items[at]
    return [basis.doc_ids[item] for item in items[items != EMPTY]]


def _list(cells: Iterable[str]) -> str:
    return f"[{', '.join(cells)}]"


def _cell(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
