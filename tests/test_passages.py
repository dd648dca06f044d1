"""Passages of a corpus with their spans, and chunkers that break their promise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.errors import StageFailed
from rag_sweep.passages import PassageTexts, chunk
from rag_sweep.records import Corpus, Document

CORPUS = Corpus(
    (
        Document("b", "Access", "one two three"),
        Document("a/ё", "", "four five"),
        Document("c", "Empty", ""),
    )
)


@dataclass(frozen=True)
class Given:
    """Gives the same spans for every text."""

    spans: Any

    def split(self, text: str) -> Any:
        return self.spans


def test_passages_stand_by_document_id_then_start_then_end() -> None:
    passages = chunk(FixedChunker(2, 1), CORPUS)
    ids = [CORPUS.documents[at].doc_id for at in passages.document]
    assert list(zip(ids, passages.start.tolist(), passages.end.tolist(), strict=True)) == [
        ("a/ё", 0, 9),
        ("b", 0, 7),
        ("b", 4, 13),
        ("c", 0, 0),
    ]
    assert len(passages) == 4
    columns = (passages.document, passages.start, passages.end, passages.words)
    assert {column.dtype for column in columns} == {np.dtype(np.int32)}


def test_words_are_what_stands_between_white_space_without_the_title() -> None:
    corpus = Corpus(
        (Document("a", "A title", "one\u00a0two,three \u2014 \n four"), Document("b", "B", " \n"))
    )
    assert chunk(DocumentChunker(), corpus).words.tolist() == [4, 0]
    cut = chunk(Given([(0, 2), (1, 9)]), Corpus((Document("a", "", "one two three"),)))
    assert cut.words.tolist() == [1, 3]


def test_the_words_of_a_ranking_are_those_of_its_passages() -> None:
    passages = chunk(FixedChunker(2, 1), CORPUS)
    assert passages.words.tolist() == [2, 2, 2, 0]
    items = np.array([[0, 3, -1], [-1, -1, -1]], np.int32)
    assert passages.words_of(items).tolist() == [[2, 0, 0], [0, 0, 0]]


def test_the_order_of_the_files_documents_changes_nothing() -> None:
    turned = Corpus(tuple(reversed(CORPUS.documents)))
    first, second = chunk(FixedChunker(1), CORPUS), chunk(FixedChunker(1), turned)
    assert first.document.tolist() == second.document.tolist()
    assert [d.doc_id for d in turned.documents] == ["a/ё", "b", "c"]
    assert turned.fingerprint == CORPUS.fingerprint


def test_every_passage_is_indexed_with_its_title_and_a_space() -> None:
    texts = PassageTexts(CORPUS, chunk(FixedChunker(2), CORPUS))
    assert list(texts) == [" four five", "Access one two", "Access three", "Empty "]
    assert (texts[1], texts[1:3], texts[-1:], len(texts)) == (
        "Access one two",
        ["Access one two", "Access three"],
        ["Empty "],
        4,
    )


def test_an_empty_document_has_one_empty_passage() -> None:
    passages = chunk(DocumentChunker(), Corpus((Document("x", "", ""),)))
    assert (passages.document.tolist(), passages.start.tolist(), passages.end.tolist()) == ([0], [0], [0])


def lazily() -> Iterator[tuple[int, int]]:
    yield (0, 1)
    yield (0, 2)


def test_spans_may_come_one_by_one() -> None:
    passages = chunk(Given(lazily()), Corpus((Document("x", "", "abc"),)))
    assert list(zip(passages.start.tolist(), passages.end.tolist(), strict=True)) == [(0, 1), (0, 2)]


@pytest.mark.parametrize(
    "spans",
    [
        [],
        (),
        [(0, 2), (0, 1)],
        [(1, 2), (0, 3)],
        [(0, 1), (0, 1)],
        [(2, 1)],
        [(-1, 2)],
        [(0, 4)],
        [(0, 1.5)],
        [(0.0, 1)],
    ],
    ids=str,
)
def test_broken_spans_are_refused_with_the_document_that_has_them(spans: Any) -> None:
    with pytest.raises(StageFailed) as failure:
        chunk(Given(spans), Corpus((Document("doc 1", "", "abc"),)))
    assert str(failure.value).startswith(
        "chunker: spans of document 'doc 1' must be at least one, ints, sorted, unique and inside its 3 char"
    )
