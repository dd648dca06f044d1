"""Postings that are alike: the same term frequency in a passage of the same length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.terms import Postings


@dataclass(frozen=True, eq=False)
class Kinds:
    """The kinds of some postings: far fewer than postings, since most words occur once or twice.

    Attributes
    ----------
    tf, lengths : float64, shape (kinds,)
        Term frequency, and tokens of the passage.
    kind : int64, shape (postings,)
        The kind of each posting.
    """

    tf: FloatArray
    lengths: FloatArray
    kind: IntArray

    @classmethod
    def of(cls, postings: Postings) -> Kinds:
        """The kinds that occur, ordered by term frequency, then length."""
        tfs, tf = _ranked(postings.tf)
        lengths, length = _ranked(postings.lengths)
        pair = tf * len(lengths) + length[postings.passages]
        occurs = np.zeros(len(tfs) * len(lengths), dtype=np.bool_)
        occurs[pair] = True
        pairs = np.nonzero(occurs)[0]
        number = np.cumsum(occurs) - 1
        return cls(tfs[pairs // len(lengths)], lengths[pairs % len(lengths)], number[pair])


def _ranked(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """Distinct values, ascending, and the place of each value among them; values are counts."""
    counts = values.astype(np.int64)
    occurs = np.zeros(int(counts.max(initial=0)) + 1, dtype=np.bool_)
    occurs[counts] = True
    place = np.cumsum(occurs) - 1
    return np.nonzero(occurs)[0].astype(np.float64), place[counts]
