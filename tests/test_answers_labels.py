"""Labels as people give them, with every bad cell told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rag_sweep.answers.labels import read_labels
from rag_sweep.errors import DataError


def evaluation(number: int = 6) -> dict[str, Any]:
    verdicts = [{"rule": name} for name in ("citations", "faithfulness", "relevance")]
    return {"cases": {f"c{at}": {"answer": f"It is {at}.", "verdicts": verdicts} for at in range(number)}}


def table(folder: Path, head: str, *rows: str) -> Path:
    file = folder / "label.csv"
    file.write_text("\n".join([head, *rows]), encoding="utf-8")
    return file


def test_yes_and_no_are_read_as_people_write_them(tmp_path: Path) -> None:
    file = table(tmp_path, "id,pass", "c0,yes", "c1,Нет", "c2,1", "c3,0", "c4,ДА", "c5,FALSE")
    found = read_labels(file, evaluation())
    assert found.given == {"pass": {"c0": 1, "c1": 0, "c2": 1, "c3": 0, "c4": 1, "c5": 0}}


def test_empty_cells_and_question_marks_are_no_labels(tmp_path: Path) -> None:
    found = read_labels(table(tmp_path, "id;pass;faithfulness", "c0;yes;", "c1;;", "c2;?;"), evaluation())
    assert found.given == {"pass": {"c0": 1}}
    assert (found.unsure["pass"], found.rows) == (1, 3)


def test_relevance_is_graded_unless_it_is_said_in_words(tmp_path: Path) -> None:
    graded = read_labels(table(tmp_path, "id,relevance", "c0,1", "c1,4", "c2,0"), evaluation())
    assert graded.given["relevance"] == {"c0": 1, "c1": 4, "c2": 0}
    assert graded.scales["relevance"].weights == "quadratic"
    said = read_labels(table(tmp_path, "id,relevance", "c0,yes", "c1,нет"), evaluation())
    assert said.given["relevance"] == {"c0": 1, "c1": 0}
    assert said.scales["relevance"].weights == "none"


def test_every_bad_cell_is_told_by_row_and_column(tmp_path: Path) -> None:
    file = table(tmp_path, "id,pass,relevance", "c0,maybe,3", "c1,yes,7", "c2,2,yes")
    with pytest.raises(DataError) as caught:
        read_labels(file, evaluation())
    told = [(one.line, one.id, one.what) for one in caught.value.faults]
    assert [(line, name) for line, name, _ in told] == [(2, "c0"), (3, "c1"), (4, "c2"), (4, "c2")]
    assert "the column pass must have yes or no (1 or 0, да or нет), ? or nothing, got 'maybe'" in told[0][2]
    assert "a grade from 0 to 4, ? or nothing, got '7'" in told[1][2]
    assert "got 'yes'" in told[3][2]


@pytest.mark.parametrize(
    ("head", "row", "told"),
    [
        ("id,pass", "c9,yes", "no case of the evaluation has this id"),
        ("id,pass,answer", "c0,yes,It was 0.", "of another answer"),
        ("id,pas", "c0,yes", r"is it pass\?"),
        ("id,question", "c0,what", "no column to label"),
        ("id,pass", "c0,", "has no label"),
        ("ident,pass", "c0,yes", "there is no id"),
    ],
)
def test_a_table_that_is_about_something_else_is_refused(
    tmp_path: Path, head: str, row: str, told: str
) -> None:
    with pytest.raises(DataError, match=told):
        read_labels(table(tmp_path, head, row), evaluation())


def test_an_evaluation_without_texts_can_not_be_held_against_answers(tmp_path: Path) -> None:
    bare = evaluation()
    for case in bare["cases"].values():
        case["answer"] = None
    with pytest.raises(DataError, match="the evaluation was kept without texts"):
        read_labels(table(tmp_path, "id,pass,answer", "c0,yes,It is 0."), bare)
    assert read_labels(table(tmp_path, "id,pass", "c0,yes"), bare).given["pass"] == {"c0": 1}


def test_a_row_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="this id is there twice"):
        read_labels(table(tmp_path, "id,pass", "c0,yes", "c0,no"), evaluation())


def test_an_answer_whose_blanks_a_spreadsheet_changed_is_the_same(tmp_path: Path) -> None:
    found = read_labels(table(tmp_path, "id,pass,answer", 'c0,yes,"It\n is 0. "'), evaluation())
    assert found.given["pass"] == {"c0": 1}


def test_ids_that_lost_the_blanks_at_their_ends_in_the_table_are_known(tmp_path: Path) -> None:
    found = evaluation(1)
    found["cases"] = {" sp ": found["cases"]["c0"], "=1+1 ": found["cases"]["c0"]}
    file = table(tmp_path, "id,pass", "sp,yes", "'=1+1,no")
    assert read_labels(file, found).given == {"pass": {" sp ": 1, "=1+1 ": 0}}


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    file = table(tmp_path, "id,faithfulness,faithfulness", "c0,yes,no")
    with pytest.raises(DataError, match="the column faithfulness is there twice"):
        read_labels(file, evaluation())
