"""An array that doesn't fit in memory, while it is filled row by row."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_sweep.matrix.layout import Form

_BLOCK = 1_000_000  # bytes that are read at once


class Rows:
    """An array on the disk whose rows come in any order.

    Parameters
    ----------
    folder
        Where its file is, which has no name: no crash leaves it behind.
    form
        What it is made of, and what stands where nothing was put.
    shape
        Of the whole array.
    """

    def __init__(self, folder: Path, form: Form, shape: tuple[int, ...]) -> None:
        self.form, self.shape = form, shape
        self._dtype = np.dtype(form.dtype)
        self._there = np.zeros(shape[0], dtype=np.bool_)
        self._length = int(np.prod(shape[1:], dtype=np.int64)) * self._dtype.itemsize
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by `close`

    def put(self, row: int, values: NDArray[Any]) -> NDArray[Any]:
        """Set a row to `values`, each axis of which may be shorter; gives what stands there now.

        Raises
        ------
        ValueError
            If they are longer.
        """
        whole = np.full(self.shape[1:], self.form.fill, self._dtype)
        whole[tuple(map(slice, values.shape))] = values
        self._file.seek(row * self._length)
        self._file.write(whole.tobytes())
        self._there[row] = True
        return whole

    def blocks(self) -> Iterator[NDArray[Any]]:
        """The array in its order, some rows at a time."""
        size = max(1, _BLOCK // max(1, self._length))
        for start in range(0, self.shape[0], size):
            there = self._there[start : start + size]
            block = np.full((len(there), *self.shape[1:]), self.form.fill, self._dtype)
            self._file.seek(start * self._length)
            found = self._file.read(block.nbytes)
            block.reshape(-1).view(np.uint8)[: len(found)] = np.frombuffer(found, np.uint8)
            block[~there] = self.form.fill
            yield block

    def close(self) -> None:
        """Give the space back."""
        self._file.close()
