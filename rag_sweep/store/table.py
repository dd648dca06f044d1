"""A sorted table in memory: values by key, looked up and added as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rag_sweep.arrays import BoolArray


class Table:
    """Values by key, one number each.

    Parameters
    ----------
    keys, values
        The types of keys and values; keys are anything that numpy sorts.
    """

    def __init__(self, keys: DTypeLike, values: DTypeLike) -> None:
        self._keys: NDArray[Any] = np.empty(0, keys)
        self._values: NDArray[Any] = np.empty(0, values)

    def look_up(self, keys: NDArray[Any]) -> tuple[NDArray[Any], BoolArray]:
        """The value of each key, and which are known; the value of the others means nothing. Shapes (n,)."""
        if not len(self._keys):
            return np.zeros(len(keys), self._values.dtype), np.zeros(len(keys), bool)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return self._values[at], self._keys[at] == keys

    def add(self, keys: NDArray[Any], values: NDArray[Any]) -> None:
        """Add values; a key that is there keeps its value, and of a key given twice one value is taken."""
        distinct, first = np.unique(keys, return_index=True)
        _, known = self.look_up(distinct)
        new, fresh = distinct[~known], values[first[~known]]
        at = np.searchsorted(self._keys, new)
        self._keys = np.insert(self._keys, at, new)
        self._values = np.insert(self._values, at, fresh)
