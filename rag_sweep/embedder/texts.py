"""What an embedder is given, and the promise it keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from numpy.typing import NDArray

from rag_sweep.arrays import FloatArray
from rag_sweep.terms import TermCounts


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts to embed. `counts` is there for embedders that read tokens, `raw` for those that read text.

    `raw` holds the indexed text: title, a space, the passage; or the question.
    """

    raw: Sequence[str]
    counts: TermCounts

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
        "tokens" if the analyzer matters, "text" if the embedder reads the raw text.
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
