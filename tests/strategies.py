"""Hypothesis strategies that several test files draw from."""

from __future__ import annotations

from hypothesis import strategies as st

# What decides where a text is cut, and what has gone wrong in tokens.
PIECES = [
    *(
        "a",
        "word",
        "Word",
        "Слово",
        "слово",
        "г",
        "А",
        "Dr",
        "е.",
        "7",
        "3.5",
        "x1",
        "ё",
        "й",
        "и\u0306",
        "é",
    ),
    *(" ", " ", "  ", "\n", "\n\n", "\r\n", "\r", "\t", "\u2028"),
    *(". ", "! ", "… ", ".", ",", "- ", "— ", "«", "»", '"', "(", "|", "_", "**", "1. "),
    *("# ", "\n# ", "\n## Title\n", "#", "```", "\n```\n", "~~~\n", "---\n", "\n| a | b |\n"),
    *("\u0301", "\u0308", "\u0306", "🚀", "שלום", "今日", "\x00", "\u00ad"),
]

texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
"""Any text, and Markdown-like texts of Russian and English pieces."""
