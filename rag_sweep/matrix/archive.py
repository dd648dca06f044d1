"""Arrays in one zip, as ``numpy.load`` reads it too: nothing compressed, nothing pickled.

Equal content gives equal bytes, and every array is aligned so that it can be used where it lies on the disk.
"""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rag_sweep.errors import DataError, Fault
from rag_sweep.matrix.layout import Form

_ALIGNED = 64
_LOCAL = struct.Struct("<4s22xHH")  # signature, lengths of name and of extra fields
_ZIP64_FIELD = 20  # bytes that zipfile adds to the extra fields
_PADDING = 0xD935  # the extra field that aligns, as other tools write it
_AT_ONCE = 1 << 20  # bytes


class ArchiveWriter:
    """Writes members one after the other; `target` can be sought. To be closed."""

    def __init__(self, target: BinaryIO) -> None:
        self._target = target
        self._zip = zipfile.ZipFile(target, "w", zipfile.ZIP_STORED)

    def array(self, name: str, form: Form, shape: tuple[int, ...], blocks: Iterable[NDArray[Any]]) -> None:
        """Write an array, given as blocks along its first axis."""
        with self._zip.open(self._info(f"{name}.npy"), "w", force_zip64=True) as member:
            header = {"descr": form.dtype, "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(member, header)
            for block in blocks:
                member.write(block.astype(form.dtype, copy=False).tobytes())

    def content(self, name: str, pieces: Iterable[bytes]) -> None:
        """Write a member as it is."""
        with self._zip.open(self._info(name), "w", force_zip64=True) as member:
            for piece in pieces:
                member.write(piece)

    def close(self) -> None:
        """Write the directory."""
        self._zip.close()

    def _info(self, name: str) -> zipfile.ZipInfo:
        """The same whatever the clock and the system say."""
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        info.create_system, info.external_attr = 3, 0o644 << 16
        begun = self._target.tell() + 30 + len(name) + _ZIP64_FIELD + 4
        padding = -begun % _ALIGNED
        info.extra = struct.pack("<HH", _PADDING, padding) + bytes(padding)
        return info


class Archive:
    """Reads members; an array is checked when it is first asked for, and then used where it lies.

    Raises
    ------
    DataError
        Also by every method, for a file that can't be read, is damaged or none of ours.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        try:
            self._opened = file.open("rb")  # stays open: another file may take its name
        except OSError as error:
            raise DataError(Fault(f"can't be read: {error.strerror}", file=file)) from error
        try:
            self._zip = zipfile.ZipFile(self._opened)
        except (zipfile.BadZipFile, ValueError, EOFError, struct.error) as error:
            self._opened.close()
            raise self.damaged(error) from error
        self.names = frozenset(self._zip.namelist())

    def json(self, name: str) -> Any:
        """A member that is JSON."""
        try:
            return json.loads(self._zip.read(name))
        except (KeyError, ValueError, zipfile.BadZipFile, EOFError, RecursionError) as error:
            raise self.damaged(error) from error

    def array(self, name: str, form: Form) -> NDArray[Any]:
        """An array, read-only."""
        try:
            info = self._zip.getinfo(f"{name}.npy")
            self._check(info)
            return self._mapped(info, form)
        except (KeyError, ValueError, zipfile.BadZipFile, EOFError, struct.error) as error:
            raise self.damaged(error) from error

    def damaged(self, reason: object) -> DataError:
        """The error that says so."""
        text = str(reason.args[0]) if isinstance(reason, KeyError) and reason.args else str(reason)
        return DataError(Fault(f"is no whole file of a sweep: {text}", file=self.file))

    def _check(self, info: zipfile.ZipInfo) -> None:
        """Read it once: its checksum is compared at its end."""
        if info.compress_type != zipfile.ZIP_STORED:
            raise ValueError(f"{info.filename} is compressed")
        with self._zip.open(info) as member:
            while member.read(_AT_ONCE):
                pass

    def _mapped(self, info: zipfile.ZipInfo, form: Form) -> NDArray[Any]:
        self._opened.seek(info.header_offset)
        _, name, extra = _LOCAL.unpack(self._opened.read(_LOCAL.size))
        start = info.header_offset + _LOCAL.size + name + extra
        self._opened.seek(start)
        if np.lib.format.read_magic(self._opened) != (1, 0):
            raise ValueError(f"{info.filename} has an unknown header")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(self._opened)
        at = self._opened.tell()
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        if dtype != np.dtype(form.dtype) or fortran or len(shape) != form.axes:
            raise ValueError(f"{info.filename} holds {dtype} of {len(shape)} axes")
        if at + size != start + info.file_size:
            raise ValueError(f"{info.filename} has {start + info.file_size - at} bytes instead of {size}")
        return self._at(at, shape, dtype)

    def _at(self, at: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
        if 0 in shape:
            found = np.empty(shape, dtype)
            found.flags.writeable = False
            return found
        return np.memmap(self._opened, dtype, "r", at, shape).view(np.ndarray)
