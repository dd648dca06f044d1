"""Values of stages in the store: what is worth keeping, and how each is written as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from rag_sweep.embedder.search import Vectors
from rag_sweep.errors import RagSweepError
from rag_sweep.index.packing import packed_embedded, unpacked_embedded
from rag_sweep.passages import Passages
from rag_sweep.pipeline import Node
from rag_sweep.ranking import Rankings
from rag_sweep.store.entry import Arrays, Entry, Store
from rag_sweep.store.none import ForgetfulStore
from rag_sweep.terms import TermCounts, packed, unpacked


@dataclass(frozen=True)
class Codec:
    """A stage's value to arrays and back."""

    encode: Callable[[Any], Arrays]
    decode: Callable[[Arrays], Any]


def _fields(cls: type, *names: str) -> Codec:
    return Codec(
        lambda value: {name: getattr(value, name) for name in names},
        lambda arrays: cls(*(arrays[name] for name in names)),
    )


def _encode_terms(value: TermCounts) -> Arrays:
    counts = value.counts
    shape = np.array(counts.shape, dtype=np.int64)
    parts = {"data": counts.data, "indices": counts.indices, "indptr": counts.indptr, "shape": shape}
    return {**packed(value.terms), **parts}


def _decode_terms(arrays: Arrays) -> TermCounts:
    terms = unpacked(arrays)
    shape = int(arrays["shape"][0]), int(arrays["shape"][1])
    if len(terms) != shape[1]:
        raise ValueError(f"{len(terms)} terms for {shape[1]} columns")
    return TermCounts(
        terms, sparse.csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
    )


CODECS: Mapping[str, Codec] = {
    "passages": _fields(Passages, "document", "start", "end", "words"),
    "passage_terms": Codec(_encode_terms, _decode_terms),
    "query_terms": Codec(_encode_terms, _decode_terms),
    "vectors": _fields(Vectors, "passages", "queries"),
    "lexical": _fields(Rankings, "items", "scores"),
    "dense": _fields(Rankings, "items", "scores"),
    "embedded": Codec(packed_embedded, unpacked_embedded),
}

STORED = tuple(CODECS)
"""Stages whose values are worth keeping on disk; what follows from them costs less than reading it."""


class Cached:
    """The store as the executor sees it: values of nodes in, values of nodes out."""

    def __init__(self, store: Store | None) -> None:
        self._store = None if isinstance(store, ForgetfulStore) else store

    @property
    def is_on(self) -> bool:
        """True if there is a store."""
        return self._store is not None

    def there(self, nodes: Iterable[Node]) -> frozenset[str]:
        """Keys of the nodes whose values the store has."""
        keys = [node.key for node in self._kept(nodes)]
        return self._store.has(keys) if self._store is not None else frozenset()

    def load(self, nodes: Iterable[Node]) -> dict[str, Any]:
        """The values that the store has."""
        if self._store is None:
            return {}
        found = {}
        for node in self._kept(nodes):
            arrays = self._store.get(node.key)
            try:
                if arrays is not None:
                    found[node.key] = CODECS[node.stage].decode(arrays)
            except (KeyError, ValueError):
                continue  # written by another version: as if it weren't there
        return found

    def _kept(self, nodes: Iterable[Node]) -> list[Node]:
        """Nodes whose values the store may have: of a stage that is kept, and made of durable parts."""
        return [node for node in nodes if node.stage in CODECS and node.is_durable]

    def keep(self, nodes: Iterable[Node], values: Mapping[str, Any]) -> None:
        """Store new values in one write; failures are never kept."""
        if self._store is None:
            return
        known = [node for node in self._kept(nodes) if node.key in values]
        there = self._store.has(node.key for node in known)
        entries = {
            node.key: Entry(node.stage, CODECS[node.stage].encode(values[node.key]), {})
            for node in known
            if node.key not in there and not isinstance(values[node.key], RagSweepError)
        }
        if entries:
            self._store.put(entries)
