"""Postings that are alike."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.kinds import Kinds
from rag_sweep.lexical import LexicalIndex
from rag_sweep.terms import count_terms

texts = st.lists(st.lists(st.sampled_from("abc"), max_size=7), min_size=1, max_size=9)


@given(texts)
def test_a_kind_is_a_term_frequency_with_a_length(passages: list[list[str]]) -> None:
    postings = LexicalIndex.of(count_terms(passages), count_terms([["a", "b", "c"]])).postings
    kinds = Kinds.of(postings)
    assert kinds.tf[kinds.kind].tolist() == postings.tf.tolist()
    assert kinds.lengths[kinds.kind].tolist() == postings.lengths[postings.passages].tolist()
    pairs = list(zip(kinds.tf.tolist(), kinds.lengths.tolist(), strict=True))
    assert pairs == sorted(set(pairs))
    assert np.unique(kinds.kind).tolist() == list(range(len(pairs)))
