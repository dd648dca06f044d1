"""Calling a model in blocks of one size, and keeping what is done even if the rest fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_sweep.arrays import IntArray
from rag_sweep.errors import StageFailed

_KEEP_EVERY = 30.0  # seconds: the most of a model's work that a killed process loses


def in_blocks(
    order: IntArray,
    block: int,
    compute: Callable[[IntArray], NDArray[Any]],
    keep: Callable[[IntArray, NDArray[Any]], None],
) -> None:
    """Compute rows for the positions in `order`.

    Parameters
    ----------
    order
        Positions, in the order in which they are computed.
    block
        `compute` always gets so many positions: the last block is filled up with its last position.
    compute
        Positions, shape (block,), to values, shape (block, ...).
    keep
        Takes finished positions with their values: every 30 seconds, at the end, and if `compute` raises.
    """
    done: list[NDArray[Any]] = []
    first, since = 0, time.monotonic()
    try:
        for start in range(0, len(order), block):
            part = order[start : start + block]
            done.append(compute(np.pad(part, (0, block - len(part)), "edge"))[: len(part)])
            if time.monotonic() - since >= _KEEP_EVERY:
                first, since = _keep(order, first, done, keep), time.monotonic()
    finally:
        _keep(order, first, done, keep)


def _keep(
    order: IntArray,
    first: int,
    done: list[NDArray[Any]],
    keep: Callable[[IntArray, NDArray[Any]], None],
) -> int:
    """Keep what is done from the position `first` on; gives the first that isn't done."""
    if not done:
        return first
    values = np.concatenate(done)
    done.clear()
    keep(order[first : first + len(values)], values)
    return first + len(values)


def finite(values: Any, rows: int, dimensions: int, what: str) -> NDArray[Any]:
    """A model's answer as float64, or as float32 if it is that.

    Raises
    ------
    StageFailed
        If it hasn't `rows` rows and so many dimensions, or holds NaN or infinity.
    """
    try:
        array = np.asarray(values)
        array = array if array.dtype == np.float32 else array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise StageFailed(f"{what} must give numbers: {error}") from error
    if array.ndim != dimensions or len(array) != rows:
        raise StageFailed(f"{what} must give {rows} rows in {dimensions} dimensions, got {array.shape}")
    if not np.isfinite(array).all():
        raise StageFailed(f"{what} gave a value that is no number")
    return array
