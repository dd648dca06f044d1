"""What is handed over, in words and in evidence, beside the baseline: in sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rag_sweep.comparison.findings import Findings
from rag_sweep.comparison.parts import CurveRow
from rag_sweep.comparison.prices import CLEARLY
from rag_sweep.comparison.row import Row
from rag_sweep.comparison.words import share, value

LARGER = 1.2
"""Who hands over so many times the words of another one has an advantage at equal k."""
APART = 0.01
"""Recall that differs by less is the same."""
MOST = "1.000"
"""More than this no value can be, so it is never called a lower bound."""
BOUND = 0.1
"""For more than this share of the questions cut short, a value of a curve is a lower bound."""


def cost_told(found: Findings) -> str:
    """Work for a question and words handed over, beside the baseline or the best one."""
    row = found.promoted
    other = found.rows[0] if found.is_kept else found.old
    if other.row == row.row or row.cost is None or other.cost is None:
        return ""
    whose = "the top of the leaderboard" if found.is_kept else found.base
    own, its = row.cost, other.cost
    if found.is_kept and all(_is_alike(own[key], its[key]) for key in ("units", "words")):
        return ""
    work = f"A question takes {times(own['units'], its['units'])} computing as with {whose}"
    now, before = (f"{one['words']:,.0f}" for one in (own, its))
    words = f"as many words, {now}" if now == before else f"{now} words instead of {before}"
    return f"{work}, and hands over {words}."


def _is_alike(own: float, other: float) -> bool:
    """True for amounts that nobody would choose by."""
    return max(own, other) <= CLEARLY * max(min(own, other), 1.0)


def times(own: float, other: float) -> str:
    """``as much``, ``2.5 times as much``, ``40 % as much``."""
    ratio = own / max(other, 1.0)
    if abs(ratio - 1.0) < 0.005:
        return "as much"
    if ratio > 1:
        return f"{ratio:,.0f} times as much" if ratio >= 10 else f"{ratio:.1f} times as much"
    return f"{share(ratio)} as much"


def less_evidence(found: Findings) -> tuple[str, str]:
    """What to say of evidence that gets lost at k: a reason and a caution, one of them empty.

    It is a reason where the baseline only has more because it hands over more words: where both may hand over
    as many, it hasn't.
    """
    row, old = found.promoted, found.old
    own, other = (_recall(one) for one in (row, old))
    if own is None or other is None or own >= other - APART:
        return "", ""
    equal = _at_equal_words(found)
    is_shorter = (old.words or 0.0) > LARGER * (row.words or 0.0)
    at_k = f"{value(own)} of it in the first {found.k} passages instead of {value(other)}"
    of = f"of the marked evidence, {at_k}"
    if is_shorter and equal is not None and equal.own >= equal.other - APART:
        return f"It hands over less {of}, but in fewer words; {equal.text}.", ""
    return "", f"it hands over less {of}{f'; {equal.text}' if equal is not None else ''}"


@dataclass(frozen=True)
class _Equal:
    """Evidence of the promoted row and of the baseline within the same number of words."""

    own: float
    other: float
    text: str


def _at_equal_words(found: Findings) -> _Equal | None:
    """Within the budget that is closest to what the one with fewer words hands over at k."""
    row, old, curve = found.promoted, found.old, found.curve
    shorter = min(row.words or 0.0, old.words or 0.0)
    if curve is None or shorter <= 0:
        return None
    rows = {one.row: one for one in curve.rows}
    if not {row.row, old.row} <= rows.keys():
        return None
    at = min(range(len(curve.budgets)), key=lambda at: abs(math.log(curve.budgets[at] / shorter)))
    own, other = (_bound(rows[one.row], at) for one in (row, old))
    text = f"where both may hand over {curve.budgets[at]:,} words, it has {own} and {found.base} {other}"
    return _Equal(rows[row.row].values[at], rows[old.row].values[at], text)


def _bound(one: CurveRow, at: int) -> str:
    told = value(one.values[at])
    return f"at least {told}" if one.cut_short[at] > BOUND and told != MOST else told


def _recall(row: Row) -> float | None:
    found = (row.evidence or {}).get("recall")
    return None if found is None or math.isnan(found) else found
