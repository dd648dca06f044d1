"""Rankings of another system: TREC run files and JSONL, read and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rag_sweep.dataset.rankings import (
    ForeignRankings,
    gold_of,
    read_rankings,
    write_trec_qrels,
    write_trec_run,
)
from rag_sweep.dataset.trec import decode_id, encode_id
from rag_sweep.errors import DataError
from rag_sweep.records import Gold, Question


def read(path: Path, content: str) -> ForeignRankings:
    path.write_text(content, encoding="utf-8", newline="")
    return read_rankings(path)


def read_lines(tmp_path: Path, *rows: dict[str, Any]) -> ForeignRankings:
    return read(tmp_path / "rankings.jsonl", "\n".join(json.dumps(row) for row in rows))


def faults(path: Path, content: str) -> list[tuple[int | None, str | None, str]]:
    with pytest.raises(DataError) as caught:
        read(path, content)
    assert all(fault.file == path and fault.level == "error" for fault in caught.value.faults)
    return [(fault.line, fault.id, fault.what) for fault in caught.value.faults]


def line_faults(tmp_path: Path, *rows: dict[str, Any]) -> list[tuple[int | None, str | None, str]]:
    return faults(tmp_path / "rankings.jsonl", "\n".join(json.dumps(row) for row in rows))


def test_a_run_file_is_ordered_by_score_and_then_by_ascending_document_id(tmp_path: Path) -> None:
    run = ["q2 Q0 b 1 1.5 tag", "q2\tQ0\tc\t2\t1.5\ttag\r", "q1 Q0 x 9 -2e1 tag", ""]
    run += ["q2 Q0 a 3 1.5 tag", "q2 Q0 d 4 3 tag", ""]
    found = read(tmp_path / "a.run", "\n".join(run))
    assert list(found.rankings) == ["q2", "q1"]
    assert found.rankings["q2"] == ("d", "a", "b", "c")
    assert found.scores == {"q2": (3.0, 1.5, 1.5, 1.5), "q1": (-20.0,)}
    assert (found.expected, found.index_version, found.source) == (None, None, tmp_path / "a.run")


def test_a_rank_column_that_says_another_order_is_a_warning(tmp_path: Path) -> None:
    assert read(tmp_path / "a", "q Q0 a 1 2 t\nq Q0 b 2 1 t\n").warnings == ()
    (warning,) = read(tmp_path / "a", "q Q0 b 1 2 t\nq Q0 a 2 2 t\n").warnings
    assert warning == "the rank column says another order than score, then document id, which is taken (q)"


def test_scores_that_differ_in_a_late_digit_are_no_tie(tmp_path: Path) -> None:
    found = read(tmp_path / "a", "q Q0 a 1 1e-12 t\nq Q0 b 2 2e-12 t\n")
    assert found.rankings["q"] == ("b", "a")


def test_encoded_ids_are_decoded(tmp_path: Path) -> None:
    found = read(tmp_path / "a", "q%201 Q0 a/b%20%D0%B6 1 2 t\nq%201 Q0 100% 2 1 t\n")
    assert found.rankings == {"q 1": ("a/b ж", "100%")}


def test_every_broken_line_of_a_run_is_listed(tmp_path: Path) -> None:
    run = [
        "q Q0 a 1 2.0 t",
        "q Q0 a 2 1.0 t",
        "q a 1 2.0 t",
        "q Q0 b x 2.0 t",
        "q Q0 b 1 nan t",
        "q Q0 b 1 inf t",
        "q Q0 b 1 1e999 t",
        "q Q0 b 1 1_0 t",
        "q Q0 %ff 1 1 t",
        "q Q0 b c 1 1 t",
        "r Q0 a 1 2.0 t",
    ]
    assert faults(tmp_path / "a", "\n".join(run)) == [
        (2, "q", 'duplicate document in the ranking: "a"'),
        (3, None, "must be six columns (query Q0 document rank score run), got 5"),
        (4, "q", 'the rank must be an int, got "x"'),
        (5, "q", 'the score must be a finite number, got "nan"'),
        (6, "q", 'the score must be a finite number, got "inf"'),
        (7, "q", 'the score must be a finite number, got "1e999"'),
        (8, "q", 'the score must be a finite number, got "1_0"'),
        (9, None, "percent-encoded id isn't UTF-8: q %ff"),
        (10, None, "must be six columns (query Q0 document rank score run), got 7"),
    ]


def test_the_order_of_the_list_is_the_ranking(tmp_path: Path) -> None:
    found = read_lines(
        tmp_path,
        {"id": "q2", "retrieved_doc_ids": ["b", "a", 3], "latency": 4},
        {"id": 1, "retrieved_doc_ids": []},
    )
    assert found.rankings == {"q2": ("b", "a", "3"), "1": ()}
    assert (found.scores, found.expected, found.index_version, found.warnings) == (None, None, None, ())


def test_expected_ids_beside_the_ranking_make_a_gold(tmp_path: Path) -> None:
    found = read_lines(
        tmp_path,
        {"id": "q2", "retrieved_doc_ids": ["b"], "expected_doc_ids": ["b", "c"], "index_version": "v1"},
        {"id": "q1", "retrieved_doc_ids": [], "expected_doc_ids": ["a"], "index_version": "v1"},
    )
    assert found.index_version == "v1"
    assert found.expected == {"q2": ("b", "c"), "q1": ("a",)}
    gold = gold_of(found.expected)
    assert [(q.query_id, q.relevant, dict(q.grades)) for q in gold.questions] == [
        ("q2", ("b", "c"), {"b": 1, "c": 1}),
        ("q1", ("a",), {"a": 1}),
    ]


@pytest.mark.parametrize("name", ["r.jsonl", "r.json", "r.txt"])
def test_jsonl_is_known_by_its_ending_or_by_its_first_line(tmp_path: Path, name: str) -> None:
    assert read(tmp_path / name, '\n{"id": "q", "retrieved_doc_ids": ["a"]}\n').rankings == {"q": ("a",)}


def test_every_fault_of_jsonl_rankings_is_listed(tmp_path: Path) -> None:
    assert line_faults(
        tmp_path,
        {"id": "q1", "retrieved_doc_ids": ["a", "b", "a"]},
        {"id": "q2", "retrieved_docs_ids": ["a"]},
        {"id": "q1", "retrieved_doc_ids": ["a"]},
        {"retrieved_doc_ids": "a"},
        {"id": "q5", "retrieved_doc_ids": [None]},
    ) == [
        (1, "q1", 'duplicate document in the ranking: "a"'),
        (2, "q2", 'has no "retrieved_doc_ids" (is it "retrieved_docs_ids"?)'),
        (3, "q1", "duplicate question id: it is also the id of line 1"),
        (4, None, 'has no "id"'),
        (4, None, '"retrieved_doc_ids" must be a list of ids, got "a"'),
        (5, "q5", '"retrieved_doc_ids" must hold ids (a non-empty string or an int), got null'),
    ]


def test_expected_ids_are_there_on_all_lines_or_on_none_and_never_empty(tmp_path: Path) -> None:
    assert line_faults(
        tmp_path,
        {"id": "q1", "retrieved_doc_ids": [], "expected_doc_ids": ["a"]},
        {"id": "q2", "retrieved_doc_ids": []},
        {"id": "q3", "retrieved_doc_ids": [], "expected_doc_ids": []},
    ) == [
        (
            *(3, "q3"),
            '"expected_doc_ids" is empty: a question without a relevant document can\'t be scored here',
        ),
        (2, "q2", 'has no "expected_doc_ids", while 2 of 3 lines have one'),
    ]


def test_one_file_is_of_one_index(tmp_path: Path) -> None:
    rows = [
        {"id": str(n), "retrieved_doc_ids": [], "index_version": v} for n, v in enumerate(("a", "b", "a"))
    ]
    says = 'index_version "b", but "a" in the lines before: one file, one index'
    assert line_faults(tmp_path, *rows) == [(2, "1", says)]
    del rows[1]["index_version"]
    assert line_faults(tmp_path, *rows) == [(2, "1", 'has no "index_version", while 2 of 3 lines have one')]


def test_a_misspelt_key_is_a_warning(tmp_path: Path) -> None:
    found = read_lines(tmp_path, {"id": "q", "retrieved_doc_ids": ["a"], "expected_docs_ids": ["a"]})
    assert found.warnings == ('unknown key "expected_docs_ids" (is it "expected_doc_ids"?) (q)',)


def test_an_empty_or_missing_file_is_an_error(tmp_path: Path) -> None:
    for name in ("a.run", "a.jsonl"):
        assert faults(tmp_path / name, "\n") == [(None, None, "has no rankings")]
    with pytest.raises(DataError, match="doesn't exist"):
        read_rankings(tmp_path / "none")


def test_the_shared_examples_are_read_and_their_errors_refused(shared: Path, tmp_path: Path) -> None:
    examples = json.loads((shared / "fixtures" / "ranks" / "expected.json").read_text(encoding="utf-8"))
    cases = examples["mrr_cases"]
    found = read_lines(tmp_path, *cases)
    assert found.index_version == "demo-1"
    assert found.rankings == {case["id"]: tuple(case["retrieved_doc_ids"]) for case in cases}
    assert found.expected == {case["id"]: tuple(case["expected_doc_ids"]) for case in cases}
    wrong = [case for case in examples["must_be_an_error"] if "retrieved_doc_ids" in case]
    assert len(wrong) == 2
    for case in wrong:
        assert len(line_faults(tmp_path, {"id": "q", **case})) == 1


# What breaks columns or lines somewhere is drawn often.
ids = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from(' %/\t\n\r\x00\x1c\x85\xa0\u2028\ufeff{}"#')
)
ids = ids.filter(lambda name: bool(name.strip()))
ranked = st.dictionaries(ids, st.lists(ids, min_size=1, max_size=6, unique=True), max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rankings=ranked, run_name=ids)
@example(rankings={'{"id"': ["100%", "100%25", "a b", "\ufeff"]}, run_name="}")
@example(rankings={"\ufeffq": ["b", "a", "c"]}, run_name="run")
def test_a_written_run_is_read_back_in_the_same_order(
    tmp_path: Path, rankings: dict[str, list[str]], run_name: str
) -> None:
    path = tmp_path / "out.run"
    write_trec_run(path, run_name, rankings.items())
    if not rankings:
        assert path.read_bytes() == b""
        return
    found = read_rankings(path)
    assert found.rankings == {query_id: tuple(doc_ids) for query_id, doc_ids in rankings.items()}
    assert list(found.rankings) == list(rankings)
    assert found.warnings == ()


@given(ids)
def test_an_encoded_id_is_one_column_and_comes_back(name: str) -> None:
    assert encode_id(name).split() == [encode_id(name)]
    assert decode_id(encode_id(name)) == name


def test_only_what_would_break_the_format_is_encoded(tmp_path: Path) -> None:
    path = tmp_path / "out.run"
    write_trec_run(path, "my run", [("q 1", ["hr/отпуск", "50%", "b"]), ("q2", []), ("q3", ["b"])])
    assert path.read_text(encoding="utf-8").split("\n") == [
        "q%201 Q0 hr/отпуск 1 3 my%20run",
        "q%201 Q0 50%25 2 2 my%20run",
        "q%201 Q0 b 3 1 my%20run",
        "q3 Q0 b 1 1 my%20run",
        "",
    ]


@pytest.mark.parametrize(
    "rankings", [[("q", ["a", "a"])], [("q", ["a"]), ("q", ["b"])], [("", ["a"])], [("q", [""])]]
)
def test_a_run_that_means_nothing_is_not_written(
    tmp_path: Path, rankings: list[tuple[str, list[str]]]
) -> None:
    (tmp_path / "out.run").write_text("what was there")
    with pytest.raises(ValueError, match=r"twice|empty id"):
        write_trec_run(tmp_path / "out.run", "run", rankings)
    assert [path.name for path in tmp_path.iterdir()] == ["out.run"]
    assert (tmp_path / "out.run").read_text() == "what was there"


def test_qrels_hold_every_judgement(tmp_path: Path) -> None:
    gold = Gold(
        (Question("q 1", "x", {"b": 2, "a/c d": -1}), Question("q2", "x"), Question("q3", "x", {"a": 1}))
    )
    write_trec_qrels(tmp_path / "qrels", gold)
    assert (tmp_path / "qrels").read_text(encoding="utf-8") == "q%201 0 a/c%20d -1\nq%201 0 b 2\nq3 0 a 1\n"


def test_trec_eval_keeps_the_order_of_a_written_run(tmp_path: Path) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    doc_ids = ["b", "c", "a", "d"]
    write_trec_run(tmp_path / "run", "run", [("q", doc_ids)])
    write_trec_qrels(tmp_path / "qrels", gold_of({"q": ["a"]}))
    with (tmp_path / "run").open() as run, (tmp_path / "qrels").open() as qrels:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(qrels), {"recip_rank"})
        assert evaluator.evaluate(pytrec_eval.parse_run(run)) == {"q": {"recip_rank": 1 / 3}}
