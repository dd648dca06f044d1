"""Collections in the layout of BEIR (Thakur et al., NeurIPS 2021), with spans where they are marked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from rag_sweep.checks import require
from rag_sweep.dataset.documents import Documents, documents_from_jsonl
from rag_sweep.dataset.fields import as_id, errors_at, id_of, question_text
from rag_sweep.dataset.jsonl import Row, read_rows
from rag_sweep.dataset.parameters import require_path, require_version
from rag_sweep.dataset.places import Place
from rag_sweep.dataset.qrels import read_qrels
from rag_sweep.dataset.source import Judged, Reading, Source, reading
from rag_sweep.dataset.spans import checked_spans, read_span
from rag_sweep.errors import Fault
from rag_sweep.records import Question, Span


@dataclass(frozen=True)
class Beir(Source):
    """``corpus.jsonl``, ``queries.jsonl``, ``qrels/<split>.tsv``, and ``spans.jsonl`` where there is one.

    A query without a judgement in the split is unjudged: left out and counted. A judged query whose
    grades are all 0 or below is a negative. Tags are read from a query's ``metadata.tags``.

    Parameters
    ----------
    path
        The folder.
    split
        The name of a file in ``qrels/``, without its ending.
    version
        Of the GOLD; the layout declares none.
    """

    path: str
    split: str = "test"
    version: str | None = None

    def __post_init__(self) -> None:
        require_path("dataset.path", self.path)
        named = (
            isinstance(self.split, str) and bool(self.split.strip()) and not set(self.split) & set("/\\\0")
        )
        require("dataset.split", self.split, "the name of a file in qrels/ without its ending", named)
        require_version(self.version)

    def inspect(self) -> Reading:
        """Read corpus, queries, qrels and spans, with every fault of all of them."""
        faults: list[Fault] = []
        folder = Path(self.path)
        if not folder.is_dir():
            what = "isn't a folder" if folder.exists() else "doesn't exist"
            faults.append(Fault(f"{what}; dataset.path is a folder in BEIR layout", folder))
            return reading(folder.name, Documents(), Judged(), faults)
        documents = documents_from_jsonl(folder / "corpus.jsonl", "_id", faults)
        queries = read_queries(folder / "queries.jsonl", faults)
        grades = read_qrels(folder / "qrels" / f"{self.split}.tsv", queries, documents, faults)
        spans = read_spans(folder / "spans.jsonl", queries, documents, faults)
        judged = _judged(queries or {}, grades, spans, faults)
        judged.version = self.version
        return reading(folder.resolve().name, documents, judged, faults)


def read_queries(path: Path, faults: list[Fault]) -> dict[str, Row] | None:
    """The lines of ``queries.jsonl`` by id; None where the file can't be read."""
    before = len(faults)
    rows = read_rows(path, faults)
    found: dict[str, Row] = {}
    for row in rows or []:
        query_id = id_of(row.values, "_id", errors_at(row.place, faults))
        if query_id is not None and found.setdefault(query_id, row) is not row:
            what = f"duplicate question id: it is also the id of line {found[query_id].place.line}"
            faults.append(row.place.fault(what, query_id))
    if rows == [] and len(faults) == before:
        faults.append(Fault("has no questions", path))
    return None if rows is None else found


def read_spans(
    path: Path, queries: Collection[str] | None, documents: Documents, faults: list[Fault]
) -> dict[str, list[tuple[Place, Span]]]:
    """The spans by query id, each with its line; empty where there is no such file."""
    found: dict[str, list[tuple[Place, Span]]] = {}
    for row in (read_rows(path, faults) if path.exists() else None) or []:
        query_id = id_of(row.values, "query_id", errors_at(row.place, faults))
        error = errors_at(row.place, faults, query_id)
        if query_id is not None and queries is not None and query_id not in queries:
            error(f'unknown question "{query_id}"')
        span = read_span(row.values, documents, error)
        doc_id = as_id(row.values.get("doc_id"))
        unknown = None if doc_id is None else documents.unknown(doc_id)
        if unknown is not None:
            error(unknown)
        if query_id is not None and span is not None:
            found.setdefault(query_id, []).append((row.place, span))
    return found


def _judged(
    queries: Mapping[str, Row],
    grades: Mapping[str, dict[str, int]],
    spans: Mapping[str, list[tuple[Place, Span]]],
    faults: list[Fault],
) -> Judged:
    judged = Judged(unjudged=sum(query_id not in grades for query_id in queries))
    for query_id, row in queries.items():
        if query_id not in grades:
            continue
        judged.places[query_id] = row.place
        text = question_text(row.values, "text", errors_at(row.place, faults, query_id))
        evidence = checked_spans(spans.get(query_id, []), query_id, grades[query_id], faults)
        if text:
            judged.questions.append(Question(query_id, text, grades[query_id], evidence, _tags(row)))
    return judged


def _tags(row: Row) -> tuple[str, ...]:
    """``metadata.tags`` if it is a list of strings; metadata may be anything and is no fault."""
    metadata = row.values.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    good = isinstance(tags, list) and all(isinstance(tag, str) and tag.strip() for tag in tags)
    return tuple(dict.fromkeys(tags)) if good and tags else ()
