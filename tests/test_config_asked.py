"""Overrides of a command that works on one configuration."""

from __future__ import annotations

import pytest

from rag_sweep.config.asked import Asked, group_of
from rag_sweep.errors import UsageError


def test_what_is_set_is_told_by_its_group() -> None:
    words = ["+lexical.k1=0.9", "k=5", "++chunker=fixed", "~sweep.name"]
    assert [group_of(word) for word in words] == ["lexical", "k", "chunker", "sweep"]


def test_overrides_that_would_do_nothing_are_refused_with_what_to_do() -> None:
    with pytest.raises(UsageError, match="resume=never: resume has no effect on a gate; nothing is kept"):
        Asked.of(["resume=never"], None, {"resume": "nothing is kept"}, "a gate")


def test_the_first_override_of_a_key_is_found_and_left_out() -> None:
    asked = Asked.of(["lexical.k1=0.9", "k=5", "lexical.b=0"], None, {}, "a gate")
    assert asked.sets("lexical") == "lexical.k1=0.9"
    assert asked.sets("chunker") is None
    assert asked.without("lexical") == ["k=5"]
    assert asked.config["lexical"]["b"] == 0
