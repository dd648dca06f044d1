"""The chain's stages together, and the edge cases of corpora, questions and depths."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from pipelines import dataset_of, documents_of, pipeline_of, rows_of, run, run_one

from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.execute import Outcome
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.lexical import Overlap
from rag_sweep.pipeline import Settings
from rag_sweep.ranking import EMPTY
from rag_sweep.records import Corpus, Dataset, Document, Gold, Question, Span
from rag_sweep.reranker import Candidates, ZSum

DOCUMENTS = {
    "leave": "leave is asked for two weeks before it begins",
    "travel": "travel orders are signed by the director before the journey begins",
    "vpn": "the vpn client asks for a password and for a code",
    "empty": "",
    "codes": "error code 812 means that the password is wrong",
}
QUESTIONS = ["how do I ask for leave", "vpn password code", "error 812", "zebra giraffe", "?!", "begins"]
DATASET = dataset_of(DOCUMENTS, QUESTIONS)

every_fusion = pytest.mark.parametrize("fusion", [RRF(), LexicalOnly(), DenseOnly()], ids=repr)


@every_fusion
@pytest.mark.parametrize("reranker", [None, ZSum(depth=2)])
def test_a_question_without_tokens_gets_an_empty_ranking_from_every_branch(
    fusion: Any, reranker: Any
) -> None:
    choices = {"reranker": reranker} if reranker else {}
    outcome = run_one(DATASET, pipeline_of(fusion=fusion, **choices))
    assert documents_of(outcome, DATASET)[4] == []
    assert outcome.tokenless_questions == (4,)
    assert outcome.evaluation.column("recall@10")[4] == 0
    assert outcome.evaluation.first_relevant[4] == 0


def test_words_that_the_corpus_lacks_find_nothing_lexically_and_something_by_hashing() -> None:
    lexical = run_one(DATASET, pipeline_of(fusion=LexicalOnly()))
    dense = run_one(DATASET, pipeline_of(fusion=DenseOnly()))
    both = run_one(DATASET, pipeline_of(fusion=RRF()))
    assert documents_of(lexical, DATASET)[3] == []
    assert sorted(documents_of(dense, DATASET)[3]) == sorted(DOCUMENTS)
    assert documents_of(both, DATASET)[3] == documents_of(dense, DATASET)[3]


def test_an_empty_document_is_found_by_the_dense_branch_only_and_with_cosine_0() -> None:
    dense = run_one(DATASET, pipeline_of(fusion=DenseOnly()))
    row = rows_of(dense.found.documents)[1]
    empty = [document.doc_id for document in DATASET.corpus.documents].index("empty")
    assert dict(row)[empty] == 0.0
    below = [score for found in rows_of(dense.found.documents) for _, score in found if score < 0]
    assert below  # negative cosines are kept
    lexical = run_one(DATASET, pipeline_of(fusion=LexicalOnly()))
    assert all("empty" not in found for found in documents_of(lexical, DATASET))
    assert lexical.tokenless_passages == 1


@every_fusion
@pytest.mark.parametrize("embedder", [HashEmbedder(16), LSAEmbedder()], ids=repr)
def test_one_document_is_a_corpus(fusion: Any, embedder: Any) -> None:
    dataset = dataset_of({"only": "one document about leave"}, ["leave", "zebra", ""])
    outcome = run_one(dataset, pipeline_of(fusion=fusion, embedder=embedder, reranker=ZSum()))
    assert documents_of(outcome, dataset)[0] == ["only"]
    assert documents_of(outcome, dataset)[2] == []


def test_a_corpus_of_empty_documents_gives_empty_rankings() -> None:
    dataset = dataset_of({"a": "", "b": "..."}, ["leave", ""])
    for embedder in (HashEmbedder(16), LSAEmbedder()):
        outcome = run_one(dataset, pipeline_of(fusion=LexicalOnly(), embedder=embedder, reranker=ZSum()))
        assert documents_of(outcome, dataset) == [[], []]
        assert outcome.tokenless_passages == 2


def test_the_pool_depth_bounds_what_comes_back_and_k_may_exceed_it() -> None:
    for depth in (1, 2, 3):
        dense = run_one(DATASET, pipeline_of(fusion=DenseOnly(depth)), Settings(k=10, cutoffs=()))
        assert dense.found.documents.lengths.tolist() == [depth] * 4 + [0, depth]
        assert dense.found.documents.items.shape == (6, len(DATASET.corpus))  # no rank without a document
    fused = run_one(DATASET, pipeline_of(fusion=RRF(pool_depth=1)))
    assert set(fused.found.documents.lengths.tolist()) <= {0, 1, 2}


def test_equally_good_documents_stand_by_id() -> None:
    dataset = dataset_of(dict.fromkeys(("b", "a", "Z", "10", "9", "я"), "same words"), ["same words"])
    for fusion in (RRF(), LexicalOnly(), DenseOnly()):
        for reranker in ({}, {"reranker": ZSum()}):
            outcome = run_one(dataset, pipeline_of(fusion=fusion, **reranker))
            assert documents_of(outcome, dataset) == [["10", "9", "Z", "a", "b", "я"]]


def test_equally_good_passages_stand_by_start() -> None:
    dataset = dataset_of({"a": "x x x x", "b": "y x"}, ["x"])
    outcome = run_one(dataset, pipeline_of(chunker=FixedChunker(2), fusion=LexicalOnly()))
    passages = outcome.passages
    found = [
        (int(passages.document[i]), int(passages.start[i])) for i, _ in rows_of(outcome.found.passages)[0]
    ]
    assert found == [(0, 0), (0, 4), (1, 0)]
    assert documents_of(outcome, dataset) == [["a", "b"]]


def test_evidence_is_the_same_alone_and_beside_pools_of_other_depths() -> None:
    asked = Question("q", "x y", {"a": 1}, (Span("a", 0, 5), Span("b", 0, 1)))
    dataset = dataset_of({"a": "x x x x", "b": "y x", "c": "z"}, [asked, "z"])
    pipelines = [pipeline_of(chunker=FixedChunker(2), fusion=RRF(pool_depth=depth)) for depth in (1, 2, 9)]
    settings = Settings(3, (), 0.5)
    for found, pipeline in zip(run(dataset, *pipelines, settings=settings), pipelines, strict=True):
        alone = run_one(dataset, pipeline, settings)
        assert isinstance(found, Outcome)
        assert found.evidence is not None
        assert alone.evidence is not None
        for name, values in vars(found.evidence).items():
            assert getattr(alone.evidence, name).tobytes() == values.tobytes()
    assert alone.evidence.found.tolist()[0] == 1.0
    assert run_one(dataset_of({"a": "x"}, ["x"]), pipeline_of()).evidence is None


def test_passages_are_kept_beside_documents_to_the_same_depth() -> None:
    outcome = run_one(DATASET, pipeline_of(chunker=FixedChunker(1)), Settings(k=2, cutoffs=(1, 4)))
    assert outcome.found.passages.items.shape[1] == outcome.found.documents.items.shape[1] == 4
    first = [row[0][0] for row in rows_of(outcome.found.passages) if row]
    documents = [row[0] for row in rows_of(outcome.found.documents) if row]
    assert [int(outcome.passages.document[passage]) for passage in first] == [item for item, _ in documents]
    assert [row[0][1] for row in rows_of(outcome.found.passages) if row] == [score for _, score in documents]


# Reranking


@dataclass(frozen=True)
class Backwards:
    """Turns the head of the pool around."""

    depth: int = 50
    needs: ClassVar[tuple[str, ...]] = ()

    def rescore(self, candidates: Candidates) -> np.ndarray:
        return np.tile(
            np.arange(candidates.ranking.items.shape[1], dtype=float), (len(candidates.questions), 1)
        )


def test_zsum_reorders_by_true_scores_in_both_branches_also_where_the_fusion_read_one() -> None:
    outcome = run_one(DATASET, pipeline_of(fusion=LexicalOnly(), reranker=ZSum(), embedder=HashEmbedder(8)))
    lexical = dict(rows_of(run_one(DATASET, pipeline_of(fusion=LexicalOnly())).found.passages)[1])
    dense = dict(
        rows_of(run_one(DATASET, pipeline_of(fusion=DenseOnly(), embedder=HashEmbedder(8))).found.passages)[1]
    )
    candidates = sorted(lexical)
    sums = {
        item: z(lexical[item], [lexical[i] for i in candidates])
        + z(dense[item], [dense[i] for i in candidates])
        for item in candidates
    }
    expected = sorted(candidates, key=lambda item: (-round(sums[item], 9), item))
    assert [item for item, _ in rows_of(outcome.found.passages)[1]] == expected
    assert outcome.effective_dim == 8


def z(value: float, among: list[float]) -> float:
    mean = math.fsum(among) / len(among)
    deviation = math.sqrt(math.fsum((one - mean) ** 2 for one in among) / len(among))
    return (value - mean) / deviation if deviation > 1e-9 else 0.0


def test_a_candidate_that_no_word_matches_has_the_lexical_score_0() -> None:
    seen: list[Candidates] = []

    @dataclass(frozen=True)
    class Spy:
        depth: int = 9
        needs: ClassVar[tuple[str, ...]] = ("lexical", "dense")

        def rescore(self, candidates: Candidates) -> np.ndarray:
            seen.append(candidates)
            return candidates.ranking.scores

    run_one(DATASET, pipeline_of(fusion=DenseOnly(), reranker=Spy()))
    lexical = run_one(DATASET, pipeline_of(fusion=LexicalOnly()))
    (candidates,) = seen
    for at, known in enumerate(rows_of(lexical.found.passages)):
        items = candidates.ranking.items[at].tolist()
        scores = candidates.branch_scores["lexical"][at].tolist()
        expected = [dict(known).get(item, 0.0) for item in items]
        assert scores == expected
    assert candidates.questions == QUESTIONS
    texts = {candidates.passage_text(item) for item in candidates.ranking.items[0].tolist()}
    assert texts == {f" {text}" for text in DOCUMENTS.values()}
    assert candidates.present.tolist() == (candidates.ranking.items != EMPTY).tolist()


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_only_the_head_is_reordered_and_the_rest_follows(depth: int) -> None:
    plain = run_one(DATASET, pipeline_of())
    turned = run_one(DATASET, pipeline_of(reranker=Backwards(depth)))
    for before, after in zip(documents_of(plain, DATASET), documents_of(turned, DATASET), strict=True):
        assert after == [*reversed(before[:depth]), *before[depth:]]


def test_a_depth_beyond_the_pool_reorders_the_pool() -> None:
    deep, deeper = (
        run_one(DATASET, pipeline_of(reranker=ZSum(depth=depth), fusion=RRF(pool_depth=2)))
        for depth in (4, 500)
    )
    assert rows_of(deep.found.documents) == rows_of(deeper.found.documents)


def test_a_reranker_cannot_raise_the_recall_of_the_pool() -> None:
    plain = run_one(DATASET, pipeline_of())
    turned = run_one(DATASET, pipeline_of(reranker=Backwards(50)))
    for name in ("lexical", "dense", "pool"):
        assert plain.pool_recall[name].tolist() == turned.pool_recall[name].tolist()


def test_pool_recall_says_what_each_branch_found() -> None:
    dataset = dataset_of(
        DOCUMENTS,
        [
            Question("q1", "vpn", {"vpn": 1, "empty": 1}),
            Question("q2", "zebra", {}),
            Question("q3", "?", {"vpn": 1}),
        ],
    )
    found = run_one(dataset, pipeline_of()).pool_recall
    assert list(found) == ["lexical", "dense", "pool"]
    assert [found[name][0] for name in found] == [0.5, 1.0, 1.0]
    assert [found[name][2] for name in found] == [0.0, 0.0, 0.0]
    assert all(math.isnan(values[1]) for values in found.values())
    assert list(run_one(dataset, pipeline_of(fusion=DenseOnly())).pool_recall) == ["dense", "pool"]


def test_the_title_is_searched_with_every_passage() -> None:
    corpus = Corpus((Document("a", "Holidays", "one two three four"), Document("b", "", "five six")))
    dataset = Dataset("titled", corpus, Gold((Question("q", "holidays", {"a": 1}),)))
    outcome = run_one(dataset, pipeline_of(chunker=FixedChunker(2), fusion=LexicalOnly(), lexical=Overlap()))
    assert [item for item, _ in rows_of(outcome.found.passages)[0]] == [0, 1]
