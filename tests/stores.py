"""Entries and keys for the tests of the store."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from rag_sweep.store.diskstore import DiskStore
from rag_sweep.store.entry import Arrays, Entry

DTYPES = (
    *("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8"),
    *("<f2", "<f4", "<f8", "<c8", "<c16", "|S1", "|S16"),
)
"""Every kind of array that is kept."""


def key_of(thing: object) -> str:
    """A key, as a fingerprint would be."""
    return hashlib.sha256(repr(thing).encode()).hexdigest()


def entry(size: int, number: int = 0, stage: str = "ranking") -> Entry:
    """An entry with `size` bytes of random content that `number` decides."""
    content = np.random.default_rng(number).integers(0, 256, size, dtype=np.uint8)
    return Entry(stage, {"content": content}, {"number": number})


def store_in(folder: Path, limit: int = 10**9) -> DiskStore:
    """A store below a test's folder, opened as another process would."""
    return DiskStore(folder / "store", limit)


def pack_files(folder: Path) -> list[Path]:
    """The packs of the store below a test's folder."""
    return sorted((folder / "store" / "packs").glob("*.pack"))


def same(found: Arrays | None, put: Arrays) -> bool:
    """True if arrays came back with their names, types, shapes, order in memory and every bit."""
    if found is None or list(found) != list(put):
        return False
    return all(_same(found[name], put[name]) for name in put)


def _same(found: NDArray[Any], put: NDArray[Any]) -> bool:
    form = (found.dtype.str, found.shape) == (put.dtype.str, put.shape)
    return form and found.tobytes() == put.tobytes() and found.flags.f_contiguous >= put.flags.f_contiguous


def array_of(dtype: str, shape: tuple[int, ...], number: int) -> NDArray[Any]:
    """An array of any bits, NaN with payloads among them."""
    size = np.dtype(dtype).itemsize * math.prod(shape)
    content = np.random.default_rng(number).integers(0, 256, size, dtype=np.uint8)
    return (content & 1 if dtype == "|b1" else content).view(dtype).reshape(shape)


arrays = st.builds(
    array_of,
    st.sampled_from(DTYPES),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
    st.integers(0, 10**6),
)
"""Arrays of every kind, with empty ones and single numbers."""

LAYOUTS: Mapping[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "C order": lambda array: array,
    "Fortran order": lambda array: array.T,
    "neither": lambda array: array if array.ndim == 0 else array[::2],
}

laid_out = st.builds(lambda array, layout: LAYOUTS[layout](array), arrays, st.sampled_from(sorted(LAYOUTS)))
"""The same, in C order, in Fortran order and in neither."""

scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20))

entries: st.SearchStrategy[Mapping[str, Entry]] = st.dictionaries(
    st.integers(0, 10**6).map(key_of),
    st.builds(
        Entry,
        st.text(max_size=10),
        st.dictionaries(st.text(max_size=10) | st.just("\ud800"), laid_out, max_size=4),
        st.dictionaries(st.text(max_size=10), scalars, max_size=3),
    ),
    max_size=6,
)
