"""A case: a question, the context that was handed over, and what a right answer must have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rag_sweep.cases.cleaning import clean
from rag_sweep.fingerprint import fingerprint


@dataclass(frozen=True, slots=True)
class Context:
    """A text that the writer of an answer had before it; answers cite it as ``[id]``."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Rubric:
    """What is asked of an answer beside being true to its context.

    Attributes
    ----------
    must_include
        Parts of words, in any case; of each entry one alternative must be in the answer.
    must_not_include
        Parts of words, none of which may be there.
    allow_cites
        Ids that may be cited; None allows those of the context.
    max_words
        The longest answer; None takes that of the rule.
    expect_refusal
        Whether the right answer is that there is none; None lets the evidence decide.
    """

    must_include: tuple[tuple[str, ...], ...] = ()
    must_not_include: tuple[str, ...] = ()
    allow_cites: tuple[str, ...] | None = None
    max_words: int | None = None
    expect_refusal: bool | None = None


@dataclass(frozen=True)
class Case:
    """One question to be answered from its context.

    Attributes
    ----------
    context
        In the order in which it was handed over.
    reference
        A right answer, written by a person.
    evidence
        Whether the context holds what answers the question; None where nobody knows.
    query_id
        The question of the GOLD that it was made of.
    """

    id: str
    question: str
    context: tuple[Context, ...]
    rubric: Rubric = field(default_factory=Rubric)
    reference: str | None = None
    evidence: bool | None = None
    query_id: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def citable(self) -> tuple[str, ...]:
        """Ids that an answer may cite."""
        allowed = self.rubric.allow_cites
        return tuple(part.id for part in self.context) if allowed is None else allowed

    @cached_property
    def text(self) -> str:
        """The whole context as one text."""
        return "\n".join(part.text for part in self.context)

    @cached_property
    def cleaned(self) -> Case:
        """With its texts and ids in one form; what its rubric asks for stays as it was written."""
        allowed = self.rubric.allow_cites
        new = _cleaned_ids(dict.fromkeys([*(part.id for part in self.context), *(allowed or ())]))
        cites = None if allowed is None else tuple(new[name] for name in allowed)
        return replace(
            self,
            question=clean(self.question),
            context=tuple(Context(new[part.id], clean(part.text)) for part in self.context),
            rubric=replace(self.rubric, allow_cites=cites),
        )

    def to_dict(self) -> dict[str, Any]:
        """As a line of a file of cases holds it; what is empty is left out."""
        rubric = {
            "must_include": [one[0] if len(one) == 1 else list(one) for one in self.rubric.must_include],
            "must_not_include": list(self.rubric.must_not_include),
            "allow_cites": None if self.rubric.allow_cites is None else list(self.rubric.allow_cites),
            "max_words": self.rubric.max_words,
            "expect_refusal": self.rubric.expect_refusal,
        }
        found = {
            "id": self.id,
            "question": self.question,
            "context": [{"id": part.id, "text": part.text} for part in self.context],
            "rubric": _there(rubric),
            "reference": self.reference,
            "evidence": self.evidence,
            "query_id": self.query_id,
            "tags": list(self.tags),
        }
        return _there(found)


def _cleaned_ids(ids: dict[str, None]) -> dict[str, str]:
    """Ids as they stand in a cleaned text; as they were where two would become one, or one would vanish."""
    new = {name: clean(name) for name in ids}
    return new if all(new.values()) and len(set(new.values())) == len(new) else {name: name for name in ids}


def _there(values: Mapping[str, Any]) -> dict[str, Any]:
    """What says something; an empty list of contexts, or of ids that may be cited, does."""
    telling = ("context", "allow_cites")
    return {
        key: value
        for key, value in values.items()
        if value is not None and (value not in ([], {}) or key in telling)
    }


@dataclass(frozen=True)
class Cases:
    """All cases of a file, in its order."""

    cases: tuple[Case, ...]

    @cached_property
    def fingerprint(self) -> str:
        """Hash of everything that a judgement depends on."""
        return fingerprint([case.to_dict() for case in self.cases])

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Index of each id."""
        return {case.id: at for at, case in enumerate(self.cases)}

    def __len__(self) -> int:
        return len(self.cases)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered to a case, and by whom.

    Attributes
    ----------
    model
        The generator that wrote it, as far as it is known.
    failure
        Why there is none, where writing it failed; the text is empty then.
    """

    id: str
    text: str
    model: str | None = None
    failure: str | None = None

    @property
    def cleaned(self) -> Answer:
        """With its text in one form."""
        return replace(self, text=clean(self.text))

    @property
    def missing(self) -> str | None:
        """Why there is nothing to judge: ``generator_failed``, or ``empty_answer`` (nothing that is seen)."""
        if self.failure:
            return "generator_failed"
        return None if clean(self.text) else "empty_answer"

    def to_dict(self) -> dict[str, Any]:
        """As a line of a file of answers holds it."""
        return {"id": self.id, "answer": self.text, **_there({"model": self.model, "failure": self.failure})}


def absence(answer: Answer | None) -> str | None:
    """Why a case has no answer to judge: ``no_answer``, or what `Answer.missing` says; None if it has one."""
    return "no_answer" if answer is None else answer.missing
