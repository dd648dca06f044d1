"""`rag-sweep gold migrate`: what becomes of judgements and evidence, what is refused, what stays as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from golds import (
    DOCUMENTS,
    QUESTIONS,
    questions_of,
    rows_of,
    write_all,
    write_beir,
    write_documents,
    write_gold,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_sweep.dataset.gold import gold_alone
from rag_sweep.dataset.handbook import BUNDLED
from rag_sweep.errors import DataError, RagSweepError, UsageError
from rag_sweep.goldlife.migrate import Migration, Wanted, migrate


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_all(tmp_path)
    return tmp_path


def run(
    folder: Path, rows: str, *, new: dict[str, str] | None = None, words: list[str] | None = None, **more: Any
) -> Migration:
    """Migrate by a map with these rows, to ``new.jsonl``."""
    (folder / "map.csv").write_text(f"old,new,reason\n{rows}", encoding="utf-8")
    if new is not None:
        more["documents"] = write_documents(folder / "new-docs.jsonl", new)
    more = {"out": folder / "new.jsonl", **more}
    if words is None:
        words = (
            []
            if "gold" in more
            else [
                "dataset=files",
                f"dataset.documents={folder / 'docs.jsonl'}",
                f"dataset.gold={folder / 'gold.jsonl'}",
            ]
        )
    return migrate(words, Wanted(map=folder / "map.csv", **more))


def refused(folder: Path, rows: str, **more: Any) -> str:
    before = {path.name for path in folder.iterdir()}
    with pytest.raises(RagSweepError) as caught:
        run(folder, rows, **more)
    left = {path.name for path in folder.iterdir()} - before
    assert left <= {"map.csv", "new-docs.jsonl"}, "something was written"
    assert caught.value.exit_code == 2
    return str(caught.value)


# What becomes of a question


def test_a_renamed_document_is_renamed_everywhere_and_other_lines_stay_to_the_byte(folder: Path) -> None:
    before = (folder / "gold.jsonl").read_bytes().splitlines(keepends=True)
    run(folder, "leave,hr/leave,moved\n")
    after = (folder / "new.jsonl").read_bytes().splitlines(keepends=True)
    assert (folder / "gold.jsonl").read_bytes() == b"".join(before)
    assert after[2:] == before[2:]
    assert json.loads(after[0]) == {"gold": {"version": "2"}}
    assert json.loads(after[1]) == {
        **QUESTIONS[0],
        "relevant": ["hr/leave"],
        "grades": {"hr/leave": 2, "old": 0},
        "spans": [{"doc_id": "hr/leave", "quote": "Twenty eight days"}],
    }


def test_a_document_that_is_gone_takes_its_judgements_along_and_emptied_questions_are_told(
    folder: Path,
) -> None:
    done = run(folder, "old,,withdrawn in May\n")
    found = questions_of(folder / "new.jsonl")
    assert (found["q1"]["grades"], found["q3"]["relevant"], found["q4"]["relevant"]) == (
        {"leave": 2},
        ["door"],
        [],
    )
    assert (done.emptied, done.left_out) == (("q4",), ())
    assert {
        "what": "no relevant document left",
        "question": "q4",
        "reason": "withdrawn in May",
    } in done.changes


def test_emptied_questions_are_left_out_on_request(folder: Path) -> None:
    done = run(folder, "old,,withdrawn\n", drop_emptied=True)
    assert (done.emptied, done.left_out) == ((), ("q4",))
    assert list(questions_of(folder / "new.jsonl")) == ["q1", "q2", "q3", "q5"]


def test_leaving_out_a_question_never_renames_the_ones_without_an_id(folder: Path) -> None:
    write_gold(
        folder / "gold.jsonl",
        [{"question": "a?", "relevant": ["old"]}, {"question": "b?", "relevant": ["vpn"]}],
    )
    assert "gold.jsonl:2 has no id" in refused(folder, "old,,gone\n", drop_emptied=True)
    assert run(folder, "old,,gone\n").emptied == ("1",)


def test_a_split_document_hands_its_judgement_to_the_part_with_the_evidence(folder: Path) -> None:
    new = {
        "days": "Twenty eight days of paid leave a year.",
        "ask": "Ask the manager two weeks before.",
        "vpn": DOCUMENTS["vpn"],
        "door": DOCUMENTS["door"],
        "old": DOCUMENTS["old"],
    }
    done = run(folder, "leave,days,split\nleave,ask,split\n", new=new)
    found = questions_of(folder / "new.jsonl")["q1"]
    assert (found["relevant"], found["grades"]) == (["days"], {"days": 2, "old": 0})
    assert found["spans"] == [{"doc_id": "days", "quote": "Twenty eight days"}]
    (split,) = [change for change in done.changes if change["what"] == "split"]
    assert (split["unjudged_now"], split["look_at_it"], split["reason"]) == (["ask"], False, "split")


def test_without_evidence_every_part_of_a_split_is_relevant_and_somebody_has_to_look(folder: Path) -> None:
    done = run(folder, "door,door-a,split\ndoor,door-b,split\n")
    assert questions_of(folder / "new.jsonl")["q3"]["relevant"] == ["door-a", "door-b", "old"]
    (split,) = [change for change in done.changes if change["what"] == "split"]
    assert (split["look_at_it"], split["unjudged_now"]) == (True, [])


def test_what_isnt_relevant_is_so_in_all_its_parts(folder: Path) -> None:
    run(folder, "old,a,split\nold,b,split\n")
    assert questions_of(folder / "new.jsonl")["q1"]["grades"] == {"leave": 2, "a": 0, "b": 0}


def test_of_documents_that_are_joined_the_highest_grade_stays(folder: Path) -> None:
    done = run(folder, "leave,all,joined\nold,all,joined\n")
    found = questions_of(folder / "new.jsonl")
    assert (found["q1"]["relevant"], found["q1"]["grades"]) == (["all"], {"all": 2})
    assert found["q3"]["relevant"] == ["door", "all"]
    joined = [change for change in done.changes if change["what"] == "joined" and change["question"] == "q1"]
    assert [(one["document"], one["grade"], one.get("new_grade")) for one in joined] == [
        ("leave", 2, None),
        ("old", 0, 2),
    ]


def test_a_document_may_be_joined_to_one_that_keeps_its_name(folder: Path) -> None:
    done = run(folder, "old,door,joined\n", gold=folder / "gold.jsonl")
    assert questions_of(folder / "new.jsonl")["q3"]["relevant"] == ["door"]
    assert {change["what"] for change in done.changes if change["question"] == "q3"} == {"joined"}


# Evidence


def test_spans_are_found_where_their_text_stands_now(folder: Path) -> None:
    new = {**DOCUMENTS, "vpn": "Since May: Install the client. Error 812 means a wrong password."}
    done = run(folder, "old,old-2,renamed\n", new={**new, "old-2": "x"})
    (span,) = questions_of(folder / "new.jsonl")["q2"]["spans"]
    assert new["vpn"][span["start"] : span["end"]] == "Error 812"
    (moved,) = [change for change in done.changes if change["what"] == "span moved"]
    assert moved["reason"] == "the text of the document has changed"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Install it.", 'its text isn\'t in "vpn"'),
        ("ERROR  812!", 'its text isn\'t in "vpn"; it is there with other white space or letter case'),
        ("Error 812. Error 812.", 'its text stands at several places: at 0 of "vpn" and 11 of "vpn"'),
    ],
)
def test_evidence_that_has_no_single_place_is_lost_with_its_text(folder: Path, text: str, why: str) -> None:
    done = run(folder, "old,old,\n", new={**DOCUMENTS, "vpn": text})
    assert questions_of(folder / "new.jsonl")["q2"]["spans"] == []
    (lost,) = [change for change in done.changes if change["what"] == "span lost"]
    assert (lost["why"], lost["evidence"], lost["question"]) == (why, "Error 812", "q2")
    assert "Error 812" in lost["to_do"]
    gold_alone(folder / "new.jsonl")  # and it is still a sound GOLD


def test_in_a_text_that_hasnt_changed_evidence_stays_where_it_was_also_if_it_stands_twice(
    folder: Path,
) -> None:
    documents = {**DOCUMENTS, "vpn": "Error 812. Error 812."}
    write_documents(folder / "docs.jsonl", documents)
    write_gold(
        folder / "gold.jsonl",
        [
            {
                "id": "q",
                "question": "a?",
                "relevant": ["vpn"],
                "spans": [{"doc_id": "vpn", "start": 11, "end": 20}],
            }
        ],
    )
    run(folder, "vpn,it/vpn,moved\n", new={"it/vpn": documents["vpn"]})
    assert questions_of(folder / "new.jsonl")["q"]["spans"] == [{"doc_id": "it/vpn", "start": 11, "end": 20}]


def test_an_offset_says_where_the_old_text_begins(folder: Path) -> None:
    twice = f"Error 812! {DOCUMENTS['vpn']}"
    (folder / "map.csv").write_text("old,new,reason,offset\nvpn,it,moved,11\n")
    new = write_documents(folder / "new-docs.jsonl", {**DOCUMENTS, "it": twice})
    words = write_all(folder)
    migrate(words, Wanted(folder / "map.csv", folder / "new.jsonl", documents=new))
    assert questions_of(folder / "new.jsonl")["q2"]["spans"] == [{"doc_id": "it", "start": 31, "end": 40}]


@pytest.mark.parametrize("offset", ["1.5", "--1", "²", "9" * 5000])
def test_an_offset_that_is_no_int_is_refused(folder: Path, offset: str) -> None:
    (folder / "map.csv").write_text(f"old,new,reason,offset\nvpn,it,moved,{offset}\n", encoding="utf-8")
    with pytest.raises(DataError, match='"offset" must be an int beside a new id'):
        migrate(write_all(folder), Wanted(folder / "map.csv", folder / "new.jsonl"))


def test_without_the_new_documents_spans_are_renamed_and_counted_as_unchecked(folder: Path) -> None:
    done = run(folder, "leave,a,moved\nvpn,b,moved\n", gold=folder / "gold.jsonl")
    assert questions_of(folder / "new.jsonl")["q2"]["spans"] == [{"doc_id": "b", "start": 20, "end": 29}]
    assert (done.unchecked, done.fingerprint) == (2, None)


def test_spans_that_cant_be_placed_without_the_new_documents_stop_it(folder: Path) -> None:
    told = refused(folder, "vpn,a,split\nvpn,b,split\n")
    assert (
        'gold.jsonl:3 [q2] a span in "vpn": its document is split: give the new ones by --documents' in told
    )
    told = refused(folder, "vpn,a,joined\ndoor,a,joined\n")
    assert '"a" is made of several documents' in told


def test_spans_by_characters_need_the_old_documents_where_the_text_may_have_moved(folder: Path) -> None:
    told = refused(folder, "old,old,\n", gold=folder / "gold.jsonl", new=DOCUMENTS)
    assert "give the old documents" in told


# What is refused


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (",b,r\n", "map.csv:2 has no old id"),
        ("leave,b,\n", "map.csv:2 [leave] has no reason"),
        ("leave,b,r\nleave,b,s\n", "map.csv:3 [leave] the same as line 2"),
        ("leave,b,r\nleave,,r\n", 'map.csv:3 [leave] is gone by line 3, yet becomes "b" by line 2'),
        ("leve,b,r\n", 'map.csv:2 [leve] unknown document "leve" among the old documents'),
        ("Leave,b,r\n", 'unknown document "Leave" (is it "leave"?)'),
        ("leave,vpn,r\nvpn,b,r\n", 'map.csv:2 [leave] becomes "vpn", which is itself an old document'),
        ("", "map.csv has no rows"),
    ],
)
def test_a_wrong_map_is_refused_by_its_line(folder: Path, rows: str, message: str) -> None:
    assert message in refused(folder, rows)


def test_every_fault_of_a_map_is_told_at_once(folder: Path) -> None:
    told = refused(folder, ",b,r\nleave,b,\nvpn,b,r\nvpn,b,r\n")
    assert len(told.splitlines()) == 3


def test_ids_are_checked_against_the_new_documents(folder: Path) -> None:
    told = refused(folder, "leave,hr/leve,r\n", new={"hr/leave": "a", "vpn": "b", "old": "c"})
    assert 'map.csv:2 [leave] unknown document "hr/leve" among the new documents' in told
    assert 'gold.jsonl:4 unknown document "door" among the new documents' in told
    assert 'add "door,<new id>,…", or "door,,…" if it is gone' in told


def test_a_chain_is_right_where_both_ends_are_new_documents(folder: Path) -> None:
    new = {
        "vpn": DOCUMENTS["leave"],
        "b": DOCUMENTS["vpn"],
        "door": DOCUMENTS["door"],
        "old": DOCUMENTS["old"],
    }
    run(folder, "leave,vpn,shifted\nvpn,b,shifted\n", new=new)
    found = questions_of(folder / "new.jsonl")
    assert (found["q1"]["relevant"], found["q2"]["relevant"]) == (["vpn"], ["b"])


def test_a_map_of_another_gold_is_refused(folder: Path) -> None:
    told = refused(folder, "x,y,r\n", gold=folder / "gold.jsonl")
    assert "none of its 1 old ids is named by a question of the gold" in told


def test_nothing_is_written_over_and_the_version_is_a_new_one(folder: Path) -> None:
    (folder / "new.jsonl").write_text("mine")
    assert "is there already" in refused(folder, "leave,b,r\n")
    assert (folder / "new.jsonl").read_text() == "mine"
    (folder / "new.jsonl").rename(folder / "new.jsonl.log.jsonl")
    assert "is there already" in refused(folder, "leave,b,r\n")
    assert "another name" in refused(folder, "leave,b,r\n", version="1", out=folder / "other.jsonl")
    assert "doesn't exist" in refused(folder, "leave,b,r\n", out=folder / "no" / "other.jsonl")


def test_two_golds_are_one_too_many(folder: Path) -> None:
    with pytest.raises(UsageError, match="both name a GOLD"):
        run(folder, "leave,b,r\n", gold=folder / "gold.jsonl", words=["dataset=handbook"])


# The log and the version


def test_the_log_says_of_what_it_was_made_and_gives_every_change_a_reason(folder: Path) -> None:
    done = run(folder, "leave,b,\nold,,gone\n", reason="new shelves")
    head, *changes = rows_of(folder / "new.jsonl.log.jsonl")
    assert (head["log"]["from"]["version"], head["log"]["to"]["version"]) == ("1", "2")
    assert head["log"]["map"]["file"] == "map.csv"
    assert changes == done.changes
    assert {change["reason"] for change in changes} == {"new shelves", "gone"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1", "2"),
        (None, "2"),
        ("v9", "v10"),
        ("2026-11", "2026-11r2"),
        ("2026-11r2", "2026-11r3"),
        ("first", "first-2"),
    ],
)
def test_a_version_without_a_name_gets_the_next_one(folder: Path, old: str | None, new: str) -> None:
    write_gold(folder / "gold.jsonl", QUESTIONS, old)
    run(folder, "leave,b,r\n")
    assert gold_alone(folder / "new.jsonl").version == new


def test_a_mark_line_ends_and_escapes_of_the_file_stay(folder: Path) -> None:
    rows = [json.dumps(row, separators=(",", ":")) for row in QUESTIONS]
    content = "\ufeff" + "\r\n".join(rows)
    (folder / "gold.jsonl").write_bytes(content.encode())
    run(folder, "vpn,b,r\n")
    after = (folder / "new.jsonl").read_bytes().decode()
    assert after.startswith('\ufeff{"gold": {"version": "2"}}\r\n{"id":"q1"')
    expected = rows[1].replace('"vpn"', '"b"')
    assert after.split("\r\n")[1:] == [rows[0], expected, *rows[2:]]
    assert "\\u0427" in expected


ids = st.permutations(["a", "b", "c", "d", "e"])
questions = st.lists(
    st.fixed_dictionaries(
        {"relevant": st.lists(st.sampled_from("abcde"), max_size=3, unique=True)},
        optional={"grades": st.dictionaries(st.sampled_from("abcde"), st.integers(-1, 3), max_size=3)},
    ),
    min_size=1,
    max_size=4,
)


def sound(number: int, row: dict[str, Any]) -> dict[str, Any]:
    """A question of these judgements that a reader accepts."""
    grades = {
        name: max(grade, 1) if name in row["relevant"] else grade
        for name, grade in row.get("grades", {}).items()
    }
    if not row["relevant"]:
        grades = {name: min(grade, 0) for name, grade in grades.items()}
    spans = [{"doc_id": name, "quote": f"text of {name}"} for name in row["relevant"][:1]]
    kept = {"grades": grades} if "grades" in row else {}
    return {
        "id": f"q{number}",
        "question": f"what {number}?",
        "relevant": row["relevant"],
        **kept,
        "spans": spans,
    }


@settings(max_examples=40)
@given(ids, questions)
def test_a_permutation_and_back_is_the_identity(
    tmp_path_factory: pytest.TempPathFactory, order: list[str], rows: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("permuted")
    asked = [sound(at, row) for at, row in enumerate(rows)]
    if not any(row["relevant"] or row.get("grades") for row in asked):
        return  # a map of nothing is refused
    first = write_gold(folder / "1.jsonl", asked, "1")
    pairs = list(zip("abcde", order, strict=True))
    for name, lines in (("there", pairs), ("back", [(new, old) for old, new in pairs])):
        (folder / f"{name}.csv").write_text("old,new,reason\n" + "".join(f"{a},{b},r\n" for a, b in lines))
    migrate([], Wanted(folder / "there.csv", folder / "2.jsonl", gold=first, version="2"))
    migrate([], Wanted(folder / "back.csv", folder / "3.jsonl", gold=folder / "2.jsonl", version="1"))
    assert (folder / "3.jsonl").read_bytes() == first.read_bytes()


# BEIR


def test_a_collection_gets_a_new_split(folder: Path) -> None:
    words = write_beir(folder / "sci")
    before = (folder / "sci" / "qrels" / "test.tsv").read_text()
    (folder / "sci" / "spans.jsonl").unlink()
    out = folder / "sci" / "qrels" / "test-2.tsv"
    done = run(folder, "old,door,joined\n", words=words, out=out)
    assert out.read_text() == before.replace("q1\told\t0", "q1\tdoor\t0").replace("q3\told\t1\n", "").replace(
        "q4\told", "q4\tdoor"
    )
    assert [path.name for path in done.files] == ["test-2.tsv.log.jsonl", "test-2.tsv"]


def test_a_collection_for_new_documents_is_a_folder_beside_them(folder: Path) -> None:
    words = write_beir(folder / "sci")
    new = folder / "new"
    new.mkdir()
    rows = [{"_id": name.upper(), "text": f"Now: {text}"} for name, text in DOCUMENTS.items()]
    (new / "corpus.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = run(
        folder,
        "".join(f"{name},{name.upper()},r\n" for name in DOCUMENTS),
        words=words,
        out=new,
        documents=new,
    )
    assert {str(path.relative_to(new)) for path in done.files} == {
        "gold.log.jsonl",
        "queries.jsonl",
        "qrels/test.tsv",
        "spans.jsonl",
    }
    (span,) = rows_of(new / "spans.jsonl")
    assert span == {"query_id": "q2", "doc_id": "VPN", "start": 25, "end": 34}
    assert (new / "queries.jsonl").read_bytes() == (folder / "sci" / "queries.jsonl").read_bytes()


def test_a_question_of_which_nothing_is_judged_any_more_leaves_a_split(folder: Path) -> None:
    words = write_beir(folder / "sci")
    done = run(folder, "old,,gone\n", words=words, out=folder / "sci" / "qrels" / "test-2.tsv")
    assert (done.emptied, done.left_out) == ((), ("q4",))


def test_spans_that_change_belong_to_the_folder_and_not_to_a_split(folder: Path) -> None:
    words = write_beir(folder / "sci")
    told = refused(folder, "vpn,b,r\n", words=words, out=folder / "sci" / "qrels" / "test-2.tsv")
    assert "give a folder" in told


def test_a_faulty_gold_is_refused_as_gold_check_would(folder: Path) -> None:
    write_gold(folder / "gold.jsonl", [{"id": "q", "question": "a?", "relevant": ["nowhere"]}])
    with pytest.raises(DataError, match='unknown document "nowhere"'):
        run(folder, "old,b,r\n")


# Real ones


def test_cranfield_permuted_and_back_is_cranfield(shared: Path, tmp_path: Path) -> None:
    source = shared / "data" / "cranfield"
    ids = [json.loads(line)["_id"] for line in (source / "corpus.jsonl").read_text().splitlines()]
    moved = ids[7:] + ids[:7]
    (tmp_path / "there.csv").write_text(
        "old,new,reason\n" + "".join(f"{a},{b},r\n" for a, b in zip(ids, moved, strict=True))
    )
    (tmp_path / "back.csv").write_text(
        "old,new,reason\n" + "".join(f"{b},{a},r\n" for a, b in zip(ids, moved, strict=True))
    )
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "corpus.jsonl").symlink_to(source / "corpus.jsonl")
    migrate(["dataset=beir", f"dataset.path={source}"], Wanted(tmp_path / "there.csv", tmp_path / "one"))
    done = migrate(
        ["dataset=beir", f"dataset.path={tmp_path / 'one'}"], Wanted(tmp_path / "back.csv", tmp_path / "two")
    )
    for name in ("queries.jsonl", "qrels/test.tsv"):
        assert (tmp_path / "two" / name).read_bytes() == (source / name).read_bytes()
    assert len(done.changes) == 1837


def test_the_russian_handbook_follows_its_files(tmp_path: Path) -> None:
    source = BUNDLED / "handbook-ru" / "docs"
    rows = []
    for file in sorted(source.rglob("*.md")):
        name = file.relative_to(source).with_suffix("").as_posix()
        target = tmp_path / "docs" / "архив" / f"{name}-2027.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("Введение.\n\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
        rows.append(f"{name};архив/{name}-2027;переезд\n")
    (tmp_path / "map.csv").write_text("\ufeffold;new;reason\n" + "".join(rows), encoding="utf-8")
    wanted = Wanted(tmp_path / "map.csv", tmp_path / "gold.jsonl", documents=tmp_path / "docs")
    done = migrate(["dataset=handbook"], wanted)
    assert [change for change in done.changes if change["what"] == "span lost"] == []
    assert done.unchecked == 0
    before, after = gold_alone(BUNDLED / "handbook-ru" / "gold.jsonl"), gold_alone(tmp_path / "gold.jsonl")
    assert [q.text for q in after.questions] == [q.text for q in before.questions]
    assert [q.provenance for q in after.questions] == [q.provenance for q in before.questions]
    old = [{f"архив/{name}-2027": grade for name, grade in q.grades.items()} for q in before.questions]
    assert [dict(q.grades) for q in after.questions] == old
