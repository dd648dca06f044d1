"""What to be careful about, in sentences beside the decision."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.comparison.decision import Findings
from rag_sweep.comparison.parts import Warning
from rag_sweep.comparison.words import counted, sentence, share, value

BUDGET = 300
"""Words at which configurations that hand over different amounts are compared."""
LARGER = 1.2
"""Who hands over so many times the words of another one has an advantage at equal k."""
APART = 0.01
"""Recall at equal words that differs by less is the same."""


def cautions_of(found: Findings, warnings: Sequence[Warning]) -> tuple[str, ...]:
    """What to be careful about."""
    told = {warning.kind: warning.text for warning in warnings}
    parts = [
        told.get("few_questions", ""),
        _smallest(found),
        told.get("ceiling", ""),
        _budget(found),
        told.get("history", ""),
        told.get("no_honest_value", ""),
        *found.notes,
    ]
    return tuple(sentence(part) for part in parts if part)


def _smallest(found: Findings) -> str:
    """What this gold can find at all."""
    power = found.power
    if power is None:
        return ""
    asked = counted(found.questions, "question")
    if power.detectable >= 1.0:
        return f"with {asked} no difference from the baseline could be shown, however large"
    text = (
        f"with {asked} a difference of {value(power.detectable)} from the baseline is found "
        f"{share(power.power)} of the time, a smaller one less often"
    )
    if power.wanted is None:
        return text
    needed = power.wanted.questions
    many = "more questions than any gold has" if needed is None else counted(needed, "question")
    return f"{text}. To find {power.wanted.difference:g}, it would take {many}"


def _budget(found: Findings) -> str:
    """Whether larger passages made the difference."""
    row, old, curve = found.promoted, found.old, found.curve
    if found.is_kept or curve is None or row.cost is None or old.cost is None or BUDGET not in curve.budgets:
        return ""
    at = curve.budgets.index(BUDGET)
    values = {one.row: one.values[at] for one in curve.rows}
    if row.cost["words"] <= LARGER * old.cost["words"] or not {row.row, old.row} <= values.keys():
        return ""
    own, other = values[row.row], values[old.row]
    words = f"{row.cost['words']:,.0f} words a question, the baseline {old.cost['words']:,.0f}"
    recall = f"within {BUDGET} words its {curve.measure} is {value(own)}, the baseline's {value(other)}"
    if own < other - APART:
        return f"it may win only because its passages are larger: it hands over {words}; {recall}"
    return f"it hands over {words}, which is more to read and to pay for; {recall}"
