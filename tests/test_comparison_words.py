"""Numbers, names and lists in sentences."""

from __future__ import annotations

import pytest

from rag_sweep.comparison.words import brief, chance, counted, listed, sentence, setting, share, signed


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (counted(1, "question"), "1 question"),
        (counted(1200, "question"), "1,200 questions"),
        (listed([]), ""),
        (listed(["a"]), "a"),
        (listed(["a", "b", "c"], "or"), "a, b or c"),
        (listed(["a", "b", "c"], most=2), "a, b and 1 more"),
        (signed(0.0004), "0.000"),
        (signed(-0.0124), "−0.012"),
        (signed(0.02), "+0.020"),
        (chance(0.04321), "p = 0.043"),
        (chance(0.0001), "p = 0.0001"),
        (share(0.0004), "under 1 %"),
        (share(0.9999), "over 99 %"),
        (share(1.0), "100 %"),
        (share(0.0), "0 %"),
        (sentence("a b"), "A b."),
        (sentence("so?"), "So?"),
        (brief("abcdefghi", 9), "abcdefghi"),
        (brief("abcdefghij", 9), "abcde…hij"),
        (setting(None), "–"),
        (setting(1.20), "1.2"),
        (setting("x" * 100), f"{'x' * 31}…{'x' * 16}"),
    ],
)
def test_words_for_numbers(found: str, told: str) -> None:
    assert found == told
