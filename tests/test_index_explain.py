"""An explanation adds up: terms to the lexical score, branches to the fused one; what has no sum has none."""

from __future__ import annotations

import json
import math

import pytest
from indexes import CORPUS, DATASET, PIPELINES, TEXTS, DenseFirst
from pipelines import dataset_of, pipeline_of

from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.errors import ConfigError
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.index import Index
from rag_sweep.lexical import BM25, Overlap
from rag_sweep.reranker import ZSum

QUESTION = "which card opens the door door"


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", PIPELINES)
def test_it_is_about_the_hits_and_adds_up(name: str, text: str) -> None:
    pipeline = PIPELINES[name]
    index = Index.build(pipeline, CORPUS)
    found = index.explain(text, 4)
    assert tuple(why.hit for why in found.hits) == index.hits(text, 4)
    assert list(found.tokens) == pipeline.analyzer.tokens(text)
    assert [term.times for term in found.terms] == [found.tokens.count(term.term) for term in found.terms]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["question"] == text
    for why in found.hits:
        assert {branch.name for branch in why.branches} == pipeline.branches - {"pairs"}
        branches = {branch.name: branch for branch in why.branches}
        if "lexical" in branches:
            assert sum(part.score for part in why.terms) == pytest.approx(branches["lexical"].score, abs=1e-8)
            own = pipeline.analyzer.tokens(f" {why.hit.text}")
            assert {part.term: part.tf for part in why.terms} == {
                t.term: own.count(t.term) for t in found.terms
            }
            assert why.words == len(own)
        if not isinstance(pipeline.fusion, DenseFirst):
            added = math.fsum(branch.share or 0.0 for branch in why.branches)
            assert added == pytest.approx(why.fused_score, abs=2e-9)
        if not why.is_reranked:
            assert (why.fused_rank, why.fused_score) == (why.passage_rank, why.hit.score)


def test_a_term_says_how_rare_it_is_and_an_unknown_one_has_no_weight() -> None:
    terms = {term.term: term for term in Index.build(PIPELINES["lexical"], CORPUS).explain(QUESTION, 1).terms}
    assert list(terms) == ["which", "card", "opens", "the", "door"]
    assert (terms["door"].times, terms["door"].df) == (2, 2)
    assert terms["card"].idf == pytest.approx(math.log(1 + (5 - 1 + 0.5) / (1 + 0.5)))
    assert (terms["which"].df, terms["which"].idf) == (0, None)


def test_each_occurrence_in_the_question_counts_where_the_component_counts_it() -> None:
    once, twice = (
        Index.build(pipeline_of(fusion=LexicalOnly()), CORPUS).explain(text, 1).hits[0].terms[0].score
        for text in ("door", "door door")
    )
    assert twice == pytest.approx(2 * once, abs=1e-8)
    overlap = Index.build(pipeline_of(fusion=LexicalOnly(), lexical=Overlap()), CORPUS).explain(
        "door door", 1
    )
    assert overlap.hits[0].terms[0].score == 1.0
    assert overlap.terms[0].idf is None


def test_the_shares_of_rrf_are_its_summands() -> None:
    found = Index.build(pipeline_of(fusion=RRF(10, 5, 2.0, 0.5)), CORPUS).explain(QUESTION, 5)
    for why in found.hits:
        for branch in why.branches:
            weight = 2.0 if branch.name == "lexical" else 0.5
            expected = 0.0 if branch.rank is None else round(weight / (10 + branch.rank), 9)
            assert branch.share == pytest.approx(expected, abs=1e-12)
    assert found.candidates == {"lexical": 4, "dense": 5}


def test_a_fusion_that_is_no_sum_has_no_shares_and_a_dense_search_no_terms() -> None:
    found = Index.build(pipeline_of(fusion=DenseFirst()), CORPUS).explain(QUESTION, 3)
    assert {branch.share for why in found.hits for branch in why.branches} == {None}
    dense = Index.build(pipeline_of(fusion=DenseOnly()), CORPUS).explain(QUESTION, 3)
    assert {why.terms for why in dense.hits} == {()}
    assert {term.idf for term in dense.terms} == {None}


def test_a_reranker_shows_what_stood_where_before_and_what_it_left_alone() -> None:
    index = Index.build(pipeline_of(fusion=LexicalOnly(), reranker=ZSum(1.0, 2)), CORPUS)
    found = index.explain("days before the door", 5)
    assert found.reranker == "ZSum"
    assert [why.is_reranked for why in found.hits] == [True, True, False, False]
    assert sorted(why.fused_rank for why in found.hits[:2]) == [1, 2]
    scores = {why.fused_rank: why.fused_score for why in found.hits}
    assert scores[1] >= scores[2] >= scores[3]
    dense = [branch for branch in found.hits[0].branches if branch.name == "dense"]
    assert (dense[0].rank, dense[0].share) == (None, None)
    assert Index.build(PIPELINES["lexical"], CORPUS).explain("door", 1).reranker is None


def test_a_long_documents_passage_is_ranked_among_passages_its_document_among_documents() -> None:
    dataset = dataset_of({"long": "milk and " * 5, "short": "milk or something else here"}, ["milk"])
    pipeline = pipeline_of(chunker=FixedChunker(2), fusion=LexicalOnly(), lexical=BM25(0.0))
    found = Index.build(pipeline, dataset.corpus).explain("milk", 2)
    assert [(why.hit.rank, why.passage_rank, why.fused_rank) for why in found.hits] == [(1, 1, 1), (2, 6, 6)]


def test_nothing_found_and_nothing_known_are_explained_too() -> None:
    index = Index.build(PIPELINES["zsum"], DATASET.corpus)
    unknown = index.explain("xylophone", 3)
    assert (unknown.hits, [term.df for term in unknown.terms]) == ((), [0])
    silent = index.explain("?!", 3)
    assert (silent.hits, silent.tokens, silent.terms) == ((), (), ())
    with pytest.raises(ConfigError, match="k must be an int >= 1, got 0"):
        index.explain("door", 0)
