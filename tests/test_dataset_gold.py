"""GOLD lines: every accepted spelling, and every fault by file, line and id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rag_sweep.dataset.files import Files
from rag_sweep.errors import Fault
from rag_sweep.records import Gold, Question, Span

TEXT = "The boiler is checked in May. The pump is checked in June.\nThe boiler room is locked."


def load(tmp_path: Path, *rows: Any, version: str | None = None) -> tuple[Gold | None, list[Fault]]:
    """GOLD of rows (strings are raw lines) over the documents plant/boiler, b and 3."""
    documents = [{"id": "plant/boiler", "text": TEXT}, {"id": "b", "text": "aaa"}, {"id": 3, "text": "three"}]
    docs, gold = tmp_path / "docs.jsonl", tmp_path / "gold.jsonl"
    for path, lines in ((docs, documents), (gold, rows)):
        texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
        path.write_text("\n".join(texts), encoding="utf-8")
    dataset, faults = Files(str(docs), str(gold), version).read()
    return (None if dataset is None else dataset.gold), faults


def question(tmp_path: Path, **keys: Any) -> Question:
    gold, faults = load(tmp_path, {"id": "q", "question": "When?", "relevant": ["b"], **keys})
    assert gold is not None, [str(fault) for fault in faults]
    return gold.questions[0]


def errors(tmp_path: Path, **keys: Any) -> list[str]:
    """The errors of one line; a key that is ... is left out."""
    row = {"id": "q", "question": "When?", "relevant": ["b"], **keys}
    gold, faults = load(tmp_path, {key: value for key, value in row.items() if value is not ...})
    found = [fault for fault in faults if fault.level == "error"]
    assert (gold is None) == bool(found)
    assert all(fault.file == tmp_path / "gold.jsonl" and fault.line == 1 for fault in found)
    return [fault.what for fault in found]


def warnings(tmp_path: Path, **keys: Any) -> list[str]:
    gold, faults = load(tmp_path, {"id": "q", "question": "When?", "relevant": ["b"], **keys})
    assert gold is not None, [str(fault) for fault in faults]
    assert all((fault.level, fault.line, fault.id) == ("warning", 1, "q") for fault in faults)
    return [fault.what for fault in faults]


def test_a_full_line_is_read(tmp_path: Path) -> None:
    found = question(
        tmp_path,
        relevant=["b", "plant/boiler"],
        grades={"plant/boiler": 2, "3": 0},
        spans=[{"doc_id": "b", "start": 0, "end": 3}, {"doc_id": "plant/boiler", "quote": "The pump"}],
        tags=["code", "code", "multi"],
        answer="In June",
        source="log",
        author="A",
        date="2026-01-31",
        reason="r",
        disputed=True,
    )
    assert found == Question(
        "q",
        "When?",
        {"b": 1, "plant/boiler": 2, "3": 0},
        (Span("b", 0, 3), Span("plant/boiler", 30, 38)),
        ("code", "multi"),
        "In June",
        {"source": "log", "author": "A", "date": "2026-01-31", "reason": "r", "disputed": True},
    )
    assert found.relevant == ("b", "plant/boiler")


def test_null_is_as_good_as_leaving_a_key_out(tmp_path: Path) -> None:
    absent = dict.fromkeys(("grades", "spans", "tags", "answer", "source", "disputed", "expected_doc_ids"))
    assert question(tmp_path, **absent) == question(tmp_path)


def test_expected_doc_ids_is_relevant(tmp_path: Path) -> None:
    gold, _ = load(tmp_path, {"question": "When?", "expected_doc_ids": ["b", 3]})
    assert gold is not None
    assert gold.questions[0].relevant == ("3", "b")


def test_questions_without_an_id_get_their_number_among_all_questions(tmp_path: Path) -> None:
    rows = [
        {"question": "a", "relevant": ["b"]},
        {"id": "x", "question": "b", "relevant": ["b"]},
        "",
        rows_last(),
    ]
    gold, faults = load(tmp_path, {"gold": {"version": "7"}}, *rows)
    assert faults == []
    assert gold is not None
    assert [q.query_id for q in gold.questions] == ["1", "x", "3"]


def rows_last() -> dict[str, Any]:
    return {"question": "c", "relevant": ["b"]}


def test_a_number_that_is_taken_is_a_fault(tmp_path: Path) -> None:
    gold, faults = load(tmp_path, {"id": 2, "question": "a", "relevant": ["b"]}, rows_last())
    assert gold is None
    assert [(fault.line, fault.id) for fault in faults] == [(2, "2")]
    assert faults[0].what == (
        "duplicate question id: it is also the id of line 1; "
        "this line has no id and so its number in the file"
    )


def test_a_duplicate_question_id_names_the_first_line(tmp_path: Path) -> None:
    row = {"id": "q", "question": "a", "relevant": ["b"]}
    gold, faults = load(tmp_path, row, rows_last(), row)
    assert gold is None
    assert [str(fault) for fault in faults] == [
        f"{tmp_path / 'gold.jsonl'}:3 [q] duplicate question id: it is also the id of line 1"
    ]


def test_the_version_is_declared_by_the_first_line_or_by_the_parameter(tmp_path: Path) -> None:
    declared = {"gold": {"version": "2026-03"}}
    for rows, version, expected in (
        ([declared], None, "2026-03"),
        ([declared], "mine", "mine"),
        ([], "mine", "mine"),
        ([], None, None),
        ([{"gold": {"version": 4}}], None, "4"),
    ):
        gold, faults = load(tmp_path, *rows, rows_last(), version=version)
        assert faults == []
        assert gold is not None
        assert gold.version == expected


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ({"gold": "1"}, '"gold" must be an object with "version", got "1"'),
        ({"gold": {"versoin": "1"}}, 'has no "version" (is it "versoin"?)'),
        ({"gold": {"version": ""}}, '"version" must be a non-empty string or an int, got ""'),
    ],
)
def test_a_wrong_version_line_is_a_fault(tmp_path: Path, head: dict[str, Any], says: str) -> None:
    gold, faults = load(tmp_path, head, rows_last())
    assert gold is None
    assert says in [fault.what for fault in faults if fault.level == "error"]


def test_the_version_line_must_be_the_first(tmp_path: Path) -> None:
    gold, faults = load(tmp_path, rows_last(), {"gold": {"version": "1"}})
    assert gold is None
    assert [(fault.line, fault.what) for fault in faults] == [(2, 'the line {"gold": …} must be the first')]


def test_an_empty_relevant_is_a_negative_and_judged_zeros_stay(tmp_path: Path) -> None:
    gold, faults = load(tmp_path, {"question": "x", "relevant": [], "grades": {"b": 0}}, rows_last())
    assert faults == []
    assert gold is not None
    assert [q.query_id for q in gold.negatives] == ["1"]
    assert gold.negatives[0].grades == {"b": 0}


def test_a_gold_of_negatives_only_is_a_warning(tmp_path: Path) -> None:
    gold, faults = load(tmp_path, {"question": "x", "relevant": []})
    assert gold is not None
    assert [fault.what for fault in faults] == ["no question has a relevant document"]


@pytest.mark.parametrize("lines", [[], [""], [{"gold": {"version": "1"}}]])
def test_a_gold_without_questions_is_an_error(tmp_path: Path, lines: list[Any]) -> None:
    gold, faults = load(tmp_path, *lines)
    assert gold is None
    assert [fault.what for fault in faults] == ["has no questions"]


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"question": ...}, 'has no "question"'),
        ({"question": " \n"}, "empty question"),
        ({"question": 5}, '"question" must be a string, got 5'),
        ({"id": [1]}, '"id" must be a non-empty string or an int, got a list'),
        ({"relevant": ...}, 'has no "relevant"'),
        ({"relevant": None}, '"relevant" is null'),
        ({"relevant": "b"}, '"relevant" must be a list of ids, got "b"'),
        ({"relevant": {"b": 1}}, '"relevant" must be a list of ids, got an object'),
        (
            {"relevant": ["b", None, 1.5]},
            '"relevant" must hold ids (a non-empty string or an int), got null, 1.5',
        ),
        ({"expected_doc_ids": ["b"]}, 'has both "relevant" and "expected_doc_ids"; give one of them'),
        ({"relevant": ["b", "c"]}, 'unknown document "c"'),
        ({"relevant": ["plant\\Boiler.md"]}, 'unknown document "plant\\Boiler.md" (is it "plant/boiler"?)'),
        ({"grades": {"nope": 0}}, 'unknown document "nope"'),
        ({"grades": ["b"]}, '"grades" must be an object {"document id": int}, got a list'),
        ({"grades": {"b": 1.0}}, 'the grade of "b" must be an int up to 1000, got 1.0'),
        ({"grades": {"b": True}}, 'the grade of "b" must be an int up to 1000, got true'),
        ({"grades": {"b": "2"}}, 'the grade of "b" must be an int up to 1000, got "2"'),
        ({"grades": {"b": 5000}}, 'the grade of "b" must be an int up to 1000, got 5000'),
        ({"grades": {"b": 0}}, '"b" is relevant, yet its grade is 0'),
        ({"grades": {"b": -1}}, '"b" is relevant, yet its grade is -1'),
        ({"relevant": [], "grades": {"b": 2}}, 'no document is relevant, yet "b" has the grade 2'),
        ({"tags": "code"}, '"tags" must be a list of non-empty strings, got "code"'),
        ({"tags": ["code", 1]}, '"tags" must be a list of non-empty strings, got a list'),
        ({"tags": ""}, '"tags" must be a list of non-empty strings, got ""'),
        ({"answer": 5}, '"answer" must be a string, got 5'),
        ({"source": "gut"}, '"source" must be one of feature, incident, log, invented, got "gut"'),
        ({"author": {}}, '"author" must be a string, got an object'),
        ({"disputed": "yes"}, '"disputed" must be true or false, got "yes"'),
        ({"spans": {"doc_id": "b"}}, '"spans" must be a list of objects, got an object'),
        ({"spans": ["b"]}, '"spans" must be a list of objects, got a list'),
        ({"spans": [{"start": 0, "end": 1}]}, 'span 1: has no "doc_id"'),
        ({"spans": [{"doc_id": "b"}]}, 'span 1: needs "quote", or "start" and "end"'),
        (
            {"spans": [{"doc_id": "b", "start": 0, "end": 1}, {"doc_id": "b", "qoute": "x"}]},
            'span 2: needs "quote", or "start" and "end" (is it "qoute"?)',
        ),
        ({"spans": [{"doc_id": "zz", "start": 0, "end": 1}]}, 'unknown document "zz"'),
        ({"spans": [{"doc_id": "b", "start": 0}]}, 'span 1: has no "end"'),
        ({"spans": [{"doc_id": "b", "start": "0", "end": 1}]}, 'span 1: "start" must be an int, got "0"'),
        ({"spans": [{"doc_id": "b", "start": 0, "end": 1.0}]}, 'span 1: "end" must be an int, got 1.0'),
        (
            {"spans": [{"doc_id": "b", "start": 0, "end": 4}]},
            'span 1: outside its text: start 0, end 4 in "b", allowed is 0 <= start < end <= 3',
        ),
        (
            {"spans": [{"doc_id": "b", "start": 1, "end": 1}]},
            'span 1: outside its text: start 1, end 1 in "b", allowed is 0 <= start < end <= 3',
        ),
        (
            {"spans": [{"doc_id": "b", "start": -1, "end": 2}]},
            'span 1: outside its text: start -1, end 2 in "b", allowed is 0 <= start < end <= 3',
        ),
        ({"spans": [{"doc_id": "b", "quote": ""}]}, 'span 1: "quote" must be a non-empty string, got ""'),
        ({"spans": [{"doc_id": "b", "quote": "zz"}]}, 'span 1: quote not found in "b": "zz"'),
        (
            {"relevant": ["plant/boiler"], "spans": [{"doc_id": "plant/boiler", "quote": "in  june. THE"}]},
            'span 1: quote not found in "plant/boiler": "in  june. THE"; '
            "it is there with other white space or letter case",
        ),
        (
            {"spans": [{"doc_id": "b", "quote": "aa"}]},
            'span 1: ambiguous quote, it stands at 0 and at 1 of "b": "aa"; '
            'quote more, or give "start" and "end"',
        ),
        (
            {"spans": [{"doc_id": "b", "quote": "ab", "start": 0, "end": 2}]},
            'span 1: at 0 to 2 of "b" stands "aa", not "ab"',
        ),
    ],
)
def test_what_is_wrong_in_a_line_is_named(tmp_path: Path, keys: dict[str, Any], says: str) -> None:
    assert errors(tmp_path, **keys) == [says]


def test_all_faults_of_one_line_are_listed(tmp_path: Path) -> None:
    found = errors(
        tmp_path,
        question="",
        relevant=["b", "c", "d"],
        grades={"e": 1, "b": "x"},
        spans=[{"doc_id": "b", "quote": "zz"}, {"doc_id": "f", "quote": "x"}],
        tags=5,
        source="?",
    )
    assert len(found) == 9
    assert [what for what in found if what.startswith("unknown")] == [
        'unknown document "c"',
        'unknown document "d"',
        'unknown document "e"',
        'unknown document "f"',
    ]


def test_an_unknown_document_is_said_once_a_question(tmp_path: Path) -> None:
    spans = [{"doc_id": "c", "quote": "x"}]
    assert errors(tmp_path, relevant=["c"], grades={"c": 1}, spans=spans) == ['unknown document "c"']


def test_a_quote_with_offsets_may_stand_more_than_once(tmp_path: Path) -> None:
    found = question(tmp_path, spans=[{"doc_id": "b", "quote": "aa", "start": 1, "end": 3}])
    assert found.spans == (Span("b", 1, 3),)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"relevent": ["b"]}, 'unknown key "relevent" (is it "relevant"?)'),
        ({"Tags": []}, 'unknown key "Tags" (is it "tags"?)'),
        ({"zzz": 1}, 'unknown key "zzz"'),
        ({"relevant": ["b", "b"]}, 'a document is relevant twice: "b"'),
        ({"grades": {"3": -2}}, 'grade below 0, it counts as not relevant: "3" has -2'),
        ({"spans": [{"doc_id": "3", "start": 0, "end": 2}]}, 'span in a document that isn\'t relevant: "3"'),
        ({"spans": [{"doc_id": "b", "start": 0, "end": 2}] * 2}, 'the same span twice: 0 to 2 of "b"'),
    ],
)
def test_what_is_odd_in_a_line_is_a_warning(tmp_path: Path, keys: dict[str, Any], says: str) -> None:
    assert warnings(tmp_path, **keys) == [says]


def test_a_document_with_a_grade_counts_as_relevant_without_being_listed(tmp_path: Path) -> None:
    assert question(tmp_path, grades={"3": 2}).relevant == ("3", "b")


def test_warnings_are_condensed_to_one_line_a_kind(tmp_path: Path) -> None:
    rows = [{"id": f"q{n}", "question": "x", "relevant": ["b"], "grades": {"3": -n}} for n in range(1, 8)]
    load(tmp_path, *rows)
    dataset = Files(str(tmp_path / "docs.jsonl"), str(tmp_path / "gold.jsonl")).load()
    assert dataset.warnings == ("grade below 0, it counts as not relevant (7 times: q1, q2, q3, q4, q5, …)",)


def test_the_order_and_spelling_of_lines_reach_the_hash_only_where_measures_depend_on_them(
    tmp_path: Path,
) -> None:
    one, _ = load(tmp_path, {"id": "q", "question": "x", "relevant": ["b"]})
    spelt, _ = load(tmp_path, {"question": "x", "expected_doc_ids": ["b"], "answer": "A", "id": "q"})
    graded, _ = load(tmp_path, {"id": "q", "question": "x", "relevant": ["b"], "grades": {"b": 2}})
    assert one is not None
    assert spelt is not None
    assert graded is not None
    assert one.fingerprint == spelt.fingerprint != graded.fingerprint
