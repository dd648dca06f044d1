"""What a person or an application gets for a question."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from rag_sweep.passages import Passages
from rag_sweep.ranking import EMPTY, Rankings
from rag_sweep.records import Corpus


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found, with its best passage.

    Attributes
    ----------
    rank
        From 1.
    doc_id, title
        Of the document.
    score
        Of its best passage, rounded to 9 decimals.
    start, end
        Characters ``[start, end)`` of the document's text: the best passage.
    text
        That passage.
    """

    rank: int
    doc_id: str
    score: float
    title: str
    start: int
    end: int
    text: str

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def best_passages(ranking: Rankings, passages: Passages, k: int) -> list[tuple[int, float]]:
    """The first passage of each of the first `k` documents of a single ranking, with its score."""
    seen: set[int] = set()
    found: list[tuple[int, float]] = []
    for item, score in zip(ranking.items[0].tolist(), ranking.scores[0].tolist(), strict=True):
        if item == EMPTY or len(found) == k:
            break
        document = int(passages.document[item])
        if document not in seen:
            seen.add(document)
            found.append((item, score))
    return found


def hits_of(best: list[tuple[int, float]], passages: Passages, corpus: Corpus) -> tuple[Hit, ...]:
    """Best passages, in their order, as hits."""
    return tuple(
        _hit(rank, item, score, passages, corpus) for rank, (item, score) in enumerate(best, start=1)
    )


def _hit(rank: int, item: int, score: float, passages: Passages, corpus: Corpus) -> Hit:
    document = corpus.documents[int(passages.document[item])]
    start, end = int(passages.start[item]), int(passages.end[item])
    return Hit(rank, document.doc_id, score, document.title, start, end, document.text[start:end])
