"""What a decision is told from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag_sweep.comparison.choice import Choice
from rag_sweep.comparison.knobs import Knob
from rag_sweep.comparison.parts import Best, Curve, Honest, Power, StandIn
from rag_sweep.comparison.prices import Prices
from rag_sweep.comparison.row import Row
from rag_sweep.comparison.settings import Decide
from rag_sweep.comparison.words import brief, listed

SHOWN = 4
"""Differences of a stand-in that a sentence lists."""


@dataclass(frozen=True, eq=False)
class Findings:
    """Everything that a decision is told from; `choice` is in rows of the leaderboard.

    Attributes
    ----------
    worst
        The lower end of the difference of `choice.pick` from the baseline, with all comparisons counted in.
    prices
        Of `rows`.
    notes
        On what is compared: each is a caution.
    failed
        How many configurations have no values.
    """

    rows: tuple[Row, ...]
    knobs: Sequence[Knob]
    choice: Choice
    baseline: int
    stand_in: StandIn | None
    worst: float
    prices: Prices
    best: Best
    honest: Honest | None
    power: Power | None
    curve: Curve | None
    notes: Sequence[str]
    objective: str
    k: int
    questions: int
    distinct: int
    failed: int
    decide: Decide

    @property
    def promoted(self) -> Row:
        """The row to promote."""
        return self.rows[self.choice.promote]

    @property
    def old(self) -> Row:
        """The baseline's row."""
        return self.rows[self.baseline]

    @property
    def is_kept(self) -> bool:
        """True if the baseline stays."""
        return self.choice.promote == self.baseline

    @property
    def base(self) -> str:
        """What the baseline is called in a sentence: only where it is the user's own, it is theirs."""
        return "the baseline" if self.stand_in is None else "the stand-in"

    @property
    def differs(self) -> str:
        """Where the stand-in isn't like the user's configuration; an empty text where there is none."""
        return "" if self.stand_in is None else listed(self.stand_in.differs, most=SHOWN)

    @property
    def name(self) -> str:
        """Of the row to promote, as a sentence takes it."""
        return brief(self.promoted.name)

    def is_cheaper(self, row: Row, other: Row) -> bool:
        """True if one row is clearly cheaper than another one; see `Prices`."""
        return bool(self.prices.than(other.row)[row.row])
