"""One question under two configurations: both rankings, with the passages that were handed over."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_sweep.comparing.difference import Difference, Row
from rag_sweep.comparing.finding import Place
from rag_sweep.comparing.texts import Texts
from rag_sweep.comparison.plain import plain
from rag_sweep.errors import UsageError
from rag_sweep.records import Span


@dataclass(frozen=True)
class Passage:
    """Characters ``[start, end)`` of a document, their text if it may be shown, and the evidence in them.

    `evidence` counts characters of the document too.
    """

    start: int
    end: int
    text: str | None
    evidence: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Ranked:
    """A document in a ranking; `grade` is None for one without a judgement.

    The passage is the best one of the document; None if it stands too far below to have been kept.
    """

    rank: int
    doc_id: str
    title: str | None
    grade: int | None
    passage: Passage | None


@dataclass(frozen=True)
class Sides:
    """Both rankings of a question, as far as they were kept, at least `k` deep."""

    question: Row
    spans: tuple[tuple[str, int, int], ...]
    a: tuple[Ranked, ...]
    b: tuple[Ranked, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        result: dict[str, Any] = plain(self)
        return result


def sides_of(found: Difference, a: Place, b: Place, query_id: str, texts: Texts) -> Sides:
    """Both rankings of one question.

    Raises
    ------
    UsageError
        For a question that isn't among the answerable ones.
    """
    row = next((row for row in found.rows if row.id == query_id), None)
    if row is None:
        raise UsageError(_no_question(a, found, query_id))
    question = next(q for q in a[0].questions if q.query_id == query_id)
    spans = tuple(sorted((span.doc_id, span.start, span.end) for span in question.spans))
    ranked = [_ranked(place, query_id, question.grades, question.spans, texts, found.k) for place in (a, b)]
    return Sides(row, spans, ranked[0], ranked[1], texts.notes)


def _no_question(place: Place, found: Difference, query_id: str) -> str:
    known = [question.query_id for question in place[0].questions]
    if query_id in known:
        return f"question {query_id!r} is a negative: nothing answers it, so it has no value to compare"
    near = difflib.get_close_matches(query_id, known, 1)
    some = f"; there are {len(known)}, such as {', '.join(known[:3])}"
    hint = f": did you mean {near[0]}?" if near else some
    return f"the gold has no question {query_id!r}{hint}"


def _ranked(
    place: Place,
    query_id: str,
    grades: Mapping[str, int],
    spans: Sequence[Span],
    texts: Texts,
    k: int,
) -> tuple[Ranked, ...]:
    sweep, index = place
    best: dict[str, tuple[int, int]] = {}
    for doc_id, start, end in sweep.passages(index, query_id):
        best.setdefault(doc_id, (start, end))
    found = []
    for rank, doc_id in enumerate(sweep.ranking(index, query_id)[:k], 1):
        document = texts.document(sweep, doc_id)
        piece = best.get(doc_id)
        passage = None
        if piece is not None:
            text = None if document is None else document.text[piece[0] : piece[1]]
            passage = Passage(*piece, text, _inside(doc_id, piece, spans))
        title = None if document is None else document.title
        found.append(Ranked(rank, doc_id, title, grades.get(doc_id), passage))
    return tuple(found)


def _inside(doc_id: str, piece: tuple[int, int], spans: Sequence[Span]) -> tuple[tuple[int, int], ...]:
    """The parts of the gold's spans that a passage has, in order, joined where they touch."""
    parts = sorted(
        (max(span.start, piece[0]), min(span.end, piece[1]))
        for span in spans
        if span.doc_id == doc_id and span.start < piece[1] and span.end > piece[0]
    )
    joined: list[tuple[int, int]] = []
    for start, end in parts:
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)
