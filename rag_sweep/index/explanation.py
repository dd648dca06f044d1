"""Why a document stands where it stands, as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from rag_sweep.index.hits import Hit


@dataclass(frozen=True, slots=True)
class Term:
    """A token of the question.

    Attributes
    ----------
    term, times
        The token, and how often the question has it.
    df
        How many passages have it; 0: no document knows the word.
    idf
        How much it weighs for being rare, as the lexical component says; None if that doesn't say.
    """

    term: str
    times: int
    df: int
    idf: float | None


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a token of the question adds to a passage's lexical score; `tf` counts it in the passage."""

    term: str
    tf: int
    score: float


@dataclass(frozen=True, slots=True)
class Branch:
    """A passage in one branch.

    Attributes
    ----------
    name
        "lexical" or "dense".
    rank
        From 1, among the candidates that the branch hands on; None if it isn't among them.
    score
        The branch's own score of the passage, also if it isn't among the candidates.
    share
        What the branch adds to the fused score; None where that is no sum.
    """

    name: str
    rank: int | None
    score: float
    share: float | None


@dataclass(frozen=True, slots=True)
class Why:
    """A hit with what made it one; all of it is about the hit's passage.

    Attributes
    ----------
    words
        Tokens of the passage, the title's included.
    terms
        What each token of the question adds to the lexical score; empty without a lexical branch.
    branches
        Each branch that the fusion or the reranker reads.
    fused_rank, fused_score
        The passage in the pool, before it was reranked.
    passage_rank
        The passage's rank, from 1, among all passages in the end.
    is_reranked
        True if the reranker gave it its score.
    """

    hit: Hit
    words: int
    terms: tuple[Contribution, ...]
    branches: tuple[Branch, ...]
    fused_rank: int
    fused_score: float
    passage_rank: int
    is_reranked: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a question was answered.

    Attributes
    ----------
    question, tokens
        The text, and what the analyzer makes of it.
    passages, mean_words
        How many passages there are (``N``), and how many tokens they have on average (``avgdl``).
    terms
        The distinct tokens in the order in which they come.
    lexical, fusion, reranker
        Class names of the components; None for a reranker that leaves all as it is.
    candidates
        How many passages each branch handed on.
    hits
        The documents, the best first.
    """

    question: str
    tokens: tuple[str, ...]
    passages: int
    mean_words: float
    terms: tuple[Term, ...]
    lexical: str
    fusion: str
    reranker: str | None
    candidates: dict[str, int]
    hits: tuple[Why, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data; every number is finite."""
        return asdict(self)
