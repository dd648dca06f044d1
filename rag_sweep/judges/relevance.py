"""Whether an answer addresses the question, and says all that it should."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from rag_sweep.cases.records import Answer, Case
from rag_sweep.errors import StageFailed
from rag_sweep.judges.asking import LEAST_TOKENS, Ask, Asked, Steps
from rag_sweep.judges.nearness import Nearness
from rag_sweep.judges.reading import covered, grade, texts
from rag_sweep.rules.verdict import State, Verdict
from rag_sweep.rules.wording import plain

HIGHEST, LEAST_GRADE = 4, 3
"""The best grade, and that from which an answer passes."""
LEAST_COSINE = 0.5
"""From which reverse questions are near."""


@dataclass(frozen=True)
class Relevance:
    """A direct grade from 0 to 4, divided by 4; an answer passes from 3."""

    name: str = "relevance"

    prompts: ClassVar[Mapping[str, tuple[str, ...]]] = {"relevance": ("question", "answer")}
    labels: ClassVar[tuple[str, ...]] = ()

    def steps(self, case: Case, answer: Answer, asked: Asked) -> Steps:
        """One call, for the grade."""
        found = yield Ask(
            asked.messages("relevance", case, question=case.question, answer=plain(case, answer)),
            lambda data: grade(data, "grade", HIGHEST),
        )
        good = found >= LEAST_GRADE
        verdict = Verdict.of(self.name, good, "relevant" if good else "beside", {"grade": found})
        return replace(verdict, value=found / HIGHEST)


@dataclass(frozen=True)
class ReverseQuestions:
    """The mean cosine of the question with questions that the answer would answer (after RAGAS, EACL 2024).

    An answer passes from 0.5.

    Parameters
    ----------
    nearness
        What it calls near is all that this can see.
    """

    nearness: Nearness = field(default_factory=Nearness)
    name: str = "reverse_questions"

    prompts: ClassVar[Mapping[str, tuple[str, ...]]] = {"questions": ("answer",)}

    @property
    def labels(self) -> tuple[str, ...]:
        """The embedder, since another one gives other values."""
        return (f"questions.embedder {self.nearness.label}",)

    def steps(self, case: Case, answer: Answer, asked: Asked) -> Steps:
        """One call, for the questions; their cosines need no model."""
        found = yield Ask(
            asked.messages("questions", case, answer=plain(case, answer)),
            lambda data: texts(data, "questions"),
        )
        if not found:
            return Verdict(self.name, "fail", "no_question", {"questions": []}, 0.0)
        try:
            cosines = self.nearness.cosines(case.question, found)
        except StageFailed as error:
            return Verdict(self.name, "not_measured", "failed", {"detail": str(error)})
        value = max(0.0, math.fsum(cosines) / len(cosines))
        rows = [{"text": text, "cosine": cosine} for text, cosine in zip(found, cosines, strict=True)]
        good = value >= LEAST_COSINE
        verdict = Verdict.of(self.name, good, "near" if good else "far", {"questions": rows})
        return replace(verdict, value=value)


@dataclass(frozen=True)
class Completeness:
    """The share of a reference answer's statements that the answer makes; not applicable without one."""

    name: str = "completeness"

    prompts: ClassVar[Mapping[str, tuple[str, ...]]] = {"completeness": ("question", "reference", "answer")}
    labels: ClassVar[tuple[str, ...]] = ()

    def steps(self, case: Case, answer: Answer, asked: Asked) -> Steps:
        """One call: the model takes the reference apart and looks for each statement in the answer."""
        if not case.reference:
            return Verdict.not_applicable(self.name, "no_reference")
        found = yield Ask(
            asked.messages(
                "completeness",
                case,
                question=case.question,
                reference=case.reference,
                answer=plain(case, answer),
            ),
            covered,
            max(LEAST_TOKENS, len(case.reference)),
        )
        good = sum(there for _, there in found)
        rows = [{"text": text, "covered": there} for text, there in found]
        whole = good == len(found)
        reason = "complete" if whole else "incomplete"
        state: State = "pass" if whole else "fail"
        return Verdict(self.name, state, reason, {"statements": rows}, good / len(found))
