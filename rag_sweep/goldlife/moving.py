"""Which questions carried a decision from one configuration to another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rag_sweep.goldlife.deciding import Decided
from rag_sweep.records import Question
from rag_sweep.statistics.table import TIE, settle


@dataclass(frozen=True)
class Judged:
    """A judgement that changed; None for none."""

    doc_id: str
    before: int | None
    after: int | None


@dataclass(frozen=True)
class Moved:
    """What a question did to the lead of the new choice over the old one.

    Attributes
    ----------
    share
        Added to the difference of the means: over all questions these add up to how far the lead moved.
    old_before, old_after, new_before, new_after
        Values of the old and of the new choice by both golds; None where the question doesn't count.
    judgements
        What changed in its judgements.
    """

    id: str
    text: str
    share: float
    old_before: float | None
    old_after: float | None
    new_before: float | None
    new_after: float | None
    judgements: tuple[Judged, ...]


def moved_by(before: Decided, after: Decided) -> tuple[Moved, ...]:
    """The questions by which the choice flipped, the largest share first; empty if it didn't.

    A share is the question's part in the lead of the new choice over the old one after, minus its part
    before: its difference divided by the number of answerable questions, 0 where it isn't one of them.
    """
    old, new = before.choice.record.index, after.choice.record.index
    if old == new:
        return ()
    sides = [_side(one, old, new) for one in (before, after)]
    questions = [{q.query_id: q for q in one.grid.sweeps[0].questions} for one in (before, after)]
    found = []
    for query_id in dict.fromkeys([*sides[0], *sides[1]]):
        parts = [side.get(query_id) for side in sides]
        share = _lead(parts[1], len(sides[1])) - _lead(parts[0], len(sides[0]))
        if abs(share) > TIE:
            both = [known.get(query_id) for known in questions]
            values = [pair or (None, None) for pair in parts]
            text = next((q.text for q in reversed(both) if q is not None), "")
            found.append(
                Moved(
                    id=query_id,
                    text=text,
                    share=settle(share),
                    old_before=values[0][0],
                    old_after=values[1][0],
                    new_before=values[0][1],
                    new_after=values[1][1],
                    judgements=_judgements(both[0], both[1]),
                )
            )
    return tuple(sorted(found, key=lambda one: (-abs(one.share), one.id)))


def _side(one: Decided, old: int, new: int) -> dict[str, tuple[float, float]]:
    """Values of the old and the new choice by question."""
    rows = one.grid.values[[one.row_of(old), one.row_of(new)]]
    names = [question.query_id for question in one.grid.questions]
    return dict(zip(names, map(tuple, np.round(rows.T, 10).tolist()), strict=True))


def _lead(pair: tuple[float, float] | None, questions: int) -> float:
    return 0.0 if pair is None else (pair[1] - pair[0]) / questions


def _judgements(before: Question | None, after: Question | None) -> tuple[Judged, ...]:
    grades = [{} if question is None else question.grades for question in (before, after)]
    if after is None:
        return ()
    return tuple(
        Judged(doc_id, grades[0].get(doc_id), grades[1].get(doc_id))
        for doc_id in dict.fromkeys([*grades[0], *grades[1]])
        if grades[0].get(doc_id) != grades[1].get(doc_id)
    )
