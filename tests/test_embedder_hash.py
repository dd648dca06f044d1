"""Signed feature hashing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.embedder.hash import HashEmbedder, bucket
from rag_sweep.embedder.texts import Texts
from rag_sweep.errors import ConfigError
from rag_sweep.terms import count_terms

token_lists = st.lists(st.lists(st.text(min_size=1, max_size=4), max_size=6), min_size=1, max_size=5)


def encode(dim: int, *texts: list[str]) -> np.ndarray:
    embedder = HashEmbedder(dim)
    given_texts = Texts([" ".join(text) for text in texts], count_terms(texts))
    return embedder.encode(embedder.fit(given_texts), given_texts)


def test_the_buckets_of_known_digests() -> None:
    # SHA-256 of "abc" begins with ba7816bf 8f, that of "" with e3b0c442 98: an odd fifth byte, an even one.
    assert bucket("abc", 2**32) == (0xBA7816BF, -1.0)
    assert bucket("", 2**32) == (0xE3B0C442, 1.0)
    assert bucket("abc", 1000) == (0xBA7816BF % 1000, -1.0)


@given(token=st.text(), dim=st.integers(1, 2**33))
def test_a_bucket_is_one_of_dim(token: str, dim: int) -> None:
    index, sign = bucket(token, dim)
    assert 0 <= index < dim
    assert sign in (-1.0, 1.0)


@given(texts=token_lists, dim=st.sampled_from([1, 2, 8, 64]))
def test_a_text_is_the_sum_of_its_tokens_whatever_stands_beside_it(texts: list[list[str]], dim: int) -> None:
    together = encode(dim, *texts)
    assert together.shape == (len(texts), dim)
    for row, text in zip(together, texts, strict=True):
        assert row.tobytes() == encode(dim, text)[0].tobytes()
        expected = np.zeros(dim)
        for token in text:
            index, sign = bucket(token, dim)
            expected[index] += sign
        assert row.tolist() == expected.tolist()


def test_each_occurrence_counts_and_the_order_of_tokens_does_not() -> None:
    one, twice, turned = encode(16, ["a", "b"], ["a", "b", "b", "a"], ["b", "a"])
    assert twice.tolist() == (2 * one).tolist()
    assert turned.tolist() == one.tolist()


def test_a_text_without_tokens_is_the_zero_vector() -> None:
    assert not encode(8, [], ["a"])[0].any()


def test_it_learns_nothing_and_serves_one_dim_only() -> None:
    assert HashEmbedder().fit(Texts(["a"], count_terms([["a"]]))) == {}
    assert (HashEmbedder().dim, HashEmbedder.nested, HashEmbedder.reads) == (256, False, "tokens")


@pytest.mark.parametrize("dim", [0, -1, 1.5, True, "8", 2**20 + 1])
def test_a_dim_that_cannot_be_is_refused(dim: int) -> None:
    with pytest.raises(ConfigError, match=r"^embedder\.dim must be an int from 1 to 1048576, got "):
        HashEmbedder(dim)
