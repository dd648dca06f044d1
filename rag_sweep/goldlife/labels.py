"""What to judge next, as plain data and as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rag_sweep.comparison.plain import plain
from rag_sweep.dataset.spreadsheet import table_bytes

COLUMNS = (
    *("query_id", "doc_id", "grade", "question", "title", "text"),
    *("best_rank", "found_by", "turns", "shift"),
)
"""Of the table: `grade` is empty, for people to fill in."""


@dataclass(frozen=True)
class Leader:
    """One of the configurations whose order is looked at.

    Attributes
    ----------
    judged
        Share of its first `k` documents that have a judgement, over the answerable questions.
    """

    sweep_id: str
    index: int
    name: str
    mean: float
    judged: float


@dataclass(frozen=True)
class Label:
    """A judgement that is missing.

    Attributes
    ----------
    ranks
        In each leader, from 1; None where it isn't within the cutoff.
    turns
        Pairs of leaders (their places) whose order it would turn alone, as (ahead now, ahead then).
    shift
        See `weighing.weighed`.
    leads
        The leader that would be first, where that is another one.
    """

    query_id: str
    doc_id: str
    question: str
    title: str | None
    text: str | None
    ranks: tuple[int | None, ...]
    turns: tuple[tuple[int, int], ...]
    shift: float
    leads: int | None

    @property
    def best_rank(self) -> int:
        """The highest place that a leader gives it."""
        return min(rank for rank in self.ranks if rank is not None)

    @property
    def found_by(self) -> int:
        """How many leaders have it within the cutoff."""
        return sum(rank is not None for rank in self.ranks)


@dataclass(frozen=True)
class Labelling:
    """What to judge next.

    Attributes
    ----------
    pairs, open_pairs
        Of leaders; and those whose order the missing judgements could turn, all together.
    unjudged
        How many judgements are missing, of which `labels` are the first.
    grade
        That a relevant document was taken to have.
    out
        The table that was written.
    """

    objective: str
    k: int
    questions: int
    leaders: tuple[Leader, ...]
    pairs: int
    open_pairs: int
    unjudged: int
    turning: int
    grade: int
    labels: tuple[Label, ...]
    out: str | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; every number is finite or None."""
        result: dict[str, Any] = plain(self)
        return result

    def table(self) -> bytes:
        """As a table that a spreadsheet opens."""
        rows = ((*_texts(label), *_numbers(label, len(self.leaders))) for label in self.labels)
        return table_bytes(COLUMNS, rows)


def _texts(label: Label) -> tuple[str, ...]:
    return label.query_id, label.doc_id, "", label.question, label.title or "", label.text or ""


def _numbers(label: Label, leaders: int) -> tuple[str, ...]:
    found = f"{label.found_by} of {leaders}"
    return str(label.best_rank), found, str(len(label.turns)), f"{label.shift:.4f}"
