"""No cutting at all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DocumentChunker:
    """The whole document is the passage."""

    def split(self, text: str) -> list[tuple[int, int]]:
        """The one span ``[0, len(text))``."""
        return [(0, len(text))]
