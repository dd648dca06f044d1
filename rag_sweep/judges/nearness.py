"""How near two questions are, by an embedder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.arrays import FloatArray
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.embedder.search import normalised
from rag_sweep.embedder.texts import Embedder, Texts
from rag_sweep.errors import ConfigError, StageFailed, is_end
from rag_sweep.fingerprint import canonical_json, class_name, component_identity, fingerprint
from rag_sweep.llm.secrets import told_error
from rag_sweep.terms import count_terms

HASH_DIGITS = 12
ANALYZER = StemmedAnalyzer(stop_words="short")
"""For an embedder that reads tokens."""


@dataclass(frozen=True)
class Nearness:
    """Cosines of texts; hashed word stems unless another embedder is given.

    Parameters
    ----------
    embedder
        One that learns nothing from documents; what it calls near is all that can be seen.

    Raises
    ------
    ConfigError
        For an embedder that learns.
    """

    embedder: Embedder = field(default_factory=lambda: HashEmbedder(4096))

    def __post_init__(self) -> None:
        try:
            learns = bool(self.embedder.fit(self._texts(["one two", "two three"])))
        except BaseException as error:  # an embedder of the user may raise anything, and may leave
            if is_end(error):
                raise
            name = class_name(type(self.embedder))
            raise ConfigError(f"embedder: {name} fails: {told_error(error)}") from error
        if learns:
            name = type(self.embedder).__name__
            raise ConfigError(
                f"embedder: {name} learns from documents, and reverse_questions has none\n"
                "Use embedder=hash, or a component of yours whose fit learns nothing."
            )

    @property
    def label(self) -> str:
        """What decides the cosines, for reports: class and hash."""
        identity = [component_identity(self.embedder), component_identity(ANALYZER)]
        return f"{type(self.embedder).__name__} {fingerprint(canonical_json(identity))[:HASH_DIGITS]}"

    def cosines(self, asked: str, others: Sequence[str]) -> list[float]:
        """Of the first text with each other one, -1 to 1; 0 with a text without a vector.

        Raises
        ------
        StageFailed
            For whatever the embedder raises, and for vectors that are none.
        """
        try:
            given = self._texts([asked, *others])
            encoded = self.embedder.encode(self.embedder.fit(given), given)
            vectors: FloatArray = np.asarray(encoded, dtype=np.float64)
        except BaseException as error:  # an embedder of the user may raise anything, and may leave
            if is_end(error):
                raise
            raise StageFailed(f"the embedder failed: {told_error(error)}") from error
        if vectors.ndim != 2 or len(vectors) != 1 + len(others) or not np.isfinite(vectors).all():
            shape = "x".join(map(str, vectors.shape))
            raise StageFailed(
                f"the embedder must give a finite vector for each of {1 + len(others)} texts, got {shape}"
            )
        unit = normalised(vectors)
        return [round(float(value), 9) for value in unit[1:] @ unit[0]]

    def _texts(self, listed: Sequence[str]) -> Texts:
        reads_tokens = self.embedder.reads == "tokens"
        terms = count_terms([ANALYZER.tokens(text) for text in listed]) if reads_tokens else None
        return Texts(listed, terms, "question")
