"""The offline generator: the sentence of the context that has most of the question's words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise, zip_longest
from typing import ClassVar

from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.cases.records import Answer, Case
from rag_sweep.checks import is_count, require
from rag_sweep.chunker.boundaries import Words
from rag_sweep.chunker.sentences import sentence_starts
from rag_sweep.generator.generator import Desk, Watch, one_by_one
from rag_sweep.rules.wording import script

_STEMS = StemmedAnalyzer(stop_words="short")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_RULE = re.compile(r"\s*\|[\s:|]*-[\s:|-]*")
"""The line under the head of a table: `|---|---|`."""
REFUSAL = {
    "ru": "В контексте нет информации об этом.",
    "en": "There is no information on this in the context.",
}


@dataclass(frozen=True)
class Extractive:
    """Cites, and never says what the context doesn't; it doesn't understand anything either.

    A row of a table is a sentence. A sentence's score is the idf of the question's words that are in it, over
    all sentences of the context; equal ones are taken in their order. Whether there is an answer at all is
    asked of the number of words.

    Parameters
    ----------
    sentences
        In an answer, >= 1.
    least
        The share of the question's distinct words that a sentence must have; below it the answer is that
        there is none. 0 to 1.
    """

    sentences: int = 1
    least: float = 0.3

    asks_model: ClassVar[bool] = False

    def __post_init__(self) -> None:
        require("generator.sentences", self.sentences, "an int >= 1", is_count(self.sentences))
        require("generator.least", self.least, "a number from 0 to 1", 0 <= self.least <= 1)

    def write(self, cases: Sequence[Case], desk: Desk, watch: Watch) -> list[Answer]:
        """One sentence or a few, each with its citation; the model is ``extractive``."""
        return one_by_one(cases, self._answer, "extractive", watch)

    def _answer(self, case: Case) -> str:
        asked = set(_STEMS.tokens(case.question))
        known = [(part.id, text, own) for part in case.context for text, own in _known(part.text)]
        parts, words = [(name, text) for name, text, _ in known], [own for _, _, own in known]
        idf = _idf(asked, words)
        scores = [math.fsum(sorted(idf[token] for token in asked & own)) for own in words]
        best = sorted(range(len(parts)), key=lambda at: (-scores[at], at))[: self.sentences]
        good = [at for at in best if scores[at] > 0 and len(asked & words[at]) >= self.least * len(asked)]
        if not good:
            return REFUSAL[script(case.question) or "en"]
        return " ".join(_cited(parts[at][1], parts[at][0]) for at in sorted(good))


@lru_cache(maxsize=4096)
def _known(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences of a text with their words: many questions are asked of one passage."""
    return tuple((line, frozenset(_STEMS.tokens(line))) for line in _sentences(text))


def _idf(asked: set[str], sentences: Sequence[frozenset[str]]) -> dict[str, float]:
    df = Counter(token for own in sentences for token in asked & own)
    number = len(sentences)
    return {token: math.log(1.0 + (number - df[token] + 0.5) / (df[token] + 0.5)) for token in asked}


def _sentences(text: str) -> list[str]:
    """Sentences and rows of tables; headings answer nothing, unless there is nothing else."""
    found: list[str] = []
    for kind, lines in groupby(text.splitlines(), _kind):
        if kind == "table":
            found += _rows(list(lines))
        elif kind == "prose":
            found += _prose("\n".join(lines))
    return found or _prose("\n".join(line for line in text.splitlines() if not _RULE.fullmatch(line)))


def _kind(line: str) -> str:
    if _HEADING.match(line):
        return "heading"
    return "table" if line.lstrip().startswith("|") else "prose"


def _rows(lines: Sequence[str]) -> list[str]:
    """The rows of a Markdown table, each cell after the head of its column where the table has one."""
    cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    heads: list[str] = []
    found = []
    for at, row in enumerate(cells):
        if _RULE.fullmatch(lines[at]):
            continue
        if at + 1 < len(lines) and _RULE.fullmatch(lines[at + 1]):
            heads = row
            continue
        named = zip_longest(heads[: len(row)], row, fillvalue="")
        found.append("; ".join(f"{head}: {cell}" if head else cell for head, cell in named if cell))
    return [row for row in found if row]


def _prose(text: str) -> list[str]:
    if not text.strip():
        return []
    borders = [0, *sentence_starts(Words(text)), len(text)]
    lines = (
        " ".join(text[start:end].split()).lstrip("#>*-•| ").rstrip("| ") for start, end in pairwise(borders)
    )
    return [line for line in lines if line]


def _cited(sentence: str, name: str) -> str:
    """The citation stands before the full stop, where it belongs to the sentence for every reader."""
    body = sentence.rstrip()
    mark = body[-1] if body[-1] in ".!?…" else "."
    return f"{body.rstrip('.!?…')} [{name}]{mark}"
