"""What a journal says of its sweep, and the configurations in it: enough to send it without its documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rag_sweep.configuration import Card
from rag_sweep.pipeline import Settings
from rag_sweep.records import Basis, Gold, Question, Span
from rag_sweep.tracking.records import DatasetInfo, SweepRecord

FORMAT = 2
"""The version of the files: a journal of another one is left alone."""


@dataclass(frozen=True)
class Head:
    """The part of a journal that is written before the first result.

    Attributes
    ----------
    identity
        Hash of everything that decides the results; None where a sweep can't be recognised.
    record
        As the sweep is tracked.
    basis
        What it is measured on; with ``tracking.text=none`` without the texts of the questions.
    settings, objective
        Cutoffs, and the measure that configurations are ordered by.
    is_sweep
        False for one configuration alone.
    configurations
        How many there are; None where a sweeper asks for one batch after the other.
    tracking
        The config of the tracking component, without passwords.
    """

    identity: str | None
    record: SweepRecord
    basis: Basis
    settings: Settings
    objective: str
    is_sweep: bool
    configurations: int | None
    tracking: Mapping[str, Any] = field(default_factory=dict)

    @property
    def has_text(self) -> bool:
        """True if the questions' texts may be shown."""
        return bool(self.tracking.get("text", "full") == "full")

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "format": FORMAT,
            "identity": self.identity,
            "record": asdict(self.record),
            "basis": basis_json(self.basis, self.has_text),
            "k": self.settings.k,
            "cutoffs": list(self.settings.cutoffs),
            "share": self.settings.share,
            "objective": self.objective,
            "is_sweep": self.is_sweep,
            "configurations": self.configurations,
            "tracking": dict(self.tracking),
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Head:
        """The inverse of `to_json`. Raises KeyError, TypeError or ValueError for anything else."""
        if plain["format"] != FORMAT:
            raise ValueError(f"format {plain['format']}")
        return cls(
            identity=plain["identity"],
            record=_record(plain["record"]),
            basis=basis_of(plain["basis"]),
            settings=Settings(plain["k"], tuple(plain["cutoffs"]), plain["share"]),
            objective=plain["objective"],
            is_sweep=plain["is_sweep"],
            configurations=plain["configurations"],
            tracking=plain["tracking"],
        )


def card_json(card: Card) -> dict[str, Any]:
    """A configuration as plain data."""
    return {
        "index": card.index,
        "name": card.name,
        "overrides": list(card.overrides),
        "params": dict(card.params),
        "fingerprint": card.fingerprint,
        "config": dict(card.config),
    }


def card_of(plain: Mapping[str, Any]) -> Card:
    """The inverse of `card_json`. Raises KeyError, TypeError or ValueError for anything else."""
    card = Card(**{**plain, "overrides": tuple(plain["overrides"])})
    if not (isinstance(card.index, int) and isinstance(card.fingerprint, str)):
        raise ValueError(f"index {card.index!r}, fingerprint {card.fingerprint!r}")
    return card


def _record(plain: Mapping[str, Any]) -> SweepRecord:
    datasets = tuple(DatasetInfo(**info) for info in plain["datasets"])
    return replace(SweepRecord(**{**plain, "datasets": ()}), datasets=datasets)


def basis_json(basis: Basis, has_text: bool) -> dict[str, Any]:
    """As plain data, with the questions' texts or without."""
    gold = basis.gold
    questions = [
        {
            "id": q.query_id,
            "text": q.text if has_text else "",
            "grades": dict(q.grades),
            "spans": [[s.doc_id, s.start, s.end] for s in q.spans],
            "tags": list(q.tags),
        }
        for q in gold.questions
    ]
    return {
        "name": basis.name,
        "doc_ids": list(basis.doc_ids),
        "corpus": basis.corpus_hash,
        "gold": basis.gold_hash,
        "version": gold.version,
        "unjudged": gold.unjudged,
        "questions": questions,
    }


def basis_of(plain: Mapping[str, Any]) -> Basis:
    """The inverse of `basis_json`."""
    questions = tuple(
        Question(
            query_id=q["id"],
            text=q["text"],
            grades=q["grades"],
            spans=tuple(Span(*span) for span in q["spans"]),
            tags=tuple(q["tags"]),
        )
        for q in plain["questions"]
    )
    gold = Gold(questions, plain["version"], plain["unjudged"])
    return Basis(plain["name"], tuple(plain["doc_ids"]), gold, plain["corpus"], plain["gold"])
