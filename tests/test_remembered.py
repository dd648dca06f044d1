"""Models that embed texts or score pairs of texts are asked once for each, whoever wants it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from pipelines import dataset_of, pipeline_of, tables_of

from rag_sweep.analyzer import SimpleAnalyzer, StemmedAnalyzer
from rag_sweep.arrays import FloatArray
from rag_sweep.embedder.texts import Texts
from rag_sweep.execute import Execution
from rag_sweep.fusion import DenseOnly, LexicalOnly
from rag_sweep.lexical import BM25
from rag_sweep.pipeline import Pipeline, Roots, Settings
from rag_sweep.plan import plan
from rag_sweep.reranker import PAIRS, Candidates
from rag_sweep.store.disk import Disk
from rag_sweep.store.entry import Store

DATASET = dataset_of(
    {"a": "leave and travel", "b": "travel costs", "c": "the vpn of the plant"},
    ["travel", "vpn leave", "costs"],
)
embedded: list[str] = []
scored: list[tuple[str, str]] = []


@dataclass(frozen=True)
class LetterEmbedder:
    """Counts letters; says which texts it was given."""

    dim: int = 26
    version: ClassVar[int] = 1
    nested: ClassVar[bool] = False
    reads: ClassVar[Literal["tokens", "text"]] = "text"

    def fit(self, passages: Texts) -> Mapping[str, NDArray[Any]]:
        return {}

    def encode(self, model: Mapping[str, NDArray[Any]], texts: Texts) -> FloatArray:
        embedded.extend(texts.raw)
        return np.array([[float(text.count(chr(97 + at))) for at in range(self.dim)] for text in texts.raw])


@dataclass(frozen=True)
class LengthReranker:
    """Prefers passages as long as the question; says which pairs it was given."""

    depth: int = 10
    needs: ClassVar[tuple[str, ...]] = (PAIRS,)
    model: ClassVar[str] = "length-1"

    def score_pairs(self, questions: Sequence[str], passages: Sequence[str]) -> FloatArray:
        scored.extend(zip(questions, passages, strict=True))
        return -np.abs(np.array([float(len(q) - len(p)) for q, p in zip(questions, passages, strict=True)]))

    def rescore(self, candidates: Candidates) -> FloatArray:
        return candidates.branch_scores[PAIRS]


@pytest.fixture(autouse=True)
def forgotten() -> None:
    embedded.clear()
    scored.clear()


def run(pipelines: Sequence[Pipeline], store: Store | None = None) -> int:
    planned = plan(pipelines, Settings(), Roots.of(DATASET))
    return len(list(Execution(planned, DATASET, store=store).outcomes()))


def test_each_text_is_embedded_once_though_analyzers_and_depths_differ() -> None:
    grid = [
        pipeline_of(embedder=LetterEmbedder(), fusion=DenseOnly(depth), analyzer=analyzer)
        for depth in (2, 3)
        for analyzer in (SimpleAnalyzer(), StemmedAnalyzer())
    ]
    assert run(grid) == 4
    asked = set(embedded)
    assert len(asked) == 6
    assert all(embedded.count(text) < 40 for text in asked)  # the last of a block is repeated to fill it
    before = len(embedded)
    assert run(grid[:1]) == 1
    assert len(embedded) == 2 * before  # a store that keeps nothing: asked again in another sweep


def test_each_pair_is_scored_once_whichever_configurations_ask() -> None:
    grid = [
        pipeline_of(reranker=LengthReranker(), fusion=LexicalOnly(), lexical=BM25(k1)) for k1 in (0.5, 1, 2)
    ]
    run(grid[:1])
    alone = len(scored)
    scored.clear()
    run(grid)
    assert len(scored) == alone > 0


def test_a_store_remembers_for_later_runs_and_changes_nothing(tmp_path: Path) -> None:
    one = pipeline_of(reranker=LengthReranker(), embedder=LetterEmbedder())
    cold = tables_of(DATASET, one)
    store = Disk(str(tmp_path / "store")).open()
    run([one], store)
    embedded.clear()
    scored.clear()
    run([one], Disk(str(tmp_path / "store")).open())
    assert (embedded, scored) == ([], [])
    assert tables_of(DATASET, one) == cold


def test_a_component_that_declares_no_version_is_not_remembered_for_later_runs(tmp_path: Path) -> None:
    """While it is being written it may change without its key changing."""

    @dataclass(frozen=True)
    class Unfinished:
        def split(self, text: str) -> list[tuple[int, int]]:
            return [(0, len(text))]

    @dataclass(frozen=True)
    class Finished(Unfinished):
        version: ClassVar[int] = 3

    for chunker, kept in (
        (Unfinished(), {"query_terms"}),
        (Finished(), {"query_terms", "passages", "lexical"}),
    ):
        store = Disk(str(tmp_path / type(chunker).__name__)).open()
        run([pipeline_of(chunker=chunker, fusion=LexicalOnly())], store)
        assert set(store.show().stages) >= kept
        assert ("lexical" in store.show().stages) == ("lexical" in kept)


def test_a_reranker_that_needs_pairs_must_score_them() -> None:
    @dataclass(frozen=True)
    class Mute:
        depth: int = 5
        needs: ClassVar[tuple[str, ...]] = (PAIRS,)

        def rescore(self, candidates: Candidates) -> FloatArray:
            return candidates.ranking.scores

    planned = plan([pipeline_of(reranker=Mute())], Settings(), Roots.of(DATASET))
    ((_, failure),) = Execution(planned, DATASET).outcomes()
    assert "`model` and `score_pairs`" in str(failure)
