"""Judgements of a BEIR split: tab-separated lines of query id, document id, grade."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from rag_sweep.dataset.documents import Documents
from rag_sweep.dataset.fields import LARGEST_GRADE
from rag_sweep.dataset.jsonl import shown
from rag_sweep.dataset.places import Place, read_text
from rag_sweep.errors import Fault

Grades = dict[str, dict[str, int]]
"""Query id to document id to grade."""

_INT = re.compile(r"[+-]?[0-9]{1,9}")


def read_qrels(
    path: Path, queries: Collection[str] | None, documents: Documents, faults: list[Fault]
) -> Grades:
    """The grades of a split, in file order; the header line may be missing.

    Unknown queries and documents are faults (`queries` None: they couldn't be read), and so are two
    different grades for one pair. A grade below 0 is a warning.
    """
    if path.parent.is_dir() and not path.exists():
        faults.append(Fault(_no_split(path), path.parent))
        return {}
    before = len(faults)
    text = read_text(path, faults)
    grades: Grades = {}
    for number, line in enumerate((text or "").split("\n"), 1):
        if line.strip() and not (number == 1 and _is_header(line)):
            place = Place(path, number)
            judgement = _judgement(line, place, faults)
            if judgement is not None and _known(judgement, queries, documents, place, faults):
                _add(grades, judgement, place, faults)
    if not grades and len(faults) == before:
        faults.append(Fault("has no judgements", path))
    return grades


def _is_header(line: str) -> bool:
    cells = [cell.strip().lower().replace("_", "-") for cell in line.split("\t")]
    return cells[0] == "query-id" or cells[2:3] == ["score"]


def _judgement(line: str, place: Place, faults: list[Fault]) -> tuple[str, str, int] | None:
    cells = line.split("\t")
    if len(cells) != 3 or not all(cell.strip() for cell in cells):
        what = f"must be query id, document id and grade with a tab between them, got {shown(line)}"
        faults.append(place.fault(what))
        return None
    query_id, doc_id, grade = cells
    if not _INT.fullmatch(grade.strip()) or abs(int(grade)) > LARGEST_GRADE:
        what = f'the grade of "{doc_id}" must be an int up to {LARGEST_GRADE}, got {shown(grade)}'
        faults.append(place.fault(what, query_id))
        return None
    return query_id, doc_id, int(grade)


def _known(
    judgement: tuple[str, str, int],
    queries: Collection[str] | None,
    documents: Documents,
    place: Place,
    faults: list[Fault],
) -> bool:
    query_id, doc_id, _ = judgement
    before = len(faults)
    if queries is not None and query_id not in queries:
        faults.append(place.fault(f'unknown question "{query_id}"', query_id))
    unknown = documents.unknown(doc_id)
    if unknown is not None:
        faults.append(place.fault(unknown, query_id))
    return len(faults) == before


def _add(grades: Grades, judgement: tuple[str, str, int], place: Place, faults: list[Fault]) -> None:
    query_id, doc_id, grade = judgement
    before = grades.setdefault(query_id, {}).setdefault(doc_id, grade)
    if before != grade:
        faults.append(place.fault(f'"{doc_id}" has the grade {grade} here and {before} above', query_id))
    if grade < 0:
        what = f'grade below 0, it counts as not relevant: "{doc_id}" has {grade}'
        faults.append(place.fault(what, query_id, "warning"))


def _no_split(path: Path) -> str:
    splits = ", ".join(sorted(other.stem for other in path.parent.glob("*.tsv"))) or "no .tsv file"
    return f'has no split "{path.stem}"; there is: {splits}'
