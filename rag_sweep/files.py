"""Files that are there whole or not at all, also after a crash or a power cut."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO


def write_whole(file: Path, temporary: Path, pieces: Iterable[bytes | memoryview]) -> None:
    """Write `file` by way of `temporary`, in the same folder; what was there before stays until then.

    Raises OSError; the temporary file is removed then, as far as that is possible.
    """
    with replacing(file, temporary) as target:
        for piece in pieces:
            target.write(piece)


@contextlib.contextmanager
def replacing(file: Path, temporary: Path) -> Iterator[BinaryIO]:
    """As `write_whole`, for a block that writes by itself; if it raises, nothing has changed."""
    try:
        with temporary.open("wb") as target:
            yield target
            target.flush()
            os.fsync(target.fileno())
        os.replace(temporary, file)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Make new names last through a power cut, where folders can be synced; else they may be lost."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
