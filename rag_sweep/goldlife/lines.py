"""The lines of a GOLD file as bytes: what isn't changed stays as it is, to the last byte."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.dataset.jsonl import read_rows
from rag_sweep.errors import DataError, Fault

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_END = re.compile(rb"[ \t]*(?:\r\n|\n|\r)?\Z")


@dataclass(frozen=True, eq=False)
class GoldLines:
    """A GOLD file.

    Attributes
    ----------
    path, content
        The file and what is in it.
    raw
        Its lines with their ends, from the first.
    values
        The object of each line that has one, by the line's number from 1.
    """

    path: Path
    content: bytes
    raw: tuple[bytes, ...]
    values: Mapping[int, Mapping[str, Any]]

    @classmethod
    def of(cls, path: Path) -> GoldLines:
        """Read a file. Raises DataError for one that can't be read, or whose lines are broken."""
        faults: list[Fault] = []
        rows = read_rows(path, faults)
        if rows is None or faults:
            raise DataError(faults)
        content = path.read_bytes()
        values = {row.place.line: row.values for row in rows if row.place.line is not None}
        return cls(path, content, tuple(_LINE.findall(content)), values)

    @property
    def end(self) -> bytes:
        """How its lines end."""
        found = _END.search(self.raw[0]) if self.raw else None
        return (found[0].lstrip(b" \t") if found else b"") or b"\n"

    def changed(self, version: str | None, changes: Mapping[int, Mapping[str, Any] | None]) -> bytes:
        """The file with other objects in some lines, None for no line, and another version declared."""
        texts = [self._line(number, raw, changes) for number, raw in enumerate(self.raw, 1)]
        if version is not None:
            self._declare(version, texts)
        return b"".join(texts)

    def with_line(self, values: Mapping[str, Any]) -> bytes:
        """What comes behind the content if one more object is to stand there."""
        ended = not self.content or self.content.endswith((b"\n", b"\r"))
        text = json.dumps(values, ensure_ascii=False).encode()
        return (b"" if ended else self.end) + text + self.end

    def _line(self, number: int, raw: bytes, changes: Mapping[int, Mapping[str, Any] | None]) -> bytes:
        if number not in changes:
            return raw
        values = changes[number]
        return b"" if values is None else _rewritten(raw, self.values[number], values)

    def _declare(self, version: str, texts: list[bytes]) -> None:
        """Say the version in the first object, or in a line before it."""
        first = min(self.values, default=1)
        values = self.values.get(first, {})
        if "gold" in values and "question" not in values:
            head = values["gold"] if isinstance(values["gold"], Mapping) else {}
            told = {**values, "gold": {**head, "version": version}}
            texts[first - 1] = _rewritten(self.raw[first - 1], values, told)
            return
        mark = codecs.BOM_UTF8 if texts and texts[0].startswith(codecs.BOM_UTF8) else b""
        if mark:
            texts[0] = texts[0].removeprefix(mark)
        line = json.dumps({"gold": {"version": version}}, ensure_ascii=False).encode()
        texts.insert(0, mark + line + self.end)


def _rewritten(raw: bytes, old: Mapping[str, Any], new: Mapping[str, Any]) -> bytes:
    """`new` written as the line has `old`: with its white space, escapes and end, where that can be told."""
    mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
    found = _END.search(raw)
    end = found[0] if found else b""
    body = raw[len(mark) : len(raw) - len(end)].decode("utf-8", "replace").strip()
    styles = [
        {"ensure_ascii": ascii_only, "separators": separators}
        for ascii_only in (False, True)
        for separators in ((", ", ": "), (",", ":"))
    ]
    style = next((one for one in styles if json.dumps(old, **one) == body), styles[0])  # type: ignore[arg-type]
    return mark + json.dumps(new, **style).encode() + end  # type: ignore[arg-type]
