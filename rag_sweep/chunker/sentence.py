"""Windows of sentences."""

from __future__ import annotations

from dataclasses import dataclass

from rag_sweep.checks import is_count, require
from rag_sweep.chunker.boundaries import Words, cut
from rag_sweep.chunker.sentences import sentence_starts


@dataclass(frozen=True)
class SentenceChunker:
    """Windows of `sentences` sentences of Russian or English text, beginning every `stride` sentences.

    A heading, a table row and a line of code each count as a sentence, and a list item begins one; what has
    no word (a rule, a bracket) stands with the sentence before it. See `rag_sweep.chunker.sentences`.

    Parameters
    ----------
    sentences
        Sentences in a passage, >= 1; the last passage may have fewer.
    stride
        Sentences from the start of a passage to the start of the next, up to `sentences` (a longer one would
        lose text); 0 stands for `sentences`: no overlap.

    Raises
    ------
    ConfigError
        For sizes that cannot be.
    """

    sentences: int = 5
    stride: int = 0

    def __post_init__(self) -> None:
        require("chunker.sentences", self.sentences, "an int >= 1", is_count(self.sentences))
        allowed = f"an int from 0 to chunker.sentences={self.sentences}"
        fits = is_count(self.stride, 0) and self.stride <= self.sentences
        require("chunker.stride", self.stride, allowed, fits)

    def split(self, text: str) -> list[tuple[int, int]]:
        """Character spans of the windows, none wholly inside the one before it."""
        words = Words(text)
        sentences = cut((0, len(text)), sentence_starts(words))
        step = self.stride or self.sentences
        firsts = range(0, max(1, len(sentences) - self.sentences + step), step)
        windows = [sentences[first : first + self.sentences] for first in firsts]
        return words.trimmed((window[0][0], window[-1][1]) for window in windows)
