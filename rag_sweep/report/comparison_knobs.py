"""What each knob of a comparison does, as a section."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.comparison.words import listed, share, signed, typed
from rag_sweep.report.comparison_rows import NOTHING, Data, number, span
from rag_sweep.report.comparison_section import Section, all_tie, numbers, texts
from rag_sweep.statistics.table import TIE

PAIRS, LEVELS = 3, 3
"""How many of each are told."""

EFFECT = (
    "Effect: how far the mean of all configurations with that value is above (+) or below (−) that of all. "
    "Share of spread: how much of what sets configurations apart is due to the knob; the rest is due to the "
    "others, and to knobs that act together."
)
"""What the table of knobs shows."""


def knobs(data: Data) -> Section:
    """The knobs by their share of what sets configurations apart; those that do nothing are only named."""
    single = [one for one in data["effects"] if len(one["knobs"]) == 1 and any(map(_is_known, one["effect"]))]
    if not single:
        return Section("Knobs")
    if all_tie(data):
        return Section("What each knob does", ("Nothing: no question changes with any of them.",))
    shorts = {knob["key"]: knob["short"] for knob in data["knobs"]}
    single.sort(key=lambda one: -(one["share"] or 0.0))
    likes = {one["key"]: _liked(one) for one in data["likes"]}
    idle = {one["key"] for one in data["likes"] if one["indifferent"] == data["questions"]}
    level = [one for one in single if one["knobs"][0] in idle and _is_level(one)]
    moved = [one for one in single if one not in level]
    ends = [(one, *_ends(one["effect"])) for one in moved]
    columns = (
        texts("knob", (shorts.get(one["knobs"][0], one["knobs"][0]) for one in moved)),
        texts("best value", (_level(one, best) for one, best, _ in ends)),
        numbers("effect", (signed(one["effect"][best]) for one, best, _ in ends)),
        numbers("its interval", (_interval(one, best) for one, best, _ in ends), 2),
        texts("worst value", (_level(one, worst) for one, _, worst in ends), 1),
        numbers("effect", (signed(one["effect"][worst]) for one, _, worst in ends), 1),
        numbers("share of spread", (number(one["share"], share) for one in moved)),
        texts("best for so many questions", (likes.get(one["knobs"][0], NOTHING) for one in moved), 3),
    )
    told = (EFFECT, *_pairs(data, shorts)) if moved else ()
    return Section("What each knob does", (*told, *_idle(level, shorts)), columns if moved else ())


def _idle(level: Sequence[Data], shorts: dict[str, str]) -> list[str]:
    names = [shorts.get(one["knobs"][0], one["knobs"][0]) for one in level]
    return [f"No question changes with {listed(names, 'or')}."] if names else []


def _pairs(data: Data, shorts: dict[str, str]) -> list[str]:
    """The largest interactions."""
    pairs = [one for one in data["effects"] if len(one["knobs"]) == 2 and (one["share"] or 0.0) >= 0.01]
    pairs.sort(key=lambda one: -one["share"])
    told = [
        f"{' with '.join(shorts.get(key, key) for key in one['knobs'])} {share(one['share'])}"
        for one in pairs[:PAIRS]
    ]
    return [f"Knobs that act together: {listed(told)} of the spread."] if told else []


def _ends(effects: Sequence[float | None]) -> tuple[int, int]:
    """Positions of the largest and of the smallest effect."""
    known = [at for at, effect in enumerate(effects) if _is_known(effect)]
    order = sorted(known, key=lambda at: -(effects[at] or 0.0))
    return order[0], order[-1]


def _is_level(effect: Data) -> bool:
    """True if all values of a knob have the same mean."""
    return all(abs(one or 0.0) <= TIE for one in effect["effect"])


def _is_known(effect: float | None) -> bool:
    """False where other knobs are mixed up with a value, so that its effect can't be told."""
    return effect is not None


def _level(effect: Data, at: int) -> str:
    return " ".join(map(typed, effect["levels"][at]))


def _interval(effect: Data, at: int) -> str:
    return span(effect["lower"][at], effect["upper"][at], signed)


def _liked(likes: Data) -> str:
    pairs = sorted(zip(likes["questions"], likes["levels"], strict=True), key=lambda pair: -pair[0])
    return ", ".join(
        [
            *(f"{typed(level)}: {count}" for count, level in pairs[:LEVELS]),
            f"no matter: {likes['indifferent']}",
        ]
    )
