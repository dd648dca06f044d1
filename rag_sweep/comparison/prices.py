"""What configurations cost, as far as a choice may depend on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import BoolArray, IntArray
from rag_sweep.comparison.constraint import Constraint
from rag_sweep.comparison.cost import Cost, costs_of, pareto
from rag_sweep.comparison.grid import Grid

CLEARLY = 1.25
"""An amount that is more than so many times another one is clearly larger."""
STEP = 1.02
"""Amounts are rounded to powers of it."""


@dataclass(frozen=True, eq=False)
class Prices:
    """Who is cheaper than whom.

    One configuration is cheaper than another one if it takes clearly less work for a question, or hands over
    clearly fewer words, and isn't clearly dearer in the other one of both. "Clearly" is by more than a
    quarter, so that no quality is given away for nothing. Where one works less and the other one hands over
    less, neither is cheaper: nobody but you knows what a word costs. There are no circles, since a step that
    makes one amount clearly smaller makes the other one at most as much larger.

    Attributes
    ----------
    kind : int64, shape (configurations,)
        Configurations of one kind cost the same, to within 2 %.
    cheaper : bool, shape (kinds, kinds)
        True where the kind of the row is cheaper than that of the column.
    within : bool, shape (configurations,)
        True for those that keep to a constraint; without one, for all.
    """

    kind: IntArray
    cheaper: BoolArray
    within: BoolArray

    @classmethod
    def of(cls, costs: Sequence[Cost], limits: Constraint | None = None) -> Prices:
        """Compare costs, with each other and with limits."""
        amounts = np.array([(cost.units, cost.words) for cost in costs], dtype=np.float64)
        steps = np.round(np.log(np.maximum(amounts, 1.0)) / math.log(STEP)).astype(np.int64)
        kinds, kind = np.unique(steps, axis=0, return_inverse=True)
        apart = kinds[np.newaxis] - kinds[:, np.newaxis]  # of the column over the row
        clearly = math.log(CLEARLY) / math.log(STEP)
        less, dearer = (apart > clearly).any(axis=2), (apart < -clearly).any(axis=2)
        within = np.array([limits is None or limits.holds(cost) for cost in costs], dtype=np.bool_)
        return cls(kind.ravel().astype(np.int64), np.asarray(less & ~dearer, dtype=np.bool_), within)

    def select(self, rows: IntArray) -> Prices:
        """Of some configurations only."""
        return Prices(self.kind[rows], self.cheaper, self.within[rows])

    def than(self, row: int) -> BoolArray:
        """Which configurations are cheaper than one of them, shape (configurations,)."""
        below: BoolArray = self.cheaper[self.kind, self.kind[row]]
        return below

    def cheapest(self, allowed: BoolArray) -> BoolArray:
        """Those allowed that no other one allowed undercuts; both of shape (configurations, choices)."""
        order = np.argsort(self.kind, kind="stable")
        kinds, starts = np.unique(self.kind[order], return_index=True)
        there = np.zeros((len(self.cheaper), allowed.shape[1]), dtype=np.bool_)
        there[kinds] = np.logical_or.reduceat(allowed[order], starts, axis=0)
        undercut = (self.cheaper.T.astype(np.float64) @ there.astype(np.float64)) > 0
        result: BoolArray = allowed & ~undercut[self.kind]
        return result


def costs_in(grid: Grid) -> tuple[Cost, ...]:
    """The cost of each member of a grid."""
    by_sweep = [costs_of(sweep) for sweep in grid.sweeps]
    found = [by_sweep[one.sweep][one.at] for one in grid.members]
    return tuple(cost for cost in found if cost is not None)  # members have values, so costs


def undominated(grid: Grid, costs: Sequence[Cost]) -> BoolArray:
    """Members than which none is better without more work for a question, shape (members,)."""
    return pareto(grid.mean, np.array([cost.units for cost in costs], dtype=np.float64))
