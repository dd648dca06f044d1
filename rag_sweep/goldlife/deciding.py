"""The decision of `rag-sweep compare`, without all that is told of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rag_sweep.comparison.baseline import choose_baseline
from rag_sweep.comparison.choice import choose
from rag_sweep.comparison.cost import Cost
from rag_sweep.comparison.grid import Grid, Member
from rag_sweep.comparison.measured import Measured
from rag_sweep.comparison.prices import Prices, costs_in
from rag_sweep.comparison.settings import Decide
from rag_sweep.configuration import Scalar
from rag_sweep.matrix.data import SweepData


@dataclass(frozen=True, eq=False)
class Decided:
    """What was chosen of one sweep, in rows of `grid`.

    Attributes
    ----------
    promote
        The choice: what the rule picks, or the baseline where nothing speaks for a change.
    baseline
        What the others are compared with.
    why
        As `comparison.choice.Choice` says it.
    """

    grid: Grid
    promote: int
    baseline: int
    why: str

    @property
    def choice(self) -> Member:
        """The configuration that was chosen."""
        return self.grid.members[self.promote]

    def row_of(self, index: int) -> int:
        """The row of a configuration, by its index in the sweep."""
        return next(row for row, one in enumerate(self.grid.members) if one.record.index == index)


def decided(
    sweep: SweepData,
    indexes: Iterable[int],
    decide: Decide,
    shipped: Mapping[str, Scalar] | None,
    objective: str | None = None,
) -> Decided:
    """Choose one of some configurations of a sweep, as `comparison.compare` does.

    Raises
    ------
    DataError, ConfigError
        As `Grid.chosen`, and for a baseline that isn't there.
    """
    from threadpoolctl import threadpool_limits

    grid = Grid.chosen([(sweep, index) for index in indexes], objective=objective)
    baseline = choose_baseline(grid, decide.baseline, shipped).row
    with threadpool_limits(1):  # sums of matrix products depend on the number of threads
        measured = Measured.of(grid, baseline, decide)
        costs: tuple[Cost, ...] = costs_in(grid)
        chosen = choose(measured, Prices.of(costs).select(grid.main), decide)
    kept = chosen.promote == measured.baseline
    return Decided(grid, baseline if kept else int(grid.main[chosen.promote]), baseline, chosen.why)
