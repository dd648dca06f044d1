"""Chunkers on real collections: nothing lost, sane passages, sentences where annotators saw them."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.chunker.heading import HeadingChunker
from rag_sweep.chunker.sentence import SentenceChunker
from rag_sweep.passages import Chunker
from rag_sweep.testing import check_spans

CHUNKERS: list[Chunker] = [
    DocumentChunker(),
    FixedChunker(),
    FixedChunker(50, 25),
    SentenceChunker(),
    SentenceChunker(3, 1),
    HeadingChunker(),
    HeadingChunker(100, 30),
]
LARGE = ["cranfield", "scifact", "ru-wiki-rag-small", "doc2dial-val", "chroma-chunking"]


def rows(path: Path) -> Iterator[dict[str, str | int]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def texts(shared: Path, name: str) -> dict[str, str]:
    return {str(row["_id"]): str(row["text"]) for row in rows(shared / "data" / name / "corpus.jsonl")}


@pytest.mark.parametrize("chunker", CHUNKERS, ids=repr)
@pytest.mark.parametrize(
    "name",
    ["xquad-ru", "rubq-paragraphs-ru", *(pytest.param(name, marks=pytest.mark.full) for name in LARGE)],
)
def test_no_word_of_a_collection_is_lost_or_cut(shared: Path, name: str, chunker: Chunker) -> None:
    for doc_id, text in texts(shared, name).items():
        check_spans(text, chunker.split(text), name=repr(chunker), title=doc_id)


@pytest.mark.parametrize("name", ["scifact", "doc2dial-val", "ru-wiki-rag-small"])
def test_sizes_of_passages_are_sane(shared: Path, name: str) -> None:
    def words(chunker: Chunker) -> list[int]:
        some = list(texts(shared, name).values())[:150]
        return [len(re.findall(r"[^\W_]+", t[start:end])) for t in some for start, end in chunker.split(t)]

    assert max(words(FixedChunker(100))) == 100
    assert max(words(HeadingChunker(100))) <= 100
    assert statistics.median(words(HeadingChunker(100))) > 50
    assert 10 <= statistics.median(words(SentenceChunker(1))) <= 40


@pytest.mark.parametrize(
    ("name", "part"), [("scifact", 1.0), ("xquad-ru", 0.99), ("rubq-paragraphs-ru", 0.99)]
)
def test_evidence_lies_inside_one_sentence(shared: Path, name: str, part: float) -> None:
    inside = [start <= low and high <= end for low, high, start, end in evidence(shared, name)]
    assert len(inside) > 300
    assert sum(inside) >= part * len(inside)


def test_sentences_are_those_that_annotators_marked(shared: Path) -> None:
    """SciFact's evidence is made of whole sentences of abstracts."""
    exact = [(low, high) == (start, end) for low, high, start, end in evidence(shared, "scifact")]
    assert sum(exact) >= 0.98 * len(exact)


def evidence(shared: Path, name: str) -> Iterator[tuple[int, int, int, int]]:
    """Marked span and the sentence in which it begins."""
    found = texts(shared, name)
    for row in rows(shared / "data" / name / "spans.jsonl"):
        text, low, high = found[str(row["doc_id"])], int(row["start"]), int(row["end"])
        sentences = SentenceChunker(1).split(text)
        start, end = max(span for span in sentences if span[0] <= low)
        yield low, low + len(text[low:high].rstrip()), start, end
