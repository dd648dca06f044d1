"""Latent semantic analysis: what it learns, from what, and on how many threads."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.embedder.search import Vectors
from rag_sweep.embedder.texts import Texts
from rag_sweep.errors import ConfigError
from rag_sweep.terms import count_terms

CORPUS = [
    "the laptop is returned to the service desk",
    "a lost laptop is reported to security within one hour",
    "leave is planned before the end of december",
    "leave without pay needs the consent of the director",
    "the director signs travel orders",
    "",
]


def texts_of(*texts: str) -> Texts:
    return Texts(texts, count_terms(text.split() for text in texts))


def vectors_of(corpus: list[str], questions: list[str], embedder: LSAEmbedder | None = None) -> Vectors:
    used = embedder or LSAEmbedder()
    passages, asked = texts_of(*corpus), texts_of(*questions)
    model = used.fit(passages)
    return Vectors(used.encode(model, passages), used.encode(model, asked))


def test_it_finds_what_is_there_and_has_no_more_components_than_the_rank() -> None:
    vectors = vectors_of(CORPUS, ["lost laptop", "travel"])
    assert vectors.width == 5  # six passages, one of them empty
    assert vectors.search(256, 1).items.tolist() == [[1], [4]]


def test_words_that_share_a_context_are_near_though_no_word_is_shared() -> None:
    corpus = [
        "notebook battery",
        "notebook charger",
        "battery charger",
        "holiday request",
        "holiday calendar",
    ]
    scores = vectors_of(corpus, ["notebook"]).score(2, vectors_of(corpus, ["notebook"]).search(2, 5))
    found = dict(zip(vectors_of(corpus, ["notebook"]).search(2, 5).items[0].tolist(), scores[0], strict=True))
    assert found[2] > 0.99  # "battery charger"
    assert abs(found[3]) < 1e-9


def test_it_is_fitted_on_the_passages_alone() -> None:
    few, many = vectors_of(CORPUS, ["travel"]), vectors_of(CORPUS, ["travel", "laptop", "new words", ""])
    assert few.passages.tobytes() == many.passages.tobytes()
    assert few.queries[0].tobytes() == many.queries[0].tobytes()


def test_words_that_the_corpus_lacks_add_nothing() -> None:
    vectors = vectors_of(CORPUS, ["travel orders", "travel zebra orders", "zebra"])
    assert vectors.queries[0].tobytes() == vectors.queries[1].tobytes()
    assert not vectors.queries[2].any()


def test_the_same_seed_gives_the_same_bytes() -> None:
    first, second = (vectors_of(CORPUS, ["travel"], LSAEmbedder(seed=3)) for _ in range(2))
    assert first.passages.tobytes() == second.passages.tobytes()


def test_components_bound_the_width() -> None:
    assert vectors_of(CORPUS, ["travel"], LSAEmbedder(components=2)).width == 2


def test_a_text_that_the_leading_components_know_nothing_of_has_no_direction_there() -> None:
    # The last passage shares no word with the others, so in one component it is 0, not rounding noise.
    vectors = vectors_of(["x y z", "x y", "x z", "k l m"], ["k", "x", "k x"])
    assert not vectors.passages[3, :1].any()
    found = vectors.search(1, 4)
    assert found.items.tolist() == [[-1] * 4, [0, 1, 2, 3], [0, 1, 2, 3]]
    assert found.scores[1].tolist() == [1.0, 1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("corpus", "width"), [(["word"], 1), (["word", "word word"], 1), (["one two"], 1), (["", "b a"], 1)]
)
def test_the_smallest_corpora_work_without_a_warning(corpus: list[str], width: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vectors = vectors_of(corpus, [corpus[-1], "zebra", ""])
    assert vectors.width == width
    found = vectors.search(256, 1)
    assert found.scores[0].tolist() == [1.0]
    assert found.lengths.tolist() == [1, 0, 0]


def test_a_corpus_without_a_token_gives_empty_rankings() -> None:
    vectors = vectors_of(["", ""], ["word", ""])
    assert vectors.width == 0
    assert vectors.search(8, 2).lengths.tolist() == [0, 0]


def test_a_token_may_hold_any_sign() -> None:
    terms = ["ё", "\ud800", "a b", "🚀"]
    texts = Texts(["?"] * 2, count_terms([terms, terms[:2]]))
    model = LSAEmbedder().fit(texts)
    assert LSAEmbedder().encode(model, texts).shape == (2, 2)


SPY = """
import threadpoolctl
from sklearn.utils import extmath
from test_embedder_lsa import CORPUS, vectors_of

def spy(*given, **named):
    print(sorted({pool["num_threads"] for pool in threadpoolctl.threadpool_info()}))
    return real(*given, **named)

real, extmath.randomized_svd = extmath.randomized_svd, spy
vectors_of(CORPUS, ["travel"])
"""


def test_the_svd_runs_on_one_thread_also_where_it_loads_its_own_blas() -> None:
    # A limit that was set before scikit-learn was imported doesn't reach the BLAS that comes with it.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    path = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    seen = subprocess.run(
        [sys.executable, "-c", SPY],
        env={**environment, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert seen.stdout.strip() == "[1]"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"dim": 0}, "embedder.dim must be an int >= 1, got 0"),
        ({"components": 0}, "embedder.components must be an int >= 1, got 0"),
        ({"components": 2.0}, "embedder.components must be an int >= 1, got 2.0"),
        ({"seed": -1}, "embedder.seed must be an int from 0 to 4294967295, got -1"),
        ({"seed": 2**32}, "embedder.seed must be an int from 0 to 4294967295, got 4294967296"),
    ],
)
def test_parameters_that_cannot_be_are_refused(values: dict[str, int], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        LSAEmbedder(**values)
    assert str(refusal.value) == message


def test_one_svd_serves_every_dim() -> None:
    assert LSAEmbedder.nested
    small, large = (vectors_of(CORPUS, ["travel"], LSAEmbedder(dim)) for dim in (2, 5))
    assert small.passages.tobytes() == large.passages.tobytes()
    assert np.isfinite(small.passages).all()
