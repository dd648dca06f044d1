"""What a gate judges by: the least value of a measure, and the largest drop from a baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

from rag_sweep.checks import require
from rag_sweep.measures import MEASURES, Measure

Mode = Literal["regression", "non_inferiority"]

ALL = "all"
"""As the key of a largest drop: every measure at k."""


class Target(NamedTuple):
    """What a limit is about: a measure over all questions, or over those with a tag."""

    measure: str
    tag: str | None = None

    @classmethod
    def parse(cls, text: str, key: str) -> Target:
        """``recall@5``, or ``price:recall@5`` for the questions with the tag ``price``.

        Raises
        ------
        ConfigError
            For what is no measure.
        """
        tag, _, name = text.rpartition(":")
        return cls(str(Measure.parse(name.strip(), key)), tag.strip() or None)

    def __str__(self) -> str:
        return self.measure if self.tag is None else f"{self.tag}:{self.measure}"


@dataclass(frozen=True)
class Thresholds:
    """What has to hold. Keys are measures, ``recall@5``, or ``TAG:recall@5`` for the questions of a tag.

    Parameters
    ----------
    minima
        The least mean of each measure, 0 to 1.
    max_drop
        The largest drop of a mean from the baseline, 0 to 1: one number for every measure at k, or one for
        each key, of which ``all`` stands for every measure at k that has none of its own.
    mode
        ``regression``: fails where a drop beyond the limit was measured. ``non_inferiority``: fails unless
        a larger drop is excluded by the interval of the difference.
    alpha
        The interval of a difference has the confidence 1 - `alpha`, two-sided: each end is wrong with a
        chance of `alpha` / 2.

    Raises
    ------
    ConfigError
        For a value out of range, an unknown measure or mode.
    """

    minima: Mapping[str, float] = field(default_factory=dict)
    max_drop: float | Mapping[str, float] | None = None
    mode: Mode = "regression"
    alpha: float = 0.05

    def __post_init__(self) -> None:
        for key, value in self.minima.items():
            Target.parse(key, "thresholds.minima")
            require(f"thresholds.minima.{key}", value, "a number from 0 to 1", _is_share(value))
        for key, value in self.drops.items():
            if key != ALL:
                Target.parse(key, "thresholds.max_drop")
            require(f"thresholds.max_drop.{key}", value, "a number from 0 to 1", _is_share(value))
        modes = get_args(Mode)
        require("thresholds.mode", self.mode, f"one of {', '.join(modes)}", self.mode in modes)
        inside = isinstance(self.alpha, float) and 0.0 < self.alpha < 1.0
        require("thresholds.alpha", self.alpha, "a number between 0 and 1", inside)

    @property
    def drops(self) -> Mapping[str, float]:
        """The largest drops by key."""
        if self.max_drop is None:
            return {}
        return self.max_drop if isinstance(self.max_drop, Mapping) else {ALL: self.max_drop}

    @property
    def is_empty(self) -> bool:
        """True if nothing would be judged."""
        return not self.minima and not self.drops

    def least(self) -> dict[Target, float]:
        """The minima, in their order."""
        return {Target.parse(key, "thresholds.minima"): value for key, value in self.minima.items()}

    def largest(self, k: int) -> dict[Target, float]:
        """The largest drops, ``all`` spelled out."""
        own = {Target.parse(key, "thresholds.max_drop"): v for key, v in self.drops.items() if key != ALL}
        if ALL not in self.drops:
            return own
        every = {Target(f"{name}@{k}"): self.drops[ALL] for name in MEASURES}
        return {**every, **own}


def _is_share(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0.0 <= float(str(value)) <= 1.0
