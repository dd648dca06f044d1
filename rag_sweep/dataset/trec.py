"""Run and qrels files of TREC: white space between columns, so ids are percent-encoded.

See https://trec.nist.gov and RFC 3986, 2.1. Only what would break the format is encoded: white space,
control characters, the percent sign and a byte order mark; a slash stays.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from rag_sweep.dataset.jsonl import shown
from rag_sweep.dataset.places import Place
from rag_sweep.errors import Fault
from rag_sweep.records import Gold

_UNSAFE = re.compile(r"[%\s\x00-\x1f\x7f-\x9f\ufeff]")
_COLUMNS = re.compile(r"[^ \t\v\f]+")
_INT = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def encode_id(name: str) -> str:
    """An id as a column of a TREC file.

    Raises
    ------
    ValueError
        For an empty id: it would leave a column out.
    """
    if not name:
        raise ValueError("an empty id can't be written to a TREC file")
    return _UNSAFE.sub(lambda found: quote(found[0], safe=""), name)


def decode_id(column: str) -> str:
    """The id of a column; a ``%`` without two hexadecimal digits after it stands for itself.

    Raises
    ------
    ValueError
        Where the encoded bytes aren't UTF-8.
    """
    return unquote(column, errors="strict") if "%" in column else column


def write_trec_run(path: Path, run_name: str, rankings: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Write `trec_run_text`; the file is there as a whole or not at all."""
    _write(path, [trec_run_text(run_name, rankings)])


def trec_run_text(run_name: str, rankings: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Rankings as lines ``query Q0 document rank score run``.

    The score is n - rank + 1, so strictly decreasing: trec_eval, which looks at scores only and breaks
    ties in its own way, keeps our order. An empty ranking leaves no line.

    Raises
    ------
    ValueError
        For a document twice in a ranking, a query twice, an empty id or run name.
    """
    run = encode_id(run_name)
    lines: list[str] = []
    seen: set[str] = set()
    for query_id, doc_ids in rankings:
        if query_id in seen or len(set(doc_ids)) < len(doc_ids):
            raise ValueError(f"query {query_id!r} comes twice, or a document comes twice in its ranking")
        seen.add(query_id)
        query, n = encode_id(query_id), len(doc_ids)
        lines += [
            f"{query} Q0 {encode_id(doc_id)} {rank} {n - rank + 1} {run}\n"
            for rank, doc_id in enumerate(doc_ids, 1)
        ]
    return "".join(lines)


def write_trec_qrels(path: Path, gold: Gold) -> None:
    """Write every judgement as a line ``query 0 document grade``; a question without any leaves no line."""
    _write(
        path,
        [
            f"{encode_id(question.query_id)} 0 {encode_id(doc_id)} {grade}\n"
            for question in gold.questions
            for doc_id, grade in sorted(question.grades.items())
        ],
    )


def _write(path: Path, lines: Iterable[str]) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_text("".join(lines), encoding="utf-8", newline="\n")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


Scored = dict[str, dict[str, tuple[float, int]]]
"""Query id to document id to score and rank column."""


def parse_trec_run(path: Path, text: str, faults: list[Fault]) -> Scored:
    """The lines of a run file, with every broken line and every repeated document as a fault."""
    found: Scored = {}
    for number, line in enumerate(text.split("\n"), 1):
        columns = _COLUMNS.findall(line)
        if columns:
            _add_line(found, columns, Place(path, number), faults)
    return found


def _add_line(found: Scored, columns: list[str], place: Place, faults: list[Fault]) -> None:
    if len(columns) != 6:
        what = f"must be six columns (query Q0 document rank score run), got {len(columns)}"
        faults.append(place.fault(what))
        return
    try:
        query_id, doc_id = decode_id(columns[0]), decode_id(columns[2])
    except ValueError:
        faults.append(place.fault(f"percent-encoded id isn't UTF-8: {columns[0]} {columns[2]}"))
        return
    wrong = _wrong_numbers(columns[3], columns[4])
    if wrong is None and doc_id in found.get(query_id, {}):
        wrong = f'duplicate document in the ranking: "{doc_id}"'
    if wrong is not None:
        faults.append(place.fault(wrong, query_id))
        return
    found.setdefault(query_id, {})[doc_id] = (float(columns[4]), int(columns[3]))


def _wrong_numbers(rank: str, score: str) -> str | None:
    if not _INT.fullmatch(rank) or len(rank) > 18:
        return f"the rank must be an int, got {shown(rank)}"
    if not _NUMBER.fullmatch(score) or float(score) in (float("inf"), float("-inf")):
        return f"the score must be a finite number, got {shown(score)}"
    return None
