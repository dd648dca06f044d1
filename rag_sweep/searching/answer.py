"""What a question found, with what the GOLD says of it: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rag_sweep.index.explanation import Explanation, Why
from rag_sweep.records import Question
from rag_sweep.searching.highlight import Match


@dataclass(frozen=True, slots=True)
class Judged:
    """What the GOLD says of a document that was found.

    Attributes
    ----------
    grade
        None if the document has no judgement for this question.
    evidence
        Characters of the document's text: the parts of the GOLD's spans that the passage has.
    """

    grade: int | None
    evidence: tuple[tuple[int, int], ...]

    @property
    def is_relevant(self) -> bool:
        """True for a grade above 0."""
        return self.grade is not None and self.grade > 0


@dataclass(frozen=True, slots=True)
class Shown:
    """A document that was found.

    Attributes
    ----------
    why
        The hit, and what made it one.
    matches, title_matches
        Words of the question in the passage (places count characters of its text) and in the title.
    judged
        None where no question of the GOLD was asked.
    """

    why: Why
    matches: tuple[Match, ...]
    title_matches: tuple[Match, ...]
    judged: Judged | None

    def to_dict(self, explained: bool) -> dict[str, Any]:
        """As plain data; places count characters of the document's text."""
        hit = self.why.hit
        found = hit.to_dict()
        found["matches"] = [match.to_dict(hit.start) for match in self.matches]
        found["title_matches"] = [match.to_dict() for match in self.title_matches]
        if self.judged is not None:
            found["grade"] = self.judged.grade
            found["evidence"] = [list(span) for span in self.judged.evidence]
        if explained:
            found["why"] = {key: value for key, value in asdict(self.why).items() if key != "hit"}
        return found


@dataclass(frozen=True, slots=True)
class Wanted:
    """A document that the GOLD calls relevant; `rank` is None where it isn't among the candidates."""

    doc_id: str
    grade: int
    rank: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """A question with what it found.

    Attributes
    ----------
    explanation
        Of the whole question.
    hits
        The best first.
    note
        Why nothing was found, or only a part could search; None where there is nothing to say.
    gold
        The question of the GOLD; None for one that was typed.
    relevant
        Its relevant documents, the best-ranked first.
    words
        The word of the question that each token comes from; a token that isn't in it is its own.
    """

    explanation: Explanation
    hits: tuple[Shown, ...]
    note: str | None = None
    gold: Question | None = None
    relevant: tuple[Wanted, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Tokens that no passage has."""
        return tuple(term.term for term in self.explanation.terms if term.df == 0)

    def to_dict(self, explained: bool = False) -> dict[str, Any]:
        """As plain data."""
        whole = self.explanation.to_dict()
        found: dict[str, Any] = {
            "question": whole["question"],
            "tokens": whole["tokens"],
            "terms": [{**one, "word": self.words.get(one["term"], one["term"])} for one in whole["terms"]],
            "unknown": list(self.unknown),
            "note": self.note,
        }
        if self.gold is not None:
            found["query_id"] = self.gold.query_id
            found["relevant"] = [asdict(one) for one in self.relevant]
        if explained:
            kept = ("passages", "mean_words", "lexical", "fusion", "reranker", "candidates")
            found["explanation"] = {key: whole[key] for key in kept}
        return {**found, "hits": [hit.to_dict(explained) for hit in self.hits]}
