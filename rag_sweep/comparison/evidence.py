"""The evidence that configurations hand over: at equal k, and at an equal budget of context."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray, IndexArray, IntArray
from rag_sweep.checks import is_count, require
from rag_sweep.evidence import Spans, handed_over
from rag_sweep.matrix.stored import StoredSweep
from rag_sweep.passages import Passages
from rag_sweep.ranking import EMPTY

BUDGETS = (50, 75, 100, 150, 200, 300, 400, 600, 800, 1200, 2000)
"""Words that may be handed over, from a snippet to some pages."""

EVIDENCE_RECALL, DOCUMENT_RECALL = "evidence recall", "document recall"
"""What a curve shows: the second one where the gold has no spans."""

_AT_ONCE = 500_000  # passages of rankings that are looked at together


@dataclass(frozen=True, eq=False)
class EvidenceTable:
    """Evidence in the first `k` passages, float64, shapes (rows, questions).

    NaN for questions without spans, for negatives and for failed configurations. A question that has spans
    and found nothing counts 0.

    Attributes
    ----------
    recall, precision
        In characters; see `rag_sweep.evidence.Evidence`.
    found
        Share of the spans that are found.
    asked : bool, shape (questions,)
        True for the questions that have spans, which means are over.
    k, share
        How many passages count, and the share of a span that makes it found.
    """

    recall: FloatArray
    precision: FloatArray
    found: FloatArray
    asked: BoolArray
    k: int
    share: float

    @property
    def is_empty(self) -> bool:
        """True if the gold has no spans: then there is nothing to show."""
        return not self.asked.any()

    def means(self, row: int) -> dict[str, float | None]:
        """Means of a row over the questions that have spans: recall, precision, found; None for NaN."""
        columns = {"recall": self.recall, "precision": self.precision, "found": self.found}
        return {name: _finite(_mean(column[row, self.asked])) for name, column in columns.items()}


@dataclass(frozen=True, eq=False)
class ContextCurve:
    """A measure against the number of words that may be handed over, float64, shapes (rows, budgets).

    Attributes
    ----------
    measure
        "evidence recall", over the questions that have spans; or "document recall", over the answerable ones.
    budgets
        Words, ascending.
    values
        Means of the measure; NaN for failed configurations.
    words
        How many words were handed over, on average.
    cut_short
        Share of the questions for which more might have fitted, but further ranks were not kept: where it
        is large, `values` are only lower bounds.
    """

    measure: str
    budgets: tuple[int, ...]
    values: FloatArray
    words: FloatArray
    cut_short: FloatArray


def evidence_of(
    sweep: StoredSweep, rows: Sequence[int] | None = None, share: float | None = None
) -> EvidenceTable:
    """The evidence that the first k passages of configurations hand over.

    Parameters
    ----------
    rows
        Places of configurations on the first axis of the sweep's arrays; None for all.
    share
        The share of a span that makes it found, above 0, at most 1; None for that of the sweep.

    Raises
    ------
    ConfigError
        For another share.
    """
    wanted = _rows(sweep, rows)
    part = sweep.share if share is None else share
    spans = Spans.of(sweep.basis.gold, sweep.basis.position)
    columns = np.full((3, len(wanted), spans.queries), np.nan)
    for passages, places in _by_chunking(sweep, wanted) if len(spans) else ():
        items = sweep.passage_numbers[wanted[places], :, : sweep.k]
        found = handed_over(spans, passages, items, part)
        columns[:, places] = found.recall, found.precision, found.found
    return EvidenceTable(columns[0], columns[1], columns[2], spans.asked, sweep.k, part)


def context_curve(
    sweep: StoredSweep, rows: Sequence[int] | None = None, budgets: Sequence[int] | None = None
) -> ContextCurve:
    """What configurations hand over within the same number of words.

    Passages are handed over by rank, as a prompt is built: whole ones, until the first that doesn't fit,
    which ends it, also if a later one would fit. So a configuration whose passages are larger than the
    budget hands over nothing. A word that stands in two passages is paid for twice.

    Parameters
    ----------
    rows
        Places of configurations on the first axis of the sweep's arrays; None for all.
    budgets
        Words, each an int >= 1; None for `BUDGETS`.

    Raises
    ------
    ConfigError
        For another budget.
    """
    wanted, limits = _rows(sweep, rows), _budgets(budgets)
    spans = Spans.of(sweep.basis.gold, sweep.basis.position)
    asked = spans.asked if len(spans) else sweep.judgements.answerable
    told = np.full((3, len(wanted), len(limits)), np.nan)
    for passages, places in _by_chunking(sweep, wanted):
        for place in places.tolist():
            ranked = sweep.passage_numbers[wanted[place]]
            prompts = _Prompts.of(passages, ranked, limits)
            values = _recall(sweep, spans, passages, prompts.items)
            for at, numbers in enumerate((values, prompts.words, prompts.cut_short)):
                told[at, place] = [_mean(row[asked]) for row in numbers]
    measure = EVIDENCE_RECALL if len(spans) else DOCUMENT_RECALL
    return ContextCurve(measure, limits, told[0], told[1], told[2])


@dataclass(frozen=True, eq=False)
class _Prompts:
    """What fits into each budget: passages, shape (budgets, questions, depth), and (budgets, questions)."""

    items: IndexArray
    words: IntArray
    cut_short: BoolArray

    @classmethod
    def of(cls, passages: Passages, ranked: IndexArray, budgets: Sequence[int]) -> _Prompts:
        up_to = np.cumsum(passages.words_of(ranked), axis=1)
        there = ranked != EMPTY
        fits = there & (up_to <= np.array(budgets)[:, None, None])
        words: IntArray = np.max(np.where(fits, up_to, 0), axis=2, initial=0)
        return cls(
            items=np.where(fits, ranked, EMPTY).astype(np.int32),
            words=words,
            # a ranking that fills all the places that are kept may have gone on
            cut_short=fits.all(axis=2),
        )


def _recall(sweep: StoredSweep, spans: Spans, passages: Passages, items: IndexArray) -> FloatArray:
    """Recall of the evidence, or of the documents, in each prompt, shape (budgets, questions)."""
    if len(spans):
        return handed_over(spans, passages, items).recall
    documents = np.append(passages.document, EMPTY)[items]
    return sweep.judgements.found_share(documents)


def _by_chunking(sweep: StoredSweep, rows: IntArray) -> list[tuple[Passages, IntArray]]:
    """Places in `rows` of configurations that have the same passages, some at a time; without failed ones."""
    chunking = sweep.chunking[rows]
    size = max(1, _AT_ONCE // max(1, sweep.passage_numbers[:1].size))
    found = []
    for number, passages in enumerate(sweep.chunkings):
        places = np.flatnonzero(chunking == number)
        found += [(passages, places[at : at + size]) for at in range(0, len(places), size)]
    return found


def _rows(sweep: StoredSweep, rows: Sequence[int] | None) -> IntArray:
    every = range(len(sweep.configurations))
    return np.array(list(every if rows is None else rows), dtype=np.int64)


def _budgets(budgets: Sequence[int] | None) -> tuple[int, ...]:
    limits = BUDGETS if budgets is None else tuple(budgets)
    for limit in limits:
        require("budgets", limit, "ints >= 1, words to hand over", is_count(limit))
    return tuple(sorted(set(limits)))


def _mean(values: FloatArray | IntArray | BoolArray) -> float:
    listed = values.tolist()
    return math.fsum(listed) / len(listed) if listed else math.nan


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
