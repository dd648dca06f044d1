"""Whether each number of an answer is in its context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag_sweep.cases.records import Answer, Case
from rag_sweep.rules.labels import labels
from rag_sweep.rules.markers import plain
from rag_sweep.rules.quantities.found import Quantity
from rag_sweep.rules.quantities.index import Index, index_of, things
from rag_sweep.rules.quantities.parse import folded
from rag_sweep.rules.quantities.shares import is_part_of_something
from rag_sweep.rules.verdict import Verdict


@dataclass(frozen=True)
class Numbers:
    """Each number, date, duration, percentage, amount and code is in the context, with its unit.

    The value is the groundedness: the share of backed ones, 1 without any.

    Parameters
    ----------
    question_backs
        Whether a number that stands in the question, and not in the context, is backed.
    """

    question_backs: bool = False
    name: str = "numbers"

    def judge(self, case: Case, answer: Answer) -> Verdict:
        """Passed if all are backed; `detail` names the others, and why the same value isn't enough."""
        text = plain(answer.text, case.citable)
        parts = [part.text for part in case.context]
        known, asked = [index_of(part) for part in parts], index_of(case.question)
        found, missing = claims(text, parts), unbacked(text, parts)
        if self.question_backs:
            missing = [one for one in missing if not _is_only_asked(one, known, asked)]
        share = 1.0 - len(missing) / len(found) if found else 1.0
        reason = "unsupported_number" if missing else "all_backed" if found else "no_numbers"
        detail = {
            "numbers": [_text(text, one) for one in found],
            "unsupported_numbers": [_text(text, one) for one in missing],
            "why": {_text(text, one): _why(one, known, asked) for one in missing},
        }
        return Verdict(self.name, "fail" if missing else "pass", reason, detail, share)


def claims(text: str, context: Sequence[str] = ()) -> list[Quantity]:
    """The numbers that a text claims; those that only label an item or a step claim nothing.

    One in words is a claim with a unit, or where the context counts the same thing; a period that something
    lasts is one where the context has an amount of days, or months, or another period that claims something.
    """
    listed, known = labels(text), [index_of(part) for part in context]
    counted = frozenset[str]().union(*(one.counted for one in known))
    has_shares = any(one.has_shares for one in known)
    has_periods = any(one.has_periods for one in known)
    return [
        one
        for one in index_of(text).quantities
        if one.start not in listed
        and (one.told != "term" or has_periods)
        and (
            not one.spelt
            or (one.readings != (1.0,) and bool(things(one) & counted))
            or (has_shares and _is_half(text, one))
        )
    ]


def unbacked(text: str, context: Sequence[str]) -> list[Quantity]:
    """The numbers of a text that none of the parts of a context has."""
    known = [index_of(part) for part in context]
    return [one for one in claims(text, context) if not any(other.backs(one) for other in _of(one, known))]


def _is_half(text: str, one: Quantity) -> bool:
    """“Half of the fee”, which claims a share where the context speaks of shares."""
    return one.is_share and one.readings == (0.5,) and is_part_of_something(folded(text), one.start, one.end)


def _of(claim: Quantity, known: Sequence[Index]) -> Sequence[Quantity]:
    """Where the context counts what the claim counts, only those numbers, and bare ones."""
    alike = [one for part in known for one in part.like(claim)]
    counts = things(claim)
    if not counts or not any(counts & part.counted for part in known):
        return alike
    return [one for one in alike if counts & things(one) or (one.unit is None and not one.spelt)]


def _text(plain: str, one: Quantity) -> str:
    """As it stands in the answer, without its unit."""
    there = plain[one.start : one.start + len(one.text)]
    return there if there.casefold() == one.text else one.text


def _is_only_asked(claim: Quantity, known: Sequence[Index], asked: Index) -> bool:
    """True if the question says it, and the context has no such number that says something else."""
    if any(one.means(claim) for part in known for one in part.like(claim)):
        return False
    return any(one.means(claim) and one.why_not(claim) != "other_unit" for one in asked.like(claim))


def _why(claim: Quantity, known: Sequence[Index], asked: Index) -> str:
    if _is_only_asked(claim, known, asked):
        return "only_in_question"
    alike = [one for part in known for one in part.like(claim)]
    whys = (one.why_not(claim) or "other_thing" for one in alike if one.means(claim))
    same = any(one.kind == claim.kind and set(one.readings) & set(claim.readings) for one in alike)
    return next(whys, "other_unit" if same and claim.kind != "period" else "not_in_context")
