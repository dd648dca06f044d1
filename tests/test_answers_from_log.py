"""Cases from logs: which lines, what of them, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import Command

from rag_sweep.answers.from_log import sample_log
from rag_sweep.answers.request import AnswersRequest
from rag_sweep.answers.running import judge
from rag_sweep.cases.reading import read_cases
from rag_sweep.errors import DataError


def log_of(folder: Path, *rows: object) -> Path:
    file = folder / "log.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return file


def row(at: int, **more: object) -> dict[str, object]:
    return {"question": f"Question {at}?", "context": [f"Text {at}."], "answer": f"Text {at} [1].", **more}


def test_a_sample_is_drawn_by_its_seed_in_the_order_of_the_log(tmp_path: Path) -> None:
    file = log_of(tmp_path, *(row(at) for at in range(50)))
    names = [case.id for case in sample_log(file, 10, seed=3).cases.cases]
    assert names == [case.id for case in sample_log(file, 10, seed=3).cases.cases]
    assert names != [case.id for case in sample_log(file, 10, seed=4).cases.cases]
    assert len(set(names)) == 10
    assert names == sorted(names, key=lambda name: int(name.removeprefix("log-")))
    assert len(sample_log(file, 200).cases) == 50


def test_marks_are_the_same_in_question_context_and_answer_so_the_rules_still_hold(tmp_path: Path) -> None:
    told = {
        "question": "Меня зовут Анна. Какой телефон у Иванова?",
        "context": [{"id": "staff", "text": "Иванов Иван Иванович, телефон 8 (495) 123-45-67, 14 дней."}],
        "answer": "Анна, у Ивана Ивановича +7 495 123 45 67, 14 дней [staff].",
    }
    found = sample_log(log_of(tmp_path, told), 5)
    case, answer = found.cases.cases[0], found.answers["log-1"]
    assert case.question == "Меня зовут PERSON_A. Какой телефон у PERSON_B?"
    assert case.context[0].text == "PERSON_B, телефон PHONE_1, 14 дней."
    assert answer.text == "PERSON_A, у PERSON_B PHONE_1, 14 дней [staff]."
    assert (found.masked, found.people) == ({"PERSON": 5, "PHONE": 2}, 2)
    assert (
        judge(found.cases, found.answers, AnswersRequest.of(["tracking=none"])).means["pass_at_1"].value == 1
    )


def test_an_extension_that_is_a_mark_is_still_backed_by_the_context(tmp_path: Path) -> None:
    told = {
        "question": "Who helps?",
        "context": [{"id": "it", "text": "Call the desk, extension 7711, within 2 hours."}],
        "answer": "The desk, extension 7711, within 2 hours [it].",
    }
    found = sample_log(log_of(tmp_path, told), 5)
    assert found.answers["log-1"].text == "The desk, extension EXTENSION_1, within 2 hours [it]."
    judged = judge(found.cases, found.answers, AnswersRequest.of(["tracking=none"]))
    assert judged.means["pass_at_1"].value == 1


def test_the_command_counts_places_and_people_and_says_to_read_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = Command(tmp_path, monkeypatch, capsys)
    log = log_of(tmp_path, row(0, question="John asked, John Smith and Anna. Mail a@b.example"), row(1))
    made = command("answers", "cases", "--from-log", str(log), "--out", "c.jsonl", "--answers", "a.jsonl")
    assert "masked: 3 PERSON (2 people, line by line), 1 EMAIL" in made.out
    assert "read c.jsonl and a.jsonl before you hand them on" in made.err
    bare = command("answers", "cases", "--from-log", str(log), "--out", "d.jsonl", "--unmasked")
    assert "masked: nothing" in bare.out
    assert "nothing was masked: read d.jsonl before you hand it on" in bare.err


def test_nothing_else_of_a_log_is_taken_over(tmp_path: Path) -> None:
    found = sample_log(log_of(tmp_path, row(0, id="anna@firm.example", session={"ip": "10.0.0.1"})), 5)
    assert found.left_out == ("id", "session")
    assert "firm.example" not in json.dumps(found.cases.cases[0].to_dict())


def test_a_line_without_an_answer_makes_a_case_without_one(tmp_path: Path) -> None:
    found = sample_log(log_of(tmp_path, {"question": "Why?", "context": "A text."}), 5)
    assert (len(found.cases), found.answers) == (1, {})


def test_every_fault_of_the_drawn_lines_is_told_at_once(tmp_path: Path) -> None:
    same = [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}]
    with pytest.raises(DataError) as caught:
        sample_log(log_of(tmp_path, {"context": []}, row(1, context=7), row(2, context=same)), 5)
    assert [fault.line for fault in caught.value.faults] == [1, 2, 3]


PHONES = ("+7 912 345-67-89", "8 912 345 67 89")


def test_ids_that_are_masked_alike_stay_two_and_are_cited_as_two(tmp_path: Path) -> None:
    told = {
        "question": "How long?",
        "context": [
            {"id": PHONES[0], "text": "It takes 14 days."},
            {"id": PHONES[1], "text": "It costs 5 euros."},
        ],
        "answer": f"It takes 14 days [{PHONES[0]}]. It costs 5 euros [{PHONES[1]}]. Call {PHONES[1]} [d9].",
    }
    found = sample_log(log_of(tmp_path, told), 5)
    assert [part.id for part in found.cases.cases[0].context] == ["PHONE_1", "PHONE_1-2"]
    assert (
        found.answers["log-1"].text
        == "It takes 14 days [PHONE_1]. It costs 5 euros [PHONE_1-2]. Call PHONE_1 [d9]."
    )


def test_an_id_that_is_a_mark_already_is_told_apart_from_a_masked_one(tmp_path: Path) -> None:
    parts = [{"id": name, "text": "x"} for name in (PHONES[0], "PHONE_1", "PHONE_1-2", PHONES[1])]
    found = sample_log(log_of(tmp_path, row(0, context=parts, answer=f"x [PHONE_1; {PHONES[0]}]")), 5)
    names = [part.id for part in found.cases.cases[0].context]
    assert names == ["PHONE_1", "PHONE_1-2", "PHONE_1-2-2", "PHONE_1-3"]
    assert found.answers["log-1"].text == "x [PHONE_1-2, PHONE_1]"


def test_what_is_written_can_be_read_again(tmp_path: Path) -> None:
    parts = [{"id": name, "text": "x"} for name in (*PHONES, 7)] + [{"text": "y"}]
    found = sample_log(log_of(tmp_path, row(0, context=parts)), 5)
    file = tmp_path / "cases.jsonl"
    file.write_text(
        "".join(json.dumps(case.to_dict()) + "\n" for case in found.cases.cases), encoding="utf-8"
    )
    assert read_cases(file).cases == found.cases.cases
    assert [part.id for part in found.cases.cases[0].context] == ["PHONE_1", "PHONE_1-2", "7", "4"]


@pytest.mark.parametrize("name", ["", " ", None, [1], {}, True, 1.5])
def test_an_id_is_a_text_or_an_int(tmp_path: Path, name: object) -> None:
    parts = [{"id": "a", "text": "x"}, {"id": name, "text": "y"}]
    with pytest.raises(DataError, match=r'"id" of "context"\[1\] must be a non-empty string or an int, got '):
        sample_log(log_of(tmp_path, row(0, context=parts)), 5)


def test_what_is_unmasked_was_asked_for(tmp_path: Path) -> None:
    found = sample_log(log_of(tmp_path, row(0, question="mail a@b.example?")), 5, mask=False)
    assert found.cases.cases[0].question == "mail a@b.example?"
