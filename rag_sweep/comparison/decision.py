"""The decision in words, for somebody who knows the product and no statistics."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.comparison.bests import told_of
from rag_sweep.comparison.changes import changes_of, changes_told, row_with
from rag_sweep.comparison.choice import FEW_QUESTIONS
from rag_sweep.comparison.findings import Findings
from rag_sweep.comparison.handed import cost_told, less_evidence
from rag_sweep.comparison.parts import Decision, Honest
from rag_sweep.comparison.row import Row
from rag_sweep.comparison.undecided import cheapest, undecided_told
from rag_sweep.comparison.words import brief, chance, counted, share, signed, typed, value

SEEN = 0.0005
"""Smaller differences are none in three decimals."""


def decision_of(found: Findings, cautions: Sequence[str]) -> Decision:
    """Say what to do and why; `cautions` say what to be careful about."""
    return Decision(
        promote=found.choice.promote,
        named=_named(found),
        why=found.choice.why,
        rule=found.decide.rule,
        keeps_baseline=found.is_kept,
        headline=_headline(found),
        reasons=tuple(_reasons(found)),
        cautions=tuple(cautions),
    )


def _named(found: Findings) -> tuple[int, ...]:
    if found.choice.why == "undecided":
        row = cheapest(found)
        return () if row is None else (row.row,)
    return (found.choice.pick,) if found.is_kept and found.choice.pick != found.baseline else ()


def _headline(found: Findings) -> str:
    name, why = found.name, found.choice.why
    of = f"of {found.distinct:,} configurations"
    keep, promote, rival = _keep(found), f"Promote {name}: ", _rival(found)
    none = f"{of} none is shown to be better" if found.promoted.in_best else "it is close to the best"
    told = {
        "alone": f"Nothing to choose: {_only(found)}",
        "undecided": keep + _undecided(found),
        "few": f"{keep}{counted(found.questions, 'question is', 'questions are')} too few to decide",
        "same": f"{keep}{of} {_none_better(found)}{_none_cheaper(found)}",
        "chance": f"{keep}{of} {_none_better(found)}",
        "better": f"{promote}it beats {rival}, and {_kept_to(found) or none}",
        "constraint": f"{promote}it keeps to {found.decide.constraint}, which {rival} doesn't, and "
        f"{_kept_to(found, 'does', 'do')}",
        "cheaper": f"{promote}it costs less than {rival}, and {_not_worse(found)}",
    }
    return told[why]


def _keep(found: Findings) -> str:
    if found.stand_in is None:
        return f"Keep the baseline, {found.name}: "
    return f"Keep yours, as far as {found.name} stands in for it ({found.differs}): "


def _rival(found: Findings) -> str:
    """What the baseline is to somebody who reads this line alone."""
    if found.stand_in is None:
        return found.base
    return f"the closest to yours that was measured ({found.differs})"


def _kept_to(found: Findings, one: str | None = None, several: str | None = None) -> str:
    """Of how many the rule chose, where there is a constraint; else an empty text."""
    limits = found.decide.constraint
    if limits is None:
        return ""
    number = sum(bool(found.prices.within[row.row]) for row in found.rows if row.alias_of is None)
    if number == 1:
        return f"of {found.distinct:,} configurations no other one {one or f'keeps to {limits}'}"
    return f"of {number:,} configurations that {several or f'keep to {limits}'} none measured higher"


def _only(found: Findings) -> str:
    if len(found.rows) > 1:
        return f"{_every(len(found.rows))} configurations are equal in effect to {found.name}"
    return f"{found.name} is the only configuration{' that has values' if found.failed else ''}"


def _every(number: int) -> str:
    return "both" if number == 2 else f"all {number:,}"


def _undecided(found: Findings) -> str:
    every = f"{_every(found.distinct)} configurations measure the same on"
    if found.questions == 1:
        return f"this one question can't decide, {every} it"
    return f"these {found.questions:,} questions can't decide, {every} each of them"


def _none_better(found: Findings) -> str:
    """Another one may be, where the rule doesn't take it."""
    if any(_is_better(row) for row in found.rows):
        return "the one that the rule takes isn't shown to be better"
    return "none is shown to be better"


def _none_cheaper(found: Findings) -> str:
    return "" if found.decide.rule in ("best", "pareto") else ", and none as good costs less"


def _is_better(row: Row) -> bool:
    return row.shown and (row.difference or 0.0) > 0


def _not_worse(found: Findings) -> str:
    """How much worse what is cheaper may be."""
    row, asked = found.promoted, counted(found.questions, "question")
    if _is_level(row):
        return f"measures the same on every one of {asked}"
    if found.worst >= 0:
        return f"isn't worse as far as {asked} can tell"
    return f"as far as {asked} can tell it is at most {value(-found.worst)} worse in {found.objective}"


def _is_level(row: Row) -> bool:
    """True if no question tells a row from the baseline."""
    return row.wins == 0 and row.losses == 0


def _reasons(found: Findings) -> list[str]:
    if found.choice.why == "alone":
        row = found.promoted
        return [f"Its {found.objective} is {value(row.mean)} ({value(row.lower)} to {value(row.upper)})."]
    if found.choice.why == "undecided":
        return undecided_told(found)
    less, _ = less_evidence(found)
    few = _more_questions(found)
    parts = (few, changes_told(found), _worth(found), _difference(found), _set(found), cost_told(found), less)
    return [part for part in parts if part]


def _more_questions(found: Findings) -> str:
    """What to do where questions are too few."""
    if found.choice.why != "few":
        return ""
    return (
        f"With fewer than {FEW_QUESTIONS} questions one more or less may turn the order around, and of these "
        f"configurations {_none_better(found)}: ask more questions."
    )


def _worth(found: Findings) -> str:
    """The honest value beside the measured one, and both beside the baseline."""
    row, old, honest = found.promoted, found.old, found.honest
    if honest is None:
        whose, other = (_base(found), "") if found.is_kept else ("It", f", {found.base} {value(old.mean)}")
        return (
            f"{whose} measured {value(row.mean)} in {found.objective}{other}. "
            "How much of what is picked here is luck can't be told."
        )
    if found.is_kept:
        return _worth_of_top(found, honest)
    luck = honest.naive - honest.value
    flattered = f", of which {value(luck)} is luck of the choice" if luck >= SEEN else ""
    gain = round(honest.value, 3) - round(old.mean, 3)
    return (
        f"On new questions expect {value(honest.value)} in {found.objective} ({value(honest.lower)} to "
        f"{value(honest.upper)}), which is {signed(gain)} from the {value(old.mean)} of {found.base}. Here "
        f"it measured {value(row.mean)}{flattered}."
    )


def _base(found: Findings) -> str:
    return found.base.capitalize()


def _worth_of_top(found: Findings, honest: Honest) -> str:
    """What would be gained by the top of the leaderboard, which isn't taken."""
    worth = value(honest.top["value"] if honest.top else honest.value)
    top, old = found.rows[0].mean, found.old.mean
    picked = f"what is picked by its mean is worth {worth} on new questions"
    if top - old < SEEN:
        return f"{_base(found)} is at the top, with {value(old)} in {found.objective}; {picked}."
    return f"The top of the leaderboard shows {value(top)}, but {picked}; {found.base} measured {value(old)}."


def _difference(found: Findings) -> str:
    """Whether the difference from the baseline is more than chance."""
    row = found.rows[found.choice.pick]
    if row.difference is None or row.p_adjusted is None:
        return ""
    who = f"The rule would take {brief(row.name)}, which" if found.is_kept else "It"
    if _is_level(row):
        return f"{who} {_level(found, row)}."
    lower, upper = row.difference_lower or 0.0, row.difference_upper or 0.0
    numbers = f"{signed(row.difference)} ({signed(lower)} to {signed(upper)})"
    asked = counted(found.questions, "question")
    counts = f"better on {row.wins}, worse on {row.losses}, equal on {row.ties} of {asked}"
    others = f", with {_every(found.distinct - 1)} comparisons counted in" if found.distinct > 2 else ""
    p = chance(row.p_adjusted)
    if row.shown:
        here = f"{numbers} on the questions that picked it, {p}{others}"
        return f"The difference from {found.base} is real: {here}; {counts}."
    alone = "; the interval is of this one alone" if others and (lower > 0 or upper < 0) else ""
    is_bounded = found.choice.why == "cheaper" and others and found.worst < 0
    worst = f" and at worst {signed(found.worst)}" if is_bounded else ""
    return f"{who} is {numbers} from {found.base}: that may be chance ({p}{worst}{others}{alone}); {counts}."


def _level(found: Findings, row: Row) -> str:
    """That no question differs, and on how many others there may be a difference: the end of the interval.

    See `statistics.intervals.same_everywhere`: so many others may differ, by all that is possible.
    """
    unseen = share(row.difference_upper or 0.0)
    return (
        f"measures the same as {found.base} on all of {counted(found.questions, 'question')}; on up to "
        f"{unseen} of other questions it may differ all the same"
    )


def _set(found: Findings) -> str:
    """How large the set of the best is, what it shares, and who of it beats the baseline."""
    size, of = len(found.best.rows), found.distinct
    first = [f"{size:,} of {of:,} configurations can't be told from the best one."] if 1 < size < of else []
    changed = [key for change in changes_of(found) for key in change.keys]
    idle = [key for key, setting in found.promoted.params.items() if setting is None]
    knobs = told_of(found.best, found.knobs, of, [*changed, *idle], _dearer(found), advises=True)
    return " ".join([*first, *knobs[:2], *_ahead(found)])


def _ahead(found: Findings) -> list[str]:
    """Those among the best that beat the baseline, as far as cost has chosen among them."""
    ahead = sum(_is_better(found.rows[row]) for row in found.best.rows)
    if found.choice.why != "better" or found.decide.rule in ("best", "pareto") or ahead < 2:
        return []
    return [f"{ahead:,} of them beat {found.base}, and none of these is cheaper than the one to promote."]


def _dearer(found: Findings) -> dict[str, str]:
    """Why the one to take hasn't got what most of the best have, as far as that costs more."""
    row, told = found.promoted, {}
    shorts = {knob.key: knob.short for knob in found.knobs}
    for knob in found.best.leaning:
        other = row_with(found, {knob.key: knob.value})
        if row.params[knob.key] != knob.value and other is not None and found.is_cheaper(row, other):
            told[knob.key] = f"{shorts[knob.key]}={typed(row.params[knob.key])} costs less"
    return told
