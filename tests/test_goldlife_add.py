"""`rag-sweep gold add`: a question with its provenance, behind bytes that stay."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from golds import overrides, questions_of, rows_of, write_all, write_beir, write_gold

from rag_sweep.errors import RagSweepError
from rag_sweep.goldlife.adding import Added, Place, add
from rag_sweep.goldlife.asking import NewQuestion, normalised
from rag_sweep.goldlife.telling import added_lines
from rag_sweep.goldlife.writing import append_line

ASKED = NewQuestion(
    text="which card opens the side door?",
    relevant=("door",),
    source="incident-123",
    author="A.B.",
    reason="the guard was asked twice",
    date="2026-11-30",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_all(tmp_path)
    return tmp_path


def run(folder: Path, place: Place | None = None, words: list[str] | None = None, **keys: Any) -> Added:
    return add(overrides(folder) if words is None else words, replace(ASKED, **keys), place or Place())


def refused(folder: Path, place: Place | None = None, words: list[str] | None = None, **keys: Any) -> str:
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with pytest.raises(RagSweepError) as caught:
        run(folder, place, words, **keys)
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_a_question_is_appended_and_every_byte_before_it_stays(folder: Path) -> None:
    file = folder / "gold.jsonl"
    before = file.read_bytes()
    os.chmod(file, 0o640)
    done = run(folder, tags=("card", "door", "card"), answer="the blue one")
    assert file.read_bytes().startswith(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert rows_of(file)[-1] == {
        "id": "incident-123",
        "question": "which card opens the side door?",
        "relevant": ["door"],
        "tags": ["card", "door"],
        "answer": "the blue one",
        "source": "incident-123",
        "author": "A.B.",
        "date": "2026-11-30",
        "reason": "the guard was asked twice",
    }
    assert len(done.after.questions) == len(done.before.questions) + 1
    assert done.after.fingerprint != done.before.fingerprint
    assert done.notes == ("the version is still '1', for another gold now: --out FILE writes a new version",)
    assert {path.name for path in folder.iterdir()} == {"docs.jsonl", "gold.jsonl"}


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_file_without_a_last_line_end_gets_one_first(folder: Path, end: bytes) -> None:
    file = folder / "gold.jsonl"
    rule = b"\r\n" if end == b"\r\n" else b"\n"
    content = rule.join(file.read_bytes().splitlines()) + end
    file.write_bytes(content)
    run(folder)
    added = file.read_bytes().removeprefix(content)
    assert added.removeprefix(b"" if end else rule).startswith(b'{"id": "incident-123"')
    assert added.endswith(rule)


def test_a_new_version_leaves_the_old_one_alone_and_has_a_log(folder: Path) -> None:
    before = (folder / "gold.jsonl").read_bytes()
    out = folder / "gold-2.jsonl"
    done = run(folder, Place(out=out))
    assert (folder / "gold.jsonl").read_bytes() == before
    assert out.read_bytes().splitlines()[1:-1] == before.splitlines()[1:]
    assert done.after.version == "2"
    head, change = rows_of(folder / "gold-2.jsonl.log.jsonl")
    assert head["log"]["to"] == {"version": "2", "gold": done.after.fingerprint}
    assert change == {
        "what": "question added",
        "question": "incident-123",
        "reason": "the guard was asked twice",
    }
    assert "is there already" in refused(folder, Place(out=out))


def test_evidence_is_kept_as_a_quote_and_a_span_with_the_text_that_stands_there(folder: Path) -> None:
    run(folder, evidence=("the blue card",), spans=("door:0-8",))
    assert questions_of(folder / "gold.jsonl")["incident-123"]["spans"] == [
        {"doc_id": "door", "start": 0, "end": 8, "quote": "The side"},
        {"doc_id": "door", "quote": "the blue card"},
    ]


def test_grades_stand_behind_the_ids_and_nothing_relevant_is_a_negative(folder: Path) -> None:
    run(folder, relevant=("door=2", "vpn", "old=0"), query_id="graded")
    run(folder, text="Где стоит рояль?", relevant=("door=0",), negative=True, source="log")
    found = questions_of(folder / "gold.jsonl")
    assert (found["graded"]["relevant"], found["graded"]["grades"]) == (
        ["door", "vpn"],
        {"door": 2, "vpn": 1, "old": 0},
    )
    assert (found["7"]["relevant"], found["7"]["grades"]) == ([], {"door": 0})


def test_an_id_may_look_like_a_grade_or_a_span(folder: Path) -> None:
    (folder / "docs.jsonl").open("a").write('{"id": "a=1", "text": "t"}\n{"id": "b:1-2", "text": "text"}\n')
    run(folder, relevant=("a=1", "b:1-2=3"), spans=("b:1-2:0-4",))
    found = questions_of(folder / "gold.jsonl")["incident-123"]
    assert (found["grades"], found["spans"][0]["quote"]) == ({"a=1": 1, "b:1-2": 3}, "text")


def test_two_questions_of_one_incident_have_ids_of_their_own(folder: Path) -> None:
    run(folder)
    assert run(folder, text="another one?").values["id"] == "incident-123-2"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"relevant": ("dor",)}, '--relevant: unknown document "dor"'),
        ({"relevant": ("Door",)}, 'unknown document "Door" (is it "door"?)'),
        ({"relevant": ("door", "door")}, '--relevant: the document "door" is given twice'),
        ({"relevant": ("door=5000",)}, 'the grade of "door" must be an int up to 1000, got 5000'),
        ({"relevant": ()}, "no document is relevant: give --relevant ID, or --negative"),
        ({"negative": True}, "--negative says that nothing answers it, yet a document is relevant"),
        ({"query_id": "q3"}, '--id: "q3" is taken'),
        ({"text": "  WHICH card!"}, 'the question is there already: "q3"'),
        ({"text": "что ЗНАЧИТ «ошибка 812»"}, 'the question is there already: "q2"'),
        ({"text": " "}, "--question must be a text"),
        ({"source": "gut"}, "--source must be one of feature, incident, log, invented"),
        ({"source": "incident-"}, "--source must be one of"),
        ({"reason": " "}, "--reason must be a text"),
        ({"author": ""}, "--author must be a text"),
        ({"tags": ("a", "")}, "--tag must be a text"),
        ({"date": "30.11.2026"}, "--date must be a day such as 2026-11-30"),
        ({"spans": ("door",)}, "--span must be DOCUMENT:START-END"),
        ({"spans": ("door:5-999",)}, '--span: outside the text of "door", which has 63 characters'),
        ({"spans": ("door:5-2",)}, '--span must end behind where it starts, got "door:5-2"'),
        ({"spans": (f"door:0-{'9' * 5000}",)}, "--span must be DOCUMENT:START-END"),
        ({"relevant": (f"door={'9' * 5000}",)}, "--relevant: unknown document"),
        ({"text": "which card \udcff?"}, "--question must be a text in UTF-8"),
        ({"tags": ("\udcff",)}, "--tag must be a text in UTF-8"),
        ({"spans": ("vpn:0-4",)}, '--span: "vpn" isn\'t relevant by --relevant'),
        ({"evidence": ("red card",)}, '--evidence: "red card" isn\'t in "door"'),
        ({"evidence": ("THE  blue card",)}, "it is there with other white space or letter case"),
        (
            {"evidence": ("card",)},
            '"card" stands at 2 places, at 34 of "door" and at 47 of "door": quote more',
        ),
        ({"evidence": ("",)}, '--evidence: "" isn\'t in "door"'),
    ],
)
def test_a_wrong_question_is_refused(folder: Path, keys: dict[str, Any], message: str) -> None:
    assert message in refused(folder, **keys)


def test_all_that_is_wrong_is_told_at_once(folder: Path) -> None:
    told = refused(folder, relevant=("dor",), source="gut", reason="")
    assert len(told.splitlines()) == 3


def test_ids_and_evidence_need_the_documents(folder: Path) -> None:
    gold = folder / "gold.jsonl"
    assert "give them by --documents" in refused(folder, Place(gold=gold), [])
    done = run(folder, Place(gold=gold, documents=folder / "docs.jsonl"), [])
    assert done.file == gold


def test_what_isnt_a_gold_file_of_ones_own_is_never_appended_to(folder: Path) -> None:
    assert "ships in the package" in refused(
        folder, words=["dataset=handbook", "dataset.language=en"], relevant=("travel-expenses",)
    )
    assert "gold add appends to a GOLD file" in refused(folder, words=write_beir(folder / "sci"))
    assert "--version names a new version" in refused(folder, Place(version="3"))
    out = Place(out=folder / "mine.jsonl")
    done = run(folder, out, ["dataset=handbook", "dataset.language=en"], relevant=("travel-expenses",))
    assert len(done.after.questions) == len(done.before.questions) + 1


def test_a_link_stays_one_and_its_file_is_written(folder: Path) -> None:
    (folder / "gold.jsonl").rename(folder / "real.jsonl")
    (folder / "gold.jsonl").symlink_to(folder / "real.jsonl")
    run(folder)
    assert (folder / "gold.jsonl").is_symlink()
    assert rows_of(folder / "real.jsonl")[-1]["id"] == "incident-123"


def test_a_file_that_somebody_changes_meanwhile_is_left_as_it_is(tmp_path: Path) -> None:
    file = write_gold(tmp_path / "gold.jsonl", [{"id": "q", "question": "a?", "relevant": []}])
    before = file.read_bytes()
    with pytest.raises(RagSweepError, match="changed by somebody else"):
        append_line(file, before, b"{}\n", check=lambda new: file.write_bytes(before + b"theirs\n") and None)
    assert file.read_bytes() == before + b"theirs\n"
    assert [path.name for path in tmp_path.iterdir()] == ["gold.jsonl"]


def _add_one(folder: Path, number: int) -> None:
    run(folder, text=f"which card opens door number {number}?", source="feature")


def test_of_many_who_append_at_once_each_gets_a_line_and_an_id(folder: Path) -> None:
    before = (folder / "gold.jsonl").read_bytes()
    processes = get_context("spawn").Pool(4)
    with processes:
        processes.starmap(_add_one, [(folder, number) for number in range(12)], chunksize=1)
    rows = rows_of(folder / "gold.jsonl")
    assert (folder / "gold.jsonl").read_bytes().startswith(before)
    assert len({row["id"] for row in rows[-12:]}) == len({row["question"] for row in rows[-12:]}) == 12
    assert len(rows) == before.count(b"\n") + 12
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]


def test_a_read_only_gold_stays_as_it_is(folder: Path) -> None:
    (folder / "gold.jsonl").chmod(0o444)
    assert "is read-only: nothing was written; --out FILE" in refused(folder)


def test_what_a_terminal_obeys_is_not_told(folder: Path) -> None:
    told = added_lines(run(folder, query_id="a\x1b[31m", place=Place(out=folder / "n", version="2\x1b]0;x")))
    assert "\x1b" not in "".join(told)


def test_a_check_that_fails_changes_nothing(tmp_path: Path) -> None:
    file = write_gold(tmp_path / "gold.jsonl", [{"id": "q", "question": "a?", "relevant": []}])
    before = file.read_bytes()

    def check(new: Path) -> None:
        assert new.read_bytes() == before + b"{}\n"
        raise RagSweepError("no")

    with pytest.raises(RagSweepError, match="no"):
        append_line(file, before, b"{}\n", check)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["gold.jsonl"]


def test_questions_are_the_same_but_for_case_space_and_punctuation() -> None:
    assert normalised("  Who, me?\n") == normalised("who me")
    assert normalised("…") != normalised("?")
