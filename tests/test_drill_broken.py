"""Components that break the one they are put around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import pytest
from pipelines import dataset_of, documents_of, pipeline_of, run_one

from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.drill.broken import CutBranch, CutShort, Reversed, ReversedPairs
from rag_sweep.fingerprint import fingerprint, is_durable
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.reranker import Candidates, ZSum
from rag_sweep.testing import NASTY_TEXTS, check_component

DATASET = dataset_of(
    {
        "a": "red pump, red valve, red hose",
        "b": "a red valve beside the blue pump and the green hose",
        "c": "blue paint for a door",
        "d": "green hose for the garden, red tap",
        "e": "nothing of the kind",
    },
    ["red valve", "green hose", "blue door"],
)


@pytest.mark.parametrize(
    "component",
    [CutShort(FixedChunker(7, 2)), CutBranch(RRF(), "dense"), Reversed(ZSum())],
    ids=["chunker", "fusion", "reranker"],
)
def test_a_broken_component_is_a_component_like_any_other(component: Any) -> None:
    check_component(component)
    assert is_durable(component)


def test_what_is_inside_is_part_of_the_key() -> None:
    assert fingerprint(CutShort(FixedChunker(7))) != fingerprint(CutShort(FixedChunker(8)))
    assert fingerprint(CutBranch(RRF(), "dense")) != fingerprint(CutBranch(RRF(), "lexical"))
    assert fingerprint(Reversed(ZSum())) != fingerprint(ZSum())


# Passages


def test_a_passage_keeps_the_first_half_of_its_words() -> None:
    text = "One two three. Four five!"
    (span,) = CutShort(DocumentChunker()).split(text)
    assert text[slice(*span)] == "One two three"


def test_of_several_passages_each_is_cut() -> None:
    text = "one two three four five six seven"
    spans = CutShort(FixedChunker(4)).split(text)
    assert [text[start:end] for start, end in spans] == ["one two", "five six"]


@pytest.mark.parametrize("text", ["", "  ", "?!", "word"])
def test_a_passage_of_at_most_one_word_keeps_it(text: str) -> None:
    ((start, end),) = CutShort(DocumentChunker()).split(text)
    assert text[start:end].strip("?! ") == text.strip("?! ")


@pytest.mark.parametrize("title", NASTY_TEXTS)
@pytest.mark.parametrize("chunker", [DocumentChunker(), FixedChunker(5, 2)], ids=["document", "fixed"])
def test_cut_spans_lie_inside_their_passages(chunker: Any, title: str) -> None:
    text = NASTY_TEXTS[title]
    whole, cut = chunker.split(text), CutShort(chunker).split(text)
    assert cut == sorted(set(cut))
    assert {start for start, _ in cut} == {start for start, _ in whole}
    assert all(any(start == s and end <= e for s, e in whole) and start <= end for start, end in cut)


# Branches


def ranked(fusion: Any) -> list[list[str]]:
    return documents_of(run_one(DATASET, pipeline_of(fusion=fusion)), DATASET)


def test_a_branch_that_is_cut_hands_on_its_first_candidates_only() -> None:
    assert ranked(CutBranch(LexicalOnly(), "lexical")) == [row[:2] for row in ranked(LexicalOnly())]
    assert ranked(CutBranch(DenseOnly(), "dense", 1)) == [row[:1] for row in ranked(DenseOnly())]


def test_the_other_branch_stays_whole() -> None:
    # five candidates of vectors, two of words: all that words found beyond them is missing
    whole, cut = ranked(RRF()), ranked(CutBranch(RRF(), "dense"))
    lexical, dense = ranked(LexicalOnly()), ranked(DenseOnly())
    assert [set(row) for row in cut] == [
        set(words) | set(vectors[:2]) for words, vectors in zip(lexical, dense, strict=True)
    ]
    assert [set(row) for row in whole] != [set(row) for row in cut]


def test_a_cut_deeper_than_a_branch_changes_nothing() -> None:
    assert ranked(CutBranch(RRF(), "lexical", 100)) == ranked(RRF())


def test_the_pool_recall_of_a_cut_branch_is_that_of_the_cut_pool() -> None:
    whole = run_one(DATASET, pipeline_of(fusion=DenseOnly())).pool_recall["pool"]
    cut = run_one(DATASET, pipeline_of(fusion=cast(Any, CutBranch(DenseOnly(), "dense", 1)))).pool_recall
    assert whole.tolist() == [1.0, 1.0, 1.0]
    assert cut["pool"].tolist() < whole.tolist()


# Rerankers


def test_a_reversed_reranker_puts_the_last_first() -> None:
    # all scores differ here, so no tie is broken by id
    forth = documents_of(run_one(DATASET, pipeline_of(reranker=ZSum(depth=3))), DATASET)
    back = documents_of(run_one(DATASET, pipeline_of(reranker=cast(Any, Reversed(ZSum(depth=3))))), DATASET)
    assert back == [[*reversed(row[:3]), *row[3:]] for row in forth]
    assert back != forth


@dataclass(frozen=True)
class Longest:
    """Scores a pair by the length of its passage."""

    depth: int = 2
    model: ClassVar[str] = "longest"
    needs: ClassVar[tuple[str, ...]] = ("pairs",)

    def score_pairs(self, questions: Any, passages: Any) -> Any:
        return np.array([float(len(passage)) for passage in passages])

    def rescore(self, candidates: Candidates) -> Any:
        return candidates.branch_scores["pairs"]


def test_a_reranker_of_pairs_can_be_reversed_too() -> None:
    forth = documents_of(run_one(DATASET, pipeline_of(reranker=Longest())), DATASET)
    back = documents_of(run_one(DATASET, pipeline_of(reranker=cast(Any, ReversedPairs(Longest())))), DATASET)
    assert back == [[*reversed(row[:2]), *row[2:]] for row in forth]
