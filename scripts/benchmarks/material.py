"""What both sides start from: a data set, and what a loop over configurations would have cached."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from benchmarks import zipf
from rag_sweep.analyzer import Analyzer, SimpleAnalyzer, StemmedAnalyzer
from rag_sweep.dataset.beir import Beir
from rag_sweep.records import Dataset

COLLECTIONS = Path(__file__).resolve().parents[3] / "shared" / "data"
CRANFIELD_PASSAGES = 1_400
DEPTH = 100
"""Candidates of a branch, on both sides."""


class Missing(Exception):
    """A row can't be measured here; the text says why."""


def cranfield() -> Dataset:
    """The real collection, which isn't part of the project."""
    return Beir(path=str(cranfield_folder())).load()


def cranfield_folder() -> Path:
    """Its folder. Raises Missing where it isn't there."""
    return collection_folder("cranfield")


def collection_folder(name: str) -> Path:
    """The folder of a real collection. Raises Missing where it isn't there."""
    folder = COLLECTIONS / name
    if not folder.is_dir():
        raise Missing(f"the collection ../shared/data/{name} is not beside this checkout")
    return folder


def dataset_of(passages: int, questions: int) -> tuple[Dataset, Analyzer]:
    """Cranfield for its own size, else synthetic text; with the analyzer that fits."""
    if passages == CRANFIELD_PASSAGES:
        return cranfield(), StemmedAnalyzer()
    return zipf.collection(passages, questions), SimpleAnalyzer()


@dataclass(frozen=True, eq=False)
class Material:
    """Tokens as numbers and gold as mappings: made once, before any clock runs."""

    dataset: Dataset
    analyzer: Analyzer

    @cached_property
    def doc_ids(self) -> list[str]:
        """Document ids; the position is the number that rankings hold."""
        return [document.doc_id for document in self.dataset.corpus.documents]

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The number of each token of the corpus."""
        self.tokens  # noqa: B018
        return self._vocabulary

    @cached_property
    def tokens(self) -> list[list[int]]:
        """The tokens of each document."""
        documents = self.dataset.corpus.documents
        lists = (self.analyzer.tokens(d.indexed_text(0, len(d.text))) for d in documents)
        known = self._vocabulary
        return [[known.setdefault(token, len(known)) for token in tokens] for tokens in lists]

    @cached_property
    def _vocabulary(self) -> dict[str, int]:
        return {}

    @cached_property
    def question_tokens(self) -> list[list[int]]:
        """The tokens of each question, without those that no document has."""
        known = self.vocabulary
        questions = self.dataset.gold.questions
        return [[known[t] for t in self.analyzer.tokens(q.text) if t in known] for q in questions]

    @cached_property
    def qrels(self) -> dict[str, dict[str, int]]:
        """The relevant documents of each question that has any."""
        answerable = self.dataset.gold.answerable
        return {q.query_id: {d: q.grades[d] for d in q.relevant} for q in answerable}

    @cached_property
    def df(self) -> np.ndarray:
        """In how many documents each token is."""
        each = [np.unique(tokens) for tokens in self.tokens if tokens]
        return np.bincount(np.concatenate(each), minlength=len(self.vocabulary))

    @property
    def postings(self) -> int:
        """Postings of the distinct tokens that questions have."""
        return int(self.df[sorted({t for tokens in self.question_tokens for t in tokens})].sum())

    @property
    def touched(self) -> int:
        """Postings that a search for every question touches: those of each question's distinct tokens."""
        return int(sum(self.df[sorted(set(tokens))].sum() for tokens in self.question_tokens if tokens))
