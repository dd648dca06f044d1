"""A last look at what is about to be written: it must read as a GOLD without an error."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rag_sweep.dataset.beir import read_queries, read_spans
from rag_sweep.dataset.documents import Documents
from rag_sweep.dataset.gold import read_gold
from rag_sweep.dataset.qrels import read_qrels
from rag_sweep.errors import DataError, Fault
from rag_sweep.goldlife.in_beir import ENDING, QUERIES, SPANS
from rag_sweep.goldlife.opened import OpenedGold
from rag_sweep.records import Gold, Question


def sound_gold(
    old: OpenedGold, files: Mapping[Path, bytes], documents: Documents, version: str | None
) -> Gold:
    """The gold that `files` will be, read with these documents.

    Raises
    ------
    DataError
        With every error that it would have; nothing has been written.
    """
    faults: list[Fault] = []
    with tempfile.TemporaryDirectory(prefix="rag-sweep-") as name:
        names = {Path(name) / file.name: file for file in files}
        for copy, file in names.items():
            copy.write_bytes(files[file])
        gold = (_of_beir if old.layout == "beir" else _of_jsonl)(old, list(names), documents, version, faults)
        errors = [
            replace(fault, file=names.get(fault.file, fault.file) if fault.file else None)
            for fault in faults
            if fault.level == "error"
        ]
    if errors:
        raise DataError(errors)
    return gold


def _of_jsonl(
    old: OpenedGold, files: list[Path], documents: Documents, version: str | None, faults: list[Fault]
) -> Gold:
    judged = read_gold(files[0], documents, version, faults)
    return Gold(tuple(judged.questions), judged.version, judged.unjudged)


def _of_beir(
    old: OpenedGold, files: list[Path], documents: Documents, version: str | None, faults: list[Fault]
) -> Gold:
    """Spans are read for their errors; in the gold they stand as far as the collection's own reader says."""
    at = {file.name: file for file in files}
    queries = read_queries(at.get(QUERIES, old.path / QUERIES), faults) or {}
    qrels = next(file for file in files if file.suffix == ENDING)
    grades = read_qrels(qrels, queries, documents, faults)
    spans = read_spans(at.get(SPANS, old.path / SPANS), queries, documents, faults)
    known = {question.query_id: question for question in old.gold.questions}
    questions = tuple(
        Question(
            query_id,
            str(row.values.get("text", "")),
            grades[query_id],
            tuple(dict.fromkeys(span for _, span in spans.get(query_id, ()))),
            known[query_id].tags if query_id in known else (),
        )
        for query_id, row in queries.items()
        if query_id in grades
    )
    return Gold(questions, version, len(queries) - len(questions))
