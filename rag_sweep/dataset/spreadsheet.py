"""Tables that people open in a spreadsheet and bring back.

A cell that begins with ``=``, ``+``, ``-`` or ``@`` would be a formula there, and texts of questions and
documents are anybody's (CWE-1236): such a cell gets an apostrophe in front, which reading takes away again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rag_sweep.dataset.fields import nearest
from rag_sweep.dataset.places import Place, read_text
from rag_sweep.errors import DataError, Fault

MARK = "\ufeff"
"""Excel reads UTF-8 as such only behind this byte order mark."""

SEPARATORS = (",", ";", "\t")
"""Where the comma is the decimal sign, as in Russian, spreadsheets save with semicolons."""

_SEPARATOR = re.compile(r'\s*"?sep=([,;\t|:])"?\s*', re.IGNORECASE)
"""What Excel reads, and some write, as a first line of its own: it shows none."""
WORKBOOK = b"PK\x03\x04"
"""What xlsx and ods begin with."""
_FORMULA = re.compile(r"'*\s*[=+\-@＝＋－＠]|'*[\t\r\n\0]")


@dataclass(frozen=True)
class Line:
    """A row below the head: cells by column, stripped; a column that the row hasn't got is empty."""

    place: Place
    cells: Mapping[str, str]


def guarded(text: str) -> str:
    """`text` as a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """The inverse of `guarded`."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def table_bytes(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A table with a head: UTF-8 behind a byte order mark, commas, quotes where needed (RFC 4180)."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    return f"{MARK}{text.getvalue()}".encode()


def read_table(path: Path, needed: Sequence[str], optional: Collection[str]) -> list[Line]:
    """The rows of a table, in UTF-8, separated by commas, semicolons or tabs; empty rows are left out.

    A first line ``sep=;`` names another separator and is no row.

    Parameters
    ----------
    needed, optional
        Columns that the head must have, and may have; others are passed over.

    Raises
    ------
    DataError
        If it can't be read, if a column is missing or there twice, or if a row has more cells than the head.
    """
    faults: list[Fault] = []
    text = read_text(path, faults)
    if _begins(path, WORKBOOK):
        raise DataError(Fault("is a workbook, not a table as text: save it as CSV (UTF-8)", path))
    if text is None:
        raise DataError(faults)
    rows = _rows(path, text)
    if not rows:
        raise DataError(Fault(f"is empty; its first line must be {','.join(needed)}", path))
    head = [cell.strip().casefold() for cell in rows[0][1]]
    _check_head(rows[0][0], head, needed)
    return [line for place, cells in rows[1:] if (line := _line(place, head, cells, faults))] + _none(faults)


def _begins(path: Path, start: bytes) -> bool:
    with suppress(OSError):
        if path.is_file():
            with path.open("rb") as file:
                return file.read(len(start)) == start
    return False


def _rows(path: Path, text: str) -> list[tuple[Place, list[str]]]:
    """Each row that isn't empty, with its first line and as a spreadsheet counts rows.

    Raises
    ------
    DataError
        For what is no table.
    """
    begin, _, rest = text.partition("\n")
    named = _SEPARATOR.fullmatch(begin)
    body = rest if named else text
    first = next((line for line in body.split("\n") if line.strip()), "")
    separator = named[1] if named else max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=separator, strict=True)
    found: list[tuple[Place, list[str]]] = []
    skipped = before = 1 if named else 0
    row = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((Place(path, before + 1, row), cells))
            before, row = skipped + reader.line_num, row + 1
    except csv.Error as error:
        raise DataError(Place(path, before + 1, row).fault(f"isn't a row of a table: {error}")) from error
    return found


def _check_head(place: Place, head: Sequence[str], needed: Sequence[str]) -> None:
    if missing := [column for column in needed if column not in head]:
        near = nearest(missing[0], head)
        hint = f" (is it {near}?)" if near else ""
        told = f"its first line must have the columns {', '.join(needed)}; there is no {missing[0]}{hint}"
        raise DataError(place.fault(told))
    if twice := [column for column in head if column and head.count(column) > 1]:
        raise DataError(place.fault(f"the column {twice[0]} is there twice"))


def _line(place: Place, head: Sequence[str], cells: Sequence[str], faults: list[Fault]) -> Line | None:
    if any(cell.strip() for cell in cells[len(head) :]):
        faults.append(place.fault(f"has {len(cells)} cells, and the head {len(head)}; quote what has commas"))
        return None
    full = [unguarded(cell.strip()) for cell in cells[: len(head)]] + [""] * (len(head) - len(cells))
    return Line(place, dict(zip(head, full, strict=True)))


def _none(faults: list[Fault]) -> list[Line]:
    if faults:
        raise DataError(faults)
    return []
