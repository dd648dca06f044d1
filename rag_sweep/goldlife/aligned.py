"""Which questions of a gold a sweep has rankings of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rag_sweep.goldlife.asking import normalised
from rag_sweep.matrix.stored import StoredSweep
from rag_sweep.records import Basis, Gold, Question


@dataclass(frozen=True, eq=False)
class Alignment:
    """The questions of a gold beside those of a sweep.

    Attributes
    ----------
    at
        Positions in the sweep of the questions that can be measured, rising.
    gold
        These questions as the gold has them now; texts only where the sweep shows its own.
    gold_hash
        Of the same with their texts.
    new
        Questions that the sweep never asked: there is no ranking.
    reworded
        Questions that it asked in other words: its ranking belongs to those.
    unsearched
        Questions with a relevant document that it didn't search, so that no ranking could find it.
    removed
        Questions that the gold hasn't got any more.
    texts_are_known
        False where the sweep kept its texts back, so that nobody can say whether a question was reworded.
    """

    at: tuple[int, ...]
    gold: Gold
    gold_hash: str
    new: tuple[str, ...]
    reworded: tuple[str, ...]
    unsearched: tuple[str, ...]
    removed: tuple[str, ...]
    texts_are_known: bool

    @property
    def loses(self) -> bool:
        """True if a question that the sweep asked can't be measured any more."""
        return bool(self.reworded or self.unsearched or self.removed)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The questions of the gold that can't be measured."""
        return (*self.new, *self.reworded, *self.unsearched)

    def judged_by(self, gold: Gold) -> Alignment:
        """The same questions with other judgements."""
        return replace(self, gold=gold, gold_hash=gold.fingerprint)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "measured": len(self.at),
            "without_ranking": list(self.new),
            "reworded": list(self.reworded),
            "not_searched": list(self.unsearched),
            "removed": list(self.removed),
            "texts_are_known": self.texts_are_known,
        }


def aligned(basis: Basis, has_text: bool, gold: Gold) -> Alignment:
    """Match questions by id and words, in the order of the sweep.

    Words are the same where only case, punctuation and white space differ.
    """
    position = {question.query_id: at for at, question in enumerate(basis.gold.questions)}
    fates: dict[str, list[Question]] = {"new": [], "reworded": [], "unsearched": [], "measured": []}
    for question in gold.questions:
        fates[_fate(question, basis, position.get(question.query_id), has_text)].append(question)
    measured = sorted(fates["measured"], key=lambda question: position[question.query_id])
    wanted = {question.query_id for question in gold.questions}
    shown = [question if has_text else replace(question, text="") for question in measured]
    return Alignment(
        at=tuple(position[question.query_id] for question in measured),
        gold=Gold(tuple(shown), gold.version, gold.unjudged),
        gold_hash=Gold(tuple(measured)).fingerprint,
        new=_ids(fates["new"]),
        reworded=_ids(fates["reworded"]),
        unsearched=_ids(fates["unsearched"]),
        removed=tuple(query_id for query_id in position if query_id not in wanted),
        texts_are_known=has_text,
    )


def of_sweep(sweep: StoredSweep, gold: Gold) -> Alignment:
    """`aligned` for a sweep."""
    return aligned(sweep.basis, sweep.has_text, gold)


def _fate(question: Question, basis: Basis, at: int | None, has_text: bool) -> str:
    if at is None:
        return "new"
    if has_text and normalised(basis.gold.questions[at].text) != normalised(question.text):
        return "reworded"
    known = all(doc_id in basis.position for doc_id in question.relevant)
    return "measured" if known else "unsearched"


def _ids(questions: Sequence[Question]) -> tuple[str, ...]:
    return tuple(question.query_id for question in questions)
