"""Embeddings of texts: each text is embedded once, whichever configurations ask for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.checks import is_count, require
from rag_sweep.errors import StageFailed
from rag_sweep.store.blocks import finite, in_blocks
from rag_sweep.store.entry import Store
from rag_sweep.store.shelf import Shelf
from rag_sweep.store.table import Table
from rag_sweep.store.texthash import KEY_SIZE, KeyArray, digest, distinct, joined, key_array

STAGE = "text_vectors"

TextModel = Callable[[Sequence[str]], NDArray[Any]]
"""Texts to their vectors, float64 or float32 of shape (texts, width)."""


class TextVectors:
    """Vectors by (text, model), in a store, or in memory where there is none.

    A model must embed each text by itself: what else is in its block, and where, may not matter. It is
    always given `block` texts, since the last bits of a matrix product depend on its shape; where fewer are
    left, the last one is repeated. Vectors come back bit for bit; those of a float32 model are kept as such.
    Threads wait for each other, so that none embeds what another is embedding.

    Parameters
    ----------
    store
        Where vectors are kept beyond this process.
    block
        Texts in each call of a model, >= 1. 1 for a model that is paid by the text.
    """

    def __init__(self, store: Store, block: int = 32) -> None:
        require("block", block, "an int >= 1", is_count(block))
        self._store = store
        self._block = block
        self._models: dict[str, _Vectors] = {}
        self._lock = RLock()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy in another process shares the store, not the memory."""
        return TextVectors, (self._store, self._block)

    def encode(self, model: str, texts: Sequence[str], compute: TextModel) -> FloatArray:
        """The vectors of texts, float64, shape (texts, width); (0, 0) for no text of an unknown model.

        Parameters
        ----------
        model
            Identity of all that decides a vector beside the text: name, revision, truncation, and the
            prefix, or the role, where questions and passages are embedded differently.
        texts
            May hold a text several times.
        compute
            Embeds a block of texts.

        Raises
        ------
        StageFailed
            If `compute` gives another number of vectors, another width than before, or a value that isn't
            finite.
        """
        with self._lock:
            if model not in self._models:
                self._models[model] = _Vectors(self._store, model)
            vectors = self._models[model]
            once, where = distinct(texts)
            keys = vectors.keys(once)
            self._complete(vectors, once, keys, compute)
            rows = vectors.take(keys)
            return rows if len(once) == len(texts) else rows[where]

    def _complete(self, vectors: _Vectors, texts: list[str], keys: KeyArray, compute: TextModel) -> None:
        if vectors.missing(keys).size:
            vectors.load()
        missing = vectors.missing(keys)
        by_length = np.argsort([len(texts[at]) for at in missing.tolist()], kind="stable")

        def values(at: IntArray) -> NDArray[Any]:
            answer = finite(compute([texts[place] for place in at.tolist()]), self._block, 2, "embedder")
            vectors.check_width(answer.shape[1])
            return answer

        def keep(at: IntArray, values: NDArray[Any]) -> None:
            vectors.add(keys[at], vectors.shelf.keep(keys[at], values))

        # the shortest first: models pad a block to its longest text
        in_blocks(missing[by_length], self._block, values, keep)


class _Vectors:
    """What is known of one model: the row of each key, counted through all entries, and the entries' rows."""

    def __init__(self, store: Store, model: str) -> None:
        self.shelf = Shelf(store, STAGE, model)
        self._name = digest(model)
        self._rows = Table(f"S{KEY_SIZE}", np.int64)
        self._parts: list[NDArray[Any]] = []
        self._starts: list[int] = []
        self._count = 0
        self._width: int | None = None

    def keys(self, texts: Sequence[str]) -> KeyArray:
        """The key of each text."""
        return key_array(joined(self._name, digest(text)) for text in texts)

    def missing(self, keys: KeyArray) -> IntArray:
        """The positions of keys that have no vector yet."""
        missing: IntArray = np.flatnonzero(~self._rows.look_up(keys)[1])
        return missing

    def load(self) -> None:
        """Read what others have added to the store."""
        for keys, values in self.shelf.new():
            if values.ndim == 2 and values.shape[1] == (self._width or values.shape[1]):
                self.add(keys, values)

    def add(self, keys: KeyArray, values: NDArray[Any]) -> None:
        """Take rows over; `values` may be mapped from the store and is not copied."""
        self._width = values.shape[1]
        self._parts.append(values)
        self._starts.append(self._count)
        self._rows.add(keys, np.arange(self._count, self._count + len(values)))
        self._count += len(values)

    def check_width(self, width: int) -> None:
        """Refuse a vector that can't stand beside those of the same model."""
        if self._width not in (None, width):
            raise StageFailed(
                f"embedder gave vectors of width {width}, earlier ones of this model have {self._width}"
            )
        self._width = width

    def take(self, keys: KeyArray) -> FloatArray:
        """The vectors of known keys, shape (keys, width), as float64."""
        rows, _ = self._rows.look_up(keys)
        vectors = np.empty((len(keys), self._width or 0), dtype=np.float64)
        parts = np.searchsorted(self._starts, rows, side="right") - 1
        for part in np.unique(parts):
            here = parts == part
            vectors[here] = self._parts[part][rows[here] - self._starts[part]]
        return vectors
