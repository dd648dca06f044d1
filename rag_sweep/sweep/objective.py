"""What a Hydra job returns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_sweep.execute import Outcome


class Objective(float):
    """The value to maximise; from another process what was measured rides along to the parent.

    Attributes
    ----------
    outcome, failure
        What the configuration gave, or why it failed; both None where the session has it already.
    """

    outcome: Outcome | None = None
    failure: str | None = None

    @classmethod
    def carrying(cls, value: float, outcome: Outcome | None, failure: str | None) -> Objective:
        """An objective with all that the parent needs; NaN for a failed configuration."""
        objective = cls(math.nan if outcome is None else value)
        objective.outcome, objective.failure = outcome, failure
        return objective
