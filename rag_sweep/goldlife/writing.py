"""Files of a new version: whole or not at all, and never over one that is there."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rag_sweep.errors import UsageError
from rag_sweep.files import sync_folder, write_whole

if sys.platform != "win32":
    import fcntl

LOG = ".log.jsonl"
"""Behind the name of a file: what changed in it, and why."""

_WRITABLE = 0o222


def log_of(file: Path) -> Path:
    """Where the log of a file is."""
    return file.with_name(f"{file.name}{LOG}")


def log_bytes(head: Mapping[str, Any], changes: Iterable[Mapping[str, Any]]) -> bytes:
    """A log: one JSON object a line, first what was made of what, then a change each."""
    rows = [{"log": head}, *changes]
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()


def refuse_existing(files: Iterable[Path], folders: bool = False) -> None:
    """Refuse to write over a file, and, unless `folders` may be made, into a folder that isn't there.

    Raises
    ------
    UsageError
        With the name.
    """
    for file in files:
        if os.path.lexists(file):
            raise UsageError(
                f"--out: {file} is there already, and nothing is written over; give another name"
            )
        if not (folders or file.parent.is_dir()):
            raise UsageError(f"--out: the folder {file.parent} doesn't exist")


def write_new(files: Mapping[Path, bytes], folders: bool = False) -> None:
    """Write files that aren't there, in their order; if one can't be written, those before are taken back.

    Parameters
    ----------
    folders
        Make the folders that aren't there.

    Raises
    ------
    UsageError
        If one is there, or can't be written.
    """
    refuse_existing(files, folders)
    done: list[Path] = []
    try:
        for file, content in files.items():
            if folders:
                file.parent.mkdir(parents=True, exist_ok=True)
            _write(file, content)
            done.append(file)
    except OSError as error:
        _take_back(done)
        raise UsageError(f"--out: can't be written: {error}") from error
    except BaseException:
        _take_back(done)
        raise


def _write(file: Path, content: bytes) -> None:
    """A link to a file that is whole appears at once, and not where a name is taken."""
    whole = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        write_whole(whole, whole.with_name(f"{whole.name}.part"), [content])
        _named(whole, file)
    finally:
        whole.unlink(missing_ok=True)
    sync_folder(file.parent)


def _named(whole: Path, file: Path) -> None:
    try:
        os.link(whole, file)
    except FileExistsError:
        raise
    except OSError as error:  # a file system without links
        if os.path.lexists(file):
            raise FileExistsError(17, "File exists", str(file)) from error
        os.rename(whole, file)


def _take_back(files: Iterable[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)


@contextmanager
def alone_with(file: Path) -> Iterator[None]:
    """Wait until no other process of this kind holds a file, and hold it; nothing is left beside it.

    Where files can't be locked (Windows, some network disks) nobody waits, and `append_line` refuses a file
    that has changed.

    Raises
    ------
    UsageError
        If it can't be read.
    """
    try:
        held = _held(file.resolve())
    except OSError as error:
        raise UsageError(f"{file} can't be read: {error.strerror or error}") from error
    try:
        yield
    finally:
        if held is not None:
            os.close(held)


def _held(file: Path) -> int | None:
    """The number of the file, open and locked; None where that can't be."""
    if sys.platform == "win32":  # an open file couldn't be replaced
        return None
    while True:
        number = os.open(file, os.O_RDONLY)
        try:
            with suppress(OSError):
                fcntl.flock(number, fcntl.LOCK_EX)
            if os.path.samestat(os.fstat(number), file.stat()):
                return number
        except BaseException:
            os.close(number)
            raise
        os.close(number)  # another one has put a new file in its place meanwhile


def append_line(file: Path, before: bytes, line: bytes, check: Callable[[Path], None]) -> None:
    """Put a line behind the bytes of a file, which stay as they are; a crash leaves either of both files.

    Parameters
    ----------
    before
        What the file was read as.
    check
        Raises if the new file, which is given under another name, isn't right; nothing has changed then.

    Raises
    ------
    UsageError
        If somebody else has changed it meanwhile, or it can't be written.
    """
    file = file.resolve()  # what a link points to is written, and the link stays
    # a new file could take its place all the same
    if not (file.stat().st_mode & _WRITABLE and os.access(file, os.W_OK)):
        raise UsageError(f"{file} is read-only: nothing was written; --out FILE writes a new version")
    whole = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        write_whole(whole, whole.with_name(f"{whole.name}.part"), [before, line])
        check(whole)
        shutil.copymode(file, whole)
        if file.read_bytes() != before:
            raise UsageError(f"{file} was changed by somebody else meanwhile: nothing was written; try again")
        os.replace(whole, file)
    except OSError as error:
        raise UsageError(f"{file} can't be written: {error.strerror or error}") from error
    finally:
        whole.unlink(missing_ok=True)
    sync_folder(file.parent)
