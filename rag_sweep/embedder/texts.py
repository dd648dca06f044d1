"""What an embedder is given, and the promise it keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from numpy.typing import NDArray

from rag_sweep.arrays import FloatArray
from rag_sweep.errors import StageFailed
from rag_sweep.fingerprint import component_identity
from rag_sweep.terms import TermCounts


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts to embed.

    Attributes
    ----------
    raw
        The indexed text: title, a space, the passage; or the question.
    terms
        Counts of the analyzer's tokens; None for an embedder that reads text.
    role
        What the texts are, for models that want a prefix for each.
    """

    raw: Sequence[str]
    terms: TermCounts | None = None
    role: Literal["passage", "question"] = "passage"

    @property
    def counts(self) -> TermCounts:
        """The counts, for embedders that read tokens.

        Raises
        ------
        StageFailed
            For an embedder that says it reads text.
        """
        if self.terms is None:
            raise StageFailed('embedder has reads = "text" and so gets no tokens; say reads = "tokens"')
        return self.terms

    def __len__(self) -> int:
        return len(self.raw)


class Embedder(Protocol):
    """Turns passages and questions into vectors.

    Attributes
    ----------
    dim
        Dimension that the search uses.
    nested
        True if the first `dim` components of a longer vector are the shorter vector (LSA, Matryoshka):
        one embedding then serves every `dim`, and `dim` is no part of its key.
    reads
        "tokens" if the analyzer matters, "text" if the embedder reads the raw text. Vectors of texts are
        then remembered by (text, role, embedder) where `fit` learns nothing, so each text must be embedded
        by itself.
    """

    nested: ClassVar[bool]
    reads: ClassVar[Literal["tokens", "text"]]

    @property
    def dim(self) -> int:
        """Dimension that the search uses, >= 1."""
        ...

    def fit(self, passages: Texts) -> Mapping[str, NDArray[Any]]:
        """What is learned from the passages, as arrays; an empty mapping if nothing is."""
        ...

    def encode(self, model: Mapping[str, NDArray[Any]], texts: Texts) -> FloatArray:
        """Vectors of the texts, float64, shape (texts, width); not yet normalised."""
        ...


def nested_identity(embedder: Embedder) -> list[Any]:
    """What decides an embedder's vectors: not `dim`, where the shorter vector is part of the longer one."""
    return component_identity(embedder, without=("dim",) if embedder.nested else ())
