"""What goes into every statistic: a checked table of values, without numerical dust."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.checks import is_count, require

TIE = 1e-9
"""Values and means that differ by less are equal."""
CLOSE = 1e-6
"""Studentised sums, from -1 to 1, that differ by less are equal: their scale enlarges dust."""

Bounds = tuple[float, float]
"""The lowest and the highest value that the measure can have."""


def tidy(numbers: FloatArray) -> FloatArray:
    """`numbers` with 12 decimals and no negative zero: what stands behind is dust, of sums in another order.

    Fewer decimals would do harm: with 9, 1/3 - 0 and 2/3 - 1/3 would differ by a `TIE`.
    """
    result: FloatArray = np.round(numbers, 12) + 0.0
    return result


def settled(numbers: FloatArray) -> FloatArray:
    """`numbers` with 10 decimals: results, of which the last bits may depend on the number of threads."""
    result: FloatArray = np.round(numbers, 10) + 0.0
    return result


def settle(number: float) -> float:
    """`settled`, for one number."""
    return float(round(number, 10)) + 0.0


def distinct_rows(table: FloatArray) -> tuple[FloatArray, IntArray]:
    """Each different row once, in an order of their own, and the place of every row among them."""
    rows, place = np.unique(table, axis=0, return_inverse=True)
    return rows, place.ravel().astype(np.int64)


def checked(values: FloatArray, bounds: Bounds = (-np.inf, np.inf)) -> FloatArray:
    """The same values, tidy, as float64 of shape (configurations, questions).

    Raises
    ------
    ConfigError
        For another number of axes, an empty table, NaN, infinities, or values outside of `bounds`.
    """
    table = np.asarray(values, dtype=np.float64)
    shape = "a table (configurations, questions) with at least one of each"
    require("values", table.shape, shape, table.ndim == 2 and table.size > 0)
    odd = table[~np.isfinite(table)]
    require("values", odd[:1].tolist(), "finite", odd.size == 0)
    lowest, highest = bounds
    require("bounds", bounds, "a pair (lowest, highest)", lowest < highest)
    outside = table[(table < lowest - TIE) | (table > highest + TIE)]
    require("values", outside[:1].tolist(), f"from {lowest:g} to {highest:g}", outside.size == 0)
    return tidy(table)


def check_share(key: str, value: float) -> None:
    """Refuse what isn't strictly between 0 and 1, such as a level of 95."""
    require(key, value, "a number between 0 and 1", 0.0 < value < 1.0)


def check_row(key: str, row: int, values: FloatArray) -> None:
    """Refuse a row number that `values` doesn't have; negative ones too."""
    rows = len(values)
    require(key, row, f"a row from 0 to {rows - 1}", is_count(row, 0) and row < rows)


def differences_from(values: FloatArray, baseline: int) -> FloatArray:
    """Each row minus the row of the baseline, 0 where they are equal, shape (configurations, questions)."""
    differences = tidy(values - values[baseline])
    return np.where(np.abs(differences) <= TIE, 0.0, differences)


def numbered(labels: Sequence[object]) -> IntArray:
    """Equal labels get equal numbers, from 0 in order of appearance, int64, shape (labels,)."""
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(label, len(seen)) for label in labels], dtype=np.int64)


def best_share(means: FloatArray) -> FloatArray:
    """1 for the best row of each column, in equal parts if several are as good, else 0; the same shape."""
    best = means >= means.max(axis=0) - TIE
    share: FloatArray = best / best.sum(axis=0)
    return share
