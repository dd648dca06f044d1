"""Where something stands in a file, and text files read so that every machine sees the same characters."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rag_sweep.errors import Fault


@dataclass(frozen=True, slots=True)
class Place:
    """A file, and a line of it (from 1) where there is one; of a table also the row, which may take lines."""

    file: Path
    line: int | None = None
    row: int | None = None

    def fault(self, what: str, id: str | None = None, level: Literal["error", "warning"] = "error") -> Fault:
        """A fault at this place."""
        return Fault(what, self.file, self.line, id, level, self.row)


def read_text(path: Path, faults: list[Fault], pipe: bool = False) -> str | None:
    """The text of a UTF-8 file, without a byte order mark and with ``\\n`` as the only line end.

    None, and one fault, where the file can't be read or isn't UTF-8. What isn't a file (a pipe, a device)
    is not even opened, because that may never come back; `pipe` allows a pipe.
    """
    try:
        kind = path.stat().st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind) or (pipe and stat.S_ISFIFO(kind))):
            faults.append(Fault("isn't a regular file but a pipe, a socket or a device: it isn't read", path))
            return None
        data = path.read_bytes()
    except FileNotFoundError:
        faults.append(Fault("doesn't exist", path))
        return None
    except OSError as error:
        faults.append(Fault(f"can't be read: {error.strerror or error}", path))
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        faults.append(_not_utf8(path, data, error.start))
        return None
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _not_utf8(path: Path, data: bytes, offset: int) -> Fault:
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    guess = "; it looks like UTF-16" if utf16 else ""
    line = data.count(b"\n", 0, offset) + 1
    what = f"isn't UTF-8: byte 0x{data[offset]:02x} at offset {offset}{guess}; save it as UTF-8"
    return Fault(what, path, line)
