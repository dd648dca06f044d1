"""Windows of a fixed number of words."""

from __future__ import annotations

from dataclasses import dataclass

from rag_sweep.checks import is_count, require
from rag_sweep.chunker.boundaries import Words, windows


@dataclass(frozen=True)
class FixedChunker:
    r"""Windows of `size` words, of which neighbours share `overlap`.

    A passage starts at its first word and reaches up to the word after its last one, without the white space
    there: punctuation and markup between two passages stay with the earlier one, so nothing readable is lost.

    Parameters
    ----------
    size
        Words ``[^\W_]+`` in a passage, >= 1; the last passage may have fewer.
    overlap
        Words that a passage shares with the one before, 0 to size - 1.

    Raises
    ------
    ConfigError
        For sizes that cannot be.
    """

    size: int = 200
    overlap: int = 0

    def __post_init__(self) -> None:
        require("chunker.size", self.size, "an int >= 1", is_count(self.size))
        allowed = f"an int from 0 to size - 1 (chunker.size is {self.size})"
        holds = is_count(self.overlap, 0) and self.overlap < self.size
        require("chunker.overlap", self.overlap, allowed, holds)

    def split(self, text: str) -> list[tuple[int, int]]:
        """Character spans of the windows; one span where the text is no longer than a window."""
        words = Words(text)
        return words.trimmed(windows(words, (0, len(text)), self.size, self.overlap))
