"""The index finds what a sweep finds, to the last byte, however it is asked and wherever it comes from."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from indexes import CHOICES, DATASET, PIPELINES, TEXTS
from pipelines import pipeline_of, run_one
from threadpoolctl import threadpool_info, threadpool_limits

from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.embedder.texts import Texts
from rag_sweep.errors import ConfigError, DataError, StageFailed
from rag_sweep.fusion import DenseOnly, LexicalOnly
from rag_sweep.index import Index
from rag_sweep.pipeline import Pipeline, Settings
from rag_sweep.ranking import EMPTY, Rankings
from rag_sweep.records import Corpus, Dataset, Document, Gold, Question
from rag_sweep.stages import Found

CORPUS = DATASET.corpus


def bytes_of(found: Found) -> list[bytes]:
    parts = (found.documents, found.passages)
    return [array.tobytes() for part in parts for array in (part.items, part.scores)]


def row_of(rankings: Rankings, at: int) -> tuple[bytes, bytes]:
    """A row without the padding behind it."""
    kept = rankings.items[at] != EMPTY
    return rankings.items[at][kept].tobytes(), rankings.scores[at][kept].tobytes()


def assert_same_rows(found: Found, at: int, other: Found, row: int) -> None:
    for name in ("documents", "passages"):
        assert row_of(getattr(found, name), at) == row_of(getattr(other, name), row)


def through_a_file(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """As npz keeps them, which refuses objects."""
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    file.seek(0)
    with np.load(file, allow_pickle=False) as kept:
        return dict(kept)


@pytest.mark.parametrize("name", PIPELINES)
def test_it_finds_what_the_sweep_finds_together_alone_and_restored(name: str) -> None:
    pipeline = PIPELINES[name]
    swept = run_one(DATASET, pipeline).found
    built = Index.build(pipeline, CORPUS)
    restored = Index.restore(pipeline, CORPUS, through_a_file(built.arrays()))
    for index in (built, restored):
        assert bytes_of(index.search(TEXTS, Settings().depth)) == bytes_of(swept)
        for at, text in enumerate(TEXTS):
            assert_same_rows(index.search([text], Settings().depth), 0, swept, at)
    assert {key: v.tobytes() for key, v in restored.arrays().items()} == {
        key: v.tobytes() for key, v in built.arrays().items()
    }


documents = st.lists(
    st.one_of(strategies.texts, st.sampled_from([d.text for d in CORPUS.documents])), max_size=7
)
pipelines = st.builds(Pipeline, **{group: st.sampled_from(options) for group, options in CHOICES.items()})


@settings(max_examples=150)
@given(
    pipelines, documents.filter(bool), st.lists(strategies.texts, max_size=5), st.integers(1, 9), st.randoms()
)
def test_any_components_any_texts_any_company(
    pipeline: Pipeline, texts: list[str], questions: list[str], depth: int, rng: random.Random
) -> None:
    corpus = Corpus(tuple(Document(f"d{at}", text[:9], text) for at, text in enumerate(texts)))
    asked = [*questions, *(text[:30] for text in texts), *TEXTS]
    gold = Gold(tuple(Question(f"q{at}", text, {"d0": 1}) for at, text in enumerate(asked)))
    swept = run_one(Dataset("any", corpus, gold), pipeline, Settings(k=depth, cutoffs=(depth,))).found
    index = Index.build(pipeline, corpus)
    assert bytes_of(index.search(asked, depth)) == bytes_of(swept)
    some = rng.sample(range(len(asked)), rng.randint(1, len(asked)))
    together = index.search([asked[at] for at in some], depth)
    for row, at in enumerate(some):
        assert_same_rows(together, row, swept, at)
    for at in some[:3]:
        assert_same_rows(index.search([asked[at]], depth), 0, swept, at)


@pytest.mark.parametrize("name", PIPELINES)
def test_hits_are_the_documents_with_their_best_passages(name: str) -> None:
    index = Index.build(PIPELINES[name], CORPUS)
    for text in TEXTS:
        found = index.search([text], 100)
        hits = index.hits(text, 3)
        documents = found.documents.head(3)
        kept = documents.items[0] != EMPTY
        assert [hit.rank for hit in hits] == list(range(1, int(kept.sum()) + 1))
        assert [CORPUS.position[hit.doc_id] for hit in hits] == documents.items[0][kept].tolist()
        assert [hit.score for hit in hits] == documents.scores[0][kept].tolist()
        first = {
            int(index.passages.document[item]): item
            for item in found.passages.items[0][::-1].tolist()
            if item != EMPTY
        }
        for hit in hits:
            item = first[CORPUS.position[hit.doc_id]]
            assert (hit.start, hit.end) == (index.passages.start[item], index.passages.end[item])
            document = CORPUS.documents[CORPUS.position[hit.doc_id]]
            assert (hit.text, hit.title) == (document.text[hit.start : hit.end], document.title)


def test_a_hit_stands_where_its_document_stands_also_behind_many_passages_of_another() -> None:
    corpus = Corpus(
        (Document("long", "", "milk and\n" * 30), Document("short", "", "milk or something else here"))
    )
    index = Index.build(pipeline_of(chunker=FixedChunker(2), fusion=LexicalOnly()), corpus)
    assert [(hit.doc_id, hit.rank) for hit in index.hits("milk", 2)] == [("long", 1), ("short", 2)]


def test_what_can_not_be_asked_is_refused() -> None:
    index = Index.build(PIPELINES["lexical"], CORPUS)
    for questions in ([], "milk", [None]):
        with pytest.raises(ConfigError, match="questions must be a list of at least one text"):
            index.search(questions, 5)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="depth must be an int >= 1, got 0"):
        index.search(["milk"], 0)
    with pytest.raises(ConfigError, match="k must be an int >= 1, got 0"):
        index.hits("milk", 0)
    with pytest.raises(DataError, match="no documents"):
        Index.build(PIPELINES["lexical"], Corpus(()))


def test_the_width_of_the_vectors_is_told_and_only_what_is_searched_is_kept() -> None:
    index = Index.build(pipeline_of(embedder=LSAEmbedder(2, 4), fusion=DenseOnly()), CORPUS)
    assert index.vectors_width == 4
    assert index.arrays()["vectors"].shape == (5, 2)
    assert Index.build(PIPELINES["lexical"], CORPUS).vectors_width is None


def without(name: str) -> Any:
    return lambda arrays: {key: value for key, value in arrays.items() if key != name}


def changed(name: str, change: Any) -> Any:
    return lambda arrays: {**arrays, name: change(arrays[name])}


DAMAGE = {
    "a lost array": (without("terms.data"), "lacks array terms.data"),
    "a lost vector": (without("vectors"), "lacks array vectors"),
    "a foreign array": (lambda arrays: {**arrays, "more": np.zeros(1)}, "has the unknown array more"),
    "floats for ints": (
        changed("passages.start", lambda a: a.astype(float)),
        "passages.start of the index must be int32",
    ),
    "a lost passage": (changed("passages.words", lambda a: a[1:]), "not equally many"),
    "a lost document": (
        changed("passages.document", lambda a: np.minimum(a, 3)),
        "other documents: 4 have passages",
    ),
    "one document more": (changed("passages.document", lambda a: a + 1), "other documents"),
    "a longer document": (changed("passages.end", lambda a: a + 1), "other documents: 'door' is shorter"),
    "a negative place": (changed("passages.start", lambda a: a - 1), "not in the order"),
    "a lost term": (changed("terms.ends", lambda a: a[:-1]), "terms"),
    "a place beyond": (changed("terms.indices", lambda a: a + 1000), "terms of the index don't fit"),
    "lost counts": (changed("terms.data", lambda a: a[1:]), "terms of the index don't fit"),
    "a lost row": (changed("terms.indptr", lambda a: a[:-1]), "terms of the index don't fit"),
    "half characters": (
        changed("terms.words", lambda a: np.full_like(a, 255)),
        "terms of the index don't fit",
    ),
    "no width": (
        changed("terms.width", lambda a: a[:0]),
        r"terms.width of the index must be one number >= 0, got \[\]",
    ),
    "a negative width": (changed("vectors.width", lambda a: -a), r"vectors.width .* one number >= 0, got"),
    "a lost component": (changed("vectors", lambda a: a[:, 1:]), r"must be float64 \(5, 3\)"),
    "half a number": (changed("vectors", lambda a: a.astype(np.float32)), "got float32"),
    "no number": (changed("vectors", lambda a: a * np.nan), "no number"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_arrays_that_do_not_fit_are_refused(name: str) -> None:
    pipeline = PIPELINES["lsa"]
    damage, message = DAMAGE[name]
    with pytest.raises(DataError, match=message):
        Index.restore(pipeline, CORPUS, damage(Index.build(pipeline, CORPUS).arrays()))


def test_arrays_of_another_pipeline_are_refused() -> None:
    arrays = Index.build(PIPELINES["lsa"], CORPUS).arrays()
    with pytest.raises(DataError, match=r"unknown arrays model\.basis, .*another pipeline"):
        Index.restore(PIPELINES["lexical"], CORPUS, arrays)
    with pytest.raises(DataError, match=r"vectors of the index must be float64 \(5, 2\)"):
        Index.restore(replace(PIPELINES["lsa"], embedder=LSAEmbedder(2, 8)), CORPUS, arrays)


@dataclass(frozen=True)
class Learned:
    """An embedder that learns something that is no array of numbers."""

    dim: int = 2
    nested: ClassVar[bool] = False
    reads: ClassVar[Literal["tokens", "text"]] = "text"

    def fit(self, passages: Texts) -> Mapping[str, Any]:
        return {"words": np.array([{"a": 1}], dtype=object)}

    def encode(self, model: Mapping[str, Any], texts: Texts) -> Any:
        return np.ones((len(texts), 2))


def test_what_could_not_be_read_back_without_running_code_is_refused() -> None:
    index = Index.build(pipeline_of(embedder=Learned()), CORPUS)
    assert index.hits("milk", 1)
    with pytest.raises(StageFailed, match="arrays of numbers or bytes by name, got 'words' of dtype object"):
        index.arrays()


@dataclass(frozen=True)
class Wider:
    """An embedder whose questions are wider than its passages."""

    dim: int = 2
    nested: ClassVar[bool] = True
    reads: ClassVar[Literal["tokens", "text"]] = "text"

    def fit(self, passages: Texts) -> Mapping[str, Any]:
        return {}

    def encode(self, model: Mapping[str, Any], texts: Texts) -> Any:
        return np.ones((len(texts), 2 if texts.role == "passage" else 3))


@dataclass(frozen=True)
class Refusing:
    """An analyzer that refuses one word."""

    def tokens(self, text: str) -> list[str]:
        if "xylophone" in text:
            raise ZeroDivisionError("no music")
        return text.split()


def test_a_component_that_fails_is_named_with_its_reason() -> None:
    index = Index.build(pipeline_of(analyzer=Refusing()), CORPUS)
    with pytest.raises(StageFailed, match="query_terms: ZeroDivisionError: no music"):
        index.search(["xylophone"], 3)
    with pytest.raises(StageFailed, match="passages and questions the same width, got 2 and 3"):
        Index.build(pipeline_of(embedder=Wider()), CORPUS).hits("milk", 1)


def test_several_threads_at_once_get_the_same_bytes_and_leave_the_process_its_threads() -> None:
    index = Index.build(PIPELINES["zsum"], CORPUS)
    expected = {text: bytes_of(index.search([text], 5)) for text in TEXTS}
    with threadpool_limits(2):
        before = [library["num_threads"] for library in threadpool_info()]
        with ThreadPoolExecutor(8) as pool:
            asked = TEXTS * 20
            found = list(pool.map(lambda text: bytes_of(index.search([text], 5)), asked))
        assert found == [expected[text] for text in asked]
        assert [library["num_threads"] for library in threadpool_info()] == before


DIGEST = """
import hashlib, sys
from rag_sweep.dataset.beir import Beir
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.index import Index
from pipelines import pipeline_of

dataset = Beir(path=sys.argv[1]).load()
index = Index.build(pipeline_of(embedder=LSAEmbedder(dim=64, components=64)), dataset.corpus)
found = index.search([question.text for question in dataset.gold.questions[:40]], 10)
parts = [part for one in (found.documents, found.passages) for part in (one.items, one.scores)]
whole = b"".join(part.tobytes() for part in parts)
print(hashlib.sha256(whole).hexdigest())
"""


@pytest.mark.full
def test_the_bytes_do_not_depend_on_the_threads_that_a_process_has(shared: Path) -> None:
    def digest(threads: str) -> str:
        own = {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        argv = [sys.executable, "-c", DIGEST, str(shared / "data" / "cranfield")]
        here = Path(__file__).parent
        return subprocess.run(
            argv, env={**os.environ, **own}, cwd=here, check=True, capture_output=True, text=True
        ).stdout

    assert digest("1") == digest("2") != ""
