"""One configuration, built once and asked as often as wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from rag_sweep.checks import is_count, require
from rag_sweep.errors import DataError
from rag_sweep.index.asked import Asked, checked
from rag_sweep.index.explain import explain
from rag_sweep.index.explanation import Explanation
from rag_sweep.index.hits import Hit, best_passages, hits_of
from rag_sweep.index.packing import packed_parts, unpacked_parts
from rag_sweep.index.parts import Parts, build_parts
from rag_sweep.index.running import run
from rag_sweep.index.threads import one_thread
from rag_sweep.passages import Passages
from rag_sweep.pipeline import Pipeline
from rag_sweep.records import Corpus
from rag_sweep.stages import Found


class Index:
    """One configuration, built: what an application serves.

    It finds what a sweep finds for the same documents and questions, byte for byte, whether questions come
    alone or together; it is made of the sweep's own stages. Several threads may ask it at once.

    Attributes
    ----------
    pipeline, corpus, parts
        What it was built of, and what was built.
    """

    def __init__(self, pipeline: Pipeline, corpus: Corpus, parts: Parts) -> None:
        self.pipeline = pipeline
        self.corpus = corpus
        self.parts = parts
        parts.prepare()

    @classmethod
    def build(cls, pipeline: Pipeline, corpus: Corpus) -> Index:
        """Cut, count and embed the documents.

        Raises
        ------
        DataError
            If there is no document.
        StageFailed
            If a component fails.
        """
        if not len(corpus):
            raise DataError("there are no documents to search")
        with one_thread():
            return cls(pipeline, corpus, build_parts(pipeline, corpus))

    @classmethod
    def restore(cls, pipeline: Pipeline, corpus: Corpus, arrays: Mapping[str, NDArray[Any]]) -> Index:
        """The index that `arrays` was taken of.

        Raises
        ------
        DataError
            If the arrays don't fit this pipeline and these documents. Arrays can't tell whether the texts
            are the same: compare the corpus's fingerprint.
        """
        return cls(pipeline, corpus, unpacked_parts(pipeline, corpus, arrays))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that was built or learned: passages, terms, vectors and the embedder's model; no object arrays.

        Raises
        ------
        StageFailed
            If the user's embedder learned something that is no plain array.
        """
        return packed_parts(self.parts)

    @property
    def passages(self) -> Passages:
        """The spans that passage numbers mean."""
        return self.parts.passages

    @property
    def vectors_width(self) -> int | None:
        """Components that the embedder gives; None without a dense branch."""
        return None if self.parts.embedded is None else self.parts.embedded.width

    def search(self, questions: Sequence[str], depth: int) -> Found:
        """The best documents and passages of each question, as a sweep finds them.

        Parameters
        ----------
        questions
            At least one text.
        depth
            How many documents, and how many passages, >= 1.

        Returns
        -------
        Found
            Row for row what a sweep keeps of these questions at this depth; where fewer questions are asked
            together, there may be fewer columns of padding.
        """
        require("depth", depth, "an int >= 1", is_count(depth))
        asked = self.asked(questions)
        with one_thread():
            found: Found = run("found", depth, asked.ranking, self.passages)
        return found

    def hits(self, question: str, k: int) -> tuple[Hit, ...]:
        """The best `k` documents of a question, each with its best passage; fewer where fewer match."""
        require("k", k, "an int >= 1", is_count(k))
        asked = self.asked([question])
        with one_thread():
            ranking = asked.ranking
        return hits_of(best_passages(ranking, self.passages, k), self.passages, self.corpus)

    def explain(self, question: str, k: int) -> Explanation:
        """Why the best `k` documents of a question are these: terms, branches, fusion, reranker."""
        require("k", k, "an int >= 1", is_count(k))
        asked = self.asked([question])
        with one_thread():
            return explain(asked, k)

    def asked(self, questions: Sequence[str]) -> Asked:
        """Questions on their way: nothing is computed yet."""
        return Asked(self.pipeline, self.corpus, self.parts, checked(questions))
