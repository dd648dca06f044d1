"""Synthetic text as term counts: words as frequent as Zipf's law says, lengths that vary as in real text."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from rag_sweep.terms import TermCounts

FUNCTION_WORDS = 30
"""Words that questions have less often than passages."""


def zipf_counts(passages: int, vocabulary: int, length: int, seed: int) -> TermCounts:
    """Passages of about `length` words out of `vocabulary`, the word of rank r with a chance like 1 / r.

    A passage takes some of its words from a topic of its own, so that words repeat within a passage more
    often than chance has it (Church and Gale 1995), as BM25 expects. Lengths are log-normal.
    """
    rng = np.random.default_rng(seed)
    lengths = np.maximum(1, rng.lognormal(np.log(length), 0.4, passages).astype(np.int64))
    row = np.repeat(np.arange(passages), lengths)
    word = _ranks(rng, len(row), vocabulary)
    repeated = rng.random(len(row)) < 0.3  # a word that the passage has had already
    start = np.cumsum(lengths) - lengths
    word[repeated] = word[start[row] + (rng.random(len(row)) ** 3 * lengths[row]).astype(np.int64)][repeated]
    counts = sparse.coo_array(
        (np.ones(len(row), np.int64), (row, word)), shape=(passages, vocabulary)
    ).tocsr()
    counts.sum_duplicates()
    return TermCounts(tuple(_name(rank, vocabulary) for rank in range(vocabulary)), counts)


def zipf_queries(queries: int, vocabulary: int, length: int, seed: int) -> TermCounts:
    """Questions of `length` words out of the same vocabulary; function words are not so frequent in them."""
    rng = np.random.default_rng(seed)
    word = _ranks(rng, queries * length, vocabulary, FUNCTION_WORDS)
    used, column = np.unique(word, return_inverse=True)
    ones, row = np.ones(len(word), np.int64), np.repeat(np.arange(queries), length)
    counts = sparse.coo_array((ones, (row, column)), shape=(queries, len(used))).tocsr()
    counts.sum_duplicates()
    return TermCounts(tuple(_name(rank, vocabulary) for rank in used.tolist()), counts)


def _name(rank: int, vocabulary: int) -> str:
    """Names of words stand in the order of ranks."""
    return f"w{rank:0{len(str(vocabulary))}}"


def _ranks(rng: np.random.Generator, number: int, vocabulary: int, shift: int = 0) -> np.ndarray:
    """Ranks from 0 with a chance like ``1 / (rank + 1 + shift)`` (Mandelbrot's form of the law)."""
    mass = np.cumsum(1.0 / (np.arange(1, vocabulary + 1) + shift))
    return np.searchsorted(mass, rng.random(number) * mass[-1]).astype(np.int64)
