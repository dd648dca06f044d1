"""The rows of the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rag_sweep.comparison.cost import Cost
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.measured import Measured
from rag_sweep.comparison.prices import undominated
from rag_sweep.comparison.row import Row

EVIDENCE = ("recall", "precision", "found")


def rows_of(
    grid: Grid, measured: Measured, costs: Sequence[Cost], baseline: int, shares: Sequence[float] | None
) -> tuple[Row, ...]:
    """One row a member, best first.

    Parameters
    ----------
    shares
        How often each row of `measured.table` is chosen; None where that wasn't looked at.
    """
    board = _Board(grid, measured, costs, baseline, shares)
    return tuple(board.row(row) for row in range(len(grid)))


class _Board:
    """What all rows need, computed once."""

    def __init__(
        self,
        grid: Grid,
        measured: Measured,
        costs: Sequence[Cost],
        baseline: int,
        shares: Sequence[float] | None,
    ) -> None:
        self._grid, self._measured, self._costs = grid, measured, costs
        self._baseline, self._shares = baseline, shares
        self._ranks = (np.searchsorted(-grid.mean, -grid.mean) + 1).tolist()
        self._pareto = undominated(grid, costs)
        self._won, self._lost = measured.outcomes
        names = dict.fromkeys(name for sweep in grid.sweeps for name in sweep.columns)
        columns = [*dict.fromkeys([grid.objective, *names])]
        self._means = {name: self._column(name).tolist() for name in columns}

    def _column(self, name: str) -> np.ndarray:
        return self._grid.mean if name == self._grid.objective else self._grid.column(name)

    def row(self, row: int) -> Row:
        grid, measured = self._grid, self._measured
        one, at = grid.members[row], int(measured.place[row])
        root = int(grid.root[row])
        compared = self._compared(at) if at != measured.baseline else _nothing()
        return Row(
            row=row,
            rank=self._ranks[row],
            sweep=one.sweep,
            index=one.record.index,
            name=one.name,
            params={knob.key: knob.value(row) for knob in grid.knobs},
            mean=float(grid.mean[row]),
            lower=float(measured.means.lower[at]),
            upper=float(measured.means.upper[at]),
            means={name: values[row] for name, values in self._means.items()},
            **compared,
            is_baseline=row == self._baseline,
            in_best=bool(measured.best[at]),
            chosen_share=None if self._shares is None or root != row else self._shares[at],
            alias_of=None if root == row else root,
            twins=grid.twins[row],
            evidence=_evidence(one.record.metrics, grid.sweeps[one.sweep].k),
            words=one.record.metrics.get("context.words"),
            cost=self._costs[row].to_dict(),
            pareto=bool(self._pareto[row]),
            warnings=one.record.warnings,
        )

    def _compared(self, at: int) -> dict[str, float | int | bool]:
        """With the baseline."""
        measured = self._measured
        found = measured.differences
        won, lost = int(self._won[at]), int(self._lost[at])
        return {
            "difference": float(found.mean[at]),
            "difference_lower": float(measured.apart.lower[at]),
            "difference_upper": float(measured.apart.upper[at]),
            "p_value": float(found.p_value[at]),
            "p_adjusted": float(found.p_adjusted[at]),
            "effect": float(found.effect[at]),
            "shown": bool(measured.shown[at]),
            "wins": won,
            "ties": measured.table.shape[1] - won - lost,
            "losses": lost,
        }


def _nothing() -> dict[str, bool | None]:
    """What compares the baseline with itself."""
    empty = ("difference", "difference_lower", "difference_upper", "p_value", "p_adjusted", "effect")
    return {**dict.fromkeys((*empty, "wins", "ties", "losses")), "shown": False}


def _evidence(metrics: Mapping[str, float], k: int) -> dict[str, float] | None:
    """Means of the gold's spans in the first k passages; None for a gold without spans."""
    found = {name: metrics[f"evidence.{name}@{k}"] for name in EVIDENCE if f"evidence.{name}@{k}" in metrics}
    return found or None
