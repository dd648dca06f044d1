"""Leaders at an equal budget of context."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.comparison.evidence import BUDGETS, context_curve
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.parts import Curve, CurveRow


def curve_of(grid: Grid, rows: Sequence[int]) -> Curve:
    """The curves of some rows, in their order."""
    found: dict[int, CurveRow] = {}
    measure = ""
    for number, sweep in enumerate(grid.sweeps):
        own = [row for row in rows if grid.members[row].sweep == number]
        if own:
            curve = context_curve(sweep, [grid.members[row].at for row in own])
            measure = curve.measure
            for at, row in enumerate(own):
                found[row] = CurveRow(
                    row, tuple(curve.values[at].tolist()), tuple(curve.cut_short[at].tolist())
                )
    return Curve(measure, BUDGETS, tuple(found[row] for row in rows))
