"""The decision in words, for somebody who knows the product and no statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag_sweep.comparison.choice import Choice
from rag_sweep.comparison.knobs import Knob
from rag_sweep.comparison.parts import Best, Curve, Decision, Honest, Power
from rag_sweep.comparison.prices import CLEARLY
from rag_sweep.comparison.row import Row
from rag_sweep.comparison.settings import Decide
from rag_sweep.comparison.words import chance, counted, listed, share, signed, value
from rag_sweep.configuration import Scalar
from rag_sweep.tracking.content import param_text

SEEN = 0.0005
"""Smaller differences are none in three decimals."""


@dataclass(frozen=True, eq=False)
class Findings:
    """Everything that a decision is told from; `choice` is in rows of the leaderboard."""

    rows: tuple[Row, ...]
    knobs: Sequence[Knob]
    choice: Choice
    baseline: int
    best: Best
    honest: Honest | None
    power: Power | None
    curve: Curve | None
    notes: Sequence[str]
    objective: str
    questions: int
    distinct: int
    decide: Decide

    @property
    def promoted(self) -> Row:
        """The row to promote."""
        return self.rows[self.choice.promote]

    @property
    def old(self) -> Row:
        """The baseline's row."""
        return self.rows[self.baseline]

    @property
    def is_kept(self) -> bool:
        """True if the baseline stays."""
        return self.choice.promote == self.baseline


def decision_of(found: Findings, cautions: Sequence[str]) -> Decision:
    """Say what to do and why; `cautions` say what to be careful about."""
    return Decision(
        promote=found.choice.promote,
        rule=found.decide.rule,
        keeps_baseline=found.is_kept,
        headline=_headline(found),
        reasons=tuple(_reasons(found)),
        cautions=tuple(cautions),
    )


def _headline(found: Findings) -> str:
    name = found.promoted.name
    of = f"of {found.distinct:,} configurations"
    cheaper = "" if found.decide.rule == "best" else ", and none as good costs less"
    told = {
        "alone": f"Nothing to choose: {name} is the only configuration",
        "same": f"Keep the baseline, {name}: {of} none is shown to be better{cheaper}",
        "chance": f"Keep the baseline, {name}: {of} none is shown to be better",
        "better": f"Promote {name}: it beats the baseline, and {of} none is shown to be better",
        "cheaper": f"Promote {name}: it costs less than the baseline, and isn't worse as far as "
        f"{counted(found.questions, 'question')} can tell",
    }
    return told[found.choice.why]


def _reasons(found: Findings) -> list[str]:
    if found.choice.why == "alone":
        row = found.promoted
        return [f"Its {found.objective} is {value(row.mean)} ({value(row.lower)} to {value(row.upper)})."]
    parts = (_changes(found), _worth(found), _difference(found), _set(found), _cost(found))
    return [part for part in parts if part]


def _changes(found: Findings) -> str:
    """What is different from the baseline."""
    old, new = found.old.params, found.promoted.params
    parts = [
        f"{knob.short} {_text(old[knob.key])} → {_text(new[knob.key])}"
        for knob in found.knobs
        if old[knob.key] != new[knob.key]
    ]
    return "" if found.is_kept or not parts else f"What changes from the baseline: {listed(parts)}."


def _text(setting: Scalar) -> str:
    return "–" if setting is None else param_text(setting)


def _worth(found: Findings) -> str:
    """The honest value beside the measured one, and both beside the baseline."""
    row, old, honest = found.promoted, found.old, found.honest
    if honest is None:
        other = "" if found.is_kept else f", the baseline {value(old.mean)}"
        return (
            f"It measured {value(row.mean)} in {found.objective}{other}. "
            "How much of what is picked here is luck can't be told."
        )
    if found.is_kept:
        return _worth_of_top(found, honest)
    luck = honest.naive - honest.value
    flattered = f", of which {value(luck)} is luck of the choice" if luck >= SEEN else ""
    return (
        f"On new questions expect {value(honest.value)} in {found.objective} ({value(honest.lower)} to "
        f"{value(honest.upper)}), against {value(old.mean)} of the baseline. Here it measured "
        f"{value(row.mean)}{flattered}."
    )


def _worth_of_top(found: Findings, honest: Honest) -> str:
    """What would be gained by the top of the leaderboard, which isn't taken."""
    worth = value(honest.top["value"] if honest.top else honest.value)
    top, old = found.rows[0].mean, found.old.mean
    picked = f"what is picked by its mean is worth {worth} on new questions"
    if top - old < SEEN:
        return f"The baseline is at the top, with {value(old)} in {found.objective}; {picked}."
    return f"The top of the leaderboard shows {value(top)}, but {picked}; the baseline measured {value(old)}."


def _difference(found: Findings) -> str:
    """Whether the difference from the baseline is more than chance."""
    row = found.rows[found.choice.pick]
    if row.difference is None or row.p_adjusted is None:
        return ""
    lower, upper = row.difference_lower or 0.0, row.difference_upper or 0.0
    numbers = f"{signed(row.difference)} ({signed(lower)} to {signed(upper)})"
    asked = counted(found.questions, "question")
    counts = f"better on {row.wins}, worse on {row.losses}, equal on {row.ties} of {asked}"
    others = f", with all {found.distinct - 1:,} comparisons counted in" if found.distinct > 2 else ""
    p = f"{chance(row.p_adjusted)}{others}"
    if row.shown:
        return f"The difference from the baseline is real: {numbers}, {p}; {counts}."
    what = f"The rule would take {row.name}, which is" if found.is_kept else "It is"
    return f"{what} {numbers} from the baseline: that may be chance ({p}); {counts}."


def _set(found: Findings) -> str:
    """How large the set of the best is, and what it shares."""
    size, of = len(found.best.rows), found.distinct
    first = f"{size:,} of {of:,} configurations can't be told from the best one." if 1 < size < of else ""
    return " ".join([first, *found.best.sentences[:2], _ahead(found)]).strip()


def _ahead(found: Findings) -> str:
    """Those among the best that beat the baseline, as far as cost has chosen among them."""
    rows = [found.rows[row] for row in found.best.rows]
    ahead = sum(row.shown and (row.difference or 0.0) > 0 for row in rows)
    if found.choice.why != "better" or found.decide.rule == "best" or ahead < 2:
        return ""
    return f"{ahead:,} of them beat the baseline, and none of these is cheaper than the one to promote."


def _cost(found: Findings) -> str:
    """Work for a question and words handed over, beside the baseline or the best one."""
    row = found.promoted
    other = found.rows[0] if found.is_kept else found.old
    if other.row == row.row or row.cost is None or other.cost is None:
        return ""
    whose = "the top of the leaderboard" if found.is_kept else "the baseline"
    own, its = row.cost, other.cost
    if found.is_kept and all(_alike(own[key], its[key]) for key in ("units", "words")):
        return ""
    work = f"A question takes {_times(own['units'], its['units'])} work as with {whose}"
    return f"{work}, and hands over {own['words']:,.0f} words instead of {its['words']:,.0f}."


def _alike(own: float, other: float) -> bool:
    """True for amounts that nobody would choose by."""
    return max(own, other) <= CLEARLY * max(min(own, other), 1.0)


def _times(own: float, other: float) -> str:
    """``as much``, ``2.5 times as much``, ``40 % as much``."""
    ratio = own / max(other, 1.0)
    if abs(ratio - 1.0) < 0.005:
        return "as much"
    if ratio > 1:
        return f"{ratio:,.0f} times as much" if ratio >= 10 else f"{ratio:.1f} times as much"
    return f"{share(ratio)} as much"
