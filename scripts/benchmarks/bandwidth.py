"""How fast this machine copies memory, and how many bytes a configuration can't do without."""

from __future__ import annotations

import time

import numpy as np

WEIGHT, RANK = 8, 12
"""Bytes of a weight (float64), and of one rank of a ranking (int32 and float64)."""


def copy_bandwidth(size: int, seconds: float = 0.2) -> float:
    """Bytes read plus bytes written in a second while an array of `size` bytes is copied again and again.

    An array that fits into a cache is copied at the speed of that cache: the bound of a small collection
    is not that of main memory. The median of single copies.
    """
    source = np.ones(max(1, size // 8))
    target = np.zeros_like(source)
    found: list[float] = []
    ends = time.perf_counter() + seconds
    while len(found) < 3 or time.perf_counter() < ends:
        started = time.perf_counter()
        np.copyto(target, source)
        found.append(time.perf_counter() - started)
    return 2 * source.nbytes / float(np.median(found))


def lexical_bytes(postings: int, touched: int) -> int:
    """For one (k1, b): a tf is read and a weight written for each posting, a weight read for each touch.

    Not counted, because a family of configurations or a cache may save them: the passage numbers, the
    lengths, the sums, the selection of the best.
    """
    return 2 * WEIGHT * postings + WEIGHT * touched


def fusion_bytes(questions: int, depth: int, kept: int) -> int:
    """For one k_rrf: two ranked lists are read, one ranking is written."""
    return RANK * questions * (2 * depth + kept)
