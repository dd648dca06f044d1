"""Vectors by text: each text is embedded once, and comes back bit for bit."""

from __future__ import annotations

import hashlib
import pickle
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from stores import pack_files, store_in

from rag_sweep.arrays import FloatArray
from rag_sweep.errors import StageFailed
from rag_sweep.store import blocks, diskstore
from rag_sweep.store.entry import Store
from rag_sweep.store.none import ForgetfulStore
from rag_sweep.store.vectors import TextVectors


@pytest.fixture(autouse=True)
def looks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diskstore, "_LOOK_EVERY", 0.0)


def vector_of(text: str, width: int = 4) -> FloatArray:
    """Any vector that the text decides."""
    seed = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")
    return np.random.default_rng(seed).normal(size=width)


class Model:
    """Embeds texts, and remembers what it was asked."""

    def __init__(self, width: int = 4, dtype: Any = np.float64) -> None:
        self.width = width
        self.dtype = dtype
        self.blocks: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> NDArray[Any]:
        self.blocks.append(list(texts))
        return np.array([vector_of(text, self.width) for text in texts]).astype(self.dtype)

    @property
    def asked(self) -> list[str]:
        """The texts, without those that only fill a block."""
        return [text for block in self.blocks for text in dict.fromkeys(block)]


def ask(vectors: TextVectors, texts: Sequence[str], model: str = "m", dtype: Any = np.float64) -> list[str]:
    """Ask for texts, check every vector, and tell which ones the model was asked for."""
    asked = Model(dtype=dtype)
    found = vectors.encode(model, texts, asked)
    assert found.dtype == np.float64
    assert len(found) == len(texts)
    for row, text in zip(found, texts, strict=True):
        assert row.tobytes() == vector_of(text).astype(dtype).astype(np.float64).tobytes()
    return asked.asked


some_texts = st.lists(st.text("abc", max_size=3), max_size=10)


@settings(max_examples=50, deadline=None)
@given(st.lists(some_texts, max_size=5), st.integers(1, 5), st.sampled_from([np.float32, np.float64]))
def test_each_distinct_text_is_embedded_once_also_across_processes(
    calls: list[list[str]], block: int, dtype: Any
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        vectors = TextVectors(store_in(Path(folder)), block)
        asked = [text for call in calls for text in ask(vectors, call, dtype=dtype)]
        assert sorted(asked) == sorted({text for call in calls for text in call})
        later = TextVectors(store_in(Path(folder)), block)
        assert [text for call in reversed(calls) for text in ask(later, call, dtype=dtype)] == []


@settings(max_examples=50, deadline=None)
@given(st.lists(some_texts, max_size=5))
def test_without_a_store_each_text_is_embedded_once_in_the_process(calls: list[list[str]]) -> None:
    vectors = TextVectors(ForgetfulStore())
    asked = [text for call in calls for text in ask(vectors, call)]
    assert sorted(asked) == sorted({text for call in calls for text in call})


def test_a_model_always_gets_a_whole_block_the_shortest_texts_first() -> None:
    model = Model()
    TextVectors(ForgetfulStore(), block=3).encode("m", ["xxxx", "x", "xxx", "xx"], model)
    assert model.blocks == [["x", "xx", "xxx"], ["xxxx"] * 3]


def test_the_result_belongs_to_the_caller(tmp_path: Path) -> None:
    for vectors in (TextVectors(store_in(tmp_path)), TextVectors(ForgetfulStore())):
        vectors.encode("m", ["a", "b"], Model())[...] = 0.0
        assert ask(vectors, ["a", "b"]) == []


def test_models_do_not_share_vectors(tmp_path: Path) -> None:
    vectors = TextVectors(store_in(tmp_path))
    assert ask(vectors, ["a"], "query: m") == ["a"]
    assert ask(vectors, ["a"], "passage: m") == ["a"]
    assert ask(TextVectors(store_in(tmp_path)), ["a"], "passage: m") == []


def test_the_model_is_part_of_a_text_s_key(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    for model in ("one", "two"):
        ask(TextVectors(store), ["a"], model)
    found = [store.get(key) for key in store.find("text_vectors", {})]
    assert len({arrays["keys"].tobytes() for arrays in found if arrays is not None}) == 2


def test_an_entry_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(TextVectors(store_in(tmp_path)), ["a"])
    store = store_in(tmp_path)
    read: list[str] = []
    real = store.get
    monkeypatch.setattr(store, "get", lambda key: (read.append(key), real(key))[1])  # type: ignore[func-returns-value]
    vectors = TextVectors(store)
    for text in "abc":
        ask(vectors, [text])
    assert len(read) == len(set(read)) == 3


def test_what_another_process_embedded_meanwhile_is_taken_over(tmp_path: Path) -> None:
    one, two = TextVectors(store_in(tmp_path)), TextVectors(store_in(tmp_path))
    assert ask(one, ["a", "b"]) == ["a", "b"]
    assert ask(two, ["b", "c", "b"]) == ["c"]
    assert ask(one, ["c", "a", "b"]) == []


def test_vectors_of_a_float32_model_take_half_the_place(tmp_path: Path) -> None:
    texts = [str(number) for number in range(1000)]
    for name, dtype in (("single", np.float32), ("double", np.float64)):
        ask(TextVectors(store_in(tmp_path / name)), texts, dtype=dtype)
    single, double = (pack_files(tmp_path / name)[0].stat().st_size for name in ("single", "double"))
    assert double - single == 1000 * 4 * 4


def test_large_vectors_are_mapped_and_not_held_twice(tmp_path: Path) -> None:
    vectors = TextVectors(store_in(tmp_path))
    texts = [str(number) for number in range(300)]
    vectors.encode("m", texts, Model(width=1000))
    (part,) = vectors._models["m"]._parts
    assert not part.flags.owndata
    assert not part.flags.writeable


def test_a_long_call_is_kept_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_KEEP_EVERY", 0.0)
    ask(TextVectors(store_in(tmp_path), block=2), list("abcde"))
    assert len(pack_files(tmp_path)) == 3
    assert ask(TextVectors(store_in(tmp_path)), list("abcde")) == []


def test_what_was_embedded_before_a_failure_is_kept(tmp_path: Path) -> None:
    model = Model()

    def failing(texts: Sequence[str]) -> NDArray[Any]:
        if model.blocks:
            raise RuntimeError("down")
        return model(texts)

    for vectors in (TextVectors(store_in(tmp_path), 2), TextVectors(ForgetfulStore(), 2)):
        model.blocks.clear()
        with pytest.raises(RuntimeError, match="down"):
            vectors.encode("m", list("abcd"), failing)
        assert ask(vectors, list("abcd")) == ["c", "d"]


def test_a_value_that_is_no_number_fails() -> None:
    with pytest.raises(StageFailed, match="embedder gave a value that is no number"):
        TextVectors(ForgetfulStore(), 1).encode("m", ["a"], lambda texts: np.array([[1.0, np.nan]]))


@pytest.mark.parametrize("answer", [np.zeros((3, 4)), np.zeros(2), np.zeros((2, 2, 2)), None, [["a"], ["b"]]])
def test_an_answer_of_another_form_fails(answer: Any) -> None:
    with pytest.raises(StageFailed, match="embedder must give"):
        TextVectors(ForgetfulStore(), 2).encode("m", ["a", "b"], lambda texts: answer)


@pytest.mark.parametrize("warm", [False, True])
def test_another_width_of_the_same_model_fails(tmp_path: Path, warm: bool) -> None:
    vectors = TextVectors(store_in(tmp_path))
    ask(vectors, ["a"])
    if warm:
        vectors = TextVectors(store_in(tmp_path))
        ask(vectors, ["a"])
    with pytest.raises(StageFailed, match="width 5, earlier ones of this model have 4"):
        vectors.encode("m", ["a", "b"], Model(width=5))
    assert ask(vectors, ["a", "b"]) == ["b"]


@pytest.mark.parametrize("store", [True, False])
def test_no_text_is_no_vector(tmp_path: Path, store: bool) -> None:
    kept: Store = store_in(tmp_path) if store else ForgetfulStore()
    vectors = TextVectors(kept)
    assert vectors.encode("m", [], Model()).shape == (0, 0)
    ask(vectors, ["a"])
    assert vectors.encode("m", [], Model()).shape == (0, 4)


def test_a_copy_in_another_process_shares_the_store(tmp_path: Path) -> None:
    vectors = TextVectors(store_in(tmp_path), 3)
    ask(vectors, ["a", "b"])
    assert ask(pickle.loads(pickle.dumps(vectors)), ["a", "b"]) == []
