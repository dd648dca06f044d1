"""Embedders against plain Python, and against scikit-learn's own pipeline, each through the whole chain."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pipelines import dataset_of, pipeline_of, rows_of, run_one
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

from rag_sweep.analyzer import SimpleAnalyzer
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.fusion import DenseOnly
from rag_sweep.records import Dataset
from rag_sweep.terms import count_terms

WORDS = ["vpn", "VPN", "leave", "отпуск", "ёлка", "A-1", "10", "a", "b", "—", "the"]
texts = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)


def search(dataset: Dataset, embedder: HashEmbedder | LSAEmbedder) -> list[list[tuple[int, float]]]:
    outcome = run_one(dataset, pipeline_of(embedder=embedder, fusion=DenseOnly(1000)))
    return rows_of(outcome.found.passages)


# The hash embedder, as its definition has it


def plain_vector(text: str, dim: int) -> list[float]:
    vector = [0.0] * dim
    for token, times in Counter(re.findall(r"[^\W_]+", text.casefold())).items():
        digest = hashlib.sha256(token.encode()).digest()
        index = ((digest[0] * 256 + digest[1]) * 256 + digest[2]) * 256 + digest[3]
        vector[index % dim] += times * (1 if digest[4] % 2 == 0 else -1)
    length = math.sqrt(sum(value * value for value in vector))
    return [value / length for value in vector] if length else vector


@settings(deadline=None, max_examples=30)
@given(
    documents=st.lists(texts, min_size=1, max_size=6),
    questions=st.lists(texts, min_size=1, max_size=3),
    dim=st.sampled_from([1, 2, 8, 64, 256, 1000]),
)
def test_the_hash_embedder_is_its_definition(documents: list[str], questions: list[str], dim: int) -> None:
    dataset = dataset_of({f"d{at}": text for at, text in enumerate(documents)}, questions)
    for question, row in zip(questions, search(dataset, HashEmbedder(dim)), strict=True):
        asked = plain_vector(question, dim)
        scores = [sum(map(float.__mul__, asked, plain_vector(text, dim))) for text in documents]
        assert len(row) == (len(documents) if any(asked) else 0)
        assert [score for _, score in row] == sorted((score for _, score in row), reverse=True)
        for item, score in row[: len(documents)]:
            assert score == pytest.approx(scores[item], abs=1.1e-9)


# LSA, as scikit-learn's classes give it


CORPUS = [
    "The laptop is returned to the service desk on the last day.",
    "A lost laptop is reported to security within one hour.",
    "Leave is planned before the end of December, by the whole department.",
    "Leave without pay needs the consent of the director.",
    "The director signs travel orders before the journey begins.",
    "Удалённый доступ: заявка на VPN согласуется с директором.",
    "Заявка на отпуск подаётся за две недели.",
    "Service Desk: пароль к VPN меняется раз в квартал.",
    "",
    "Travel orders, travel orders and again travel orders.",
]
QUESTIONS = [
    "who signs travel orders",
    "lost laptop",
    "заявка на VPN",
    "leave in december",
    "password zebra director",
]


def reference(components: int, dim: int) -> np.ndarray:
    """Cosines, shape (questions, documents)."""
    vectorizer = TfidfVectorizer(analyzer=SimpleAnalyzer().tokens)
    svd = TruncatedSVD(components, random_state=0)
    passages = svd.fit_transform(vectorizer.fit_transform(CORPUS))
    questions = svd.transform(vectorizer.transform(QUESTIONS))
    product: np.ndarray = normalize(questions[:, :dim]) @ normalize(passages[:, :dim]).T
    return product


@pytest.mark.parametrize(("components", "dim"), [(9, 9), (9, 4), (9, 1), (5, 5), (5, 2), (5, 64)])
def test_lsa_is_scikit_learns_tfidf_and_truncated_svd(components: int, dim: int) -> None:
    dataset = dataset_of({f"d{at}": text for at, text in enumerate(CORPUS)}, QUESTIONS)
    found = search(dataset, LSAEmbedder(dim, components))
    expected = reference(components, dim)
    for row, cosines in zip(found, expected, strict=True):
        assert len(row) == len(CORPUS)
        for item, score in row:
            assert score == pytest.approx(cosines[item], abs=2e-9)
        assert [item for item, _ in row[:3]] == sorted(
            range(len(CORPUS)), key=lambda item: (-round(cosines[item], 8), item)
        )[:3]


def test_all_components_give_the_cosines_of_tfidf_itself() -> None:
    dataset = dataset_of({f"d{at}": text for at, text in enumerate(CORPUS)}, QUESTIONS)
    vectorizer = TfidfVectorizer(analyzer=SimpleAnalyzer().tokens)
    passages = vectorizer.fit_transform(CORPUS)
    # A question is projected to what the corpus spans, so its own length there is the one that counts.
    basis = np.linalg.svd(passages.toarray(), full_matrices=False)[2][
        : np.linalg.matrix_rank(passages.toarray())
    ]
    questions = normalize(vectorizer.transform(QUESTIONS) @ basis.T)
    expected = questions @ normalize(passages @ basis.T).T
    for row, cosines in zip(search(dataset, LSAEmbedder()), expected, strict=True):
        assert dict(row) == pytest.approx(dict(enumerate(cosines)), abs=2e-9)


def test_the_vocabulary_is_scikit_learns() -> None:
    vectorizer = TfidfVectorizer(analyzer=SimpleAnalyzer().tokens).fit(CORPUS)
    terms = count_terms([SimpleAnalyzer().tokens(text) for text in CORPUS]).terms
    assert list(terms) == vectorizer.get_feature_names_out().tolist()
