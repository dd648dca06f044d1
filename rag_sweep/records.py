"""The nouns of the field: documents, questions with their judgements, and the GOLD they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rag_sweep.fingerprint import fingerprint


@dataclass(frozen=True, slots=True)
class Document:
    """What GOLD judges. Spans count characters of `text` alone; the title is indexed with every passage."""

    doc_id: str
    title: str
    text: str

    def indexed_text(self, start: int, end: int) -> str:
        """The text that is searched for the passage ``[start, end)``: title, a space, the passage."""
        return f"{self.title} {self.text[start:end]}"


@dataclass(frozen=True, slots=True)
class Span:
    """Evidence: the characters ``[start, end)`` of a document's text."""

    doc_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Question:
    """A query with everything GOLD says about it.

    `grades` holds every judged document, also those judged not relevant (grade <= 0).
    `provenance` has any of source, author, date, reason, disputed.
    """

    query_id: str
    text: str
    grades: Mapping[str, int] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()
    tags: tuple[str, ...] = ()
    answer: str | None = None
    provenance: Mapping[str, str | bool] = field(default_factory=dict)

    @property
    def relevant(self) -> tuple[str, ...]:
        """Ids of the relevant documents (grade > 0), sorted."""
        return tuple(sorted(doc_id for doc_id, grade in self.grades.items() if grade > 0))

    @property
    def is_negative(self) -> bool:
        """True if nothing in the corpus answers the question."""
        return not self.relevant


@dataclass(frozen=True)
class Corpus:
    """All documents, sorted by `doc_id`: the order of a file never reaches a result."""

    documents: tuple[Document, ...]

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.documents, key=lambda document: document.doc_id))
        object.__setattr__(self, "documents", ordered)

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Index of each document id in `documents`."""
        return {document.doc_id: at for at, document in enumerate(self.documents)}

    @cached_property
    def fingerprint(self) -> str:
        """Hash of ids, titles and texts."""
        return fingerprint([[d.doc_id, d.title, d.text] for d in self.documents])

    def __len__(self) -> int:
        return len(self.documents)


@dataclass(frozen=True)
class Gold:
    """The questions in file order, with a declared version; the hashes are always there.

    `unjudged` counts queries that were left out because the split says nothing about them.
    """

    questions: tuple[Question, ...]
    version: str | None = None
    unjudged: int = 0

    @cached_property
    def fingerprint(self) -> str:
        """Hash of all that measures depend on: questions, grades, spans, tags."""
        return fingerprint(
            [
                [
                    q.query_id,
                    q.text,
                    dict(q.grades),
                    sorted([s.doc_id, s.start, s.end] for s in q.spans),
                    sorted(q.tags),
                ]
                for q in self.questions
            ]
        )

    @cached_property
    def queries_fingerprint(self) -> str:
        """Hash of all that a ranking depends on: the questions' texts in order."""
        return fingerprint([q.text for q in self.questions])

    @property
    def answerable(self) -> tuple[Question, ...]:
        """The questions that have a relevant document; means are over these."""
        return tuple(q for q in self.questions if not q.is_negative)

    @property
    def negatives(self) -> tuple[Question, ...]:
        """The questions that nothing in the corpus answers; measured apart."""
        return tuple(q for q in self.questions if q.is_negative)


@dataclass(frozen=True)
class Basis:
    """What results are about, without the texts of documents: enough to log, read and compare them.

    Attributes
    ----------
    doc_ids
        What document numbers in rankings stand for.
    corpus_hash, gold_hash
        Fingerprints of the corpus and of the GOLD; `gold` itself may lack the texts of its questions.
    """

    name: str
    doc_ids: tuple[str, ...]
    gold: Gold
    corpus_hash: str
    gold_hash: str

    @cached_property
    def position(self) -> Mapping[str, int]:
        """The number of each document id."""
        return {doc_id: at for at, doc_id in enumerate(self.doc_ids)}


@dataclass(frozen=True)
class Dataset:
    """A corpus with its GOLD, as every evaluation takes it. `warnings` are for the user."""

    name: str
    corpus: Corpus
    gold: Gold
    warnings: tuple[str, ...] = ()

    @cached_property
    def basis(self) -> Basis:
        """What results on it are about."""
        doc_ids = tuple(document.doc_id for document in self.corpus.documents)
        return Basis(self.name, doc_ids, self.gold, self.corpus.fingerprint, self.gold.fingerprint)
