"""A budget that holds: what a call may cost at most is set aside before it is made."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from decimal import Decimal

from rag_sweep.checks import is_count
from rag_sweep.errors import ConfigError
from rag_sweep.llm.secrets import told_value

_MONEY = re.compile(r"([0-9]+(?:\.[0-9]+)?(?:E-[0-9]{1,2})?) ?([a-z]{3})", re.IGNORECASE | re.ASCII)
"""With the exponent that Python writes a very small sum with."""
LONGEST = 40
"""Characters of a budget; more are no sum that anybody has."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens, and what they cost."""

    tokens: int = 0
    money: Decimal = Decimal(0)

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.tokens + other.tokens, self.money + other.money)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.tokens - other.tokens, self.money - other.money)


NOTHING = Cost()


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What may be spent; None sets no limit."""

    tokens: int | None = None
    money: Decimal | None = None
    currency: str = ""

    @classmethod
    def of(cls, given: int | str | None) -> Ceiling:
        """``200000`` is tokens, ``1.50usd`` is money.

        Raises
        ------
        ConfigError
            For anything else.
        """
        if given is None:
            return cls()
        if is_count(given, 0) and int(given) < 10**LONGEST:
            return cls(tokens=int(given))
        text = given.strip() if isinstance(given, str) else ""
        short = len(text) <= LONGEST and not is_count(given, 0)
        if short and text.isascii() and text.isdigit():
            return cls(tokens=int(text))
        found = _MONEY.fullmatch(text) if short else None
        if found is None:
            longest = "" if short else f" of at most {LONGEST} characters"
            raise ConfigError(
                f"limits.budget must be tokens (an int >= 0) or money (1.50usd) or null{longest}, "
                f"got {told_value(given)}"
            )
        return cls(money=Decimal(found[1]), currency=found[2].lower())

    def allows(self, cost: Cost) -> bool:
        """Whether so much may be spent."""
        enough = self.tokens is None or cost.tokens <= self.tokens
        return enough and (self.money is None or cost.money <= self.money)

    def told(self, cost: Cost) -> str:
        """A cost in the unit of the ceiling."""
        return f"{cost.tokens:,} tokens" if self.money is None else f"{cost.money:.6f} {self.currency}"

    def __str__(self) -> str:
        return f"{self.tokens:,} tokens" if self.money is None else f"{self.money:f} {self.currency}"


@dataclass
class Budget:
    """What was spent, and what may be.

    Attributes
    ----------
    paid
        Everything, where the server didn't say its most.
    guessed
        The tokens of `paid` that are such a most, and may have been fewer.
    """

    ceiling: Ceiling = field(default_factory=Ceiling)
    paid: Cost = NOTHING
    guessed: int = 0
    _held: Cost = NOTHING
    _changed: threading.Condition = field(default_factory=threading.Condition, repr=False)

    @property
    def spent(self) -> int:
        """The tokens of `paid`."""
        return self.paid.tokens

    def hold(self, most: Cost) -> bool:
        """Set the most that a call may cost aside; waits for calls under way, which may give some back.

        False if there is not enough left.
        """
        with self._changed:
            while not self.ceiling.allows(self.paid + self._held + most):
                if not self.ceiling.allows(self.paid + most) or self._held == NOTHING:
                    return False
                self._changed.wait()
            self._held += most
            return True

    def settle(self, most: Cost, paid: Cost, *, guessed: bool) -> None:
        """Give back what was set aside, less what was paid."""
        with self._changed:
            self._held -= most
            self.paid += paid
            self.guessed += paid.tokens if guessed else 0
            self._changed.notify_all()
