"""What a number in a text is: the record, and when one of a context backs one of an answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Kind = Literal["amount", "date", "clock", "code"]
Bound = Literal["at most", "at least"]
HOUR = ("second", 3600.0)
Reading = float | str | tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number with what stands beside it.

    Attributes
    ----------
    text
        As it stands in the text, without its unit.
    start, end
        Characters ``[start, end)`` of the text, with the unit.
    kind
        An amount, a date, a time of the day, or a code that has digits in it.
    readings
        What it may mean: values (``1,000`` is 1000 or 1), or dates as ``(year, month, day)`` with 0 for what
        isn't said, or the code.
    unit
        The base unit; None for a bare number, ``?`` where a word follows that is no unit we know.
    scale
        How many base units one is.
    negated
        Whether a negation stands beside it.
    bound
        Whether it is a limit.
    spelt
        True for a number in words without a unit: it may back a claim, but is none.
    per
        The unit for each of which it is, in its base: ``$8 per day``.
    things
        Words behind it that are no unit, and may name what is counted.
    """

    text: str
    start: int
    end: int
    kind: Kind
    readings: tuple[Reading, ...]
    unit: str | None = None
    scale: float = 1.0
    negated: bool = False
    bound: Bound | None = None
    spelt: bool = False
    per: tuple[str, float] | None = None
    things: tuple[str, ...] = ()

    def backs(self, claim: Quantity) -> bool:
        """True if this one, of a context, says what `claim`, of an answer, says."""
        return self.means(claim) and not self.why_not(claim)

    def why_not(self, claim: Quantity) -> str:
        """The code of what keeps a number of the same value from backing `claim`; "" if nothing does."""
        if not self._fits(claim):
            return "other_unit"
        if self.per and claim.per and self.per != claim.per:
            return "other_rate"
        if self.negated != claim.negated:
            return "negated"
        return "other_bound" if self.bound and claim.bound and self.bound != claim.bound else ""

    def means(self, claim: Quantity) -> bool:
        """True if it has the value of `claim`, whatever stands beside the two."""
        if self.kind != claim.kind:
            return (
                self._is_year_of(claim)
                or self._is_hour_of(claim)
                or claim._is_hour_of(self)
                or self._is_day_of(claim)
            )
        if self.kind == "amount":
            return self._is_as_much(claim) or self._is_half(claim)
        if self.kind == "date":
            return any(_says(own, its) for own in self.readings for its in claim.readings)
        return bool(set(self.readings) & set(claim.readings))

    def _is_as_much(self, claim: Quantity) -> bool:
        """In base units where both are of one, else as the digits say."""
        own, its = (self.scale, claim.scale) if self.unit == claim.unit else (1.0, 1.0)
        return any(
            math.isclose(mine * own, theirs * its, rel_tol=1e-9)
            for mine in self.readings
            for theirs in claim.readings
            if isinstance(mine, float) and isinstance(theirs, float)
        )

    def _is_half(self, claim: Quantity) -> bool:
        """``Half of it`` is 50 percent of it."""
        return self.spelt and self.readings == (0.5,) and claim.unit == "percent" and 50.0 in claim.readings

    def _is_year_of(self, claim: Quantity) -> bool:
        """A bare year is backed by a date of that year."""
        bare = self.kind == "date" and claim.kind == "amount" and claim.unit is None
        years = {float(one[0]) for one in self.readings if isinstance(one, tuple)}
        return bare and bool(years & set(claim.readings))

    def _is_day_of(self, claim: Quantity) -> bool:
        """``07.11`` may be 7 November; as a date it says no year."""
        both = {self.kind, claim.kind} == {"date", "amount"}
        return both and any(_says(own, its) for own in self.readings for its in claim.readings)

    def _is_hour_of(self, claim: Quantity) -> bool:
        """«До 18 часов», or «до 18», is until 18:00."""
        hour = claim.kind == "amount" and (claim.unit is None or (claim.unit, claim.scale) == HOUR)
        hours = {f"{int(one):02}:00" for one in claim.readings if isinstance(one, float) and one in range(25)}
        return self.kind == "clock" and hour and bool(hours & set(self.readings))

    def _fits(self, claim: Quantity) -> bool:
        """A claim without a known unit is backed with any; a bare number (of a table) backs any."""
        if self.kind != claim.kind or self._is_half(claim):
            return True
        return claim.unit in (None, "?") or self.unit in (None, claim.unit)


def _says(own: object, its: object) -> bool:
    """True if one date says everything that another says."""
    if not (isinstance(own, tuple) and isinstance(its, tuple)):
        return False
    return all(theirs in (0, mine) for mine, theirs in zip(own, its, strict=True))
