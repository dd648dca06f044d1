"""Components that break their promise: a failed configuration with its reason, never a number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import pytest
from pipelines import failure_of, pipeline_of, rows_of, run_one
from test_stages import DATASET, DOCUMENTS, Backwards

from rag_sweep.analyzer import SimpleAnalyzer
from rag_sweep.embedder.texts import Texts
from rag_sweep.fusion import DenseOnly
from rag_sweep.lexical import Overlap
from rag_sweep.ranking import Rankings
from rag_sweep.reranker import Candidates
from rag_sweep.terms import Postings


@dataclass(frozen=True)
class BadReranker:
    """Breaks in the way that `how` says."""

    how: str
    depth: int = 3
    needs: ClassVar[tuple[str, ...]] = ()

    def rescore(self, candidates: Candidates) -> Any:
        scores = np.zeros(candidates.ranking.items.shape)
        match self.how:
            case "nan":
                scores[0, 1] = math.nan
            case "infinite":
                scores[1, 0] = math.inf
            case "too narrow":
                return scores[:, :-1]
            case "too few":
                return scores[1:]
            case "words":
                return "high"
            case _:
                raise ValueError("no model here")
        return scores


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("nan", "reranker gave a value that is no number (first in row 0)"),
        ("infinite", "reranker gave a value that is no number (first in row 1)"),
        ("too narrow", "reranker must give scores of shape (6, 3), got (6, 2)"),
        ("too few", "reranker must give scores of shape (6, 3), got (5, 3)"),
        ("words", "reranked: ValueError: could not convert string to float: 'high'"),
        ("raises", "reranked: ValueError: no model here"),
    ],
)
def test_a_reranker_that_breaks_its_promise_fails_with_the_reason(how: str, reason: str) -> None:
    assert failure_of(DATASET, pipeline_of(reranker=BadReranker(how))) == reason


def test_whatever_stands_at_padding_is_ignored() -> None:
    @dataclass(frozen=True)
    class Padded(Backwards):
        def rescore(self, candidates: Candidates) -> np.ndarray:
            return np.where(candidates.present, super().rescore(candidates), math.nan)

    first = run_one(DATASET, pipeline_of(reranker=Padded(50)))
    second = run_one(DATASET, pipeline_of(reranker=Backwards(50)))
    assert rows_of(first.found.documents) == rows_of(second.found.documents)


def test_scores_of_another_type_are_rounded_in_float64() -> None:
    @dataclass(frozen=True)
    class Other(Backwards):
        kind: str = "float32"

        def rescore(self, candidates: Candidates) -> Any:
            scores = super().rescore(candidates) + 0.3
            return scores.tolist() if self.kind == "list" else scores.astype(self.kind)

    single, double, listed = (
        run_one(DATASET, pipeline_of(reranker=Other(1, kind))).found.passages.scores
        for kind in ("float32", "float64", "list")
    )
    assert single[0, 0] == 0.300000012  # the nearest float32 to 0.3, to 9 decimals
    assert double[0, 0] == listed[0, 0] == 0.3


@dataclass(frozen=True)
class BadEmbedder:
    """Breaks in the way that `how` says."""

    how: str = ""
    dim: int = 4
    nested: ClassVar[bool] = False
    reads: ClassVar[Literal["tokens", "text"]] = "tokens"

    def fit(self, passages: Texts) -> Mapping[str, np.ndarray]:
        if self.how == "fit":
            raise OSError("no such model")
        return {}

    def encode(self, model: Mapping[str, np.ndarray], texts: Texts) -> Any:
        vectors = np.ones((len(texts), self.dim))
        is_corpus = len(texts) == len(DOCUMENTS)
        match self.how:
            case "nan":
                vectors[2, 1] = math.nan
            case "too few":
                return vectors[1:]
            case "flat":
                return vectors.ravel()
            case "other width":
                return vectors if is_corpus else vectors[:, :-1]
            case "too wide":
                return np.ones((len(texts), self.dim + 1))
            case "words":
                return [["a"] * self.dim] * len(texts)
        return vectors


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("fit", "vectors: OSError: no such model"),
        ("nan", "embedder gave a value that is no number (first in row 2)"),
        ("too few", "embedder must give 5 rows, one for each text, got shape (4, 4)"),
        ("flat", "embedder must give 5 rows, one for each text, got shape (20,)"),
        ("other width", "embedder must give passages and questions the same width, got 4 and 3"),
        ("too wide", "embedder must give vectors of dim=4 components, got 5"),
        ("words", "vectors: ValueError: could not convert string to float: 'a'"),
    ],
)
def test_an_embedder_that_breaks_its_promise_fails_with_the_reason(how: str, reason: str) -> None:
    assert failure_of(DATASET, pipeline_of(embedder=BadEmbedder(how))) == reason


def test_an_embedder_that_keeps_it_is_searched() -> None:
    outcome = run_one(DATASET, pipeline_of(embedder=BadEmbedder(), fusion=DenseOnly()))
    found = rows_of(outcome.found.documents)
    assert found[0] == [(at, 1.0) for at in range(5)]
    assert found[4] == []  # no token, so no ranking, though there is a vector


@dataclass(frozen=True)
class BadFusion:
    """Breaks in the way that `how` says."""

    how: str
    pool_depth: int = 5
    branches: ClassVar[tuple[str, ...]] = ("lexical",)
    made_of_ranks: ClassVar[bool] = False

    def fuse(self, branches: Mapping[str, Rankings]) -> Rankings:
        items, scores = branches["lexical"].items, branches["lexical"].scores.copy()
        match self.how:
            case "nan":
                scores[0, 0] = math.nan
            case "too few":
                items, scores = items[:-1], scores[:-1]
            case "other shape":
                scores = scores[:, :-1]
        return Rankings(items, scores)


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("nan", "fusion gave a value that is no number (first in row 0)"),
        ("too few", "fusion must give 6 rows, one for each text, got shape (5, 5)"),
        ("other shape", "fusion must give a score to each of (6, 5), got (6, 4)"),
    ],
)
def test_a_fusion_that_breaks_its_promise_fails_with_the_reason(how: str, reason: str) -> None:
    assert failure_of(DATASET, pipeline_of(fusion=BadFusion(how))) == reason


def test_a_lexical_branch_that_gives_no_numbers_fails_with_the_reason() -> None:
    @dataclass(frozen=True)
    class Divided(Overlap):
        def weigh(self, postings: Postings) -> np.ndarray:
            return postings.tf / np.zeros_like(postings.tf)

    with np.errstate(divide="ignore"):
        reason = failure_of(DATASET, pipeline_of(lexical=Divided()))
    assert reason == "lexical gave a weight that is no number"


@dataclass(frozen=True)
class LostChunker:
    """Loses the text of empty documents."""

    def split(self, text: str) -> list[tuple[int, int]]:
        return [(0, len(text))] if text else []


def test_a_chunker_that_breaks_its_promise_fails_with_the_document() -> None:
    reason = failure_of(DATASET, pipeline_of(chunker=LostChunker()))
    assert reason.startswith("chunker: spans of document 'empty' must be at least one")


@dataclass(frozen=True)
class BadAnalyzer:
    """Raises at the texts that hold a digit."""

    def tokens(self, text: str) -> list[str]:
        if any(sign.isdigit() for sign in text):
            raise KeyError(text.split()[0])
        return SimpleAnalyzer().tokens(text)


def test_an_analyzer_that_raises_fails_with_the_reason() -> None:
    assert failure_of(DATASET, pipeline_of(analyzer=BadAnalyzer())) == "passage_terms: KeyError: 'error'"
