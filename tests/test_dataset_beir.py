"""Collections in BEIR layout: what is read, what is left out, and every fault of the four files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from rag_sweep.dataset.beir import Beir
from rag_sweep.errors import DataError, Fault
from rag_sweep.records import Dataset, Span

CORPUS = (
    {"_id": "1", "title": "One", "text": "the first text", "metadata": {"x": 1}},
    {"_id": "a/b c", "text": "the second text"},
    {"_id": 3, "title": "", "text": ""},
)
QUERIES = (
    {"_id": "1", "text": "first?", "metadata": {"tags": ["code"]}},
    {"_id": "q2", "text": "second?", "metadata": {"tags": "code"}},
    {"_id": "q3", "text": "third?", "metadata": None},
    {"_id": "q4", "text": "never judged"},
)
QRELS = "query-id\tcorpus-id\tscore\n1\ta/b c\t1\nq2\t1\t2\nq2\t3\t0\nq3\t1\t0\nq3\t3\t-1\n"


def write(
    folder: Path,
    corpus: Iterable[Any] = CORPUS,
    queries: Iterable[Any] = QUERIES,
    qrels: str = QRELS,
    spans: Iterable[Any] | None = None,
) -> Path:
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    (folder / "qrels" / "test.tsv").write_text(qrels, encoding="utf-8")
    for name, rows in (("corpus", corpus), ("queries", queries), ("spans", spans)):
        if rows is not None:
            lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
            (folder / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def places(faults: list[Fault], level: str = "error") -> list[tuple[str, int | None, str | None, str]]:
    found = [fault for fault in faults if fault.level == level]
    return [("" if f.file is None else f.file.name, f.line, f.id, f.what) for f in found]


def load(folder: Path, split: str = "test") -> Dataset:
    return Beir(str(folder), split).load()


def test_a_small_collection_is_read(tmp_path: Path) -> None:
    spans = [{"query_id": "1", "doc_id": "a/b c", "start": 4, "end": 10, "answer": "second"}]
    dataset = load(write(tmp_path / "small", spans=spans))
    assert dataset.name == "small"
    assert [document.doc_id for document in dataset.corpus.documents] == ["1", "3", "a/b c"]
    questions = {question.query_id: question for question in dataset.gold.questions}
    assert list(questions) == ["1", "q2", "q3"]
    assert questions["1"].spans == (Span("a/b c", 4, 10),)
    assert questions["1"].tags == ("code",)
    assert questions["q2"].grades == {"1": 2, "3": 0}
    assert questions["q2"].tags == ()


def test_a_query_without_judgement_is_unjudged_and_one_without_a_positive_grade_a_negative(
    tmp_path: Path,
) -> None:
    gold = load(write(tmp_path)).gold
    assert gold.unjudged == 1
    assert [question.query_id for question in gold.negatives] == ["q3"]


def test_a_query_id_may_equal_a_document_id_and_may_be_relevant_to_it(tmp_path: Path) -> None:
    gold = load(write(tmp_path, qrels="1\t1\t1\n")).gold
    assert gold.questions[0].relevant == ("1",)


def test_the_header_of_qrels_may_be_missing_and_line_ends_may_be_those_of_windows(tmp_path: Path) -> None:
    with_header = load(write(tmp_path / "a")).gold
    without = QRELS.split("\n", 1)[1].replace("\n", "\r\n") + "\r\n"
    assert load(write(tmp_path / "b", qrels=without)).gold.fingerprint == with_header.fingerprint


def test_warnings_are_condensed(tmp_path: Path) -> None:
    assert load(write(tmp_path)).warnings == (
        "empty document (3)",
        'grade below 0, it counts as not relevant: "3" has -1 (q3)',
    )


def test_every_fault_of_the_qrels_is_listed(tmp_path: Path) -> None:
    rows = [
        "query-id\tcorpus-id\tscore",
        "1\tzz\t1",
        "zz\t1\t1",
        "1\t1\tx",
        "1 1 1",
        "1\t1\t1\t1",
        "1\t3\t1.0",
    ]
    rows += ["1\t1\t1", "1\t1\t1", "1\t1\t2", "\t1\t1", "1\tA/B c\t1", "1\t3\t99999"]
    faults = Beir(str(write(tmp_path, qrels="\n".join(rows)))).read()[1]
    must = "must be query id, document id and grade with a tab between them, got "
    assert places(faults) == [
        ("test.tsv", 2, "1", 'unknown document "zz"'),
        ("test.tsv", 3, "zz", 'unknown question "zz"'),
        ("test.tsv", 4, "1", 'the grade of "1" must be an int up to 1000, got "x"'),
        ("test.tsv", 5, None, must + '"1 1 1"'),
        ("test.tsv", 6, None, must + '"1\\t1\\t1\\t1"'),
        ("test.tsv", 7, "1", 'the grade of "3" must be an int up to 1000, got "1.0"'),
        ("test.tsv", 10, "1", '"1" has the grade 2 here and 1 above'),
        ("test.tsv", 11, None, must + '"\\t1\\t1"'),
        ("test.tsv", 12, "1", 'unknown document "A/B c" (is it "a/b c"?)'),
        ("test.tsv", 13, "1", 'the grade of "3" must be an int up to 1000, got "99999"'),
    ]


def test_a_missing_split_lists_those_that_exist(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "qrels" / "train.tsv").write_text(QRELS)
    with pytest.raises(DataError, match='has no split "dev"; there is: test, train'):
        load(tmp_path, "dev")


def test_a_missing_folder_and_missing_files_are_errors(tmp_path: Path) -> None:
    assert places(Beir(str(tmp_path / "no")).read()[1]) == [
        ("no", None, None, "doesn't exist; dataset.path is a folder in BEIR layout")
    ]
    missing = [
        ("corpus.jsonl", "doesn't exist"),
        ("queries.jsonl", "doesn't exist"),
        ("test.tsv", "doesn't exist"),
    ]
    assert [(file, what) for file, _, _, what in places(Beir(str(tmp_path)).read()[1])] == missing


def test_empty_files_are_errors(tmp_path: Path) -> None:
    faults = Beir(str(write(tmp_path, corpus=[], queries=[], qrels="query-id\tcorpus-id\tscore\n"))).read()[1]
    assert [what for _, _, _, what in places(faults)] == [
        "has no documents",
        "has no questions",
        "has no judgements",
    ]


def test_every_fault_of_queries_and_spans_is_listed(tmp_path: Path) -> None:
    queries = [
        *QUERIES,
        '{"_id": "q5"',
        {"text": "x"},
        {"_id": "q2", "text": "again"},
        {"_id": "q9", "text": " "},
    ]
    spans = [
        {"query_id": "1", "doc_id": "a/b c", "start": 0, "end": 99},
        {"query_id": "nobody", "doc_id": "1", "start": 0, "end": 1},
        {"doc_id": "1", "start": 0, "end": 1},
        {"query_id": "1", "doc_id": "zz", "start": 0, "end": 1},
        {"query_id": "q4", "doc_id": "1", "start": 0, "end": 1},
        "oops",
    ]
    faults = Beir(str(write(tmp_path, queries=queries, qrels=QRELS + "q9\t1\t1\n", spans=spans))).read()[1]
    assert places(faults) == [
        ("queries.jsonl", 5, None, "broken JSON: Expecting ',' delimiter at column 13"),
        ("queries.jsonl", 6, None, 'has no "_id"'),
        ("queries.jsonl", 7, "q2", "duplicate question id: it is also the id of line 2"),
        ("queries.jsonl", 8, "q9", "empty question"),
        (
            *("spans.jsonl", 1, "1"),
            'outside its text: start 0, end 99 in "a/b c", allowed is 0 <= start < end <= 15',
        ),
        ("spans.jsonl", 2, "nobody", 'unknown question "nobody"'),
        ("spans.jsonl", 3, None, 'has no "query_id"'),
        ("spans.jsonl", 4, "1", 'unknown document "zz"'),
        ("spans.jsonl", 6, None, "broken JSON: Expecting value at column 1"),
    ]


def test_an_empty_text_of_an_unjudged_query_does_no_harm(tmp_path: Path) -> None:
    queries = [*QUERIES, {"_id": "q5", "text": ""}]
    assert load(write(tmp_path, queries=queries)).gold.unjudged == 2


def test_odd_spans_are_warnings_at_their_line(tmp_path: Path) -> None:
    span = {"query_id": "1", "doc_id": "a/b c", "start": 0, "end": 3}
    other = {"query_id": "1", "doc_id": "1", "start": 0, "end": 3}
    faults = Beir(str(write(tmp_path, spans=[span, span, other]))).read()[1]
    assert [(line, what) for file, line, _, what in places(faults, "warning") if file == "spans.jsonl"] == [
        (2, 'the same span twice: 0 to 3 of "a/b c"'),
        (3, 'span in a document that isn\'t relevant: "1"'),
    ]


@pytest.mark.parametrize(
    ("name", "documents", "judged", "unjudged", "spans", "empty"),
    [
        ("cranfield", 1400, 225, 0, 0, 2),
        ("scifact", 5183, 300, 809, 366, 0),
        ("xquad-ru", 240, 1190, 0, 1190, 0),
        ("rubq-paragraphs-ru", 898, 923, 0, 448, 0),
        ("ru-wiki-rag-small", 150, 157, 0, 155, 0),
        ("doc2dial-val", 273, 660, 0, 660, 0),
        ("chroma-chunking", 5, 472, 0, 790, 0),
    ],
)
def test_the_real_collections_have_the_counts_of_their_readme(
    shared: Path, name: str, documents: int, judged: int, unjudged: int, spans: int, empty: int
) -> None:
    dataset, faults = Beir(str(shared / "data" / name)).read()
    assert dataset is not None
    assert len(dataset.corpus) == documents
    assert len(dataset.gold.answerable) == len(dataset.gold.questions) == judged
    assert dataset.gold.unjudged == unjudged
    assert sum(len(question.spans) for question in dataset.gold.questions) == spans
    assert sum(fault.what == "empty document" for fault in faults) == empty


@pytest.mark.parametrize(
    ("name", "split", "grades"),
    [
        ("cranfield", "test", {4: 128, 3: 387, 2: 734, 1: 363, -1: 225}),
        ("cranfield", "original_codes", {1: 128, 2: 387, 3: 734, 4: 363, -1: 225}),
        ("cranfield", "binary", {1: 1612, 0: 225}),
        ("cranfield", "binary_all_rows", {1: 1837}),
        ("scifact", "train", {1: 919}),
    ],
)
def test_every_judgement_of_the_real_splits_is_kept(
    shared: Path, name: str, split: str, grades: dict[int, int]
) -> None:
    found = [g for q in load(shared / "data" / name, split).gold.questions for g in q.grades.values()]
    assert {grade: found.count(grade) for grade in set(found)} == grades


def test_the_marked_answers_stand_at_their_spans(shared: Path) -> None:
    folder = shared / "data" / "xquad-ru"
    dataset = load(folder)
    texts = {document.doc_id: document.text for document in dataset.corpus.documents}
    marked = [json.loads(line) for line in (folder / "spans.jsonl").read_text(encoding="utf-8").splitlines()]
    spans = [(q.query_id, texts[s.doc_id][s.start : s.end]) for q in dataset.gold.questions for s in q.spans]
    assert sorted(spans) == sorted((row["query_id"], row["answer"]) for row in marked)
