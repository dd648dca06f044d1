"""Latent semantic analysis: the embedder that needs nothing but the corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rag_sweep.arrays import FloatArray
from rag_sweep.checks import is_count, require
from rag_sweep.embedder.texts import Texts
from rag_sweep.terms import packed

NOISE = 1e-12
"""Components below this share of a TF-IDF vector's length are rounding errors. They become 0, since a text
that the leading components know nothing of would otherwise be normalised to a direction made of noise."""


@dataclass(frozen=True)
class LSAEmbedder:
    """TF-IDF and one truncated SVD (Deerwester et al., JASIS 1990; Halko et al., SIAM Review 2011).

    Fitted on the passages of the corpus, never on the questions. One SVD of `components` serves every
    `dim`: the search takes the leading ones and normalises again.

    Parameters
    ----------
    dim
        Leading components that the search uses, >= 1. Where the corpus has fewer, all of them are used
        and a warning says so.
    components
        Components of the SVD, >= 1; fewer where the rank of the corpus is lower.
    seed
        Of the randomised SVD, 0 to 2**32 - 1.
    """

    dim: int = 256
    components: int = 512
    seed: int = 0

    nested: ClassVar[bool] = True
    reads: ClassVar[Literal["tokens", "text"]] = "tokens"

    @property
    def version(self) -> str:
        """Part of the stage key: another release of these libraries may give other last bits."""
        return f"2, scikit-learn {_release('scikit-learn')}, scipy {_release('scipy')}"

    def __post_init__(self) -> None:
        require("embedder.dim", self.dim, "an int >= 1", is_count(self.dim))
        require("embedder.components", self.components, "an int >= 1", is_count(self.components))
        seeded = is_count(self.seed, 0) and self.seed < 2**32
        require("embedder.seed", self.seed, "an int from 0 to 4294967295", seeded)

    def fit(self, passages: Texts) -> Mapping[str, NDArray[Any]]:
        """idf, shape (terms,), and right singular vectors, shape (terms, rank), with the terms themselves."""
        from sklearn.feature_extraction.text import TfidfTransformer

        counts = passages.counts.counts.astype(np.float64)
        terms = packed(passages.counts.terms)
        possible = min(self.components, *counts.shape)
        if possible == 0:
            return {**terms, "idf": np.zeros(0), "basis": np.zeros((counts.shape[1], 0))}
        tfidf = TfidfTransformer().fit(counts)
        basis = _right_singular_vectors(tfidf.transform(counts), possible, self.seed)
        return {**terms, "idf": tfidf.idf_, "basis": basis}

    def encode(self, model: Mapping[str, NDArray[Any]], texts: Texts) -> FloatArray:
        """Projections of the TF-IDF vectors, shape (texts, rank); terms the corpus lacks add nothing."""
        counts = texts.counts.over_packed(model)
        weighted = counts.astype(np.float64).multiply(model["idf"][None, :]).tocsr()
        result: FloatArray = weighted @ model["basis"]
        lengths = np.sqrt(weighted.multiply(weighted).sum(axis=1))
        result[np.abs(result) < NOISE * lengths[:, None]] = 0.0
        return result


def _right_singular_vectors(matrix: Any, number: int, seed: int) -> FloatArray:
    """At most `number` of them as columns, without those of zero singular values, which are noise.

    What `TruncatedSVD` calls, which itself refuses a corpus of one term.
    """
    from sklearn.utils.extmath import randomized_svd
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # scikit-learn brings a BLAS that no limit from before its import can reach
        _, values, vectors = randomized_svd(matrix, number, n_iter=5, random_state=seed)
    tolerance = values[0] * np.finfo(np.float64).eps * max(vectors.shape)
    basis: FloatArray = np.ascontiguousarray(vectors[values > tolerance].T)
    return basis


@cache
def _release(package: str) -> str:
    return metadata.version(package)
