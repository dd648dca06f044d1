"""What a gate says: rows that were judged, what they could have shown, the questions, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rag_sweep.comparison.plain import plain
from rag_sweep.comparison.words import counted
from rag_sweep.gate.thresholds import Mode

FORMAT = 1
"""The version of the plain data."""

PASS, FAIL, WRONG_INPUT, NOT_COMPARABLE = 0, 1, 2, 3
"""Exit codes."""

Kind = Literal["minimum", "max_drop", "thresholds"]


@dataclass(frozen=True)
class Power:
    """What a comparison could have detected.

    Attributes
    ----------
    deviation
        Standard deviation of a question's difference; None where it says nothing: no question differs, or
        there is only one.
    detectable
        The smallest true drop that is told from none in 8 of 10 cases.
    beyond
        The smallest true drop that is shown to be beyond the limit in 8 of 10 cases.
    needed
        Questions that would be needed to tell a drop of the size of the limit from none; None if the limit
        is 0, or nobody has so many.
    excluded
        The largest drop that the interval leaves possible: on other questions like these, where no question
        differs.
    """

    deviation: float | None
    detectable: float | None
    beyond: float | None
    needed: int | None
    excluded: float


@dataclass(frozen=True)
class Check:
    """One thing that was judged.

    Attributes
    ----------
    what
        In a few words: ``recall@5 at least 0.8``.
    passed
        None where it couldn't be judged.
    why
        In a sentence.
    value, lower, upper
        The mean, with its bootstrap interval.
    baseline, difference, difference_lower, difference_upper, p_value
        Of a drop: the mean of the baseline, this mean minus that one with its interval, and the two-sided p
        of the paired randomisation test against no difference at all. No interval and no p where a tag has
        too few questions for one.
    fell
        Where it fails: ids of the questions that it fails by, the largest fall first. Without a baseline to
        compare with, those that lack anything to 1.
    """

    kind: Kind
    what: str
    measure: str | None
    tag: str | None
    limit: float | None
    value: float | None
    passed: bool | None
    why: str
    questions: int = 0
    lower: float | None = None
    upper: float | None = None
    baseline: float | None = None
    difference: float | None = None
    difference_lower: float | None = None
    difference_upper: float | None = None
    p_value: float | None = None
    power: Power | None = None
    fell: tuple[str, ...] = ()


@dataclass(frozen=True)
class TagRow:
    """A measure over the questions of one tag; nothing of it is judged unless a limit names the tag.

    The difference has no interval, and no power, where there are too few questions for one.
    """

    tag: str
    measure: str
    questions: int
    value: float
    baseline: float | None = None
    difference: float | None = None
    difference_lower: float | None = None
    difference_upper: float | None = None
    power: Power | None = None


@dataclass(frozen=True)
class Missed:
    """A question that failed: what it should find, and the rank of the first of that, None for nowhere."""

    id: str
    text: str | None
    tags: tuple[str, ...]
    relevant: tuple[str, ...]
    rank: int | None
    baseline_rank: int | None
    known: bool | None


@dataclass(frozen=True)
class Change:
    """A question's value in what a check is about, such as ``price:recall@5``.

    Attributes
    ----------
    before
        None where there is no baseline to compare with.
    """

    target: str
    before: float | None
    after: float


@dataclass(frozen=True)
class Fell:
    """A question that makes checks fail: its value in each of them, and what it should find.

    Attributes
    ----------
    relevant
        All documents that the gold names for it, best grade first.
    rank, baseline_rank
        Of the first of them; None for nowhere.
    changes
        In each failing check that it makes worse, in their order.
    """

    id: str
    text: str | None
    tags: tuple[str, ...]
    relevant: tuple[str, ...]
    rank: int | None
    baseline_rank: int | None
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Questions:
    """Which questions failed: no relevant document is among the first k.

    Attributes
    ----------
    failed
        All of them, with whether each is a known miss (None without a file of known misses).
    incomplete, empty
        Ids of those that found some but not all, and of those for which nothing at all came back.
    new
        Failed ones that aren't known; None without a file.
    newly_found
        Known misses that are found now: to be taken out of the file.
    unknown
        Known misses that are no questions of the gold.
    lost, found
        Against the baseline: found there and not here, and the other way round; None where they can't
        be compared.
    fell
        Those that the failing checks fail by, the largest fall first; empty if nothing fails.
    """

    failed: tuple[Missed, ...]
    incomplete: tuple[str, ...]
    empty: tuple[str, ...]
    new: tuple[str, ...] | None
    newly_found: tuple[str, ...]
    unknown: tuple[str, ...]
    lost: tuple[Missed, ...] | None
    found: tuple[str, ...] | None
    fell: tuple[Fell, ...] = ()


@dataclass(frozen=True)
class Subject:
    """What was measured, on what: enough to make it again."""

    name: str
    configuration: str | None
    code: str
    created: str
    dataset: str
    corpus: str | None
    documents: int | None
    index_version: str | None
    gold: str
    gold_version: str | None
    gold_date: str | None
    gold_origin: dict[str, int]
    filters: dict[str, tuple[str, ...]]
    k: int
    questions: int
    negatives: int
    pool_depth: int | None


@dataclass(frozen=True)
class Verdict:
    """The judgement.

    Attributes
    ----------
    mode, alpha
        As in `Thresholds`.
    current, baseline
        What was measured; `baseline` is None without one.
    checks
        In the order in which they were asked for: minima, then drops.
    refused
        Why drops weren't judged; empty if they were.
    stated
        What differs from the baseline and may explain a difference.
    tags
        Per tag, of each measure that is judged.
    next_steps
        What to look at, in order.
    judged
        The configuration and what it was measured over, in a few words.
    cautions
        Where a limit can't do what it is there for.
    """

    mode: Mode
    alpha: float
    current: Subject
    baseline: Subject | None
    checks: tuple[Check, ...]
    refused: tuple[str, ...]
    stated: tuple[str, ...]
    tags: tuple[TagRow, ...]
    questions: Questions
    means: dict[str, float]
    next_steps: tuple[str, ...]
    judged: str
    cautions: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[Check, ...]:
        """What was judged and doesn't hold."""
        return tuple(check for check in self.checks if check.passed is False)

    @property
    def exit_code(self) -> int:
        """1 if something that was judged fails; else 3 if something couldn't be judged; else 0."""
        if self.failed:
            return FAIL
        return NOT_COMPARABLE if any(check.passed is None for check in self.checks) else PASS

    @property
    def headline(self) -> str:
        """The judgement in a sentence, and what it is about."""
        return f"{self._judgement}. Judged: {self.judged}"

    @property
    def _judgement(self) -> str:
        judged = [check for check in self.checks if check.passed is not None]
        unjudged = len(self.checks) - len(judged)
        also = f"; {counted(unjudged, 'check')} couldn't be judged" if unjudged else ""
        if self.failed:
            names = "; ".join(check.what for check in self.failed[:3])
            more = f" and {len(self.failed) - 3} more" if len(self.failed) > 3 else ""
            return f"FAILED: {len(self.failed)} of {counted(len(judged), 'check')}: {names}{more}{also}"
        if unjudged:
            return f"NOT COMPARABLE: {self.refused[0] if self.refused else 'there is no baseline'}"
        return f"PASSED: {counted(len(judged), 'check')}"

    def with_checks(self, checks: Sequence[Check]) -> Verdict:
        """The same with further checks in front."""
        return replace(self, checks=(*checks, *self.checks))

    def about(self, judged: str, look: str | None) -> Verdict:
        """The same, saying what was judged and with which command to look at a question, if any fell."""
        steps = (*self.next_steps, look) if look else self.next_steps
        return replace(self, judged=judged, next_steps=steps)

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        found: dict[str, Any] = plain(self)
        head = {
            "format": FORMAT,
            "kind": "rag-sweep gate",
            "headline": self.headline,
            "judged": self.judged,
            "passed": self.exit_code == PASS,
            "exit_code": self.exit_code,
            "k": self.current.k,
            "questions_judged": self.current.questions,
            "failed_ids": [one.id for one in self.questions.failed],
            "zero_hits": len(self.questions.failed),
        }
        return {**head, **found}
