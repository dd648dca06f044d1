"""A small data set, pipelines of every kind, and components as a user writes them, for tests of the index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from pipelines import dataset_of, pipeline_of

from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.arrays import FloatArray
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.chunker.heading import HeadingChunker
from rag_sweep.chunker.sentence import SentenceChunker
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.embedder.texts import Texts
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.lexical import BM25, Overlap
from rag_sweep.ranking import EMPTY, Rankings
from rag_sweep.reranker import Candidates, ZSum
from rag_sweep.terms import Postings

DATASET = dataset_of(
    {
        "door": "The side door opens with the blue card. A lost card is blocked by the guard at the door.",
        "leave": "Twenty eight days of paid leave a year. Ask two weeks before the first of the days.",
        "kitchen": "The machine is cleaned on Fridays. Milk stands in the fridge beside the door.",
        "travel": "Tickets are booked by the office, many days before.",
        "empty": "",
    },
    ["which card opens the door door", "days of paid leave", "milk", "xylophone", "", "the the the a"],
)

CORPUS = DATASET.corpus
TEXTS = [question.text for question in DATASET.gold.questions]


@dataclass(frozen=True)
class Pairs:
    """Scores a pair by how many letters the texts share."""

    depth: int = 4
    model: str = "letters"
    needs: ClassVar[tuple[str, ...]] = ("pairs",)
    version: ClassVar[int] = 1

    def score_pairs(self, questions: Sequence[str], passages: Sequence[str]) -> FloatArray:
        pairs = zip(questions, passages, strict=True)
        return np.array([float(len(set(one) & set(other))) for one, other in pairs])

    def rescore(self, candidates: Candidates) -> FloatArray:
        return candidates.branch_scores["pairs"]


@dataclass(frozen=True)
class Letters:
    """Counts of letters of the raw text; learns nothing."""

    dim: int = 26
    nested: ClassVar[bool] = False
    reads: ClassVar[Literal["tokens", "text"]] = "text"
    version: ClassVar[int] = 1

    def fit(self, passages: Texts) -> Mapping[str, Any]:
        return {}

    def encode(self, model: Mapping[str, Any], texts: Texts) -> FloatArray:
        rows = [[text.lower().count(chr(97 + at)) for at in range(26)] for text in texts.raw]
        return np.array(rows, dtype=np.float64).reshape(-1, 26)


@dataclass(frozen=True)
class Centred:
    """Letters minus what the corpus has of them on average: an embedder that learns, from raw text."""

    dim: int = 5
    nested: ClassVar[bool] = True
    reads: ClassVar[Literal["tokens", "text"]] = "text"

    def fit(self, passages: Texts) -> Mapping[str, Any]:
        return {"mean": Letters().encode({}, passages).mean(axis=0)}

    def encode(self, model: Mapping[str, Any], texts: Texts) -> FloatArray:
        return Letters().encode({}, texts) - model["mean"]


@dataclass(frozen=True)
class Lines:
    """One passage a line."""

    def split(self, text: str) -> list[tuple[int, int]]:
        ends = [at for at, sign in enumerate(text) if sign == "\n"]
        spans = zip([0, *(at + 1 for at in ends)], [*ends, len(text)], strict=True)
        return [span for span in spans if span[0] < span[1]] or [(0, len(text))]


@dataclass(frozen=True)
class Capitals:
    """Words as they are written."""

    def tokens(self, text: str) -> list[str]:
        return text.split()


@dataclass(frozen=True)
class Counting:
    """How often the words occur, without any weight."""

    repeats: ClassVar[Literal["count", "distinct"]] = "count"

    def weigh(self, postings: Postings) -> FloatArray:
        return postings.tf.copy()


@dataclass(frozen=True)
class DenseFirst:
    """The dense ranking, then what only the lexical one has: no sum of anything."""

    pool_depth: int = 4
    branches: ClassVar[tuple[str, ...]] = ("dense", "lexical")
    made_of_ranks: ClassVar[bool] = True
    keeps_all: ClassVar[bool] = True

    def fuse(self, branches: Mapping[str, Rankings]) -> Rankings:
        rows = [
            list(dict.fromkeys(item for name in self.branches for item in branches[name].items[at].tolist()))
            for at in range(len(branches["dense"].items))
        ]
        kept = [[item for item in row if item != EMPTY] for row in rows]
        width = max(map(len, kept), default=0)
        items = np.array([row + [EMPTY] * (width - len(row)) for row in kept], np.int32).reshape(
            len(rows), width
        )
        scores = np.where(items == EMPTY, -np.inf, 1.0 / (1.0 + np.arange(width)))
        return Rankings(items, scores)


@dataclass(frozen=True)
class Shortest:
    """The shortest text first, and among equals the one that stood first."""

    depth: int = 3
    needs: ClassVar[tuple[str, ...]] = ()

    def rescore(self, candidates: Candidates) -> FloatArray:
        items = candidates.ranking.items
        texts = [
            [candidates.passage_text(item) if item != EMPTY else "" for item in row] for row in items.tolist()
        ]
        return np.array([[-float(len(text)) for text in row] for row in texts]).reshape(items.shape)


CHOICES: Mapping[str, list[Any]] = {
    "chunker": [pipeline_of().chunker, FixedChunker(5, 2), HeadingChunker(), SentenceChunker(), Lines()],
    "analyzer": [pipeline_of().analyzer, StemmedAnalyzer(), StemmedAnalyzer("en", "short"), Capitals()],
    "lexical": [BM25(), BM25(0.3, 0.0), Overlap(), Counting()],
    "embedder": [HashEmbedder(16), LSAEmbedder(3, 8), LSAEmbedder(50, 6), Letters(), Centred()],
    "fusion": [LexicalOnly(), DenseOnly(3), RRF(), RRF(3, 2, 0.5), LexicalOnly(2), DenseFirst()],
    "reranker": [pipeline_of().reranker, ZSum(), ZSum(0.2, 2), Pairs(), Shortest()],
}
"""Every component that ships, and one of a user's own, for each group."""

PIPELINES = {
    "lexical": pipeline_of(fusion=LexicalOnly()),
    "overlap of passages": pipeline_of(lexical=Overlap(), fusion=LexicalOnly(), chunker=FixedChunker(5, 2)),
    "dense": pipeline_of(fusion=DenseOnly()),
    "hybrid": pipeline_of(chunker=FixedChunker(6), fusion=RRF(10), lexical=BM25(0.5, 0.3)),
    "lsa": pipeline_of(embedder=LSAEmbedder(3, 8), fusion=RRF(pool_depth=3)),
    "zsum": pipeline_of(fusion=LexicalOnly(), reranker=ZSum(depth=3)),
    "text and pairs": pipeline_of(embedder=Letters(), reranker=Pairs(), chunker=FixedChunker(7)),
    "all one's own": pipeline_of(
        chunker=Lines(),
        analyzer=Capitals(),
        lexical=Counting(),
        embedder=Centred(),
        fusion=DenseFirst(),
        reranker=Shortest(),
    ),
}
