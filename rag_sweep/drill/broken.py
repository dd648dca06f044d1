"""Components that break the one they are put around; all else about it stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.chunker.boundaries import Words
from rag_sweep.fusion import Fusion
from rag_sweep.passages import Chunker
from rag_sweep.ranking import Rankings
from rag_sweep.reranker import Candidates, PairReranker, Reranker


@dataclass(frozen=True)
class CutShort:
    """A chunker of whose passages only the first half of the words is indexed; a single word stays."""

    chunker: Chunker

    def split(self, text: str) -> list[tuple[int, int]]:
        """The spans of the chunker, each up to the end of the last word of its first half."""
        words = Words(text)
        return sorted({(start, _half(words, start, end)) for start, end in self.chunker.split(text)})


def _half(words: Words, start: int, end: int) -> int:
    """Where the first half of the words of ``[start, end)`` ends."""
    first, last = words.before(start), words.before(end)
    kept = (last - first + 1) // 2
    return min(words.spans[first + kept - 1][1], end) if kept else end


@dataclass(frozen=True)
class CutBranch:
    """A fusion that is handed only the first `top` candidates of one branch."""

    fusion: Fusion
    branch: str
    top: int = 2

    keeps_all = False

    @property
    def branches(self) -> tuple[str, ...]:
        """Those of the fusion."""
        return self.fusion.branches

    @property
    def made_of_ranks(self) -> bool:
        """That of the fusion."""
        return self.fusion.made_of_ranks

    @property
    def pool_depth(self) -> int:
        """That of the fusion: the other branch hands on as much as before."""
        return self.fusion.pool_depth

    def fuse(self, branches: Mapping[str, Rankings]) -> Rankings:
        """What the fusion makes of the branches, one of them cut."""
        cut = {
            name: ranking.head(self.top) if name == self.branch else ranking
            for name, ranking in branches.items()
        }
        return self.fusion.fuse(cut)


@dataclass(frozen=True)
class Reversed:
    """A reranker that puts what the other puts first last."""

    reranker: Reranker

    @property
    def needs(self) -> tuple[str, ...]:
        """Those of the reranker."""
        return self.reranker.needs

    @property
    def depth(self) -> int:
        """That of the reranker."""
        return self.reranker.depth

    def rescore(self, candidates: Candidates) -> FloatArray:
        """The negative of each score, shape (queries, depth)."""
        scores: FloatArray = -np.asarray(self.reranker.rescore(candidates), dtype=np.float64)
        return scores


@dataclass(frozen=True)
class ReversedPairs(Reversed):
    """`Reversed` for a reranker that scores pairs of texts; those scores are asked for once for both."""

    reranker: PairReranker  # type: ignore[assignment]

    @property
    def model(self) -> str:
        """That of the reranker."""
        return self.reranker.model

    def score_pairs(self, questions: Sequence[str], passages: Sequence[str]) -> FloatArray:
        """The reranker's own scores; only their order is reversed."""
        return self.reranker.score_pairs(questions, passages)
