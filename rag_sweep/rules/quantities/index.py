"""The quantities of a text by what they may mean, so that a claim isn't compared with all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.rules.quantities.found import (
    ALWAYS,
    PERCENT,
    SHORTEST_FAULT,
    SHORTEST_PHONE,
    TIMES,
    Quantity,
)
from rag_sweep.rules.quantities.parse import quantities
from rag_sweep.rules.quantities.periods import periods
from rag_sweep.rules.quantities.units import DAY, MONTH, SECOND

_STEMS = StemmedAnalyzer()
_DIGITS = 8
"""Of a value, by which two that are equal are looked up."""


@dataclass(frozen=True)
class Index:
    """The numbers of a text, and its periods without one, in order."""

    quantities: tuple[Quantity, ...]

    @cached_property
    def counted(self) -> frozenset[str]:
        """Stems of all that is counted."""
        return frozenset(thing for one in self.quantities for thing in things(one))

    @cached_property
    def has_shares(self) -> bool:
        """True if one is a part of something."""
        return any(one.is_share for one in self.quantities)

    @cached_property
    def has_periods(self) -> bool:
        """True if it says of something how long it takes, or lasts: a day or more."""
        return any(
            one.unit in (SECOND, MONTH)
            and (one.told in ("span", "term") if one.kind == "period" else not _is_short(one))
            for one in self.quantities
        )

    @cached_property
    def _by_key(self) -> dict[Hashable, list[int]]:
        found: dict[Hashable, list[int]] = defaultdict(list)
        for at, one in enumerate(self.quantities):
            for key in _keys(one):
                found[key].append(at)
        return dict(found)

    def like(self, claim: Quantity) -> list[Quantity]:
        """All that mean what a claim means, in order, among some others."""
        places = {at for key in _keys(claim) for at in self._by_key.get(key, ())}
        return [self.quantities[at] for at in sorted(places)]


@lru_cache(maxsize=4096)
def index_of(text: str) -> Index:
    """The index of a text."""
    return Index(tuple(sorted((*quantities(text), *periods(text)), key=lambda one: one.start)))


@lru_cache(maxsize=16_384)
def _stems(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(_STEMS.tokens(" ".join(words)))


def things(one: Quantity) -> frozenset[str]:
    """Stems of what it may count."""
    return _stems(one.things) if one.things else frozenset()


def _is_short(one: Quantity) -> bool:
    return one.kind != "amount" or one.spelt or (one.unit == SECOND and one.scale < DAY[1])


def _keys(one: Quantity) -> set[Hashable]:
    """Two that mean the same have one in common."""
    if one.kind in ("amount", "period"):
        return set(_of_amount(one))
    found: set[Hashable] = set()
    for reading in one.readings:
        if isinstance(reading, tuple):
            found |= {("month", reading[1]), *_near(float(reading[0]))}
        elif isinstance(reading, str):
            found |= {reading, *_ends(reading)}
    return found | (_near(DAY[1]) if ALWAYS in one.readings else set())


def _of_amount(one: Quantity) -> Iterator[Hashable]:
    yield one.text
    yield from (("rate", rate) for rate in one.rates)
    if one.kind == "period":
        yield "rate", (one.unit, one.scale)
    if one.unit in (PERCENT, TIMES) or one.is_share_in_words:
        yield "share"
    for reading in one.readings:
        if isinstance(reading, tuple):
            yield "month", reading[1]
        elif isinstance(reading, float):
            scales = {1.0, one.scale, *(scale for _, scale in one.also)}
            yield from (near for scale in scales for near in _near(reading * scale))
            if reading in range(25):
                yield f"{int(reading):02}:00"


def _near(value: float) -> set[Hashable]:
    """A value as far as it is looked at, and its neighbour where it lies on the border of two."""
    return {f"{value * (1 + shift):.{_DIGITS}g}" for shift in (-1e-9, 1e-9)}


def _ends(code: str) -> Iterator[Hashable]:
    """The last digits, by which phone numbers and errors are found."""
    if code.isdecimal():
        yield "phone", code[-SHORTEST_PHONE:]
    if code[-SHORTEST_FAULT:].isdecimal():
        yield "fault", code[-SHORTEST_FAULT:]
