"""Short names for texts and for what a model makes of them: equal content, equal name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rag_sweep.arrays import IntArray

KeyArray: TypeAlias = NDArray[np.bytes_]
"""Keys of 16 bytes, dtype S16. Two of a billion texts share one with a chance below 1e-20."""

KEY_SIZE = 16


def key_array(keys: Iterable[bytes]) -> KeyArray:
    """Keys of `KEY_SIZE` bytes as an array, which may end in zero bytes."""
    return np.frombuffer(b"".join(keys), dtype=f"S{KEY_SIZE}")


def digest(text: str) -> bytes:
    """SHA-256 of a text, 32 bytes."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def joined(*digests: bytes) -> bytes:
    """A key for several things in this order, each given by its SHA-256."""
    return sha256(b"".join(digests)).digest()[:KEY_SIZE]


def distinct(texts: Sequence[str]) -> tuple[list[str], IntArray]:
    """Each text once, in the order of first appearance, and for each of `texts` its place there."""
    places: dict[str, int] = {}
    where: Any = np.fromiter((places.setdefault(text, len(places)) for text in texts), np.int64, len(texts))
    return list(places), where
