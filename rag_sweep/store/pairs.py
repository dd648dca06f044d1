"""Scores of (question, passage) pairs: each pair is scored once, whichever configurations ask for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any

import numpy as np

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.checks import is_count, require
from rag_sweep.store.blocks import finite, in_blocks
from rag_sweep.store.entry import Store
from rag_sweep.store.shelf import Shelf
from rag_sweep.store.table import Table
from rag_sweep.store.texthash import KEY_SIZE, KeyArray, digest, distinct, joined, key_array

STAGE = "pair_scores"

PairModel = Callable[[Sequence[str], Sequence[str]], FloatArray]
"""Questions and passages, as many of each, to one score for each pair, shape (pairs,)."""


class PairScores:
    """Scores by (text of the question, text of the passage, model), in a store and in memory.

    A model must score each pair by itself: what else is in its block, and where, may not matter. It is
    always given `block` pairs, since the last bits of a matrix product depend on its shape; where fewer
    are left, the last one is repeated. Scores are float64 and come back bit for bit. In memory a pair takes
    some 50 bytes. Threads wait for each other, so that none scores what another is scoring.

    Parameters
    ----------
    store
        Where scores are kept beyond this process.
    block
        Pairs in each call of a model, >= 1. 1 for a model that is paid by the pair.
    """

    def __init__(self, store: Store, block: int = 32) -> None:
        require("block", block, "an int >= 1", is_count(block))
        self._store = store
        self._block = block
        self._numbers: dict[bytes, int] = {}
        self._digests: list[bytes] = []
        self._models: dict[str, _Scores] = {}
        self._lock = RLock()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy in another process shares the store, not the memory."""
        return PairScores, (self._store, self._block)

    def score(
        self, model: str, questions: Sequence[str], passages: Sequence[str], compute: PairModel
    ) -> FloatArray:
        """The scores of pairs, shape (pairs,).

        Parameters
        ----------
        model
            Identity of all that decides a score beside the texts: name, revision, truncation, prefixes.
        questions, passages
            The texts of each pair, equally many; a pair may come several times.
        compute
            Scores a block of pairs.

        Raises
        ------
        StageFailed
            If `compute` gives another number of scores, or a score that isn't finite.
        """
        if len(questions) != len(passages):
            raise ValueError(
                f"as many questions as passages are needed, got {len(questions)}, {len(passages)}"
            )
        with self._lock:
            if model not in self._models:
                self._models[model] = _Scores(self._store, model)
            scores = self._models[model]
            pairs = self._number(questions) << 32 | self._number(passages)
            wanted, first, back = np.unique(pairs, return_index=True, return_inverse=True)
            values, known = scores.memory.look_up(wanted)
            if not known.all():
                self._read(scores, wanted[~known])
                missing = ~scores.memory.look_up(wanted)[1]
                self._compute(scores, wanted[missing], _Texts(questions, passages, first[missing]), compute)
                values, _ = scores.memory.look_up(wanted)
            result: FloatArray = values[back]
            return result

    def _number(self, texts: Sequence[str]) -> IntArray:
        """A number for each text, equal for equal texts as long as this object lives."""
        once, where = distinct(texts)
        numbers = np.empty(len(once), np.int64)
        for at, text in enumerate(once):
            name = digest(text)
            numbers[at] = self._numbers.setdefault(name, len(self._numbers))
            if numbers[at] == len(self._digests):
                self._digests.append(name)
        return numbers[where]

    def _keys(self, scores: _Scores, pairs: IntArray) -> KeyArray:
        names, model = self._digests, scores.name
        texts = zip((pairs >> 32).tolist(), (pairs & 0xFFFFFFFF).tolist(), strict=True)
        return key_array(joined(model, names[question], names[passage]) for question, passage in texts)

    def _read(self, scores: _Scores, pairs: IntArray) -> None:
        """Take over from the store what it has of these pairs."""
        scores.load()
        values, known = scores.stored.look_up(self._keys(scores, pairs))
        scores.memory.add(pairs[known], values[known])

    def _compute(self, scores: _Scores, pairs: IntArray, texts: _Texts, compute: PairModel) -> None:
        def values(at: IntArray) -> FloatArray:
            answer = compute(*texts.of(at))
            return finite(answer, self._block, 1, "reranker").astype(np.float64)

        def keep(at: IntArray, values: FloatArray) -> None:
            scores.memory.add(pairs[at], values)
            scores.shelf.keep(self._keys(scores, pairs[at]), values)

        in_blocks(texts.by_length(), self._block, values, keep)


class _Scores:
    """What is known of one model: pairs by number in memory, by key as they come from the store."""

    def __init__(self, store: Store, model: str) -> None:
        self.name = digest(model)
        self.shelf = Shelf(store, STAGE, model)
        self.memory = Table(np.int64, np.float64)
        self.stored = Table(f"S{KEY_SIZE}", np.float64)

    def load(self) -> None:
        """Read what others have added to the store."""
        found = [(keys, values) for keys, values in self.shelf.new() if values.ndim == 1]
        if found:
            self.stored.add(
                np.concatenate([keys for keys, _ in found]), np.concatenate([values for _, values in found])
            )


class _Texts:
    """The texts of the pairs at some positions of a call."""

    def __init__(self, questions: Sequence[str], passages: Sequence[str], at: IntArray) -> None:
        self._questions = [questions[place] for place in at.tolist()]
        self._passages = [passages[place] for place in at.tolist()]

    def of(self, at: IntArray) -> tuple[list[str], list[str]]:
        places = at.tolist()
        return [self._questions[place] for place in places], [self._passages[place] for place in places]

    def by_length(self) -> IntArray:
        """Positions, the shortest first: models pad a block to its longest pair."""
        pairs = zip(self._questions, self._passages, strict=True)
        lengths = np.array([len(question) + len(passage) for question, passage in pairs], dtype=np.int64)
        return np.argsort(lengths, kind="stable")
