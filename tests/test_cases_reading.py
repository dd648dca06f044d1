"""Files of cases and of answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rag_sweep.cases.reading import read_answers, read_cases
from rag_sweep.cases.records import Answer, Case, Context, Rubric
from rag_sweep.errors import DataError, Fault

GOOD = {"id": "a", "question": "Where?", "context": [{"id": "d", "text": "Here."}]}


def write(folder: Path, *lines: Any) -> Path:
    path = folder / "file.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def faults_of(path: Path, *, answers: bool = False) -> tuple[Fault, ...]:
    with pytest.raises(DataError) as error:
        read_answers(path) if answers else read_cases(path)
    return error.value.faults


def whats(folder: Path, *lines: Any) -> list[str]:
    return [fault.what for fault in faults_of(write(folder, *lines))]


def test_a_whole_case_is_read_and_written_as_it_stands(tmp_path: Path) -> None:
    line = {
        "id": "q1",
        "question": "How long?",
        "context": [{"id": "d1", "text": "Two weeks."}],
        "rubric": {
            "must_include": ["week", ["two", "2"]],
            "must_not_include": ["month"],
            "allow_cites": ["d1"],
            "max_words": 20,
            "expect_refusal": False,
        },
        "reference": "Two weeks.",
        "evidence": True,
        "query_id": "7",
        "tags": ["time"],
    }
    cases = read_cases(write(tmp_path, line))
    (case,) = cases.cases
    assert case.rubric.must_include == (("week",), ("two", "2"))
    assert (case.evidence, case.query_id, case.tags, case.reference) == (True, "7", ("time",), "Two weeks.")
    assert case.to_dict() == line


def test_the_least_case_has_a_question_and_a_context(tmp_path: Path) -> None:
    (case,) = read_cases(write(tmp_path, GOOD)).cases
    assert case == Case("a", "Where?", (Context("d", "Here."),))
    assert case.citable == ("d",)


def test_an_empty_context_is_one(tmp_path: Path) -> None:
    (case,) = read_cases(write(tmp_path, GOOD | {"context": []})).cases
    assert (case.context, case.text) == ((), "")
    assert case.to_dict()["context"] == []


def test_a_title_belongs_to_the_text(tmp_path: Path) -> None:
    given = GOOD | {"context": [{"id": "d", "title": "Leave", "text": "28 days."}]}
    (case,) = read_cases(write(tmp_path, given)).cases
    assert case.context[0].text == "Leave\n28 days."


def test_ids_may_be_numbers(tmp_path: Path) -> None:
    (case,) = read_cases(write(tmp_path, GOOD | {"id": 3, "context": [{"id": 1, "text": "x"}]})).cases
    assert (case.id, case.citable) == ("3", ("1",))


def test_every_fault_of_a_file_is_listed_at_once_with_its_line_and_id(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        GOOD,
        "{broken",
        GOOD | {"id": "b", "question": " "},
        "",
        GOOD | {"id": "a"},
        {"question": "Who?", "context": "none"},
        GOOD | {"id": "c", "rubrik": {}},
    )
    faults = faults_of(path)
    assert [(fault.line, fault.id) for fault in faults] == [
        (2, None),
        (3, "b"),
        (5, "a"),
        (6, None),
        (6, None),
        (7, "c"),
    ]
    assert all(fault.file == path for fault in faults)
    told = str(DataError(faults))
    assert f"{path}:5 [a] duplicate id: it is also the id of line 1" in told
    assert 'unknown key "rubrik" (is it "rubric"?)' in told


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"context": "x"}, '"context" must be a list, got "x"'),
        ({"context": ["x"]}, '"context"[0] must be an object with "id" and "text", got "x"'),
        (
            {"context": [{"id": "d", "text": "x", "titel": "y"}]},
            'unknown key "titel" in "context"[0] (is it "title"?)',
        ),
        (
            {"context": [{"id": "d", "text": "x"}, {"id": "d", "text": "y"}]},
            '"context" has the id "d" twice, so a citation of it says nothing',
        ),
        ({"rubric": []}, '"rubric" must be an object, got a list'),
        ({"rubric": {"must_inclde": ["x"]}}, 'unknown key "must_inclde" in "rubric" (is it "must_include"?)'),
        ({"rubric": {"must_include": "x"}}, '"must_include" must be a list, got "x"'),
        (
            {"rubric": {"must_include": [" "]}},
            '"must_include" must hold non-empty strings, or lists of such, got " "',
        ),
        (
            {"rubric": {"must_include": [[]]}},
            '"must_include" must hold non-empty strings, or lists of such, got a list',
        ),
        (
            {"rubric": {"must_not_include": "x"}},
            '"must_not_include" must be a list of non-empty strings, got "x"',
        ),
        ({"rubric": {"max_words": 0}}, '"max_words" must be an int >= 1, got 0'),
        ({"rubric": {"max_words": True}}, '"max_words" must be an int >= 1, got true'),
        ({"rubric": {"expect_refusal": "yes"}}, '"expect_refusal" must be true or false, got "yes"'),
        ({"evidence": 1}, '"evidence" must be true or false, got 1'),
        ({"tags": "x"}, '"tags" must be a list of non-empty strings, got "x"'),
    ],
)
def test_a_fault_says_what_is_allowed_and_what_came(
    change: dict[str, Any], fault: str, tmp_path: Path
) -> None:
    assert whats(tmp_path, GOOD | change) == [fault]


def test_an_unknown_key_that_resembles_none_gets_the_list(tmp_path: Path) -> None:
    (what,) = whats(tmp_path, GOOD | {"zzz": 1})
    assert what.startswith('unknown key "zzz"; there are id, question, context, rubric')


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_file_without_cases_is_a_fault(text: str, tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text(text, encoding="utf-8")
    assert [fault.what for fault in faults_of(path)] == ["has no cases"]
    assert [fault.what for fault in faults_of(path, answers=True)] == ["has no answers"]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path / "away.jsonl")
    assert fault.file == tmp_path / "away.jsonl"


def test_answers_are_found_by_the_id_of_their_case(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {"id": "a", "answer": "Here [d].", "model": "m"},
        {"id": 2, "answer": ""},
        {"id": "c", "failure": "timed out"},
    )
    assert read_answers(path) == {
        "a": Answer("a", "Here [d].", "m"),
        "2": Answer("2", ""),
        "c": Answer("c", "", failure="timed out"),
    }


def test_answers_tell_all_their_faults(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {"id": "a", "answer": "x"},
        {"id": "a", "answr": "y"},
        {"answer": "z"},
        {"id": "d", "answer": 1},
        {"id": "e", "answer": "x", "failure": "timed out"},
    )
    faults = faults_of(path, answers=True)
    assert {fault.line for fault in faults} == {2, 3, 4, 5}
    assert any("not both" in fault.what for fault in faults)
    assert any('unknown key "answr" (is it "answer"?)' in fault.what for fault in faults)
    assert any("duplicate id" in fault.what for fault in faults)


def test_the_hash_of_cases_changes_with_whatever_a_judgement_depends_on(tmp_path: Path) -> None:
    def of(**change: Any) -> str:
        return read_cases(write(tmp_path, GOOD | change)).fingerprint

    others = [
        of(question="Whither?"),
        of(context=[{"id": "d", "text": "There."}]),
        of(context=[]),
        of(rubric={"must_include": ["x"]}),
        of(rubric={"allow_cites": []}),
        of(evidence=False),
        of(reference="Here."),
    ]
    assert len({of(), *others}) == len(others) + 1
    assert of() == of(rubric={})


def test_no_allowed_ids_at_all_are_not_those_of_the_context(tmp_path: Path) -> None:
    (case,) = read_cases(write(tmp_path, GOOD | {"rubric": {"allow_cites": []}})).cases
    assert case.citable == ()
    assert case.rubric == Rubric(allow_cites=())
