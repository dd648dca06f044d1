"""The file format: a pack holds the entries of one put and never changes.

All numbers are little-endian; everything that is aligned is so to 64 bytes.

    0     magic (8 bytes), format version (u32), zero (u32), length of the header (u64), of the data (u64)
    32    SHA-256 of the 32 bytes before and of the header
    64    the header: JSON, each key with its stage, meta, place and size in the data, SHA-256, and arrays
    ...   the data, aligned: each entry's arrays, one after the other, each aligned

A file must be exactly as long as it says. Reading takes nothing for granted: whatever doesn't fit is
`Damaged`. The types of arrays come from a short list, so reading a file can't run anything.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rag_sweep.store.entry import Entry, Scalar

VERSION = 1
"""The version of the format: what another one wrote isn't read."""

_MAGIC = b"RSPACK\r\n"  # the line end shows a copy made in text mode
_PREAMBLE = struct.Struct("<8sIIQQ")
_START = _PREAMBLE.size + hashlib.sha256().digest_size
_ALIGNED = 64
_DTYPE = re.compile(r"\|b1|\|[iu]1|<[iu][248]|<f[248]|<c(8|16)|\|S[1-9][0-9]{0,8}")
_MOST_DIMENSIONS = 32


class Damaged(Exception):
    """A file is no whole pack; the text says what is wrong with it. Never leaves the store."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry's arrays lie in the data, and what was put beside them. `arrays` is as in the file."""

    stage: str
    meta: Mapping[str, Scalar]
    at: int
    size: int
    checksum: str
    arrays: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Header:
    """What a pack says of itself: its entries by key, where its data begins, its whole length in bytes."""

    entries: Mapping[str, Place]
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack to be written: pieces that make `length` bytes. The arrays' own memory, where it is in order."""

    pieces: tuple[memoryview, ...]
    length: int


def encode(entries: Mapping[str, Entry]) -> Pack:
    """The bytes of a pack.

    Raises
    ------
    TypeError
        For an array of a type that isn't kept, named with its entry's stage.
    ValueError
        For meta that aren't plain.
    """
    described: dict[str, Any] = {}
    data: list[memoryview] = []
    at = 0
    for key, entry in entries.items():
        described[key], pieces = _encode_entry(entry, at)
        data += pieces
        at += described[key]["size"]
    header = json.dumps({"entries": described}, separators=(",", ":")).encode("ascii")
    preamble = _PREAMBLE.pack(_MAGIC, VERSION, 0, len(header), at)
    head = preamble + hashlib.sha256(preamble + header).digest() + header
    head += bytes(_padding(len(head)))
    return Pack((memoryview(head), *data), len(head) + at)


def read_header(file: BinaryIO, length: int) -> Header:
    """The header of an open pack of `length` bytes, without reading its data.

    Raises
    ------
    Damaged, OSError
    """
    beginning = file.read(_START)
    if len(beginning) < _START:
        raise Damaged("too short")
    magic, version, _, header_length, data_length = _PREAMBLE.unpack_from(beginning)
    start = _START + header_length + _padding(_START + header_length)
    if magic != _MAGIC or version != VERSION:
        raise Damaged("not of this format")
    if start + data_length != length:
        raise Damaged(f"{length} bytes instead of {start + data_length}")
    header = file.read(header_length)
    if hashlib.sha256(beginning[: _PREAMBLE.size] + header).digest() != beginning[_PREAMBLE.size :]:
        raise Damaged("the header's checksum is wrong")
    return Header(_decode_header(header, data_length), start, length)


def read_arrays(place: Place, data: memoryview) -> dict[str, NDArray[Any]]:
    """The arrays of an entry as views of its `data`, which numpy sees to be long enough.

    Raises
    ------
    Damaged
    """
    if len(data) != place.size:
        raise Damaged("an entry is cut off")
    try:
        return {name: _view(form, data) for name, form in place.arrays.items()}
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise Damaged(f"an array is described wrongly: {error}") from error


def checksum_of(data: Iterable[memoryview]) -> str:
    """SHA-256 of an entry's data, as its `Place` names it."""
    checksum = hashlib.sha256()
    for piece in data:
        checksum.update(piece)
    return checksum.hexdigest()


def _encode_entry(entry: Entry, at: int) -> tuple[dict[str, Any], list[memoryview]]:
    forms: dict[str, Any] = {}
    pieces: list[memoryview] = []
    size = 0
    for name, array in entry.arrays.items():
        order = _order(entry, name, array)
        flat = np.asarray(array, order=order).reshape(-1, order=order)
        forms[name] = {"dtype": array.dtype.str, "shape": array.shape, "order": order, "at": size}
        pieces += [flat.view(np.uint8).data, memoryview(bytes(_padding(flat.nbytes)))]
        size += flat.nbytes + _padding(flat.nbytes)
    described = {"stage": entry.stage, "meta": _plain(entry), "at": at, "size": size}
    return {**described, "sha256": checksum_of(pieces), "arrays": forms}, pieces


def _order(entry: Entry, name: str, array: object) -> Any:
    """The order in memory, kept because the last bits of a matrix product depend on it."""
    if type(array) not in (np.ndarray, np.memmap) or not isinstance(array, np.ndarray):
        raise TypeError(f"{entry.stage}: {name!r} must be a plain array, got {type(array).__name__}")
    if not _DTYPE.fullmatch(array.dtype.str) or array.dtype.names or array.ndim > _MOST_DIMENSIONS:
        raise TypeError(
            f"{entry.stage}: {name!r} can't be stored as {array.dtype} of {array.ndim} dimensions"
        )
    return "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"


def _plain(entry: Entry) -> dict[str, Scalar]:
    for name, value in entry.meta.items():
        if not isinstance(name, str) or not (value is None or isinstance(value, str | int | float)):
            raise ValueError(f"{entry.stage}: meta must be plain scalars by name, got {name!r}: {value!r}")
    return dict(entry.meta)


def _decode_header(header: bytes, data_length: int) -> dict[str, Place]:
    try:
        return dict(_places(json.loads(header)["entries"].items(), data_length))
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise Damaged(f"the header is wrong: {error}") from error


def _places(entries: Any, data_length: int) -> Iterator[tuple[str, Place]]:
    for key, form in entries:
        at, size = _count(form["at"]), _count(form["size"])
        if at + size > data_length or not isinstance(form["stage"], str):
            raise ValueError(f"entry {key}")
        meta, arrays = dict(form["meta"].items()), dict(form["arrays"].items())
        yield key, Place(form["stage"], meta, at, size, form["sha256"], arrays)


def _view(form: Mapping[str, Any], data: memoryview) -> NDArray[Any]:
    shape = tuple(_count(size) for size in form["shape"])
    at, order = _count(form["at"]), form["order"]
    if not _DTYPE.fullmatch(form["dtype"]) or order not in ("C", "F") or len(shape) > _MOST_DIMENSIONS:
        raise ValueError("no type or order that is kept")
    return np.ndarray(shape, np.dtype(form["dtype"]), buffer=data, offset=at, order=order)


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is no length")
    return value


def _padding(length: int) -> int:
    return -length % _ALIGNED
