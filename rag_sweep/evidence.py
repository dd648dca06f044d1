"""How much of the evidence is handed over: the gold's spans against the first passages of a ranking.

Everything counts characters of documents, each once, however many passages hold it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray, IndexArray, IntArray
from rag_sweep.checks import require
from rag_sweep.passages import Passages
from rag_sweep.records import Gold

_CELLS = 1_000_000  # pairs of a span and a passage that are compared at once, each some 40 bytes


def checked_share(share: float) -> float:
    """`share` if it may be one: above 0, at most 1. Raises ConfigError for another one."""
    require("evidence.share", share, "a number above 0, at most 1", 0 < share <= 1)
    return share


def has_spans(gold: Gold) -> bool:
    """True if an answerable question has evidence; without any, nothing about evidence is told."""
    return any(question.spans and not question.is_negative for question in gold.questions)


@dataclass(frozen=True, eq=False)
class Intervals:
    """Pieces of documents, ordered by question, document, start, end; int64, shape (intervals,).

    Attributes
    ----------
    query, document
        The positions of the question and of the document.
    start, end
        Characters ``[start, end)`` of the document's text, never empty.
    """

    query: IntArray
    document: IntArray
    start: IntArray
    end: IntArray

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int, int, int]]) -> Intervals:
        """From rows that stand in their order."""
        columns = np.array(list(rows), dtype=np.int64).reshape(-1, 4).T
        return cls(*(np.ascontiguousarray(column) for column in columns))

    def __len__(self) -> int:
        return len(self.query)


@dataclass(frozen=True, eq=False)
class Spans:
    """The gold's evidence. Made by `Spans.of`.

    Attributes
    ----------
    queries
        Number of questions.
    each
        Every distinct span of a question.
    joined
        The same characters, those of spans that overlap or touch as one interval.
    """

    queries: int
    each: Intervals
    joined: Intervals

    @classmethod
    def of(cls, gold: Gold, position: Mapping[str, int]) -> Spans:
        """The spans of the answerable questions; `position` gives the number of a document.

        Spans of negatives are left out, as everything of negatives is measured apart. A document that isn't
        there gets a number beyond all others: its spans are never handed over, and recall has to show it.
        """
        beyond: dict[str, int] = {}
        rows = sorted(
            {
                (at, _number(span.doc_id, position, beyond), span.start, span.end)
                for at, question in enumerate(gold.questions)
                for span in question.spans
                if span.start < span.end and not question.is_negative
            }
        )
        return cls(len(gold.questions), Intervals.of(rows), Intervals.of(_joined(rows)))

    @property
    def asked(self) -> BoolArray:
        """True for the questions that have a span, shape (queries,)."""
        there = np.zeros(self.queries, dtype=np.bool_)
        there[self.each.query] = True
        return there

    def __len__(self) -> int:
        return len(self.each)


def _number(doc_id: str, position: Mapping[str, int], beyond: dict[str, int]) -> int:
    known = position.get(doc_id)
    return len(position) + beyond.setdefault(doc_id, len(beyond)) if known is None else known


def _joined(rows: Iterable[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    joined: list[tuple[int, int, int, int]] = []
    for query, document, start, end in rows:
        if joined and joined[-1][:2] == (query, document) and start <= joined[-1][3]:
            joined[-1] = (query, document, joined[-1][2], max(end, joined[-1][3]))
        else:
            joined.append((query, document, start, end))
    return joined


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the passages of each question hand over, float64, shapes (..., queries).

    NaN for a question without spans: there is nothing to hand over. A question that has spans and found
    nothing counts 0 in each.

    Attributes
    ----------
    recall
        Characters of the evidence that are handed over, of all its characters.
    precision
        The same characters, of all that are handed over.
    found
        Spans that are found, of all spans.
    """

    recall: FloatArray
    precision: FloatArray
    found: FloatArray

    def select(self, at: int) -> Evidence:
        """That of one configuration, where the first axis counts configurations."""
        return Evidence(*(getattr(self, f.name)[at] for f in fields(self)))

    def means(self) -> dict[str, float]:
        """Means over the questions that have spans, of one configuration; NaN if there is none.

        Sums are exact (`math.fsum`), so no order of questions changes a bit.
        """
        return {f.name: _mean(getattr(self, f.name)) for f in fields(self)}


def _mean(values: FloatArray) -> float:
    asked = values[~np.isnan(values)].tolist()
    return math.fsum(asked) / len(asked) if asked else math.nan


def handed_over(spans: Spans, passages: Passages, items: IndexArray, share: float = 1.0) -> Evidence:
    """Measure the evidence in the passages of each question, which count together.

    Spans of a question that overlap count one by one in `found`, and their characters once elsewhere.

    Parameters
    ----------
    items : int32, shape (..., queries, depth)
        Passage numbers, -1 for none; all columns count, so cut them at k first. Their order is of no effect.
    share
        A span is found when at least this share of its characters is there, above 0, at most 1.

    Raises
    ------
    ConfigError
        For another share.
    """
    checked_share(share)
    line = _Line(spans, passages)
    lead = items.shape[:-2]
    every = items.reshape(math.prod(lead), *items.shape[-2:])
    size = max(1, _CELLS // max(1, len(spans) * items.shape[-1]))
    blocks = [_measured(line, every[at : at + size], share) for at in range(0, len(every), size)]
    shape = (*lead, spans.queries)
    empty = [np.empty((0, spans.queries))]
    columns = [np.concatenate([getattr(b, f.name) for b in blocks] or empty) for f in fields(Evidence)]
    return Evidence(*(column.reshape(shape) for column in columns))


class _Line:
    """Passages and spans as intervals on one line, documents one behind the other."""

    def __init__(self, spans: Spans, passages: Passages) -> None:
        self.spans = spans
        document, each = passages.document, spans.each
        numbers = 1 + max(int(document.max(initial=-1)), int(each.document.max(initial=-1)))
        lengths = np.zeros(numbers, np.int64)
        np.maximum.at(lengths, document, passages.end)
        np.maximum.at(lengths, each.document, each.end)
        self._offset = np.cumsum(lengths) - lengths
        # behind the last passage stands an empty one: -1, which means none, finds it
        self._start = np.append(self._offset[document] + passages.start, 0)
        self._end = np.append(self._offset[document] + passages.end, 0)

    def pieces(self, items: IndexArray) -> tuple[IntArray, IntArray]:
        """Disjoint intervals that together are what the passages hold, shape of `items`; some are empty.

        Passages are numbered in the order of the line, so that sorting numbers sorts intervals.
        """
        ordered = np.sort(items, axis=-1)
        start, end = self._start[ordered], self._end[ordered]
        reached = np.maximum.accumulate(end, axis=-1)
        start[..., 1:] = np.maximum(start[..., 1:], reached[..., :-1])
        return start, np.maximum(start, end)

    def covered(self, pieces: tuple[IntArray, IntArray], wanted: Intervals) -> IntArray:
        """Characters of each interval that its question's pieces hold, shape (..., intervals)."""
        low, high = (self._offset[wanted.document] + side for side in (wanted.start, wanted.end))
        start, end = (side[..., wanted.query, :] for side in pieces)
        inside = np.minimum(end, high[:, None]) - np.maximum(start, low[:, None])
        covered: IntArray = np.maximum(inside, 0).sum(axis=-1)
        return covered

    def per_query(self, values: IntArray, wanted: Intervals) -> IntArray:
        """Sums over the intervals of each question, shape (..., queries)."""
        up_to = np.zeros((*values.shape[:-1], values.shape[-1] + 1), dtype=np.int64)
        np.cumsum(values, axis=-1, out=up_to[..., 1:])
        sums: IntArray = np.diff(up_to[..., np.searchsorted(wanted.query, np.arange(self.spans.queries + 1))])
        return sums


def _measured(line: _Line, items: IndexArray, share: float) -> Evidence:
    """What `handed_over` gives, for items of shape (configurations, queries, depth)."""
    each, joined = line.spans.each, line.spans.joined
    pieces = line.pieces(items)
    hit = line.per_query(line.covered(pieces, joined), joined)
    handed: IntArray = (pieces[1] - pieces[0]).sum(axis=-1)
    # the product may lie a last bit above a whole number; and no span is found by none of its characters
    least = np.maximum(1, np.ceil(share * (each.end - each.start) - 1e-9))
    found = line.per_query((line.covered(pieces, each) >= least).astype(np.int64), each)
    asked = line.spans.asked
    return Evidence(
        recall=_ratio(hit, line.per_query(joined.end - joined.start, joined), asked),
        precision=_ratio(hit, np.maximum(1, handed), asked),
        found=_ratio(found, line.per_query(np.ones_like(each.query), each), asked),
    )


def _ratio(part: IntArray, whole: IntArray, asked: BoolArray) -> FloatArray:
    values = np.full(part.shape, np.nan)
    np.divide(part, whole, out=values, where=np.broadcast_to(asked, part.shape))
    return values
