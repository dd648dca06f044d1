"""What a number in a text is: the record, and when one of a context backs one of an answer."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rag_sweep.rules.quantities.bounds import Bound, Side
from rag_sweep.rules.quantities.negation import (
    affirmed,
    are_antonyms,
    denied,
    is_condition,
    is_exempt,
    is_within,
)
from rag_sweep.rules.quantities.rates import other_rate
from rag_sweep.rules.quantities.units import DAY, SECOND, Unit

Kind = Literal["amount", "date", "clock", "code", "period"]
Told = Literal["", "span", "rate", "term", "other", "mention"]
HOUR = ("second", 3600.0)
PERCENT, TIMES = "percent", "times"
ALWAYS = "24/7"
SHORTEST_FAULT = 3
"""Digits of an error that may be called by them alone."""
SHORTEST_PHONE = 9
"""Digits of a phone number without its country."""
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
        An amount, a date, a time of the day, a code that has digits in it, or a period without a number.
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
    rates
        All for each of which it is, in base units: ``$8 per person per day``.
    things
        Words behind it that are no unit, and may name what is counted.
    also
        What else its unit may mean.
    short
        A word of up to three letters right behind it that looks like a unit and is none we know.
    clause
        What its clause says beside it; "" where nobody looked.
    hourly
        Whether a word beside it says that it may be a time of the day: ``until 8``.
    factor
        What a word behind its digits has multiplied them by: 1000 for ``тыс.``
    side
        Of what a time is told, before or after it: ``30 minutes before a meal``.
    told
        How a period is told: as how long something takes, ``within a week``; as how often it comes,
        ``once a week``; as how long it lasts, ``keep it a week``, which claims something where the context
        has a period; in another way; or only as a word.
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
    rates: tuple[Unit, ...] = ()
    things: tuple[str, ...] = ()
    also: tuple[Unit, ...] = ()
    short: str = ""
    clause: str = ""
    hourly: bool = False
    factor: float = 1.0
    side: Side | None = None
    told: Told = ""

    def backs(self, claim: Quantity) -> bool:
        """True if this one, of a context, says what `claim`, of an answer, says."""
        return self.means(claim) and not self.why_not(claim)

    def why_not(self, claim: Quantity) -> str:
        """The code of what keeps a number of the same value from backing `claim`; "" if nothing does."""
        if not self._fits(claim):
            return "other_unit"
        if other_rate(self.rates, claim.rates):
            return "other_rate"
        return self._contradicts(claim)

    def _contradicts(self, claim: Quantity) -> str:
        """``Not under 6`` says the same as ``over 6``; one of the two alone says the opposite."""
        if self.side and claim.side and self.side != claim.side:
            return "other_bound"
        denies = [one.negated or bool(denied(one.clause)) for one in (self, claim)]
        bounds = [one.bound for one in (self, claim)]
        if None not in bounds and bounds[0] != bounds[1]:
            same = denies[0] == denies[1] and not are_antonyms(self.clause, claim.clause)
            return "other_bound" if same else ""
        if denies[0] == denies[1]:
            return ""
        one, other = (self, claim) if denies[0] else (claim, self)
        if is_condition(one.clause) and not is_condition(other.clause):
            return ""
        if is_exempt(one.clause, other.clause):
            return ""
        if one.negated and (one.bound is None or one.bound == other.bound):
            return "negated"
        same_limits = bounds[0] == bounds[1] or (other.bound is None and is_within(one.clause, other.clause))
        return "negated" if same_limits and denied(one.clause) & affirmed(other.clause) else ""

    def means(self, claim: Quantity) -> bool:
        """True if it has the value of `claim`, whatever stands beside the two."""
        if self.kind != claim.kind:
            return (
                self._is_year_of(claim)
                or self._is_hour_of(claim)
                or claim._is_hour_of(self)
                or self._is_day_of(claim)
                or self._is_period_of(claim)
                or self._is_name_of(claim)
                or claim._is_name_of(self)
                or self._is_all_day_of(claim)
                or claim._is_all_day_of(self)
            )
        if self.kind == "period":
            return self._is_as_much(claim) and (self.told != "mention" or claim.told == "rate")
        if self.kind == "amount":
            return self._is_as_much(claim) or self._is_same_share(claim)
        if self.kind == "date":
            return any(_says(own, its) for own in self.readings for its in claim.readings)
        same = bool(set(self.readings) & set(claim.readings))
        return same or self._is_same_phone(claim) or self._is_same_fault(claim)

    def _is_as_much(self, claim: Quantity) -> bool:
        """In base units where both are of one, else as the digits say."""
        pairs = list(self._scales(claim)) or [(1.0, 1.0)]
        return any(
            _close(mine * own, theirs * its) for own, its in pairs for mine, theirs in self._values(claim)
        )

    def _scales(self, claim: Quantity) -> Iterator[tuple[float, float]]:
        """How many base units the two are one of, for each base that they may have in common."""
        for base, own in self._units():
            yield from ((own, its) for other, its in claim._units() if base == other)

    def _units(self) -> tuple[tuple[str | None, float], ...]:
        return ((self.unit, self.scale), *self.also)

    def _values(self, claim: Quantity) -> Iterator[tuple[float, float]]:
        for mine in self.readings:
            for theirs in claim.readings:
                if isinstance(mine, float) and isinstance(theirs, float):
                    yield mine, theirs

    def _is_same_share(self, claim: Quantity) -> bool:
        """``Half of it`` is 50 percent of it, and ``1.5 times`` are 150 percent."""
        for percent, share, swapped in ((claim, self, False), (self, claim, True)):
            if percent.unit == PERCENT and share.is_share_in_words:
                values = ((b, a) if swapped else (a, b) for a, b in self._values(claim))
                return any(_is_percent(part, whole) for part, whole in values)
        return False

    @property
    def is_share(self) -> bool:
        """True for a part of something: in per cent, or in words."""
        return self.unit == PERCENT or (self.unit != TIMES and self.is_share_in_words)

    @property
    def is_share_in_words(self) -> bool:
        """A part in words or with a stroke, or so many times."""
        if self.unit == TIMES:
            return True
        written = self.spelt or "/" in self.text or not self.text[:1].isdecimal()
        return (
            self.unit in (None, "?")
            and written
            and any(isinstance(one, float) and 0 < one < 1 for one in self.readings)
        )

    def _is_same_phone(self, claim: Quantity) -> bool:
        """With its country or without."""
        for one in self.readings:
            for other in claim.readings:
                if isinstance(one, str) and isinstance(other, str) and (one + other).isdecimal():
                    short, long = sorted((one.lstrip("0"), other.lstrip("0")), key=len)
                    if len(short) >= SHORTEST_PHONE and long.endswith(short):
                        return True
        return False

    def _is_same_fault(self, claim: Quantity) -> bool:
        """``Error 403`` may be ``VPN-403``."""
        if self.kind != "code":
            return False
        for one, other in ((self, claim), (claim, self)):
            for short in one.readings:
                for long in other.readings:
                    if isinstance(short, str) and isinstance(long, str) and _ends_with(long, short):
                        return True
        return False

    def _is_name_of(self, claim: Quantity) -> bool:
        """``v3.4``, or an error's code, and the bare number: by its digits, since 2.10 isn't 2.1."""
        bare = self.kind == "code" and claim.kind == "amount" and claim.unit in (None, "?")
        return bare and claim.text in self.readings

    def _is_all_day_of(self, claim: Quantity) -> bool:
        """``24 hours a day`` are also 24 hours."""
        hours = ALWAYS in self.readings and any(map(str.isalpha, self.text[3:4]))
        return hours and claim.unit == SECOND and (DAY[1] / claim.scale) in claim.readings

    def _is_period_of(self, claim: Quantity) -> bool:
        """As long in numbers, or what another amount is for each of: ``28 days a year``."""
        if self.kind == "period" and claim.kind == "amount":
            long = self.told in ("span", "rate", "term")
            return long and self.unit == claim.unit and self._is_as_much(claim)
        if claim.kind != "period" or self.kind != "amount":
            return False
        same = any(self._scales(claim)) and self._is_as_much(claim)
        return same or (claim.unit, claim.scale) in self.rates

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
        """«До 18 часов», or «до 18», is until 18:00; a bare 18 elsewhere is none."""
        hour = claim.kind == "amount" and (
            (claim.unit is None and claim.hourly) or (claim.unit, claim.scale) == HOUR
        )
        hours = {f"{int(one):02}:00" for one in claim.readings if isinstance(one, float) and one in range(25)}
        return self.kind == "clock" and hour and bool(hours & set(self.readings))

    def _fits(self, claim: Quantity) -> bool:
        """A claim without a known unit is backed with any; a bare number (of a table) backs any."""
        if self.kind != claim.kind or self.unit is None or self._is_same_share(claim):
            return True
        if claim.short:
            return self._has_short(claim)
        return claim.unit in (None, "?") or any(self._scales(claim))

    def _has_short(self, claim: Quantity) -> bool:
        """A short word that may be a unit is backed by itself, or by a long one that it may begin."""
        if self.unit != "?" or not self.short:
            return self.unit == "?"
        return self.short.startswith(claim.short) or claim.short.startswith(self.short)


def _is_percent(part: float, percent: float) -> bool:
    """Exactly, but for thirds, which no percentage is."""
    third = not part.is_integer() and _close(part * 3.0, round(part * 3.0))
    return _close(part * 100.0, percent) or (third and abs(part * 100.0 - percent) < 0.5)


def _ends_with(long: str, short: str) -> bool:
    """Digits at the end of a code whose other part has none beside them."""
    digits = short.isdecimal() and len(short) >= SHORTEST_FAULT and long.endswith(short)
    return digits and not long.isdecimal() and not long[: -len(short)][-1:].isdecimal()


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9)


def _says(own: object, its: object) -> bool:
    """True if one date says everything that another says."""
    if not (isinstance(own, tuple) and isinstance(its, tuple)):
        return False
    return all(theirs in (0, mine) for mine, theirs in zip(own, its, strict=True))
