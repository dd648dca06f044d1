"""The rows of a drill: what became of the values, and whether the gate noticed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.comparison.plain import plain
from rag_sweep.scorecard import Scorecard

TIE = 1e-12
"""Values that are closer are the same."""

SMALL = 0.0005
"""A mean that moves by less doesn't move: with three decimals nothing would be seen of it."""

BASELINE, CAUGHT, PASSED, UNCHANGED, IMPROVED = "baseline", "caught", "passed", "unchanged", "improved"
NOT_APPLICABLE, RESTORED = "not applicable", "restored"
"""What a state can be. Where the gate passes: the objective, or else another measure that is shown, falls
(passed), rises (improved), or no mean moves (unchanged)."""

UNNOTICED = (PASSED, UNCHANGED, IMPROVED)


@dataclass(frozen=True)
class Judged:
    """What the gate said.

    Attributes
    ----------
    exit_code
        That `rag-sweep gate` would end with.
    reasons
        What failed, in words; why it can't be compared; nothing if it passed.
    lower, upper
        The interval of the difference of the objective from the baseline; None if there is none.
    detectable
        The smallest difference of the objective that the gate could have detected; None if it isn't known.
    """

    exit_code: int
    reasons: tuple[str, ...] = ()
    lower: float | None = None
    upper: float | None = None
    detectable: float | None = None


@dataclass(frozen=True)
class Fall:
    """The measure that fell most, with the questions that fell in it, hardest first, and that rose."""

    measure: str
    before: float
    after: float
    worse: tuple[str, ...]
    better: tuple[str, ...]

    @property
    def change(self) -> float:
        """Negative."""
        return self.after - self.before


@dataclass(frozen=True)
class Effect:
    """What a sabotage does to the values.

    Attributes
    ----------
    means, changes
        By measure, and their differences from the baseline.
    fall
        None if no measure fell by `SMALL`.
    worse, better
        Questions whose objective fell (hardest first) and rose.
    moved
        Questions of which any value of any measure is another one.
    lost, found
        Questions that had a relevant document among the first k and have none any more; and the reverse.
    reordered
        Questions whose first k documents differ.
    """

    means: dict[str, float]
    changes: dict[str, float]
    fall: Fall | None
    worse: tuple[str, ...]
    better: tuple[str, ...]
    moved: tuple[str, ...]
    lost: tuple[str, ...]
    found: tuple[str, ...]
    reordered: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """A row: the baseline, a sabotage, or the restored configuration.

    Attributes
    ----------
    key, title, story
        As in `Sabotage`; the baseline's key is ``baseline``, that of the restored one ``restored``.
    status
        One of those above.
    told
        What exactly was done; or why it doesn't apply, why it failed, what isn't the same.
    effect, judged
        None where nothing was measured.
    because, catch
        Of an unnoticed sabotage: why the gold doesn't show it, and what would.
    """

    key: str
    title: str
    story: str
    status: str
    told: str
    effect: Effect | None = None
    judged: Judged | None = None
    because: tuple[str, ...] = ()
    catch: tuple[str, ...] = ()

    @property
    def caught(self) -> bool | None:
        """Whether the gate noticed; None for what is no sabotage, and for what doesn't apply."""
        return None if self.status in (BASELINE, RESTORED, NOT_APPLICABLE) else self.status == CAUGHT


@dataclass(frozen=True)
class Drill:
    """All rows, with what they are about.

    Attributes
    ----------
    name
        Of the configuration.
    dataset, gold, gold_version, corpus
        Name and hashes.
    questions, documents, k
        Answerable questions; documents; the cutoff that decides.
    objective, measures
        The measure that is decided by, and all that are looked at.
    thresholds
        What the gate was told, in words.
    seed
        Of every choice of a document or a question.
    states
        Baseline, sabotages in the order of their table, restored.
    identical
        True if the restored configuration gave the same bytes.
    shown
        Those of `measures` that have a column.
    unfit
        Why what the gate catches says nothing: it fails also where nothing is broken. None if it does not.
    """

    name: str
    dataset: str
    gold: str
    gold_version: str | None
    corpus: str
    questions: int
    documents: int
    k: int
    objective: str
    measures: tuple[str, ...]
    shown: tuple[str, ...]
    thresholds: tuple[str, ...]
    seed: int
    states: tuple[State, ...]
    identical: bool
    unfit: str | None = None

    @property
    def sabotages(self) -> tuple[State, ...]:
        """The rows of sabotages that apply."""
        return tuple(state for state in self.states if state.caught is not None)

    @property
    def caught(self) -> int:
        """How many of them the gate noticed."""
        return sum(1 for state in self.sabotages if state.caught)

    def is_passed(self, required: int | None = None) -> bool:
        """True if so many were noticed (all that apply for None), by a gate that can tell; never of none."""
        enough = self.caught >= (len(self.sabotages) if required is None else required)
        return bool(self.sabotages) and enough and self.identical and self.unfit is None

    def to_dict(self) -> dict[str, Any]:
        """As plain data: every number finite or None."""
        found: dict[str, Any] = plain(self)
        for row, state in zip(found["states"], self.states, strict=True):
            row["caught"] = state.caught
        return {**found, "caught": self.caught, "applicable": len(self.sabotages)}


def effect_of(card: Scorecard, baseline: Scorecard, objective: str, measures: Sequence[str]) -> Effect:
    """What lies between two scorecards of the same questions."""
    means, before = card.means(), baseline.means()
    shown = {name: means[name] for name in measures}
    changes = {name: _settled(means[name] - before[name]) for name in measures}
    worse, better = _moved(card, baseline, objective)
    asked = [at for at, answerable in enumerate(baseline.answerable) if answerable]
    had, has = set(baseline.zero_hits()), set(card.zero_hits())
    every = [baseline.query_ids[at] for at in asked]
    return Effect(
        means=shown,
        changes=changes,
        fall=_fall(card, baseline, changes),
        worse=worse,
        better=better,
        moved=tuple(q for at, q in zip(asked, every, strict=True) if _differ(card, baseline, at)),
        lost=tuple(q for q in every if q in has - had),
        found=tuple(q for q in every if q in had - has),
        reordered=tuple(
            q
            for at, q in zip(asked, every, strict=True)
            if card.rankings[at][: card.k] != baseline.rankings[at][: baseline.k]
        ),
    )


def status_of(effect: Effect, judged: Judged, objective: str) -> str:
    """What a sabotage's row says."""
    if judged.exit_code != 0:
        return CAUGHT
    if not any(moves(change) for change in effect.changes.values()):
        return UNCHANGED
    change = effect.changes[objective]
    falls = change < 0 if moves(change) else effect.fall is not None
    return PASSED if falls else IMPROVED


def moves(change: float) -> bool:
    """True if a difference of means would be seen with three decimals."""
    return abs(change) >= SMALL


def _fall(card: Scorecard, baseline: Scorecard, changes: dict[str, float]) -> Fall | None:
    measure = min(changes, key=lambda name: changes[name])
    if changes[measure] > -SMALL:
        return None
    worse, better = _moved(card, baseline, measure)
    return Fall(measure, baseline.means()[measure], card.means()[measure], worse, better)


def _moved(card: Scorecard, baseline: Scorecard, measure: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The questions that fall in a measure, hardest first, and those that rise, highest first."""
    change: FloatArray = card.column(measure) - baseline.column(measure)
    ids = [query_id for query_id, asked in zip(card.query_ids, card.answerable, strict=True) if asked]
    order = np.argsort(change, kind="stable").tolist()
    worse = tuple(ids[at] for at in order if change[at] < -TIE)
    return worse, tuple(ids[at] for at in reversed(order) if change[at] > TIE)


def _differ(card: Scorecard, baseline: Scorecard, at: int) -> bool:
    return bool((np.abs(card.values[at] - baseline.values[at]) > TIE).any())


def _settled(change: float) -> float:
    return 0.0 if abs(change) <= TIE else change
