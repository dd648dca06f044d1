"""What a rule says of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from rag_sweep.cases.records import Answer, Case

State = Literal["pass", "fail", "not_applicable", "not_measured"]


@dataclass(frozen=True)
class Verdict:
    """One rule on one answer.

    Attributes
    ----------
    rule
        Name of the rule, or of the judge.
    state
        ``not_applicable``: the rule asks nothing of this answer; ``not_measured``: it could not be judged.
        Neither counts in a mean.
    reason
        A code such as ``unknown_citation``.
    detail
        What was found, as plain data.
    value
        What a mean is taken over, 0 to 1; None for what is not applicable or not measured.
    """

    rule: str
    state: State
    reason: str
    detail: Mapping[str, Any] = field(default_factory=dict)
    value: float | None = None

    @classmethod
    def of(cls, rule: str, good: bool, reason: str, detail: Mapping[str, Any] | None = None) -> Verdict:
        """Passed or failed, with 1 or 0."""
        return cls(rule, "pass" if good else "fail", reason, detail or {}, float(good))

    @classmethod
    def not_applicable(cls, rule: str, reason: str, detail: Mapping[str, Any] | None = None) -> Verdict:
        """The rule asks nothing of this answer."""
        return cls(rule, "not_applicable", reason, detail or {})

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "rule": self.rule,
            "state": self.state,
            "reason": self.reason,
            "value": self.value,
            "detail": dict(self.detail),
        }


class Rule(Protocol):
    """A frozen dataclass with one verb."""

    @property
    def name(self) -> str:
        """What its verdicts are called."""
        ...

    def judge(self, case: Case, answer: Answer) -> Verdict:
        """Judge one answer; the same answer always gets the same verdict."""
        ...
