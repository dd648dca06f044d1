"""Tables for spreadsheets: no cell is a formula there, and what was written comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.dataset.spreadsheet import MARK, guarded, read_table, table_bytes, unguarded
from rag_sweep.errors import DataError

cells = st.one_of(st.text(max_size=20), st.text(alphabet="'=+-@ \t\r\na,;\"", max_size=8))


@given(cells)
def test_a_guarded_cell_begins_with_no_sign_of_a_formula_and_comes_back(cell: str) -> None:
    safe = guarded(cell)
    assert safe.lstrip(" ")[:1] not in ("=", "+", "-", "@", "＝", "＋", "－", "＠")
    assert safe[:1] not in ("\t", "\r", "\n", "\0")
    assert unguarded(safe) == cell


@pytest.mark.parametrize("cell", ["=1+1", "+7 495", "-", "@SUM(A1)", "  =HYPERLINK()", "\t=1", "'=1"])
def test_a_cell_that_could_be_a_formula_gets_an_apostrophe(cell: str) -> None:
    assert guarded(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "word", "7", "'quoted'", "a=b", "Слово", "3 - 2"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert guarded(cell) == cell


@given(st.lists(st.tuples(cells.map(str.strip), cells.map(str.strip)), max_size=5))
def test_a_table_comes_back_cell_by_cell(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    # read_text makes every line end a newline, and empty rows are no rows
    rows = [tuple(cell.replace("\r\n", "\n").replace("\r", "\n") for cell in row) for row in rows if any(row)]
    file = tmp_path_factory.mktemp("table") / "t.csv"
    file.write_bytes(table_bytes(("a", "b"), rows))
    assert [(line.cells["a"], line.cells["b"]) for line in read_table(file, ("a", "b"), ())] == rows


def test_it_opens_as_utf_8_and_semicolons_and_tabs_are_read_too(tmp_path: Path) -> None:
    assert table_bytes(("a",), [("Ф",)]) == f"{MARK}a\r\nФ\r\n".encode()
    for separator in ",;\t":
        file = tmp_path / "t.csv"
        file.write_text(
            f'A{separator}Note{separator}b\n\n1{separator}x{separator}"2\n3"\n4\n', encoding="utf-8"
        )
        found = read_table(file, ("a", "b"), ("c",))
        assert [(one.place.line, one.cells["a"], one.cells["b"]) for one in found] == [
            (3, "1", "2\n3"),
            (5, "4", ""),
        ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; its first line must be old,new"),
        ("old,news\n", "there is no new (is it news?)"),
        ("old,new,old\n", "the column old is there twice"),
        ("old,new\na,b,c\n", "t.csv:2 has 3 cells, and the head 2"),
        ('old,new\n"a\n', ":2 isn't a row of a table"),
        ('old,new\na,b\nc,"' + "d" * 140_000 + '"\n', ":3 isn't a row of a table: field larger"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "t.csv"
    file.write_text(text)
    with pytest.raises(DataError) as caught:
        read_table(file, ("old", "new"), ())
    assert message in str(caught.value)


def test_a_table_in_another_encoding_is_refused_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_bytes("old,new\nслово,b\n".encode("cp1251"))
    with pytest.raises(DataError, match=r"isn't UTF-8.*save it as UTF-8"):
        read_table(file, ("old", "new"), ())


def test_a_first_line_that_names_the_separator_is_no_row(tmp_path: Path) -> None:
    for begin, separator in (("sep=;", ";"), ('"sep=|"', "|"), ("SEP=\t", "\t")):
        file = tmp_path / "t.csv"
        file.write_text(f"{MARK}{begin}\r\nold{separator}new\r\na,b{separator}c\r\n", encoding="utf-8")
        (line,) = read_table(file, ("old", "new"), ())
        assert (line.cells, line.place.line, line.place.row) == ({"old": "a,b", "new": "c"}, 3, 2)


def test_rows_are_counted_as_a_spreadsheet_counts_them(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text('old,new\n"a\nb\nc",d\n\n"e",f\ng,"h\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"t\.csv row 5 \(line 7\) isn't a row of a table"):
        read_table(file, ("old", "new"), ())
    file.write_text('old,new\n"a\nb\nc",d\n\n"e",f\n', encoding="utf-8")
    found = read_table(file, ("old", "new"), ())
    assert [(one.place.row, one.place.line) for one in found] == [(2, 2), (4, 6)]
    assert str(found[1].place.fault("is odd", "e")).endswith("t.csv row 4 (line 6) [e] is odd")
    assert str(found[0].place.fault("is odd")).endswith("t.csv:2 is odd")


def test_a_workbook_is_told_as_such(tmp_path: Path) -> None:
    for rest in (bytes(30), bytes(range(256))):
        file = tmp_path / "t.csv"
        file.write_bytes(b"PK\x03\x04" + rest)
        with pytest.raises(DataError, match="is a workbook, not a table as text: save it as CSV"):
            read_table(file, ("old", "new"), ())
