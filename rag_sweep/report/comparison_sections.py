"""A comparison in short: sections of sentences and small tables, for the terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag_sweep.comparison.words import brief, counted, listed, share, signed, typed, value
from rag_sweep.report.comparison_rows import (
    NOTHING,
    Column,
    Data,
    amount,
    interval_head,
    named,
    number,
    place_of,
    span,
)
from rag_sweep.report.printable import printable

QUESTIONS, TAGS, UNDOMINATED, PAIRS, LEVELS, NAMED = 4, 8, 8, 3, 3, 3
"""How many of each are told."""

AT_LEAST, CUT_SHORT = "≥", 0.1
"""Before a value that is only a lower bound, for more than this share of the questions."""

LONGEST_QUESTION, LONGEST_REASON = 70, 500
"""Characters of a question, and of why a configuration failed."""


@dataclass(frozen=True)
class Section:
    """A heading with sentences and a table; `columns` may be empty."""

    title: str
    sentences: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()


def sections(data: Data) -> list[Section]:
    """What stands below the leaderboard, without what there is nothing to say of."""
    found = [
        _best(data),
        _honest(data),
        _power(data),
        _knobs(data),
        _questions(data),
        _tags(data),
        _curve(data),
        _undominated(data),
        _latency(data),
        _warnings(data),
    ]
    return [one for one in found if one.sentences or one.columns]


def _best(data: Data) -> Section:
    best, of = data["best"], data["distinct"]
    size = len(best["rows"])
    if size == of:
        return Section("The set of the best", tuple(best["sentences"]))
    first = (
        f"{size:,} of {counted(of, 'configuration')} can't be told from the best one at {best['alpha']:g}."
    )
    return Section("The set of the best", (first, *best["sentences"]))


def _honest(data: Data) -> Section:
    honest = data["honest"]
    if honest is None:
        return Section("Honest value")
    names = [
        f"{named(data['rows'][one['row']]['name'])} {share(one['share'])}"
        for one in honest["winners"][:NAMED]
    ]
    more = len(honest["winners"]) - NAMED
    others = [f"{counted(more, 'other')} the rest"] if more > 0 else []
    return Section(
        "Honest value",
        (
            f"Whatever this sweep picks by its rule ({honest['rule']}) is worth {value(honest['value'])} "
            f"({span(honest['lower'], honest['upper'], value)}) in {data['objective']} on new questions; it "
            f"measured {value(honest['naive'])}, so luck of the choice is {signed(honest['optimism'])}.",
            f"Picked on a part of the questions, measured on the rest ({honest['folds']} folds, "
            f"{honest['repeats']} times): {listed([*names, *others])}.",
        ),
    )


def _power(data: Data) -> Section:
    power = data["power"]
    if power is None:
        return Section("What this gold can find")
    first = _smallest(data, power)
    wanted = power["for"]
    if wanted is None:
        return Section(
            "What this gold can find",
            (first, "How many questions would another difference need? decide.difference=0.02 tells."),
        )
    needed = wanted["questions"]
    many = "more questions than any gold has" if needed is None else counted(needed, "question")
    return Section("What this gold can find", (first, f"To find {wanted['difference']:g}, it takes {many}."))


def _smallest(data: Data, power: Data) -> str:
    """The smallest difference that is found; none may be, with a handful of questions."""
    asked = counted(data["questions"], "question")
    if power["detectable"] is None:
        return f"With {asked} no difference from the baseline can be found, however large."
    return (
        f"With {asked} a difference from the baseline of {value(power['detectable'])} or more is found "
        f"{share(power['power'])} of the time, with {counted(power['comparisons'], 'comparison')}; for one "
        f"comparison alone it is {number(power['alone'], value)}."
    )


def _knobs(data: Data) -> Section:
    single = [one for one in data["effects"] if len(one["knobs"]) == 1 and any(map(_is_known, one["effect"]))]
    if not single:
        return Section("Knobs")
    shorts = {knob["key"]: knob["short"] for knob in data["knobs"]}
    single.sort(key=lambda one: -(one["share"] or 0.0))
    likes = {one["key"]: _liked(one) for one in data["likes"]}
    ends = [_ends(one["effect"]) for one in single]
    columns = (
        _texts("knob", (shorts.get(one["knobs"][0], one["knobs"][0]) for one in single)),
        _texts("best value", (_level(one, end[0]) for one, end in zip(single, ends, strict=True))),
        _numbers("effect", (signed(one["effect"][end[0]]) for one, end in zip(single, ends, strict=True))),
        _numbers("its interval", (_interval(one, end[0]) for one, end in zip(single, ends, strict=True)), 2),
        _texts("worst value", (_level(one, end[1]) for one, end in zip(single, ends, strict=True)), 1),
        _numbers("effect", (signed(one["effect"][end[1]]) for one, end in zip(single, ends, strict=True)), 1),
        _numbers("of variation", (number(one["share"], share) for one in single)),
        _texts("best for so many questions", (likes.get(one["knobs"][0], NOTHING) for one in single), 3),
    )
    explained = (
        "Effect: mean of all configurations with that value, minus that of all; of variation: how much "
        "of the spread between configurations is the knob's."
    )
    return Section("What each knob does", (explained, *_pairs(data, shorts)), columns)


def _pairs(data: Data, shorts: dict[str, str]) -> list[str]:
    """The largest interactions."""
    pairs = [one for one in data["effects"] if len(one["knobs"]) == 2 and (one["share"] or 0.0) >= 0.01]
    pairs.sort(key=lambda one: -one["share"])
    told = [
        f"{' with '.join(shorts.get(key, key) for key in one['knobs'])} {share(one['share'])}"
        for one in pairs[:PAIRS]
    ]
    return [f"Knobs that act together: {listed(told)} of variation."] if told else []


def _ends(effects: Sequence[float | None]) -> tuple[int, int]:
    """Positions of the largest and of the smallest effect."""
    known = [at for at, effect in enumerate(effects) if _is_known(effect)]
    order = sorted(known, key=lambda at: -(effects[at] or 0.0))
    return order[0], order[-1]


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


def _questions(data: Data) -> Section:
    lists, every = data["question_lists"], data["per_question"]
    chosen = [
        (name, every[at]) for name in ("hardest", "disputed", "decisive") for at in lists[name][:QUESTIONS]
    ]
    dead, decisive = len(lists["dead"]), len(lists["decisive"])
    if data["distinct"] == 1:  # nothing can be told apart by any question
        dead = 0
    sentences = [
        *(
            [
                f"{counted(dead, 'question has', 'questions have')} the same value everywhere, so can't tell "
                "configurations apart."
            ]
            if dead
            else []
        ),
        *(
            [f"Without any one of {counted(decisive, 'question')} another configuration would be on top."]
            if decisive
            else []
        ),
    ]
    columns = (
        _texts("", (name for name, _ in chosen)),
        _texts("id", (named(one["id"]) for _, one in chosen)),
        _numbers("mean", (value(one["mean"]) for _, one in chosen)),
        _numbers("lowest", (value(one["worst"]) for _, one in chosen), 2),
        _numbers("highest", (value(one["best"]) for _, one in chosen), 2),
        _texts("question", (shortened(one["text"]) for _, one in chosen), 1, least=30),
    )
    return Section("Questions", tuple(sentences), columns if chosen else ())


def shortened(text: str | None, longest: int = LONGEST_QUESTION) -> str:
    """A text in one line, cut where it is long."""
    whole = " ".join(printable(text or NOTHING).split())
    return whole if len(whole) <= longest else f"{whole[: longest - 1]}…"


def _tags(data: Data) -> Section:
    tags = data["tags"][:TAGS]
    if not tags:
        return Section("Tags")
    promote, baseline = str(data["decision"]["promote"]), str(data["baseline"])
    winners = [data["rows"][one["winner"]] for one in tags]
    promoted = (
        _numbers("promoted", (number(one["means"].get(promote), value) for one in tags)),
        _numbers("difference", (number(one["difference"], signed) for one in tags)),
    )
    columns = (
        _texts("tag", (named(one["tag"]) for one in tags)),
        _numbers("questions", (str(one["questions"]) for one in tags)),
        _numbers("baseline", (number(one["means"].get(baseline), value) for one in tags)),
        *(promoted if promote != baseline else ()),
        _numbers("best", (number(one["means"].get(str(one["winner"])), value) for one in tags), 1),
        _texts("of", (f"{place_of(data, row)} {named(row['name'])}" for row in winners), 2, least=24),
    )
    more = len(data["tags"]) - TAGS
    return Section("Tags", (f"… and {counted(more, 'tag')} more.",) if more > 0 else (), columns)


def _curve(data: Data) -> Section:
    curve = data["curve"]
    if curve is None:
        return Section("Equal context")
    known = {one["row"]: _bounds(one) for one in curve["rows"]}
    roles = {data["decision"]["promote"]: "promoted", data["baseline"]: "baseline"}
    roles = {0: "top", **roles} if 0 not in roles else roles
    rows = [row for row in sorted(roles) if row in known]
    if not rows:
        return Section("Equal context")
    columns = (
        _texts("", (roles[row] for row in rows)),
        *(
            _numbers(f"{budget:,}", (known[row][at] for row in rows), 1 + (at % 2))
            for at, budget in enumerate(curve["budgets"])
        ),
    )
    told = f"{curve['measure'].capitalize()} when so many words are handed over, whatever k:"
    is_bound = any(AT_LEAST in cell for row in rows for cell in known[row])
    bounds = (
        [f"{AT_LEAST} at least: further ranks were not kept, larger cutoffs keep more."] if is_bound else []
    )
    return Section("At an equal budget of words", (*bounds, told), columns)


def _bounds(one: Data) -> list[str]:
    """Values of a curve; those that are lower bounds for many questions are marked."""
    pairs = zip(one["values"], one["cut_short"], strict=True)
    return [f"{AT_LEAST if (cut or 0) > CUT_SHORT else ''}{number(found, value)}" for found, cut in pairs]


def _undominated(data: Data) -> Section:
    rows = [row for row in data["rows"] if row["pareto"] and row["alias_of"] is None and row["cost"]]
    rows.sort(key=lambda row: (row["cost"]["units"], -row["mean"]))
    if len(rows) < 2:
        return Section("Quality against work")
    shown = rows[:UNDOMINATED]
    columns = (
        _numbers("work", (amount(row["cost"]["units"]) for row in shown)),
        _numbers(data["objective"], (value(row["mean"]) for row in shown)),
        _numbers(interval_head(data), (span(row["lower"], row["upper"], value) for row in shown), 2),
        _numbers("words", (f"{row['cost']['words']:,.0f}" for row in shown), 1),
        _numbers("index", (place_of(data, row) for row in shown)),
        _texts("configuration", (named(row["name"]) for row in shown), least=24),
    )
    more = [f"… and {len(rows) - UNDOMINATED} more."] if len(rows) > UNDOMINATED else []
    told = "None is better for as little work a question (about so many multiply-adds):"
    return Section("Quality against work", (told, *more), columns)


def _latency(data: Data) -> Section:
    times = data["latency"]
    if not times:
        return Section("Latency")
    rows = [data["rows"][one["row"]] for one in times]
    columns = (
        _numbers("p50 ms", (f"{one['p50_ms']:.1f}" for one in times)),
        _numbers("p95 ms", (f"{one['p95_ms']:.1f}" for one in times)),
        _numbers("build s", (f"{one['build_s']:.2f}" for one in times), 1),
        _numbers("index", (place_of(data, row) for row in rows)),
        _texts("configuration", (named(row["name"]) for row in rows), least=24),
    )
    told = (
        f"One question at a time, warm, on this machine, {times[0]['queries']} times; only shown, never used:"
    )
    return Section("Latency", (told,), columns)


def _warnings(data: Data) -> Section:
    failed = [
        f"failed: {named(one['name'])}: {brief(one['failure'], LONGEST_REASON)}"
        for one in data["failed"][:NAMED]
    ]
    several = len(data["sweeps"]) > 1
    sweeps = [
        f"sweep {at}: {one['sweep_id']}, {named(one['name'])}" for at, one in enumerate(data["sweeps"], 1)
    ]
    told = [
        *(sweeps if several else []),
        *(one["text"] for one in data["warnings"]),
        *data["notes"],
        *failed,
    ]
    return Section("Notes", tuple(_sentence(text) for text in dict.fromkeys(told)))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


def _texts(head: str, cells: Iterable[str], place: int = 0, least: int | None = None) -> Column:
    return Column(head, tuple(cells), place, is_number=False, least=least)


def _numbers(head: str, cells: Iterable[str], place: int = 0) -> Column:
    return Column(head, tuple(cells), place)
