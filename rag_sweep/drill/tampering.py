"""Documents and GOLD that something has happened to."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from rag_sweep.passages import Chunker
from rag_sweep.records import Corpus, Dataset, Document

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Tampered:
    """A dataset after it, with the documents and questions that it happened to."""

    dataset: Dataset
    documents: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


def most_wanted(dataset: Dataset, seed: int) -> str | None:
    """The document that is relevant to most questions; of several the seed picks one."""
    known = dataset.corpus.position
    wanted = Counter(d for question in dataset.gold.questions for d in question.relevant if d in known)
    if not wanted:
        return None
    most = max(wanted.values())
    return _pick(sorted(d for d, times in wanted.items() if times == most), seed, "document")


def without(dataset: Dataset, doc_id: str) -> Tampered:
    """The index lacks a document; the GOLD still asks for it."""
    kept = tuple(document for document in dataset.corpus.documents if document.doc_id != doc_id)
    asking = tuple(q.query_id for q in dataset.gold.questions if doc_id in q.relevant)
    return Tampered(replace(dataset, corpus=Corpus(kept)), (doc_id,), asking)


def stale(dataset: Dataset, seed: int) -> Tampered | None:
    """Half of the documents are found under what the index had of old: title and text of another one.

    Which half is told by a hash of their ids, and in the order of the hashes each has the text of the next.
    So the index as a whole holds the same texts, and its statistics (N, df, average length) don't move. None
    where there are fewer than four documents.
    """
    ordered = sorted(dataset.corpus.documents, key=lambda document: _hash(document.doc_id, seed))
    chosen = ordered[: len(ordered) // 2]
    if len(chosen) < 2:
        return None
    before = {
        one.doc_id: Document(one.doc_id, other.title, other.text)
        for one, other in zip(chosen, [*chosen[1:], chosen[0]], strict=True)
    }
    documents = tuple(before.get(document.doc_id, document) for document in dataset.corpus.documents)
    asking = tuple(q.query_id for q in dataset.gold.questions if before.keys() & set(q.relevant))
    return Tampered(replace(dataset, corpus=Corpus(documents)), tuple(sorted(before)), asking)


def as_passages(dataset: Dataset, chunker: Chunker) -> Tampered:
    """Search answers with ids of its passages (``manual#0003``), which the GOLD knows nothing of."""
    documents = tuple(
        Document(f"{document.doc_id}#{number:04}", document.title, document.text[start:end])
        for document in dataset.corpus.documents
        for number, (start, end) in enumerate(chunker.split(document.text), start=1)
    )
    return Tampered(replace(dataset, corpus=Corpus(documents)))


def with_wrong_line(dataset: Dataset, seed: int) -> Tampered | None:
    """One question's best document is replaced by one that it doesn't judge, as by a slip of the pen.

    None where no question has a document that could take the place.
    """
    doc_ids = [document.doc_id for document in dataset.corpus.documents]
    able = [q for q in dataset.gold.answerable if len(q.grades.keys() & set(doc_ids)) < len(doc_ids)]
    if not able:
        return None
    question = _pick(able, seed, "question")
    right = max(question.relevant, key=lambda doc_id: (question.grades[doc_id], doc_id))
    wrong = _pick([doc_id for doc_id in doc_ids if doc_id not in question.grades], seed, "wrong")
    grades = {doc_id: grade for doc_id, grade in question.grades.items() if doc_id != right}
    spans = tuple(span for span in question.spans if span.doc_id != right)
    changed = replace(question, grades={**grades, wrong: question.grades[right]}, spans=spans)
    questions = tuple(changed if q is question else q for q in dataset.gold.questions)
    gold = replace(dataset.gold, questions=questions)
    return Tampered(replace(dataset, gold=gold), (right, wrong), (question.query_id,))


def without_spans(dataset: Dataset) -> Dataset:
    """The dataset for searching alone: evidence isn't judged here."""
    questions = tuple(replace(question, spans=()) for question in dataset.gold.questions)
    return replace(dataset, gold=replace(dataset.gold, questions=questions))


def _pick(among: Sequence[T], seed: int, what: str) -> T:
    return random.Random(f"{seed} {what}").choice(among)


def _hash(doc_id: str, seed: int) -> str:
    return hashlib.sha256(f"{seed} {doc_id}".encode("utf-8", "surrogatepass")).hexdigest()
