"""Whether each number of an answer is in its context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.cases.records import Answer, Case
from rag_sweep.rules.labels import labels
from rag_sweep.rules.markers import plain
from rag_sweep.rules.quantities.found import Quantity
from rag_sweep.rules.quantities.parse import quantities
from rag_sweep.rules.verdict import Verdict

_STEMS = StemmedAnalyzer()


@dataclass(frozen=True)
class Numbers:
    """Each number, date, duration, percentage, amount and code is in the context, with its unit.

    The value is the groundedness: the share of backed ones, 1 without any.
    """

    name: str = "numbers"

    def judge(self, case: Case, answer: Answer) -> Verdict:
        """Passed if all are backed; `detail` names the others, and why the same value isn't enough."""
        text = plain(answer.text, case.citable)
        parts = [part.text for part in case.context]
        found, missing = claims(text, parts), unbacked(text, parts)
        known = [one for part in parts for one in quantities(part)]
        share = 1.0 - len(missing) / len(found) if found else 1.0
        reason = "unsupported_number" if missing else "all_backed" if found else "no_numbers"
        detail = {
            "numbers": [_text(text, one) for one in found],
            "unsupported_numbers": [_text(text, one) for one in missing],
            "why": {_text(text, one): _why(one, known) for one in missing},
        }
        return Verdict(self.name, "fail" if missing else "pass", reason, detail, share)


def claims(text: str, context: Sequence[str] = ()) -> list[Quantity]:
    """The numbers that a text claims; those that only label an item or a step claim nothing.

    One in words is a claim with a unit, or where the context counts the same thing.
    """
    listed = labels(text)
    counted = {thing for part in context for one in quantities(part) for thing in _things(one)}
    return [
        one
        for one in quantities(text)
        if one.start not in listed and (not one.spelt or (one.readings != (1.0,) and _things(one) & counted))
    ]


def unbacked(text: str, context: Sequence[str]) -> list[Quantity]:
    """The numbers of a text that none of the parts of a context has."""
    known = [one for part in context for one in quantities(part)]
    return [one for one in claims(text, context) if not any(other.backs(one) for other in _of(one, known))]


def _of(claim: Quantity, known: Sequence[Quantity]) -> Sequence[Quantity]:
    """Where the context counts what the claim counts, only those numbers, and bare ones."""
    things = _things(claim)
    if not things or not any(things & _things(one) for one in known):
        return known
    return [one for one in known if things & _things(one) or (one.unit is None and not one.spelt)]


@lru_cache(maxsize=4096)
def _things(one: Quantity) -> frozenset[str]:
    return frozenset(_STEMS.tokens(" ".join(one.things)))


def _text(plain: str, one: Quantity) -> str:
    """As it stands in the answer, without its unit."""
    there = plain[one.start : one.start + len(one.text)]
    return there if there.casefold() == one.text else one.text


def _why(claim: Quantity, known: Sequence[Quantity]) -> str:
    whys = (one.why_not(claim) or "other_thing" for one in known if one.means(claim))
    same_digits = any(one.kind == claim.kind and set(one.readings) & set(claim.readings) for one in known)
    return next(whys, "other_unit" if same_digits else "not_in_context")
