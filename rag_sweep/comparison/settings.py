"""How it is decided: the block ``decide`` of the configuration."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from rag_sweep.checks import is_count, require
from rag_sweep.comparison.constraint import Constraint

Correction = Literal["max_t", "holm"]
Grouping = Literal["question", "document"]
RuleName = Literal["cheapest_of_the_best", "best", "one_standard_error", "pareto"]


@dataclass(frozen=True)
class Decide:
    """How configurations are compared and one of them is chosen.

    Parameters
    ----------
    baseline
        What all others are compared with: None for the configuration as shipped, an index, a name, or
        override words such as ``"lexical.k1=1.2 chunker=document"``.
    alpha
        Chance of a false alarm over all comparisons together, and of leaving the truly best configuration out
        of the set of the best.
    level
        Confidence of each interval.
    correction
        ``max_t``: randomisation over the whole grid; ``holm``: paired t-tests.
    resamples, seed
        Of randomisation and bootstrap.
    folds, repeats
        Of the honest value: into how many parts the questions are dealt, and how often.
    groups
        What stays together in a part: the same ``question``, or questions about the same ``document``.
    difference
        The difference that would matter to you, in units of the objective; None if you don't know.
    rule
        ``best``: the highest mean. ``cheapest_of_the_best``: the cheapest of the set of the best that didn't
        measure below the baseline. ``one_standard_error``: the same among those within one standard error of
        the best. ``pareto``: the highest mean among those that keep to `constraint`, and of equal ones the
        cheapest.
    constraint
        Limits on deterministic costs, for ``pareto``: ``words<=1500``, ``units<=2e6 and bytes<=1e8``.

    Raises
    ------
    ConfigError
        For a parameter out of range.
    """

    baseline: int | str | None = None
    alpha: float = 0.05
    level: float = 0.95
    correction: Correction = "max_t"
    resamples: int = 10_000
    seed: int = 0
    folds: int = 5
    repeats: int = 50
    groups: Grouping = "question"
    difference: float | None = None
    rule: RuleName = "cheapest_of_the_best"
    constraint: str | None = None

    def __post_init__(self) -> None:
        named = self.baseline is None or isinstance(self.baseline, str) or is_count(self.baseline, 0)
        require("decide.baseline", self.baseline, "an index >= 0, a name, override words, or null", named)
        for key in ("alpha", "level"):
            value = getattr(self, key)
            inside = isinstance(value, float) and 0.0 < value < 1.0
            require(f"decide.{key}", value, "a number between 0 and 1", inside)
        for key, least in (("resamples", 100), ("seed", 0), ("folds", 2), ("repeats", 1)):
            value = getattr(self, key)
            require(f"decide.{key}", value, f"an int >= {least}", is_count(value, least))
        for key, words in (("correction", Correction), ("groups", Grouping), ("rule", RuleName)):
            value, allowed = getattr(self, key), get_args(words)
            require(f"decide.{key}", value, f"one of {', '.join(allowed)}", value in allowed)
        self._check_constraint()
        require(
            "decide.difference", self.difference, "a number above 0, or null", _is_difference(self.difference)
        )

    def _check_constraint(self) -> None:
        """A constraint belongs to the rule that reads it; both or none."""
        example = "such as 'decide.constraint=\"words<=1500\"'"
        if self.rule == "pareto":
            told = f"given with decide.rule=pareto, {example}"
            require("decide.constraint", self.constraint, told, self.constraint is not None)
        else:
            told = f"null with decide.rule={self.rule}: only decide.rule=pareto reads it"
            require("decide.constraint", self.constraint, told, self.constraint is None)
        _ = self.limits

    @property
    def limits(self) -> Constraint | None:
        """The constraint as numbers."""
        return None if self.constraint is None else Constraint.parse(self.constraint)


def _is_difference(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (number and 0.0 < float(str(value)) < math.inf)
