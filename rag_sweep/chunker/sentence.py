"""Windows of sentences."""

from __future__ import annotations

from dataclasses import dataclass

from rag_sweep.checks import is_count, require
from rag_sweep.chunker.boundaries import Words, cut
from rag_sweep.chunker.sentences import sentence_starts


@dataclass(frozen=True)
class SentenceChunker:
    """Windows of `size` sentences of Russian or English text, beginning every `stride` sentences.

    A heading, a list item, a table row and a line of code count as a sentence; what has no word (a rule, a
    bracket) stands with the sentence before it. See `rag_sweep.chunker.sentences` for the rules.

    Parameters
    ----------
    size
        Sentences in a passage, >= 1; the last passage may have fewer.
    stride
        Sentences from the start of a passage to the start of the next, up to `size` (a longer one would lose
        text); 0 stands for `size`: no overlap.

    Raises
    ------
    ConfigError
        For sizes that cannot be.
    """

    size: int = 5
    stride: int = 0

    def __post_init__(self) -> None:
        require("chunker.size", self.size, "an int >= 1", is_count(self.size))
        allowed = f"an int from 0 to size (chunker.size is {self.size})"
        require("chunker.stride", self.stride, allowed, is_count(self.stride, 0) and self.stride <= self.size)

    def split(self, text: str) -> list[tuple[int, int]]:
        """Character spans of the windows, none wholly inside the one before it."""
        words = Words(text)
        sentences = cut((0, len(text)), sentence_starts(words))
        step = self.stride or self.size
        firsts = range(0, max(1, len(sentences) - self.size + step), step)
        windows = [sentences[first : first + self.size] for first in firsts]
        return words.trimmed((window[0][0], window[-1][1]) for window in windows)
