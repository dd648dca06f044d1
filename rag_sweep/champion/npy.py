"""Arrays as ``.npy`` files, without pickle: a header is checked before anything is made of it.

The format is NumPy's own (NEP 1). Nothing is allocated for what a header claims: it must say what is there.
"""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_sweep.errors import DataError, Fault

LONGEST_HEADER = 4_096
"""Characters; our own have some 120."""

_KINDS = "biufSU"
"""Booleans, ints, floats, bytes and texts of fixed width: no objects, no records, no dates."""


def array_bytes(array: NDArray[Any]) -> bytes:
    """An array as a ``.npy`` file in little-endian C order; equal arrays give equal bytes.

    Raises
    ------
    DataError
        For an array of objects, of records or of dates.
    """
    if array.dtype.kind not in _KINDS:
        raise DataError(f"an array of {array.dtype} can't be kept in a bundle")
    plain = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
    target = io.BytesIO()
    np.lib.format.write_array(target, plain, version=(1, 0), allow_pickle=False)
    return target.getvalue()


def array_of(content: bytes, file: Path) -> NDArray[Any]:
    """The array of a ``.npy`` file.

    Raises
    ------
    DataError
        For any other file: another header, objects, or more or fewer bytes than the shape needs.
    """
    source = io.BytesIO(content)
    try:
        if np.lib.format.read_magic(source) != (1, 0):
            raise ValueError("a version of the format that bundles don't use")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(source, max_header_size=LONGEST_HEADER)
        _check(shape, fortran, dtype, len(content) - source.tell())
        flat = np.frombuffer(content, dtype, offset=source.tell())
        return flat.reshape(shape).copy()  # aligned, and free of the file's bytes
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        reason = (str(error).splitlines() or [""])[0]
        raise DataError(Fault(f"is no array that a bundle may hold: {reason:.200}", file=file)) from error


def _check(shape: tuple[int, ...], fortran: bool, dtype: np.dtype[Any], there: int) -> None:
    if dtype.kind not in _KINDS or dtype.hasobject or not dtype.itemsize:
        raise ValueError(f"it holds {dtype}")
    if fortran or any(size < 0 for size in shape):
        raise ValueError(f"its shape is {shape}{' in Fortran order' if fortran else ''}")
    if (size := math.prod(shape) * dtype.itemsize) != there:
        raise ValueError(f"its header claims {size:,} bytes, and there are {there:,}")
