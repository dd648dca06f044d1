"""An evaluation of answers as a table that a spreadsheet opens."""

from __future__ import annotations

import csv
import io

import pytest

from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.cases.records import Answer, Case, Cases, Context
from rag_sweep.report.answers import answers_csv
from rag_sweep.rules.judging import Rules


@pytest.mark.parametrize("text", ["=1+1", " =1+1", "＝1+1", "\n=1", "\t=1", "'=1", "-1 [d]", "@SUM(A1)"])
def test_no_text_of_an_evaluation_is_a_formula(text: str) -> None:
    cases = Cases((Case(text, text, (Context("d", "1"),)),))
    answers = {text: Answer(text, text)}
    found = Evaluation(cases, answers, Rules().judge_all(cases, answers))
    (row,) = csv.DictReader(io.StringIO(answers_csv(found.to_dict()), newline=""))
    assert [row[key] for key in ("id", "question", "answer")] == [f"'{text}"] * 3
