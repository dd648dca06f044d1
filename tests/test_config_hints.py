"""What is said behind "doesn't exist": the nearest right key, or where the key exists."""

from __future__ import annotations

import pytest

from rag_sweep.config.hints import hint


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("lexical.k11", ": did you mean lexical.k1?"),
        ("chunker.sentences", "; it exists under chunker=sentence"),
        ("k1", ": did you mean lexical.k1?"),
        ("rules.pass_rule", ": did you mean rules.pass_rules?"),
        ("llm.modle", ": did you mean llm.model?"),
        ("llm.model", "; `rag-sweep answers` has it under llm=openai"),
        ("limits.budgett", ": did you mean limits.budget?"),
        ("limits.budget", "; `rag-sweep answers` has it"),
    ],
)
def test_a_key_that_does_not_exist_is_told_with_what_is_near(key: str, told: str) -> None:
    assert hint(key) == told
