"""The chunker that doesn't cut."""

from __future__ import annotations

from hypothesis import given, settings
from strategies import texts

from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.testing import check_chunker


def test_it_conforms() -> None:
    check_chunker(DocumentChunker())


@settings(deadline=None)
@given(texts)
def test_the_document_is_the_passage(text: str) -> None:
    assert DocumentChunker().split(text) == [(0, len(text))]
