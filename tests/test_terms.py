"""Term counts and postings, against counters."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.terms import count_terms, packed, postings

WORDS = ["a", "b", "B", "ab", "я", "ё", "е", "10", "z\u0301", "🚀", ""]
token_lists = st.lists(st.lists(st.sampled_from(WORDS), max_size=8), max_size=6)


@given(texts=token_lists)
def test_counts_are_those_of_a_counter(texts: list[list[str]]) -> None:
    found = count_terms(iter(texts))
    assert found.terms == tuple(sorted({token for text in texts for token in text}))
    assert found.counts.shape == (len(texts), len(found.terms))
    table = found.counts.toarray().tolist()
    for row, text in zip(table, texts, strict=True):
        assert {t: n for t, n in zip(found.terms, row, strict=True) if n} == dict(Counter(text))
    assert found.lengths.tolist() == [len(text) for text in texts]
    assert found.lengths.dtype == np.int64


@given(texts=token_lists)
def test_rows_have_sorted_unique_indices(texts: list[list[str]]) -> None:
    counts = count_terms(texts).counts
    for row in range(len(texts)):
        columns = counts.indices[counts.indptr[row] : counts.indptr[row + 1]].tolist()
        assert columns == sorted(set(columns))


@given(texts=token_lists, vocabulary=st.lists(st.sampled_from([*WORDS, "other"]), unique=True))
def test_another_vocabulary_has_its_own_columns_and_drops_the_rest(
    texts: list[list[str]], vocabulary: list[str]
) -> None:
    table = count_terms(texts).over(vocabulary)
    assert table.shape == (len(texts), len(vocabulary))
    assert table.toarray().tolist() == [[text.count(term) for term in vocabulary] for text in texts]


@given(texts=token_lists, words=st.lists(st.sampled_from([*WORDS, "other"])), more=st.integers(0, 500))
def test_a_packed_vocabulary_gives_the_same_as_an_unpacked_one(
    texts: list[list[str]], words: list[str], more: int
) -> None:
    vocabulary = sorted({*words, *(f"w{at}" for at in range(more))})
    found = count_terms(texts)
    packed_up, plain = found.over_packed(packed(vocabulary)), found.over(vocabulary)
    assert packed_up.shape == plain.shape
    for name in ("data", "indices", "indptr"):
        assert getattr(packed_up, name).tobytes() == getattr(plain, name).tobytes()


@given(texts=token_lists, extra=st.lists(st.sampled_from(["zz", "y", "0"]), max_size=5))
def test_the_counts_of_a_text_dont_depend_on_the_other_texts(
    texts: list[list[str]], extra: list[str]
) -> None:
    alone, among = count_terms(texts), count_terms([*texts, extra])
    assert among.over(alone.terms).toarray()[: len(texts)].tolist() == alone.counts.toarray().tolist()
    assert among.lengths[: len(texts)].tolist() == alone.lengths.tolist()


@given(texts=token_lists, terms=st.lists(st.sampled_from([*WORDS, "other"]), unique=True))
def test_postings_say_where_each_term_stands_and_how_often(texts: list[list[str]], terms: list[str]) -> None:
    found = postings(count_terms(texts), terms)
    triples = zip(found.term.tolist(), found.passages.tolist(), found.tf.tolist(), strict=True)
    expected = [
        (at, passage, float(text.count(term)))
        for at, term in enumerate(terms)
        for passage, text in enumerate(texts)
        if term in text
    ]
    assert list(triples) == expected
    assert found.df.tolist() == [sum(term in text for text in texts) for term in terms]
    assert found.lengths.tolist() == [len(text) for text in texts]
    assert len(texts) == found.N
    assert found.avgdl == (sum(map(len, texts)) / len(texts) if texts else 0.0)


@given(texts=token_lists, terms=st.lists(st.sampled_from([*WORDS, "other"]), unique=True))
def test_the_postings_of_some_terms_are_those_that_were_asked_for(
    texts: list[list[str]], terms: list[str]
) -> None:
    counted = count_terms(texts)
    chosen = [at for at in range(len(terms)) if at % 2 == 0]
    found = postings(counted, terms).of_terms(np.array(chosen, dtype=np.int64))
    expected = postings(counted, [terms[at] for at in chosen])
    for name in ("passages", "term", "tf", "df", "lengths"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()


def test_empty_texts_stay_in_N_and_in_the_mean_length() -> None:
    found = postings(count_terms([["a", "b", "a"], [], []]), ["a"])
    assert (found.N, found.avgdl) == (3, 1.0)


def test_terms_that_no_text_has_get_no_posting() -> None:
    corpora: list[list[list[str]]] = [[[], []], [["a"]]]
    for texts in corpora:
        found = postings(count_terms(texts), ["x", "y"])
        assert found.df.tolist() == [0.0, 0.0]
        assert len(found.tf) == len(found.term) == len(found.passages) == 0
