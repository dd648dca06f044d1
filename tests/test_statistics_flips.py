"""Sign patterns, and the p-values that follow from counting them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.errors import ConfigError
from rag_sweep.statistics.flips import Flips


def test_few_questions_have_every_pattern_once() -> None:
    flips = Flips(11, 5_000)
    signs = np.concatenate(list(flips.blocks()))
    assert flips.exact
    assert flips.number == len(signs) == 2**11
    assert len(np.unique(signs, axis=0)) == 2**11
    assert set(signs.ravel()) == {-1.0, 1.0}


def test_many_questions_have_a_sample() -> None:
    flips = Flips(13, 2**13 - 1, seed=5)
    signs = np.concatenate(list(flips.blocks()))
    assert not flips.exact
    assert signs.shape == (2**13 - 1, 13)
    assert abs(signs.mean()) < 0.02
    assert (signs == np.concatenate(list(Flips(13, 2**13 - 1, seed=5).blocks()))).all()


def test_a_sample_never_gives_a_p_of_nothing() -> None:
    assert Flips(100, 999).p_value(np.array([0.0, 999.0])).tolist() == [0.001, 1.0]
    assert Flips(3, 999).p_value(np.array([1.0, 8.0])).tolist() == [0.125, 1.0]


@given(
    reference=st.lists(st.integers(0, 9), min_size=8, max_size=8),
    data=st.data(),
    questions=st.sampled_from([4, 9]),
    alpha=st.floats(0.01, 0.9),
)
def test_above_the_critical_value_lies_what_is_significant(
    reference: list[int], data: st.DataObject, questions: int, alpha: float
) -> None:
    flips = Flips(questions, 16)
    observed = data.draw(st.sampled_from(reference) if flips.exact else st.integers(0, 9))
    twice = np.array(reference * 2, dtype=float)
    p = flips.p_value(np.array(float((twice >= observed).sum())))
    assert (observed > flips.critical(twice, alpha)) == (p <= alpha + 1e-9)


def test_too_few_patterns_have_no_critical_value() -> None:
    assert Flips(5).critical(np.arange(32.0) // 2, 0.05) == math.inf
    assert Flips(6).critical(np.arange(64.0) // 2, 0.05) == 30.0
    assert Flips(20, 18).critical(np.arange(18.0), 0.05) == math.inf
    assert Flips(20, 19).critical(np.arange(19.0), 0.05) == 18.0


def test_no_patterns_are_refused() -> None:
    with pytest.raises(ConfigError, match="resamples must be an int >= 1, got 0"):
        Flips(5, 0)
