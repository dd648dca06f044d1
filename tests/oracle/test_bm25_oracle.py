"""BM25 against bm25s, and against the formula written out in plain Python."""

from __future__ import annotations

import math

import bm25s
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pipelines import rows_of

from rag_sweep.lexical import BM25, LexicalIndex, Overlap
from rag_sweep.terms import count_terms

WORDS = [*"abcdefgh", "ёлка", "елка", "10"]
corpora = st.lists(st.lists(st.sampled_from(WORDS), max_size=12), min_size=1, max_size=9)
asked = st.lists(st.sampled_from([*WORDS, "zebra"]), max_size=6)
k1s = st.sampled_from([0.0, 0.5, 1.2, 1.5, 15.0, 150.0]) | st.floats(0, 20)
bs = st.sampled_from([0.0, 0.4, 0.75, 1.0]) | st.floats(0, 1)


def ours(
    corpus: list[list[str]], questions: list[list[str]], lexical: BM25 | Overlap
) -> list[dict[int, float]]:
    index = LexicalIndex.of(count_terms(corpus), count_terms(questions))
    return [dict(row) for row in rows_of(index.search(lexical, len(corpus)))]


def plain_bm25(corpus: list[list[str]], question: list[str], k1: float, b: float) -> dict[int, float]:
    N, avgdl = len(corpus), sum(map(len, corpus)) / len(corpus)
    scores = {}
    for at, passage in enumerate(corpus):
        terms = []
        for word in question:
            tf, df = passage.count(word), sum(word in other for other in corpus)
            if tf:
                idf = math.log(1 + (N - df + 0.5) / (df + 0.5))
                terms.append(idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(passage) / avgdl)))
        if round(math.fsum(terms), 9) > 0:
            scores[at] = math.fsum(terms)
    return scores


@settings(deadline=None)
@given(corpus=corpora, questions=st.lists(asked, min_size=1, max_size=4), k1=k1s, b=bs)
def test_bm25_is_the_formula(
    corpus: list[list[str]], questions: list[list[str]], k1: float, b: float
) -> None:
    for found, question in zip(ours(corpus, questions, BM25(k1, b)), questions, strict=True):
        assert found == pytest.approx(plain_bm25(corpus, question, k1, b), abs=1e-9)


@settings(deadline=None)
@given(
    corpus=corpora.filter(lambda corpus: any(corpus)),
    question=asked,
    k1=k1s,
    b=bs,
)
def test_bm25_is_k1_plus_1_times_what_bm25s_calls_lucene(
    corpus: list[list[str]], question: list[str], k1: float, b: float
) -> None:
    retriever = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
    retriever.index(corpus, show_progress=False)
    (found,) = ours(corpus, [question], BM25(k1, b))
    known = [word for word in question if any(word in passage for passage in corpus)]
    scores = retriever.get_scores(known) if known else [0.0] * len(corpus)
    expected = {at: (k1 + 1) * float(score) for at, score in enumerate(scores) if score > 0}
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(corpus=corpora, questions=st.lists(asked, min_size=1, max_size=4))
def test_overlap_is_the_size_of_an_intersection(corpus: list[list[str]], questions: list[list[str]]) -> None:
    for found, question in zip(ours(corpus, questions, Overlap()), questions, strict=True):
        sizes = {at: float(len({*question} & {*passage})) for at, passage in enumerate(corpus)}
        assert found == {at: size for at, size in sizes.items() if size}
