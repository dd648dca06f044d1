"""What to be careful about, in sentences beside the decision."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.comparison.findings import Findings
from rag_sweep.comparison.handed import APART, LARGER, less_evidence
from rag_sweep.comparison.parts import Power, Warning
from rag_sweep.comparison.words import brief, counted, sentence, share, value

ORDERLESS = ("recall", "hit", "precision")
"""Measures that don't ask in which order the first k documents stand."""

BUDGET = 300
"""Words at which configurations that hand over different amounts are compared."""


def cautions_of(found: Findings, warnings: Sequence[Warning]) -> tuple[str, ...]:
    """What to be careful about; what the headline says itself isn't repeated."""
    told = {warning.kind: warning.text for warning in warnings}
    if found.choice.why in ("undecided", "few"):
        told.pop("few_questions", None)
        told.pop("no_honest_value", None)
    parts = [
        _unmeasured(found),
        told.get("few_questions", ""),
        _smallest(found),
        told.get("covered", "") if found.objective.partition("@")[0] in ORDERLESS else "",
        told.get("ceiling", ""),
        _budget(found),
        less_evidence(found)[1],
        told.get("history", ""),
        told.get("no_honest_value", ""),
        *found.notes,
    ]
    return tuple(sentence(part) for part in parts if part)


def _unmeasured(found: Findings) -> str:
    """That the user's configuration isn't among those compared."""
    if found.stand_in is None:
        return ""
    return (
        f"yours wasn't measured and may be better than its stand-in, {brief(found.old.name)} "
        f"({found.differs}): `rag-sweep run` measures it, and as `yours` it joins in `rag-sweep compare`"
    )


def _smallest(found: Findings) -> str:
    """What may have stayed unseen; where the baseline goes, only the number that the user asked for."""
    power, asked = found.power, counted(found.questions, "question")
    if power is None:
        return ""
    wanted = _wanted(power)
    if not found.is_kept:
        return wanted
    if found.choice.why == "few" and power.detectable < 1.0:
        return wanted  # a few questions don't say how much they vary
    if power.detectable >= 1.0:
        return f"with {asked} no difference from {found.base} could be shown, however large"
    text = (
        f"a better one may be among them unseen: {asked} show a difference of {value(power.detectable)} from "
        f"{found.base} {share(power.power)} of the time, and a smaller one less often"
    )
    return f"{text}. {sentence(wanted)}" if wanted else text


def _wanted(power: Power) -> str:
    if power.wanted is None:
        return ""
    needed = power.wanted.questions
    many = "more questions than any gold has" if needed is None else counted(needed, "question")
    return f"to find a difference of {power.wanted.difference:g}, it would take {many}"


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
    words = f"{row.cost['words']:,.0f} words a question, {found.base} {old.cost['words']:,.0f}"
    recall = f"within {BUDGET} words its {curve.measure} is {value(own)}, that of {found.base} {value(other)}"
    if own < other - APART:
        return f"it may win only because its passages are larger: it hands over {words}; {recall}"
    return f"it hands over {words}, which is more to read and to pay for; {recall}"
