"""What GOLD says as arrays, and rankings of other systems in the same numbers.

Documents are numbers here: positions in a sequence of document ids, with `EMPTY` behind the end of a ranking.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray, IndexArray, IntArray
from rag_sweep.errors import DataError, Fault
from rag_sweep.ranking import EMPTY
from rag_sweep.records import Gold, Question

TABLE_CELLS = 1 << 23
"""Judgements are looked up in a table of at most so many cells (64 MB), or else by bisection."""


@dataclass(frozen=True, eq=False)
class _Space:
    """Where judgements are looked up: a table of (queries, columns), or the judged pairs themselves.

    Only documents that any query has a judgement of have a column of their own; the last is for all others
    and for `EMPTY`.

    Attributes
    ----------
    column : int64, shape (documents + 1,)
        The column of each document; None where the table would be too large.
    columns
        Their number.
    pair : int64, shape (cells,)
        The judged pair in each cell, or `EMPTY`.
    cell : int64, shape (pairs,)
        The cell of each pair.
    """

    column: IntArray | None
    columns: int
    pair: IntArray
    cell: IntArray


@dataclass(frozen=True, eq=False)
class Judgements:
    """What GOLD says, ready to be looked up for whole arrays of rankings. Made by `Judgements.of`.

    Attributes
    ----------
    query_ids
        In the order of the gold.
    doc_ids
        What document numbers stand for.
    relevant
        For each query the ids of its relevant documents, best grade first, then by id; also those
        that are not in `doc_ids`: a search can't find them, and its recall has to show it.
    answerable : bool, shape (queries,)
        True where there is a relevant document.
    ideal : int64, shape (queries, r)
        The grades of `relevant`, padded with 0.
    keys : int64, shape (judged,)
        ``query * len(doc_ids) + document`` of every judged pair inside `doc_ids`, ascending.
    key_grades : int64, shape (judged,)
        Their grades; those of 0 and below are 0.
    """

    query_ids: tuple[str, ...]
    doc_ids: tuple[str, ...]
    relevant: tuple[tuple[str, ...], ...]
    answerable: BoolArray
    ideal: IntArray
    keys: IntArray
    key_grades: IntArray

    @classmethod
    def of(cls, gold: Gold, doc_ids: Sequence[str]) -> Judgements:
        """The judgements of `gold` over the documents `doc_ids` (distinct ids)."""
        position = {doc_id: at for at, doc_id in enumerate(doc_ids)}
        if len(position) != len(doc_ids):
            raise DataError(f"document ids must be distinct, got {len(doc_ids) - len(position)} repeated")
        relevant = tuple(_best_first(question) for question in gold.questions)
        pairs = sorted(
            (query * len(doc_ids) + position[doc_id], max(grade, 0))
            for query, question in enumerate(gold.questions)
            for doc_id, grade in question.grades.items()
            if doc_id in position
        )
        table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return cls(
            query_ids=tuple(question.query_id for question in gold.questions),
            doc_ids=tuple(doc_ids),
            relevant=relevant,
            answerable=np.array([bool(ids) for ids in relevant], dtype=np.bool_),
            ideal=_ideal(gold.questions, relevant),
            keys=np.ascontiguousarray(table[:, 0]),
            key_grades=np.ascontiguousarray(table[:, 1]),
        )

    def grades_at(self, documents: IntArray | IndexArray) -> IntArray:
        """Grade of each document of a ranking, int64, same shape; 0 where unjudged or missing.

        Parameters
        ----------
        documents : int, shape (..., queries, depth)
            Numbers in ``[0, len(doc_ids))``, or -1 for none.

        Raises
        ------
        ValueError
            For another number of queries, or a number that stands for no document.
        """
        return self.grades_of(self.pairs_at(documents))

    def judged_at(self, documents: IntArray | IndexArray) -> BoolArray:
        """True where a document has a judgement, also one of "not relevant"; arguments as `grades_at`."""
        judged: BoolArray = self.pairs_at(documents) != EMPTY
        return judged

    def grades_of(self, pairs: IntArray) -> IntArray:
        """The grades of judged pairs, 0 for `EMPTY`, same shape."""
        return np.append(self.key_grades, 0)[pairs]

    def pairs_at(self, documents: IntArray | IndexArray) -> IntArray:
        """The judged pair, a place in `keys`, of each document; `EMPTY` where there is none."""
        pairs: IntArray = np.take(self._space.pair, self._cells(documents), mode="clip")
        return pairs

    def found_share(self, documents: IntArray | IndexArray) -> FloatArray:
        """Share of the relevant documents that are there, shape (..., queries); NaN for a query without any.

        `documents` is as in `grades_at` but may repeat a document: it counts once.
        """
        lead = documents.shape[:-2]
        cells = self._cells(documents).reshape(math.prod(lead), -1)
        there = np.zeros((len(cells), len(self._space.pair)), dtype=np.bool_)
        for row, some in zip(there, cells, strict=True):
            row[some] = True
        up_to = np.zeros((len(cells), len(self.keys) + 1), dtype=np.int64)
        np.cumsum(there[:, self._space.cell] & (self.key_grades > 0), axis=1, out=up_to[:, 1:])
        hits = np.diff(up_to[:, self._ends], axis=1).reshape(*lead, -1)
        relevant = np.broadcast_to(self._relevant_count, hits.shape)
        share: FloatArray = np.divide(hits, relevant, out=np.full(hits.shape, np.nan), where=relevant > 0)
        return share

    def _cells(self, documents: IntArray | IndexArray) -> IntArray:
        """The cell in `_space` of each document."""
        self._check(documents)
        space = self._space
        if space.column is None:
            return self._bisected(documents)
        cells: IntArray = np.take(space.column, documents, mode="wrap")  # EMPTY is the last
        cells += np.arange(0, len(space.pair), space.columns)[:, None]
        return cells

    def _bisected(self, documents: IntArray | IndexArray) -> IntArray:
        query = np.arange(len(self.query_ids), dtype=np.int64)[:, None]
        wanted = query * len(self.doc_ids) + documents
        at = np.minimum(np.searchsorted(self.keys, wanted), self.keys.size - 1)
        # -1 would be read as the last document of the query before.
        return np.where((self.keys[at] == wanted) & (documents != EMPTY), at, self.keys.size)

    @cached_property
    def _space(self) -> _Space:
        number = max(1, len(self.doc_ids))
        judged, place = np.unique(self.keys % number, return_inverse=True)
        columns = len(judged) + 1
        if len(self.keys) and len(self.query_ids) * columns > TABLE_CELLS:
            every = np.arange(len(self.keys))
            return _Space(None, 0, np.append(every, EMPTY), every)
        column = np.full(len(self.doc_ids) + 1, len(judged), dtype=np.int64)
        column[judged] = np.arange(len(judged))
        cell = self.keys // number * columns + place
        pair = np.full(len(self.query_ids) * columns, EMPTY, dtype=np.int64)
        pair[cell] = np.arange(len(self.keys))
        return _Space(column, columns, pair, cell)

    @cached_property
    def _ends(self) -> IntArray:
        """Where the pairs of each query start, and where the last one's end."""
        return np.searchsorted(self.keys, np.arange(len(self.query_ids) + 1) * len(self.doc_ids))

    @cached_property
    def _relevant_count(self) -> IntArray:
        return np.asarray(np.count_nonzero(self.ideal > 0, axis=1), dtype=np.int64)

    def _check(self, documents: IntArray | IndexArray) -> None:
        if documents.ndim < 2 or documents.shape[-2] != len(self.query_ids):
            raise ValueError(f"documents must be (..., {len(self.query_ids)}, depth), got {documents.shape}")
        if documents.size and not EMPTY <= documents.min() <= documents.max() < len(self.doc_ids):
            raise ValueError(
                f"documents must be numbers from -1 to {len(self.doc_ids) - 1}, "
                f"got {documents.min()} to {documents.max()}"
            )


@dataclass(frozen=True, eq=False)
class IndexedRankings:
    """Rankings of another system as `evaluate` takes them.

    `documents` is int64, shape (queries, depth). `missing` are the questions without a ranking (they
    count 0), `unknown` the rankings that belong to no question (left out: runs often hold more).
    """

    documents: IntArray
    missing: tuple[str, ...]
    unknown: tuple[str, ...]


def document_space(gold: Gold, rankings: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Every document id that the gold or a ranking names, sorted: the documents where there is no corpus."""
    judged = (question.grades for question in gold.questions)
    return tuple(sorted(set().union(*judged, *rankings.values())))


def rankings_to_indices(
    rankings: Mapping[str, Sequence[str]], query_ids: Sequence[str], doc_ids: Sequence[str]
) -> IndexedRankings:
    """Rankings by query id, best document first, to numbers in `doc_ids`.

    Raises
    ------
    DataError
        With every fault: a document twice in a ranking, a document that is not in `doc_ids`; or if no
        ranking at all belongs to a question.
    """
    known = [query_id for query_id in query_ids if query_id in rankings]
    if not known:
        raise DataError(_strangers(rankings, query_ids))
    position = {doc_id: at for at, doc_id in enumerate(doc_ids)}
    if faults := [fault for query_id in known for fault in _faults(query_id, rankings[query_id], position)]:
        raise DataError(faults)
    shape = len(query_ids), max(len(rankings[query_id]) for query_id in known)
    documents = np.full(shape, EMPTY, dtype=np.int64)
    for row, query_id in zip(documents, query_ids, strict=True):
        ranking = rankings.get(query_id, ())
        row[: len(ranking)] = [position[doc_id] for doc_id in ranking]
    asked = set(query_ids)
    return IndexedRankings(
        documents=documents,
        missing=tuple(query_id for query_id in query_ids if query_id not in rankings),
        unknown=tuple(query_id for query_id in rankings if query_id not in asked),
    )


def _faults(query_id: str, ranking: Sequence[str], position: Mapping[str, int]) -> list[Fault]:
    twice = [standing_twice(query_id, doc_id) for doc_id, times in Counter(ranking).items() if times > 1]
    unknown = [doc_id for doc_id in dict.fromkeys(ranking) if doc_id not in position]
    return twice + [Fault(f"document {doc_id!r} is not in the corpus", id=query_id) for doc_id in unknown]


def _strangers(rankings: Mapping[str, Sequence[str]], query_ids: Sequence[str]) -> str:
    return (
        "no ranking belongs to a question of the gold: "
        f"it has ids such as {list(query_ids[:3])}, the rankings {list(rankings)[:3]}"
    )


def _best_first(question: Question) -> tuple[str, ...]:
    return tuple(sorted(question.relevant, key=lambda doc_id: (-question.grades[doc_id], doc_id)))


def _ideal(questions: Sequence[Question], relevant: Sequence[Sequence[str]]) -> IntArray:
    ideal = np.zeros((len(questions), max(map(len, relevant), default=0)), dtype=np.int64)
    for row, question, ids in zip(ideal, questions, relevant, strict=True):
        row[: len(ids)] = [question.grades[doc_id] for doc_id in ids]
    return ideal


def standing_twice(query_id: str, doc_id: str) -> Fault:
    """The fault of a ranking that holds a document more than once."""
    return Fault(f"document {doc_id!r} stands twice in the ranking; each may stand once", id=query_id)
