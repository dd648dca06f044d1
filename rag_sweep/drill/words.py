"""What is said of a row, and of a whole drill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rag_sweep.comparison.words import counted, listed, signed, value
from rag_sweep.drill.states import IMPROVED, SMALL, UNCHANGED, Drill, Effect, Judged, moves

NAMED = 4
"""Questions that are named."""

LONGEST = 70
"""Signs of a question's text that are shown."""


class Names:
    """How questions are called in sentences: a single one with its text, several by their ids."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def __call__(self, ids: Sequence[str]) -> str:
        """``q4 “How do I …”``, or ``q4, q7 and 3 more``."""
        shown = [f"“{one}”" if one.isdecimal() else one for one in ids]
        text = shortened(self._texts.get(ids[0])) if len(ids) == 1 else ""
        return f"{shown[0]}: {text}" if text else listed(shown, most=NAMED)


def lead(
    status: str, effect: Effect, judged: Judged, objective: str, questions: int, names: Names
) -> tuple[str, ...]:
    """What became of the values where the gate passes."""
    if status == UNCHANGED:
        return (_unchanged(effect, questions),)
    if status == IMPROVED:
        return _improved(effect, judged, objective, names)
    return (
        f"{fallen(effect, names)}; the gate passes",
        *_noise(effect, judged, objective),
        *_power(judged, objective),
    )


def widening(status: str, effect: Effect, judged: Judged, objective: str) -> tuple[str, ...]:
    """What would catch it whatever it is: a narrower margin, or more questions."""
    if status == IMPROVED:
        turned = f"{counted(len(effect.better), 'question')} better and {len(effect.worse):,} worse"
        return (f"more questions of each kind: {turned} turn the mean here",)
    if effect.fall is not None and _is_real(effect, judged, objective):
        fall = effect.fall
        return (f"a margin below {value(-fall.change)} for {fall.measure}",)
    return ()


def _is_real(effect: Effect, judged: Judged, objective: str) -> bool:
    """True if the objective falls and its interval holds falls alone."""
    return effect.changes[objective] <= -SMALL and judged.upper is not None and judged.upper < 0


def _noise(effect: Effect, judged: Judged, objective: str) -> Sequence[str]:
    if effect.changes[objective] > -SMALL or judged.upper is None:
        return ()
    if _is_real(effect, judged, objective):
        return (f"the fall of {objective} is no noise, its interval lies below 0: the limit lets it pass",)
    return (f"with these questions the fall of {objective} can't be told from noise (its interval holds 0)",)


def fallen(effect: Effect, names: Names) -> str:
    """Which measure fell most, and in which questions."""
    fall = effect.fall
    if fall is None:
        return "no mean falls"
    told = f"the largest fall is that of {fall.measure}, {value(fall.before)} → {value(fall.after)}"
    worse = f"{counted(len(fall.worse), 'question')} worse ({names(fall.worse)})"
    better = f", {len(fall.better)} better" if fall.better else ""
    lost = f"; {_lost(effect)}" if effect.lost else ""
    return f"{told}: {worse}{better}{lost}"


def _lost(effect: Effect) -> str:
    verb = "finds" if len(effect.lost) == 1 else "find"
    return f"{counted(len(effect.lost), 'question')} {verb} nothing relevant any more"


def plain_drill(drill: Drill) -> dict[str, Any]:
    """A drill as plain data, with what is said of the whole."""
    return {"headline": headline(drill), "reasons": list(reasons(drill)), **drill.to_dict()}


def headline(drill: Drill) -> str:
    """The drill in a line."""
    if drill.unfit is not None:
        return "The gate fails also where nothing is broken, so it can't tell when search breaks"
    applicable = len(drill.sabotages)
    if not applicable:
        return "None of the sabotages applies to this search, so nothing is known of this gold"
    told = f"This gold with these thresholds notices {drill.caught} of {counted(applicable, 'sabotage')}"
    missed = applicable - drill.caught
    return told if missed else f"{told}: all that apply"


def reasons(drill: Drill) -> tuple[str, ...]:
    """What the headline rests on."""
    found = [f"the gate: {'; '.join(drill.thresholds)}", *([drill.unfit] if drill.unfit else [])]
    one = value(1 / drill.questions)
    found.append(
        f"{counted(drill.questions, 'answerable question')}: one of them moves a mean by at most {one}"
    )
    found.append(
        f"change, its interval and what could be detected (in 4 of 5 cases) are those of {drill.objective}"
    )
    return (*found, restored(drill))


def restored(drill: Drill) -> str:
    """Whether the working configuration gives the same again."""
    if drill.identical:
        return "restored and computed anew: values and rankings are the same to the last bit"
    return f"restored, it gives something else ({drill.states[-1].told}): this is a fault of a component"


def _unchanged(effect: Effect, questions: int) -> str:
    if effect.moved:
        verb = "has" if len(effect.moved) == 1 else "have"
        return (
            f"no mean moves by {SMALL:g}, though {counted(len(effect.moved), 'question')} {verb} other values"
        )
    if not effect.reordered:
        return "nothing changes: every question has the same first documents in the same order"
    where = f"{len(effect.reordered)} of {counted(questions, 'question')}"
    return f"no value changes: in {where} other documents change places, the relevant ones keep theirs"


def _improved(effect: Effect, judged: Judged, objective: str, names: Names) -> tuple[str, ...]:
    best = max(effect.changes, key=lambda one: effect.changes[one])
    name = objective if moves(effect.changes[objective]) else best
    after, change = effect.means[name], effect.changes[name]
    who = (
        f"{counted(len(effect.better), 'question')} better ({names(effect.better)})" if effect.better else ""
    )
    worse = f", {len(effect.worse)} worse" if effect.worse else ""
    told = f"it improves the values: {name} {value(after - change)} → {value(after)} ({signed(change)})"
    alone = ["that one question decides it"] if len(effect.better) == 1 and not effect.worse else []
    chance = judged.lower is not None and judged.lower <= 0
    noise = f", though the interval of {objective} holds 0: it may be chance" if chance else ""
    return (f"{told}; {who}{worse}", f"by this gold the broken search is the better one{noise}", *alone)


def _power(judged: Judged, objective: str) -> Sequence[str]:
    if judged.detectable is None:
        return ()
    return (
        f"a true difference of {value(judged.detectable)} in {objective} would be found in 4 of 5 such runs",
    )


def shortened(text: str | None) -> str:
    """A question's text in quotes, cut where it is long; nothing for none."""
    if not text:
        return ""
    one = " ".join(text.split())
    return f"“{one}”" if len(one) <= LONGEST else f"“{one[: LONGEST - 1].rstrip()}…”"
