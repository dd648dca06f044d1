"""Rows of numbers in a store: many small results of one model kept as one entry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_sweep.fingerprint import fingerprint
from rag_sweep.store.entry import Arrays, Entry, Store
from rag_sweep.store.texthash import KEY_SIZE, KeyArray

_VERSION = 1


class Shelf:
    """The rows of one stage and one model that a store holds.

    An entry holds what was computed at one time: ``keys``, S16 of shape (n,), and ``values``, float32 or
    float64 of shape (n, ...).
    """

    def __init__(self, store: Store, stage: str, model: str) -> None:
        self._store = store
        self._stage = stage
        self._model = model
        self._taken: set[str] = set()

    def new(self) -> Iterator[tuple[KeyArray, NDArray[Any]]]:
        """Keys and values of the entries that weren't given yet; sorted by entry, so always in one order."""
        for key in sorted(self._store.find(self._stage, {"model": self._model}) - self._taken):
            self._taken.add(key)
            arrays = self._store.get(key)
            if arrays is not None and _is_whole(arrays):
                yield arrays["keys"], arrays["values"]

    def keep(self, keys: KeyArray, values: NDArray[Any]) -> NDArray[Any]:
        """Put rows into the store; gives the stored values where they can be mapped, else `values`."""
        key = fingerprint([self._stage, _VERSION, self._model, keys.tobytes()])
        self._taken.add(key)
        arrays = {"keys": keys, "values": values}
        self._store.put({key: Entry(self._stage, arrays, {"model": self._model})})
        kept = self._store.get(key)
        same = kept is not None and _is_whole(kept) and kept["values"].shape == values.shape
        return kept["values"] if kept is not None and same else values


def _is_whole(arrays: Arrays) -> bool:
    if arrays.keys() != {"keys", "values"}:
        return False
    keys, values = arrays["keys"], arrays["values"]
    typed = keys.dtype == np.dtype(f"S{KEY_SIZE}") and values.dtype in (np.float32, np.float64)
    return typed and keys.ndim == 1 and values.ndim >= 1 and len(keys) == len(values)
