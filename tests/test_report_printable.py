"""What a terminal obeys never comes out of the data."""

from __future__ import annotations

from rag_sweep.report.comparison_sections import shortened
from rag_sweep.report.printable import printable


def test_escapes_newlines_and_marks_of_direction_become_spaces() -> None:
    assert printable("a\x1b[31mred\x1b[0m\nb\u202ec") == "a [31mred [0m b c"


def test_words_of_any_script_stay() -> None:
    assert printable("что такое BM25? שלום 🙂") == "что такое BM25? שלום 🙂"


def test_a_question_in_a_table_has_no_escape() -> None:
    assert "\x1b" not in shortened("how\x1b]0;title\x07 many")
