"""What models said about single texts and pairs of texts: asked once, whichever configurations want it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from weakref import WeakKeyDictionary

from rag_sweep.store.entry import Store
from rag_sweep.store.none import ForgetfulStore
from rag_sweep.store.pairs import PairScores
from rag_sweep.store.vectors import TextVectors


class Remembered:
    """Scores of pairs and vectors of texts, in memory and in a store."""

    def __init__(self, store: Store) -> None:
        self.pairs = PairScores(store)
        self._durable = TextVectors(store)
        self._passing = TextVectors(ForgetfulStore())

    def vectors(self, durable: bool) -> TextVectors:
        """Vectors of texts; those of an embedder that isn't durable stay in memory."""
        return self._durable if durable else self._passing


_of_stores: WeakKeyDictionary[Store, Remembered] = WeakKeyDictionary()
_current: ContextVar[Remembered | None] = ContextVar("remembered", default=None)


def remembered() -> Remembered:
    """The memory of the computation that is running; a new one that forgets where none is."""
    return _current.get() or Remembered(ForgetfulStore())


@contextmanager
def remembering(store: Store | None) -> Iterator[None]:
    """Let the stages inside remember in `store`; all computations with one store share their memory."""
    kept = ForgetfulStore() if store is None else store
    if kept not in _of_stores:
        _of_stores[kept] = Remembered(kept)
    token = _current.set(_of_stores[kept])
    try:
        yield
    finally:
        _current.reset(token)
