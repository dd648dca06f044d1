"""A family cut into tiles: members that weigh postings alike stand together."""

from __future__ import annotations

import numpy as np

from rag_sweep.arrays import FloatArray, IntArray


def tiles(points: FloatArray, size: int) -> list[IntArray]:
    """Numbers of the members of each tile, at most `size` in each.

    A family is halved where its members differ most, and each half again, as in a k-d tree (Bentley 1975).

    Parameters
    ----------
    points : float64, shape (members, coordinates)
        Members with near points are alike.
    size
        At least 1.
    """
    tile = np.arange(len(points))
    found = []
    ahead = [tile]
    while ahead:
        tile = ahead.pop()
        if len(tile) <= size:
            found.append(tile)
            continue
        widest = np.ptp(points[tile], axis=0).argmax()
        tile = tile[np.argsort(points[tile, widest], kind="stable")]
        ahead += [tile[len(tile) // 2 :], tile[: len(tile) // 2]]
    return found
