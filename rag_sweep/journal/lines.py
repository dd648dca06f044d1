"""Append-only files of JSON lines, each with its checksum: half-written lines are nobody's results."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

_DIGITS = 16  # of SHA-256, before each line


def encoded(value: Any) -> bytes:
    """A line: checksum, a space, JSON, the line end. Raises TypeError for what JSON hasn't got."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return _checksum(text) + b" " + text + b"\n"


def read(file: Path) -> Iterator[Any]:
    """The values of all whole lines, in their order; none if there is no file. Raises OSError."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return
    for line in content.split(b"\n"):
        checksum, _, text = line.partition(b" ")
        if text and checksum == _checksum(text):
            yield json.loads(text.decode("utf-8", "surrogatepass"))


def append(file: Path, values: Iterable[Any]) -> None:
    """Add lines, which are on the disk when this returns. Raises OSError; what is half written is no line."""
    new = b"".join(map(encoded, values))
    with file.open("ab") as target:
        if target.tell() and not _ends_whole(file):
            new = b"\n" + new  # what a killed process began stays a line of its own, and is none
        target.write(new)
        target.flush()
        os.fsync(target.fileno())


def _ends_whole(file: Path) -> bool:
    with file.open("rb") as written:
        written.seek(-1, os.SEEK_END)
        return written.read(1) == b"\n"


def _checksum(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:_DIGITS].encode("ascii")
