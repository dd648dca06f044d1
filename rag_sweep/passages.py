"""The passages that a chunker makes of a corpus, as arrays, with their exact spans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Protocol, overload

import numpy as np

from rag_sweep.arrays import IndexArray, IntArray
from rag_sweep.errors import StageFailed
from rag_sweep.records import Corpus, Document


class Chunker(Protocol):
    """Cuts a document's text into passages."""

    def split(self, text: str) -> list[tuple[int, int]]:
        """Character spans ``[start, end)``: at least one, sorted, unique, inside the text."""
        ...


@dataclass(frozen=True, eq=False)
class Passages:
    """All passages, ordered by document id, start, end: a lower number wins a tie.

    Attributes
    ----------
    document : int32, shape (passages,)
        Position of the document in the corpus.
    start, end : int32, shape (passages,)
        Characters ``[start, end)`` of the document's text.
    words : int32, shape (passages,)
        Number of words of that text, as `str.split` parts it at white space; the title isn't counted.
    """

    document: IndexArray
    start: IndexArray
    end: IndexArray
    words: IndexArray

    def __len__(self) -> int:
        return len(self.document)

    def words_of(self, items: IndexArray) -> IntArray:
        """Words of each passage of a ranking, int64, shape of `items`; 0 where there is none (-1)."""
        known = np.maximum(items, 0)
        words = np.take(self.words, known) if len(self) else np.zeros_like(known)
        return np.where(items < 0, 0, words).astype(np.int64)


def chunk(chunker: Chunker, corpus: Corpus) -> Passages:
    """Cut every document; an empty one has one empty passage, so that it stays in N and avgdl.

    Raises
    ------
    StageFailed
        Where a chunker breaks its promise about spans.
    """
    rows = [
        (at, start, end, len(document.text[start:end].split()))
        for at, document in enumerate(corpus.documents)
        for start, end in _checked(chunker.split(document.text), len(document.text), document.doc_id)
    ]
    columns = np.array(rows, dtype=np.int32).reshape(-1, 4)
    return Passages(*(np.ascontiguousarray(column) for column in columns.T))


def _checked(given: Iterable[tuple[int, int]], length: int, doc_id: str) -> list[tuple[int, int]]:
    spans = [(start, end) for start, end in given]
    whole = all(isinstance(place, Integral) for span in spans for place in span)
    inside = all(0 <= start <= end <= length for start, end in spans)
    if not (spans and whole and inside and sorted(set(spans)) == spans):
        raise StageFailed(
            f"chunker: spans of document {doc_id!r} must be at least one, ints, sorted, unique and inside "
            f"its {length} characters, got {spans[:5]!r}"
        )
    return spans


@dataclass(frozen=True, eq=False)
class PassageTexts(Sequence[str]):
    """The indexed text of each passage (title, a space, the passage), made when it is asked for."""

    corpus: Corpus
    passages: Passages

    def __len__(self) -> int:
        return len(self.passages)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        """One text, or a list of them."""
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        document: Document = self.corpus.documents[int(self.passages.document[at])]
        return document.indexed_text(int(self.passages.start[at]), int(self.passages.end[at]))

    def __iter__(self) -> Iterator[str]:
        return (self[at] for at in range(len(self)))
