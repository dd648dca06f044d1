"""Feature hashing: an embedder without training, without a model, the same on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rag_sweep.arrays import FloatArray
from rag_sweep.checks import is_count, require
from rag_sweep.embedder.texts import Texts

LARGEST_DIM = 2**20
"""More buckets than words of a language: more would only take memory."""


@dataclass(frozen=True)
class HashEmbedder:
    """Signed feature hashing of tokens (Weinberger et al., ICML 2009).

    For a token: SHA-256 of its UTF-8 bytes; index = the first 4 bytes (big-endian) mod `dim`;
    sign + if the fifth byte is even, else -. Each occurrence counts.

    Parameters
    ----------
    dim
        Number of buckets, 1 to 2**20. Small ones collide: that is the knob.
    """

    dim: int = 256

    nested: ClassVar[bool] = False
    reads: ClassVar[Literal["tokens", "text"]] = "tokens"

    def __post_init__(self) -> None:
        fits = is_count(self.dim) and self.dim <= LARGEST_DIM
        require("embedder.dim", self.dim, f"an int from 1 to {LARGEST_DIM}", fits)

    def fit(self, passages: Texts) -> Mapping[str, NDArray[Any]]:
        """Learns nothing."""
        return {}

    def encode(self, model: Mapping[str, NDArray[Any]], texts: Texts) -> FloatArray:
        """Sums of the signed buckets of each text's tokens, shape (texts, dim)."""
        terms = texts.counts.terms
        buckets = [bucket(term, self.dim) for term in terms]
        index = np.array([at for at, _ in buckets], dtype=np.int64)
        sign = np.array([s for _, s in buckets], dtype=np.float64)
        projection = sparse.csr_array((sign, (np.arange(len(terms)), index)), shape=(len(terms), self.dim))
        result: FloatArray = (texts.counts.counts.astype(np.float64) @ projection).toarray()
        return result


def bucket(token: str, dim: int) -> tuple[int, float]:
    """Index (0 to dim - 1) and sign of a token."""
    digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4], "big") % dim, 1.0 if digest[4] % 2 == 0 else -1.0
