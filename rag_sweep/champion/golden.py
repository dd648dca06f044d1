"""Golden rankings: what the promoted configuration finds for every question, with scores."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.champion.manifest import plain_json
from rag_sweep.errors import DataError, Fault
from rag_sweep.ranking import EMPTY
from rag_sweep.records import Corpus, Document, Question
from rag_sweep.stages import Found


@dataclass(frozen=True)
class Ranked:
    """A document in a ranking, with its score, rounded to 9 decimals."""

    doc_id: str
    score: float


@dataclass(frozen=True)
class GoldenQuestion:
    """A question with what is found for it, best first, at the kept depth."""

    query_id: str
    text: str
    documents: tuple[Ranked, ...]

    @property
    def doc_ids(self) -> tuple[str, ...]:
        """Ids alone."""
        return tuple(one.doc_id for one in self.documents)


@dataclass(frozen=True)
class Golden:
    """Every question of the GOLD, negatives too, in its order.

    Attributes
    ----------
    k
        The cutoff that decides; `depth` ranks were kept.
    """

    k: int
    depth: int
    questions: tuple[GoldenQuestion, ...]

    def to_json(self) -> bytes:
        """JSON Lines: what they share, then one line a question."""
        told: list[Any] = [{"k": self.k, "depth": self.depth, "questions": len(self.questions)}]
        for one in self.questions:
            found = [[document.doc_id, document.score] for document in one.documents]
            told.append({"id": one.query_id, "text": one.text, "documents": found})
        return lines(told)


def golden_of(
    questions: Sequence[Question | GoldenQuestion], found: Found, corpus: Corpus, k: int, depth: int
) -> Golden:
    """From what an index found for questions, in their order."""
    ids = [document.doc_id for document in corpus.documents]
    rows = zip(questions, found.documents.items.tolist(), found.documents.scores.tolist(), strict=True)
    return Golden(k, depth, tuple(_golden(question, ids, items, scores) for question, items, scores in rows))


def _golden(
    question: Question | GoldenQuestion, ids: Sequence[str], items: Sequence[int], scores: Sequence[float]
) -> GoldenQuestion:
    there = zip(items, scores, strict=True)
    found = tuple(Ranked(ids[item], score) for item, score in there if item != EMPTY)
    return GoldenQuestion(question.query_id, question.text, found)


def read_golden(content: bytes, file: Path) -> Golden:
    """The inverse of `Golden.to_json`.

    Raises
    ------
    DataError
        For anything else.
    """
    head, *rows = records_of(content, file) or [{}]
    try:
        questions = tuple(_question(row) for row in rows)
        made = Golden(int(head["k"]), int(head["depth"]), questions)
        whole = len(questions) == head["questions"] and 1 <= made.k <= made.depth
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(Fault(f"holds no golden rankings: {error!r}", file=file)) from error
    if not whole or len({one.query_id for one in questions}) != len(questions):
        raise DataError(Fault("isn't whole, or has a question twice", file=file))
    return made


def _question(row: dict[str, Any]) -> GoldenQuestion:
    found = tuple(Ranked(_text(doc_id), _score(score)) for doc_id, score in row["documents"])
    return GoldenQuestion(_text(row["id"]), _text(row["text"]), found)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.80} is no text")
    return value


def _score(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(f"{value!r:.80} is no score")
    return float(value)


def documents_json(corpus: Corpus) -> bytes:
    """The documents as JSON Lines, in the order of the corpus."""
    return lines([{"id": d.doc_id, "title": d.title, "text": d.text} for d in corpus.documents])


def read_documents(content: bytes, file: Path) -> Corpus:
    """The inverse of `documents_json`. Raises DataError for anything else."""
    try:
        found = tuple(
            Document(_text(row["id"]), _text(row["title"]), _text(row["text"]))
            for row in records_of(content, file)
        )
    except (KeyError, TypeError) as error:
        raise DataError(Fault(f"holds no documents: {error!r}", file=file)) from error
    if len({document.doc_id for document in found}) != len(found) or not found:
        raise DataError(Fault("has no document, or one twice", file=file))
    return Corpus(found)


def lines(records: Sequence[Any]) -> bytes:
    """JSON Lines in UTF-8; lone surrogates, which UTF-8 can't say, in JSON's own escapes."""
    text = "".join(f"{json.dumps(one, ensure_ascii=False, allow_nan=False)}\n" for one in records)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return "".join(f"{json.dumps(one, allow_nan=False)}\n" for one in records).encode("ascii")


def records_of(content: bytes, file: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file. Raises DataError for anything else."""
    found = [plain_json(line, file) for line in content.split(b"\n") if line]
    if not all(isinstance(one, dict) for one in found):
        raise DataError(Fault("must have an object in every line", file=file))
    return found
