"""`rag-sweep gold add-judgements`: a labelled table becomes a new version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from golds import (
    QUESTIONS,
    overrides,
    questions_of,
    rows_of,
    write_all,
    write_beir,
    write_documents,
    write_gold,
)

from rag_sweep.errors import RagSweepError
from rag_sweep.goldlife.judging import Judged, Wish, add_judgements


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_all(tmp_path)
    return tmp_path


def run(folder: Path, rows: str, words: list[str] | None = None, **more: Any) -> Judged:
    (folder / "labels.csv").write_text(f"query_id,doc_id,grade\n{rows}", encoding="utf-8")
    wish = {"table": folder / "labels.csv", "out": folder / "new.jsonl", **more}
    return add_judgements(overrides(folder) if words is None else words, Wish(**wish))


def refused(folder: Path, rows: str, words: list[str] | None = None, **more: Any) -> str:
    before = {path.name for path in folder.rglob("*")}
    with pytest.raises(RagSweepError) as caught:
        run(folder, rows, words, **more)
    assert {path.name for path in folder.rglob("*")} - before <= {"labels.csv"}
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_grades_come_into_the_lines_form_and_other_lines_stay(folder: Path) -> None:
    before = (folder / "gold.jsonl").read_bytes().splitlines()
    done = run(folder, "q1,vpn,1\nq1,door,0\nq2,door,1\nq3,leave,\n")
    after = (folder / "new.jsonl").read_bytes().splitlines()
    assert after[3:] == before[3:]
    found = questions_of(folder / "new.jsonl")
    assert (found["q1"]["relevant"], found["q1"]["grades"]) == (
        ["leave", "vpn"],
        {"leave": 2, "old": 0, "vpn": 1, "door": 0},
    )
    assert found["q2"] == {**QUESTIONS[1], "relevant": ["vpn", "door"]}
    assert (len(done.taken), done.known, done.unlabelled, done.gold.version) == (3, 0, 1, "2")


def test_the_log_has_who_judged_what_and_why(folder: Path) -> None:
    (folder / "labels.csv").write_text(
        "query_id;doc_id;grade;reason;author\nq1;vpn;1;names it;C.D.\nq2;door;0;;\n"
    )
    wish = Wish(folder / "labels.csv", folder / "new.jsonl", author="A.B.", reason="second look")
    add_judgements(overrides(folder), wish)
    head, first, second = rows_of(folder / "new.jsonl.log.jsonl")
    assert head["log"]["table"]["file"] == "labels.csv"
    assert first == {
        "what": "judged",
        "question": "q1",
        "document": "vpn",
        "grade": 1,
        "author": "C.D.",
        "reason": "names it",
    }
    assert (second["author"], second["reason"]) == ("A.B.", "second look")


def test_a_negative_that_gets_a_relevant_document_is_told(folder: Path) -> None:
    done = run(folder, "q5,vpn,1\n")
    assert questions_of(folder / "new.jsonl")["q5"]["relevant"] == ["vpn"]
    assert (done.answerable_now, done.emptied) == (("q5",), ())


def test_a_grade_that_the_gold_has_is_known_and_another_one_needs_a_word(folder: Path) -> None:
    rows = "q1,leave,2\nq4,old,0\nq4,vpn,1\n"
    told = refused(folder, rows)
    assert 'labels.csv:3 [q4] "old" has the grade 1 in the gold and 0 here: --replace' in told
    done = run(folder, rows, replace=True)
    assert questions_of(folder / "new.jsonl")["q4"] == {
        **QUESTIONS[3],
        "relevant": ["vpn"],
        "grades": {"old": 0, "vpn": 1},
    }
    assert (len(done.taken), done.known) == (2, 1)
    assert rows_of(folder / "new.jsonl.log.jsonl")[1]["grade_before"] == 1


def test_a_question_that_loses_its_last_relevant_document_is_told(folder: Path) -> None:
    assert run(folder, "q4,old,0\n", replace=True).emptied == ("q4",)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("q9,vpn,1\n", 'labels.csv:2 [q9] unknown question "q9"'),
        ("q1,vnp,1\n", 'labels.csv:2 [q1] unknown document "vnp"'),
        (
            "q1,vpn,yes\n",
            "labels.csv:2 [q1] the grade must be an int up to 1000, 0 for not relevant, got 'yes'",
        ),
        ("q1,vpn,1\nq1,vpn,0\n", 'labels.csv:3 [q1] "vpn" has the grade 0 here and 1 in line 2'),
        (",vpn,1\n", "labels.csv:2 has a grade, but no query_id or no doc_id"),
        ("q1,vpn,\n", "has no grade in any row: fill the column grade"),
        ("q1,leave,2\n", "says nothing new"),
    ],
)
def test_a_wrong_table_is_refused_by_its_line(folder: Path, rows: str, message: str) -> None:
    assert message in refused(folder, rows)


def test_an_id_of_thousands_of_digits_is_an_id(folder: Path) -> None:
    write_documents(folder / "docs.jsonl", {"9" * 5000: "a", "8": "b"})
    write_gold(folder / "gold.jsonl", [{"id": "q", "question": "a?", "relevant": ["8"]}])
    assert 'unknown document "7"' in refused(folder, "q,7,1\n")


def test_an_id_that_a_spreadsheet_has_spoilt_is_recognised(folder: Path) -> None:
    write_documents(folder / "docs.jsonl", {"007": "a", "8": "b"})
    write_gold(folder / "gold.jsonl", [{"id": "012", "question": "a?", "relevant": ["8"]}])
    told = refused(folder, "12,007,1\n012,7,1\n")
    assert (
        'unknown question "12"; a spreadsheet may have made it of "012": import that column as text' in told
    )
    assert 'unknown document "7"; a spreadsheet may have made it of "007"' in told


def test_an_id_that_looks_like_a_formula_comes_back(folder: Path) -> None:
    write_documents(folder / "docs.jsonl", {"-a": "a", "=b": "b"})
    write_gold(folder / "gold.jsonl", [{"id": "+q", "question": "a?", "relevant": ["-a"]}])
    run(folder, "'+q,'=b,1\n")
    assert questions_of(folder / "new.jsonl")["+q"]["relevant"] == ["-a", "=b"]


def test_a_collection_gets_a_new_split_with_its_lines_as_they_were(folder: Path) -> None:
    words = write_beir(folder / "sci")
    before = (folder / "sci" / "qrels" / "test.tsv").read_text()
    out = folder / "sci" / "qrels" / "test-2.tsv"
    done = run(folder, "q1,vpn,1\nq4,old,0\nq2,door,0\n", words, out=out, replace=True)
    assert out.read_text() == before.replace("q4\told\t1", "q4\told\t0") + "q1\tvpn\t1\nq2\tdoor\t0\n"
    assert done.emptied == ("q4",)
    assert (folder / "sci" / "qrels" / "test.tsv").read_text() == before


def test_without_the_documents_no_id_is_unknown_and_no_hash_is_told(folder: Path) -> None:
    done = run(folder, "q1,elsewhere,1\n", [], gold=folder / "gold.jsonl")
    assert (len(done.taken), done.fingerprint) == (1, None)


def test_nothing_is_written_over(folder: Path) -> None:
    (folder / "new.jsonl").write_text("mine")
    assert "is there already" in refused(folder, "q1,vpn,1\n")
    assert (folder / "new.jsonl").read_text() == "mine"
