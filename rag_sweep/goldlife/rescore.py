"""`rag-sweep gold rescore`: kept results under another version of their gold, and the decisions that flip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.comparing.request import Request
from rag_sweep.comparison.plain import plain
from rag_sweep.errors import DataError
from rag_sweep.goldlife.aligned import Alignment
from rag_sweep.goldlife.deciding import Decided, decided
from rag_sweep.goldlife.moving import Moved, moved_by
from rag_sweep.goldlife.opened import OpenedGold, dataset_words, open_gold
from rag_sweep.goldlife.rescored import RescoredSweep
from rag_sweep.goldlife.stored import Kept, Stored
from rag_sweep.matrix.data import SweepData
from rag_sweep.records import Gold


@dataclass(frozen=True)
class Verdict:
    """One decision, as plain data.

    Attributes
    ----------
    index, name
        The configuration that was chosen.
    why
        As `comparison.choice.Choice` says it.
    mean
        Of the objective.
    questions
        Answerable ones, which means are over.
    baseline, best
        Names of the baseline and of the one with the highest mean, and their means.
    """

    index: int
    name: str
    why: str
    mean: float
    questions: int
    baseline: str
    baseline_mean: float
    best: str
    best_mean: float

    @classmethod
    def of(cls, one: Decided) -> Verdict:
        """Of a decision."""
        grid = one.grid
        return cls(
            index=one.choice.record.index,
            name=one.choice.name,
            why=one.why,
            mean=float(grid.mean[one.promote]),
            questions=grid.values.shape[1],
            baseline=grid.members[one.baseline].name,
            baseline_mean=float(grid.mean[one.baseline]),
            best=grid.members[0].name,
            best_mean=float(grid.mean[0]),
        )


@dataclass(frozen=True)
class Row:
    """The mean of one configuration before and after, each over its own answerable questions."""

    index: int
    name: str
    before: float
    after: float


@dataclass(frozen=True)
class SweepRescore:
    """A sweep under another gold.

    Attributes
    ----------
    before
        The decision by the gold that it was measured on, over all its questions.
    shared
        The decision by the same judgements over the questions that both golds have.
    after
        The decision by the new judgements over these; None where it can't be made, which `problem` says.
    cause
        Of a flip: "judgements", or "questions" where leaving out the others is enough for it.
    moved
        The questions that carried a flip, the largest share first.
    rows
        Every configuration, best after first.
    """

    sweep_id: str
    name: str
    objective: str
    configurations: int
    gold_before: str
    alignment: Alignment
    before: Verdict | None
    shared: Verdict | None
    after: Verdict | None
    problem: str | None
    cause: str | None
    moved: tuple[Moved, ...]
    rows: tuple[Row, ...]

    @property
    def flips(self) -> bool:
        """True if another configuration is chosen now."""
        return self.before is not None and self.after is not None and self.before.index != self.after.index

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; every number is finite or None."""
        told: dict[str, Any] = {
            "sweep_id": self.sweep_id,
            "name": self.name,
            "objective": self.objective,
            "configurations": self.configurations,
            "gold_before": self.gold_before,
            "questions": self.alignment.to_dict(),
            "flips": self.flips,
            "cause": self.cause,
            "problem": self.problem,
        }
        parts = {"before": self.before, "shared": self.shared, "after": self.after}
        return {**told, **{key: plain(part) for key, part in parts.items()}, **_lists(self)}


def _lists(one: SweepRescore) -> dict[str, Any]:
    return {"moved": plain(one.moved), "configurations_rescored": plain(one.rows)}


@dataclass(frozen=True, eq=False)
class Rescoring:
    """Every sweep that was measured anew, with what was passed over in `notes`."""

    gold: OpenedGold
    sweeps: tuple[SweepRescore, ...]
    notes: tuple[str, ...]

    @property
    def flipped(self) -> tuple[SweepRescore, ...]:
        """Those whose decision flips."""
        return tuple(one for one in self.sweeps if one.flips)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; every number is finite or None."""
        return {
            "gold": self.gold.gold.fingerprint if self.gold.documents.whole else None,
            "version": self.gold.gold.version,
            "questions": len(self.gold.gold.questions),
            "flipped": [one.sweep_id for one in self.flipped],
            "sweeps": [one.to_dict() for one in self.sweeps],
            "notes": list(self.notes),
        }


def rescore(
    words: Sequence[str], gold: Path | None, *, partial: bool = False, config_dir: str | None = None
) -> Rescoring:
    """Measure kept rankings by a gold; nothing is retrieved, and nothing that is kept is changed.

    Parameters
    ----------
    words
        Names of sweeps as `Finder.find` takes them, none for all that are kept; and overrides: of the
        dataset where `gold` is None, and of ``decide``.
    gold
        A GOLD file.

    Raises
    ------
    DataError
        For a gold that is wrong, and where nothing of what is kept is about it.
    UsageError, ConfigError, TrackingError
        For what isn't there or can't be.
    """
    request = Request.of(words, config_dir)
    named = dataset_words(request.overrides)
    folder = ["--config-dir", config_dir] if config_dir else []
    opened = open_gold([*folder, *named], gold)
    stored = Stored(request, partial)
    found = tuple(rescored(kept, request) for kept in stored.sweeps(request.names, opened.gold))
    if not found:
        told = "nothing that is kept has a question of this gold"
        raise DataError("\n".join([f"{told}: looked in {request.journal} and in MLflow", *stored.told[:5]]))
    return Rescoring(opened, found, (*opened.warnings, *stored.told))


def rescored(kept: Kept, request: Request) -> SweepRescore:
    """Measure one sweep anew; `request` says how is decided."""
    sweep, indexes, alignment = kept
    before = _decided(sweep, indexes, request)
    after: Decided | str = "it has no question of this gold"
    shared: Decided | str = after
    if alignment.at:
        after = _decided(RescoredSweep(sweep, alignment), indexes, request)
        old = _with_old_judgements(sweep, alignment)
        shared = _decided(old, indexes, request) if alignment.loses else before
    moved: tuple[Moved, ...] = ()
    rows: tuple[Row, ...] = ()
    if isinstance(before, Decided) and isinstance(after, Decided):
        moved, rows = moved_by(before, after), _rows(before, after)
    verdicts = [Verdict.of(one) if isinstance(one, Decided) else None for one in (before, shared, after)]
    problems = [one for one in (before, after) if isinstance(one, str)]
    return SweepRescore(
        sweep_id=sweep.sweep_id,
        name=sweep.name,
        objective=request.objective or sweep.objective,
        configurations=len(indexes),
        gold_before=sweep.basis.gold_hash,
        alignment=alignment,
        before=verdicts[0],
        shared=verdicts[1],
        after=verdicts[2],
        problem=problems[0] if problems else None,
        cause=_cause(*verdicts),
        moved=moved,
        rows=rows,
    )


def _with_old_judgements(sweep: SweepData, alignment: Alignment) -> SweepData:
    """The sweep over the shared questions, judged as it was."""
    questions = tuple(sweep.questions[at] for at in alignment.at)
    old = Gold(questions, sweep.basis.gold.version)
    return RescoredSweep(sweep, alignment.judged_by(old))


def _decided(sweep: SweepData, indexes: Sequence[int], request: Request) -> Decided | str:
    """The decision, or why there is none."""
    try:
        return decided(sweep, indexes, request.decide, request.shipped, request.objective)
    except DataError as error:
        return str(error)


def _cause(before: Verdict | None, shared: Verdict | None, after: Verdict | None) -> str | None:
    if before is None or after is None or before.index == after.index:
        return None
    return "questions" if shared is not None and shared.index == after.index else "judgements"


def _rows(before: Decided, after: Decided) -> tuple[Row, ...]:
    old = {
        one.record.index: float(mean) for one, mean in zip(before.grid.members, before.grid.mean, strict=True)
    }
    return tuple(
        Row(one.record.index, one.name, old[one.record.index], float(mean))
        for one, mean in zip(after.grid.members, after.grid.mean, strict=True)
    )
