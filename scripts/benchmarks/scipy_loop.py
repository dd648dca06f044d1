"""A better loop, written by hand: one set of postings, and scipy's sparse product for each (k1, b)."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from benchmarks.material import DEPTH, Material
from benchmarks.naive import CUTOFF

BLOCK = 4_000_000
"""Scores held at once."""


class ScipyLoop:
    """Postings of the questions' tokens, and the gold as a matrix of grades."""

    def __init__(self, material: Material) -> None:
        size = len(material.tokens)
        asked = sorted({token for tokens in material.question_tokens for token in tokens})
        self._queries = _counts(material.question_tokens, len(material.vocabulary))[:, asked]
        counts = _counts(material.tokens, len(material.vocabulary))
        self._tf = counts[:, asked].T.tocsr()
        df = np.diff(self._tf.indptr)
        self._term = np.repeat(np.arange(len(asked)), df)
        self._idf = np.log(1 + (size - df + 0.5) / (df + 0.5))[self._term]
        lengths = np.array([len(tokens) for tokens in material.tokens])
        self._length = (lengths / lengths.mean())[self._tf.indices]
        self._grades, self._ideal = _grades(material)

    def lexical(self, k1: float, b: float) -> np.ndarray:
        """Document numbers, best first, -1 behind the end, shape (questions, depth)."""
        tf = self._tf.data
        weights = self._idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * self._length))
        matrix = sparse.csr_array((weights, self._tf.indices, self._tf.indptr), shape=self._tf.shape)
        rows = max(1, BLOCK // matrix.shape[1])
        starts = range(0, self._queries.shape[0], rows)
        return np.concatenate([_top((self._queries[s : s + rows] @ matrix).toarray()) for s in starts])

    def ndcg(self, items: np.ndarray) -> np.ndarray:
        """ndcg@10 with gain 2^grade - 1, of each question that has an answer."""
        found = items[:, :CUTOFF]
        rows = np.arange(len(found))[:, None]
        grades = np.where(found < 0, 0, np.asarray(self._grades[rows, np.maximum(found, 0)].toarray()))
        discount = 1 / np.log2(np.arange(CUTOFF) + 2)
        gain = ((2.0**grades - 1) * discount[: found.shape[1]]).sum(axis=1)
        best = ((2.0**self._ideal - 1) * discount).sum(axis=1)
        values: np.ndarray = (gain / np.where(best == 0, 1, best))[best > 0]
        return values


def _counts(lists: list[list[int]], width: int) -> sparse.csr_array:
    row = np.repeat(np.arange(len(lists)), [len(tokens) for tokens in lists])
    column = np.array([token for tokens in lists for token in tokens], dtype=np.int64)
    counts = sparse.coo_array((np.ones(len(row)), (row, column)), shape=(len(lists), width)).tocsr()
    counts.sum_duplicates()
    return counts


def _top(scores: np.ndarray) -> np.ndarray:
    depth = min(DEPTH, scores.shape[1])
    some = np.argpartition(scores, scores.shape[1] - depth, axis=1)[:, -depth:]
    values = np.take_along_axis(scores, some, 1)
    order = np.argsort(-values, axis=1)
    items, values = np.take_along_axis(some, order, 1), np.take_along_axis(values, order, 1)
    return np.where(values > 0, items, -1)


def _grades(material: Material) -> tuple[sparse.csr_array, np.ndarray]:
    position = {doc_id: at for at, doc_id in enumerate(material.doc_ids)}
    questions = material.dataset.gold.questions
    cells = [(row, position[d], q.grades[d]) for row, q in enumerate(questions) for d in q.relevant]
    row, column, grade = np.array(cells).T
    ideal = np.zeros((len(questions), CUTOFF))
    for at, question in enumerate(questions):
        best = sorted((question.grades[d] for d in question.relevant), reverse=True)[:CUTOFF]
        ideal[at, : len(best)] = best
    shape = len(questions), len(position)
    return sparse.csr_array((grade.astype(np.float64), (row, column)), shape=shape), ideal
