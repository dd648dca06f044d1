"""All rules on one answer, and what they come to over many."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rag_sweep.cases.records import Answer, Case, Cases, absence
from rag_sweep.checks import require
from rag_sweep.rules.citations import Citations
from rag_sweep.rules.numbers import Numbers
from rag_sweep.rules.overlap import Overlap
from rag_sweep.rules.refusal import RefusalRule, Refusals
from rag_sweep.rules.refusal_patterns import ENGLISH, RUSSIAN
from rag_sweep.rules.verdict import Rule, Verdict
from rag_sweep.rules.wording import Length, MustInclude, MustNotInclude, SameLanguage

NAMES = (
    "citations",
    "numbers",
    "must_include",
    "must_not_include",
    "length",
    "language",
    "overlap",
    "refusal",
)
"""The rules in the order of reports."""


@dataclass(frozen=True)
class Rules:
    """The default judge.

    Parameters
    ----------
    pass_rules
        An answer passes when none of these fails.
    max_words
        The longest answer, where its case sets no limit.
    every_sentence
        Whether each sentence with a number must cite something.
    least_overlap
        The mean share of the sentences' words in the context from which an answer looks supported, 0 to 1.
    question_backs
        Whether a number that stands in the question, and not in the context, is backed.
    refusal_ru, refusal_en
        Patterns of answers that say there is none; None takes the built-in ones.
    """

    pass_rules: tuple[str, ...] = ("citations", "must_include", "numbers")
    max_words: int = 60
    every_sentence: bool = False
    least_overlap: float = 0.5
    question_backs: bool = False
    refusal_ru: tuple[str, ...] | None = None
    refusal_en: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        known = bool(self.pass_rules) and all(name in NAMES for name in self.pass_rules)
        require("rules.pass_rules", self.pass_rules, f"a list of {', '.join(NAMES)}", known)
        _ = self.rules

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule with its parameters."""
        ru, en = self.refusal_ru, self.refusal_en
        refusals = Refusals(RUSSIAN if ru is None else ru, ENGLISH if en is None else en)
        return (
            Citations(refusals, self.every_sentence),
            Numbers(self.question_backs),
            MustInclude(refusals),
            MustNotInclude(),
            Length(self.max_words),
            SameLanguage(),
            Overlap(refusals, self.least_overlap),
            RefusalRule(refusals),
        )

    def judge(self, case: Case, answer: Answer | None) -> Judged:
        """One answer by every rule, in one form; one that isn't there, or that failed, passes nothing."""
        if answer is None or answer.missing:
            verdicts = tuple(self._without_answer(rule.name, case, answer) for rule in self.rules)
        else:
            verdicts = tuple(rule.judge(case.cleaned, answer.cleaned) for rule in self.rules)
        return Judged(case, answer, verdicts, self.pass_rules)

    def _without_answer(self, name: str, case: Case, answer: Answer | None) -> Verdict:
        """By the rules that count a fail of 0, but for what isn't asked; by the others not measured."""
        asked = {"must_include": case.rubric.must_include, "must_not_include": case.rubric.must_not_include}
        if not asked.get(name, True):
            return Verdict.not_applicable(name, "nothing_asked")
        detail = {"failure": answer.failure} if answer and answer.failure else {}
        why = absence(answer) or ""
        if name in self.pass_rules:
            return Verdict(name, "fail", why, detail, 0.0)
        return Verdict(name, "not_measured", why, detail)

    def judge_all(self, cases: Cases, answers: Mapping[str, Answer]) -> tuple[Judged, ...]:
        """Every case in its order."""
        return tuple(self.judge(case, answers.get(case.id)) for case in cases.cases)


@dataclass(frozen=True)
class Judged:
    """An answer with its verdicts."""

    case: Case
    answer: Answer | None
    verdicts: tuple[Verdict, ...]
    pass_rules: tuple[str, ...]

    def verdict(self, name: str) -> Verdict | None:
        """The verdict of one rule; None where it wasn't asked."""
        return next((one for one in self.verdicts if one.rule == name), None)

    @property
    def passed(self) -> bool:
        """True if there is an answer, and none of the rules that count has failed."""
        return absence(self.answer) is None and not self.failed

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """The verdicts that keep it from passing."""
        return tuple(one for one in self.verdicts if one.state == "fail" and one.rule in self.pass_rules)

    def to_dict(self) -> dict[str, Any]:
        """As reports have it: what everybody asks first, then every verdict."""
        found: dict[str, Any] = {"pass": self.passed}
        citations, numbers = self.verdict("citations"), self.verdict("numbers")
        if citations is not None:
            found["citations_ok"] = citations.state != "fail"
            found["citations"] = citations.detail.get("citations", [])
            found["bad_citations"] = citations.detail.get("bad_citations", [])
        include = self.verdict("must_include")
        if include is not None:
            found["must_include_ok"] = include.state != "fail"
        if numbers is not None:
            found["groundedness"] = numbers.value
            found["unsupported_numbers"] = numbers.detail.get("unsupported_numbers", [])
        return {**found, "verdicts": [one.to_dict() for one in self.verdicts]}


METRICS = {"numbers": "groundedness", "citations": "citations_ok", "must_include": "must_include_ok"}
"""Names of means that aren't the rule's own with ``_ok``."""


def metric_of(rule: str) -> str:
    """The name under which the mean of a rule is reported."""
    return METRICS.get(rule, rule if rule == "overlap" else f"{rule}_ok")


@dataclass(frozen=True)
class Mean:
    """A mean with what it is over; `value` is None if that is nothing."""

    value: float | None
    over: int
    not_applicable: int = 0
    not_measured: int = 0


def means(judged: Sequence[Judged]) -> dict[str, Mean]:
    """``pass_at_1`` over all cases, and the mean of each rule over those that it applies to."""
    passed = [float(one.passed) for one in judged]
    found = {"pass_at_1": Mean(_mean(passed), len(passed))}
    names = dict.fromkeys(verdict.rule for one in judged for verdict in one.verdicts)
    for name in names:
        of = [verdict for one in judged if (verdict := one.verdict(name)) is not None]
        found[metric_of(name)] = mean_of(of)
    return found


def mean_of(verdicts: Sequence[Verdict]) -> Mean:
    """The mean of what was measured, with what it is over, and how many verdicts are not in it."""
    values = [verdict.value for verdict in verdicts if verdict.value is not None]
    states = [verdict.state for verdict in verdicts]
    return Mean(_mean(values), len(values), states.count("not_applicable"), states.count("not_measured"))


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
