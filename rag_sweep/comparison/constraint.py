"""What a configuration may cost at most: ``words<=1500 and units<=2e6``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_sweep.checks import require

if TYPE_CHECKING:
    from rag_sweep.comparison.cost import Cost

AMOUNTS = {"units": "units", "words": "words", "bytes": "index_bytes"}
"""What can be limited, with the field of `Cost` that counts it."""

_LIMIT = re.compile(r"(?P<name>[a-z_]+)\s*<=\s*(?P<most>[0-9][0-9_.,]*(?:e[0-9]+)?)")
_AND = re.compile(r"\s+and\s+|\s*;\s*")
_ALLOWED = f"one or more of {', '.join(AMOUNTS)} with <= and a number, joined by and, as in words<=1500"


@dataclass(frozen=True)
class Constraint:
    """Limits that all have to hold.

    Attributes
    ----------
    most
        The largest amount by the name of a field of `Cost`.
    """

    most: tuple[tuple[str, float], ...]

    @classmethod
    def parse(cls, text: str) -> Constraint:
        """Read the text of ``decide.constraint``.

        Raises
        ------
        ConfigError
            For anything else, and for an amount that stands twice.
        """
        found = [_LIMIT.fullmatch(part) for part in _AND.split(text.strip())]
        limits = [(match["name"], _number(match["most"])) for match in found if match]
        names = [name for name, most in limits if name in AMOUNTS and math.isfinite(most)]
        whole = len(names) == len(found) == len(set(names))
        require("decide.constraint", text, _ALLOWED, whole)
        return cls(tuple((AMOUNTS[name], most) for name, most in limits))

    def holds(self, cost: Cost) -> bool:
        """True if nothing costs more."""
        return all(getattr(cost, name) <= most for name, most in self.most)

    def nearest(self, costs: Iterable[Cost]) -> str:
        """The least of each amount that there is: ``words 1,240, units 3,000``."""
        known = list(costs)
        shown = {field: name for name, field in AMOUNTS.items()}
        least = {field: min(getattr(cost, field) for cost in known) for field, _ in self.most}
        return ", ".join(f"{shown[field]} {amount:,.0f}" for field, amount in least.items())


def _number(text: str) -> float:
    try:
        return float(text.replace(",", "").replace("_", ""))
    except ValueError:
        return math.nan
