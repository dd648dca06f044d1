"""Rerankers: new scores for the first candidates of the pool."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray
from rag_sweep.checks import is_count, require
from rag_sweep.ranking import EMPTY, Rankings

PAIRS = "pairs"
"""What a reranker needs that scores pairs of texts by itself."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """What a reranker may look at.

    Attributes
    ----------
    ranking
        The first `depth` candidates of each question, shape (queries, depth).
    branch_scores
        For each branch in the reranker's `needs`: every candidate's true score there, shape
        (queries, depth), also if that branch did not return it (0 for an unmatched lexical one); for
        "pairs" the reranker's own score of each pair of texts.
    questions
        The questions' texts.
    passage_text
        From a passage number to its indexed text.
    """

    ranking: Rankings
    branch_scores: Mapping[str, FloatArray]
    questions: Sequence[str]
    passage_text: Callable[[int], str]

    @property
    def present(self) -> BoolArray:
        """False at padding, shape (queries, depth)."""
        result: BoolArray = self.ranking.items != EMPTY
        return result


class Reranker(Protocol):
    """Gives the first `depth` candidates new scores; the rest follow as they stood.

    `needs` names the branches whose true scores it wants ("lexical", "dense"), and "pairs" if it is a
    `PairReranker`; `depth` 0 means that nothing is reordered.
    """

    needs: ClassVar[tuple[str, ...]]

    @property
    def depth(self) -> int:
        """Candidates that are reordered, >= 0."""
        ...

    def rescore(self, candidates: Candidates) -> FloatArray:
        """New scores, shape (queries, depth); values at padding are ignored."""
        ...


@runtime_checkable
class PairReranker(Protocol):
    """A reranker that scores pairs of texts, such as a cross-encoder; `needs` has "pairs".

    Each distinct pair is scored once in a whole sweep, and kept in the store.
    """

    @property
    def model(self) -> str:
        """Names all that decides a score beside the two texts: model, revision, truncation, prefixes."""
        ...

    def score_pairs(self, questions: Sequence[str], passages: Sequence[str]) -> FloatArray:
        """A score for each pair, shape (pairs,); a pair's score may not depend on the others."""
        ...


@dataclass(frozen=True)
class NoReranker:
    """Leaves the pool as it is."""

    needs: ClassVar[tuple[str, ...]] = ()
    depth: ClassVar[int] = 0

    def rescore(self, candidates: Candidates) -> FloatArray:
        """The scores that the candidates have."""
        return candidates.ranking.scores


@dataclass(frozen=True)
class ZSum:
    """Lexical plus `weight` times dense score, each z-scored over the question's candidates.

    Parameters
    ----------
    weight
        Of the dense score, >= 0.
    depth
        Candidates that are reordered, >= 1.
    """

    weight: float = 1.0
    depth: int = 50

    needs: ClassVar[tuple[str, ...]] = ("lexical", "dense")

    def __post_init__(self) -> None:
        require("reranker.weight", self.weight, "a number >= 0", 0 <= self.weight < math.inf)
        require("reranker.depth", self.depth, "an int >= 1", is_count(self.depth))

    def rescore(self, candidates: Candidates) -> FloatArray:
        """Sums of z-scores, shape (queries, depth)."""
        scores = candidates.branch_scores
        lexical, dense = (z_scores(scores[name], candidates.present) for name in self.needs)
        return lexical + self.weight * dense


def z_scores(scores: FloatArray, present: BoolArray) -> FloatArray:
    """Each row's scores minus their mean, over their population deviation; 0 where that is 0.

    A deviation below 1e-9, the distance at which scores are a tie, counts as 0.
    """
    number = np.maximum(present.sum(axis=1, keepdims=True), 1)
    centred = np.where(present, scores, 0.0)
    centred = np.where(present, scores - _row_sums(centred) / number, 0.0)
    deviation = np.sqrt(_row_sums(centred * centred) / number)
    flat = deviation < 1e-9
    return np.where(flat, 0.0, centred / np.where(flat, 1.0, deviation))


def _row_sums(values: FloatArray) -> FloatArray:
    """Sums from left to right: padding behind a row can't change them, as pairwise summation could."""
    return np.cumsum(values, axis=1)[:, -1:] if values.shape[1] else np.zeros((len(values), 1))
