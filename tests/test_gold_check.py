"""The report of `rag-sweep gold check`: counts, hashes, and every fault in one run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from rag_sweep.dataset.beir import Beir
from rag_sweep.dataset.check import check
from rag_sweep.dataset.files import Files


def source(tmp_path: Path, documents: list[dict[str, Any]], gold: list[dict[str, Any]]) -> Files:
    for name, rows in (("docs", documents), ("gold", gold)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return Files(str(tmp_path / "docs.jsonl"), str(tmp_path / "gold.jsonl"))


def latin(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


DOCUMENTS = [{"id": "a", "text": "alpha"}, {"id": "b", "text": "…"}, {"id": "c", "text": " "}]
GOLD = [
    {"gold": {"version": "5"}},
    {"question": "alpha?", "relevant": ["a"], "grades": {"a": 2}, "tags": ["code", "multi"], "source": "log"},
    {"question": "beta?", "relevant": ["a"], "spans": [{"doc_id": "a", "quote": "pha"}], "tags": ["code"]},
    {"question": "район?", "relevant": [], "source": "invented"},
]


def test_a_sound_gold_is_counted_and_hashed(tmp_path: Path) -> None:
    files = source(tmp_path, DOCUMENTS, GOLD)
    report = check(files, latin)
    dataset = files.load()
    assert report.ok
    counts = (report.documents, report.questions, report.answerable, report.negatives, report.unjudged)
    assert counts == (3, 3, 2, 1, 0)
    assert (report.spans, report.graded, report.version) == (1, 1, "5")
    assert report.tags == {"code": 2, "multi": 1}
    assert report.sources == {"invented": 1, "log": 1}
    assert report.gold_fingerprint == dataset.gold.fingerprint
    assert report.corpus_fingerprint == dataset.corpus.fingerprint


def test_texts_without_tokens_are_warnings_with_file_line_and_id(tmp_path: Path) -> None:
    report = check(source(tmp_path, DOCUMENTS, GOLD), latin)
    assert [str(fault) for fault in report.warnings] == [
        f"{tmp_path / 'docs.jsonl'}:3 [c] empty document",
        f"{tmp_path / 'docs.jsonl'}:2 [b] document without tokens under the analyzer",
        f"{tmp_path / 'gold.jsonl'}:4 [3] question without tokens under the analyzer",
    ]


def test_a_title_alone_gives_a_document_tokens(tmp_path: Path) -> None:
    files = source(
        tmp_path, [{"id": "a", "title": "alpha", "text": "…"}], [{"question": "x", "relevant": ["a"]}]
    )
    assert check(files, latin).faults == ()


def test_without_an_analyzer_tokens_are_not_looked_at(tmp_path: Path) -> None:
    assert [fault.what for fault in check(source(tmp_path, DOCUMENTS, GOLD)).faults] == ["empty document"]


def test_one_run_lists_errors_and_warnings_and_gives_no_hash(tmp_path: Path) -> None:
    gold = [*GOLD, {"question": "", "relevant": ["z"]}, {"id": "1", "question": "x", "relevant": ["a"]}]
    report = check(source(tmp_path, DOCUMENTS, gold), latin)
    assert not report.ok
    assert [(fault.line, fault.id) for fault in report.errors] == [(5, "4"), (5, "4"), (6, "1")]
    assert len(report.warnings) == 3
    assert report.questions == 3
    assert report.gold_fingerprint is None
    assert report.corpus_fingerprint is None


def test_the_report_is_plain_json(tmp_path: Path) -> None:
    values = check(source(tmp_path, DOCUMENTS, GOLD), latin).to_dict()
    assert json.loads(json.dumps(values)) == values
    assert values["ok"] is True
    assert values["faults"][0] == {
        "level": "warning",
        "file": str(tmp_path / "docs.jsonl"),
        "line": 3,
        "id": "c",
        "what": "empty document",
    }


def test_the_line_of_an_odd_question_in_a_real_collection_is_named(shared: Path) -> None:
    report = check(Beir(str(shared / "data" / "doc2dial-val")), lambda text: re.findall(r"\w{3,}", text))
    assert report.ok
    silent = [fault for fault in report.faults if fault.what == "question without tokens under the analyzer"]
    assert len(silent) == len(report.faults) > 0
    lines = (shared / "data" / "doc2dial-val" / "queries.jsonl").read_text(encoding="utf-8").split("\n")
    assert "hg" in [json.loads(lines[fault.line - 1])["text"] for fault in silent if fault.line]
