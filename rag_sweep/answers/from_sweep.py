"""Cases made of a sweep: a configuration's first passages are the context, the GOLD is the question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from rag_sweep.answers.attribution import Known, SpanFate, SpanState
from rag_sweep.cases.records import Case, Cases, Context, Rubric
from rag_sweep.checks import is_count, require
from rag_sweep.errors import DataError
from rag_sweep.evidence import Spans, handed_over
from rag_sweep.matrix.data import SweepData
from rag_sweep.records import Corpus, Dataset, Gold, Question, Span

Piece = tuple[str, int, int]
"""A passage: its document, and its characters ``[start, end)``."""

_UNCITABLE = re.compile(r"[\[\],;\s]")


@dataclass(frozen=True, eq=False)
class FromSweep:
    """The cases of one configuration, in the order of the GOLD, and what is known of each by its id."""

    cases: Cases
    known: Mapping[str, Known]


def cases_of(
    sweep: SweepData, index: int, dataset: Dataset, k: int | None = None, share: float | None = None
) -> FromSweep:
    """Make cases of what a configuration hands over.

    The evidence is in a case's context if at least `share` of the characters of one of the question's spans
    is, all passages together, as `rag_sweep.evidence` counts. Of a question without spans that is known only
    where no passage of a relevant document was handed over, or a whole relevant document was. Nothing is
    the evidence of a negative.

    Parameters
    ----------
    dataset
        The documents and the GOLD of the sweep, with their texts.
    k
        Passages that are handed over; None takes the sweep's.
    share
        Above 0, at most 1; None takes the sweep's.

    Raises
    ------
    DataError
        If the GOLD isn't the sweep's, or the configuration has failed.
    ConfigError
        For a k beyond the ranks that were kept, and for another share.
    """
    row = _refuse_other(sweep, index, dataset)
    k, share = _depth(sweep, k), _share(sweep, share)
    fates = _fates(sweep, row, dataset, k, share)
    cases, known = [], {}
    for question in dataset.gold.questions:
        pieces = sweep.passages(index, question.query_id)[:k]
        known[question.query_id] = told = _known(question, pieces, fates.get(question.query_id, ()), dataset)
        cases.append(_case(question, pieces, dataset.corpus, told))
    return FromSweep(Cases(tuple(cases)), known)


def _refuse_other(sweep: SweepData, index: int, dataset: Dataset) -> int:
    """The row of a configuration that has results over this GOLD."""
    row = sweep.row(index)
    failure = sweep.configurations[row].failure
    if failure is not None:
        raise DataError(f"configuration {index} of sweep {sweep.sweep_id} failed: {failure}")
    if dataset.gold.fingerprint != sweep.basis.gold_hash:
        raise DataError(f"the gold of {dataset.name} has changed since sweep {sweep.sweep_id}: run it again")
    return row


def _depth(sweep: SweepData, k: int | None) -> int:
    deepest = sweep.passage_numbers.shape[-1]
    wanted = min(sweep.k, deepest) if k is None else k  # a small corpus has fewer passages than the sweep's k
    allowed = f"null or an int from 1 to {deepest}, as ranks were kept"
    require("answers.k", wanted, allowed, is_count(wanted) and wanted <= deepest)
    return wanted


def _share(sweep: SweepData, share: float | None) -> float:
    wanted = sweep.share if share is None else share
    require("answers.share", wanted, "null or a number above 0, at most 1", 0 < wanted <= 1)
    return wanted


def _case(question: Question, pieces: Sequence[Piece], corpus: Corpus, known: Known) -> Case:
    context = _context(pieces, corpus)
    return Case(
        id=question.query_id,
        question=question.text,
        context=context,
        rubric=Rubric(allow_cites=tuple(part.id for part in context)),
        reference=question.answer,
        evidence=_in_context(question, pieces, corpus, known),
        query_id=question.query_id,
        tags=question.tags,
    )


def _context(pieces: Sequence[Piece], corpus: Corpus) -> tuple[Context, ...]:
    """The passages, each with an id that no other one has.

    A whole document has its own id. What could not be told in a marker is named by its rank, and so is what
    would have the id of another one.
    """
    own = [_own_id(piece, corpus) for piece in pieces]
    taken, found = set(own), []
    for rank, (piece, name) in enumerate(zip(pieces, own, strict=True), 1):
        if name is None or name in own[: rank - 1]:
            name = next(free for free in _of_rank(rank) if free not in taken)
            taken.add(name)
        found.append(Context(name, _text(piece, corpus)))
    return tuple(found)


def _own_id(piece: Piece, corpus: Corpus) -> str | None:
    doc_id, start, end = piece
    if _UNCITABLE.search(doc_id):
        return None
    whole = start == 0 and end == len(corpus.documents[corpus.position[doc_id]].text)
    return doc_id if whole else f"{doc_id}:{start}-{end}"


def _of_rank(rank: int) -> Iterator[str]:
    """Without an end: ``passage-2``, ``passage-2.2``, ``passage-2.3``, ..."""
    yield f"passage-{rank}"
    yield from (f"passage-{rank}.{number}" for number in count(2))


def _text(piece: Piece, corpus: Corpus) -> str:
    doc_id, start, end = piece
    return corpus.documents[corpus.position[doc_id]].text[start:end]


def _in_context(question: Question, pieces: Sequence[Piece], corpus: Corpus, known: Known) -> bool | None:
    if question.is_negative:
        return False
    if known.spans:
        return any(span.state == "handed_over" for span in known.spans)
    if all(rank is None for rank in known.relevant.values()):
        return False
    whole = (_is_whole(doc_id, pieces, corpus) for doc_id in question.relevant)
    return True if any(whole) else None


def _is_whole(doc_id: str, pieces: Sequence[Piece], corpus: Corpus) -> bool:
    at = corpus.position.get(doc_id)
    return at is not None and (doc_id, 0, len(corpus.documents[at].text)) in pieces


def _known(question: Question, pieces: Sequence[Piece], fates: Sequence[SpanFate], dataset: Dataset) -> Known:
    ranks: dict[str, int] = {}
    for rank, (doc_id, _, _) in enumerate(pieces, 1):
        ranks.setdefault(doc_id, rank)
    return Known(
        negative=question.is_negative,
        has_answer=bool(question.answer),
        has_spans=bool(question.spans),
        spans=tuple(fates),
        relevant={doc_id: ranks.get(doc_id) for doc_id in question.relevant},
        missing=tuple(one for one in question.relevant if one not in dataset.corpus.position),
        supporting=tuple(
            part.id
            for part, piece in zip(_context(pieces, dataset.corpus), pieces, strict=True)
            if _supports(question, piece)
        ),
    )


def _supports(question: Question, piece: Piece) -> bool:
    doc_id, start, end = piece
    if not question.spans:
        return question.grades.get(doc_id, 0) > 0
    return any(span.doc_id == doc_id and span.start < end and span.end > start for span in question.spans)


def _fates(sweep: SweepData, row: int, dataset: Dataset, k: int, share: float) -> dict[str, list[SpanFate]]:
    """Every span of the answerable questions, measured as a question of its own."""
    asked = [(at, q) for at, q in enumerate(dataset.gold.questions) if not q.is_negative]
    every = [(at, q, span) for at, q in asked for span in sorted(set(q.spans), key=_place)]
    found: dict[str, list[SpanFate]] = {}
    if not every:
        return found
    apart = tuple(Question(str(n), "", q.grades, (span,)) for n, (_, q, span) in enumerate(every))
    items = sweep.passage_numbers[row, [at for at, _, _ in every], :k]
    passages = sweep.chunkings[sweep.chunking[row]]
    measured = handed_over(Spans.of(Gold(apart), sweep.basis.position), passages, items, share)
    handed = [set(passages.document[line[line >= 0]].tolist()) for line in items]
    for (_, question, span), covered, whole, there in zip(
        every, measured.recall.tolist(), measured.found.tolist(), handed, strict=True
    ):
        share_of = 0.0 if np.isnan(covered) else covered
        is_there = sweep.basis.position.get(span.doc_id) in there
        state = _state(span, share_of, whole == 1.0, is_there, dataset.corpus)
        found.setdefault(question.query_id, []).append(
            SpanFate(span.doc_id, span.start, span.end, state, share_of)
        )
    return found


def _place(span: Span) -> Piece:
    return span.doc_id, span.start, span.end


def _state(span: Span, covered: float, found: bool, is_there: bool, corpus: Corpus) -> SpanState:
    at = corpus.position.get(span.doc_id)
    if at is None or span.end > len(corpus.documents[at].text):
        return "not_in_corpus"
    if not corpus.documents[at].text[span.start : span.end].strip():
        return "empty"
    if found:
        return "handed_over"
    if covered > 0:
        return "cut"
    return "other_passage" if is_there else "not_retrieved"
