"""Tables that people open in a spreadsheet and bring back.

A cell that begins with ``=``, ``+``, ``-`` or ``@`` would be a formula there, and texts of questions and
documents are anybody's (CWE-1236): such a cell gets an apostrophe in front, which reading takes away again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rag_sweep.dataset.fields import nearest
from rag_sweep.dataset.places import Place, read_text
from rag_sweep.errors import DataError, Fault

MARK = "\ufeff"
"""Excel reads UTF-8 as such only behind this byte order mark."""

SEPARATORS = (",", ";", "\t")
"""Where the comma is the decimal sign, as in Russian, spreadsheets save with semicolons."""

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
    if text is None:
        raise DataError(faults)
    rows = _rows(path, text)
    if not rows:
        raise DataError(Fault(f"is empty; its first line must be {','.join(needed)}", path))
    head = [cell.strip().casefold() for cell in rows[0][1]]
    _check_head(path, head, needed)
    return [line for number, cells in rows[1:] if (line := _line(path, number, head, cells, faults))] + _none(
        faults
    )


def _rows(path: Path, text: str) -> list[tuple[int, list[str]]]:
    """Each row that isn't empty, with the number of its first line; DataError for what is no table."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    found, before = [], 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((before + 1, cells))
            before = reader.line_num
    except csv.Error as error:
        raise DataError(Place(path, before + 1).fault(f"isn't a row of a table: {error}")) from error
    return found


def _check_head(path: Path, head: Sequence[str], needed: Sequence[str]) -> None:
    place = Place(path, 1)
    if missing := [column for column in needed if column not in head]:
        near = nearest(missing[0], head)
        hint = f" (is it {near}?)" if near else ""
        told = f"its first line must have the columns {', '.join(needed)}; there is no {missing[0]}{hint}"
        raise DataError(place.fault(told))
    if twice := [column for column in head if column and head.count(column) > 1]:
        raise DataError(place.fault(f"the column {twice[0]} is there twice"))


def _line(
    path: Path, number: int, head: Sequence[str], cells: Sequence[str], faults: list[Fault]
) -> Line | None:
    place = Place(path, number)
    if any(cell.strip() for cell in cells[len(head) :]):
        faults.append(place.fault(f"has {len(cells)} cells, and the head {len(head)}; quote what has commas"))
        return None
    full = [unguarded(cell.strip()) for cell in cells[: len(head)]] + [""] * (len(head) - len(cells))
    return Line(place, dict(zip(head, full, strict=True)))


def _none(faults: list[Fault]) -> list[Line]:
    if faults:
        raise DataError(faults)
    return []
