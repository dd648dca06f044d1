"""A comparison in short: sections of sentences and small tables, for the terminal and for Markdown."""

from __future__ import annotations

from rag_sweep.comparison.handed import MOST
from rag_sweep.comparison.words import brief, counted, listed, share, signed, value
from rag_sweep.report.comparison_knobs import knobs
from rag_sweep.report.comparison_rows import (
    NOTHING,
    Data,
    amount,
    base_of,
    interval_head,
    named,
    number,
    place_of,
    span,
)
from rag_sweep.report.comparison_section import Section, all_tie, numbers, texts
from rag_sweep.report.printable import printable
from rag_sweep.statistics.table import TIE

QUESTIONS, TAGS, UNDOMINATED, NAMED = 4, 8, 8, 3
"""How many of each are told."""

AT_LEAST, CUT_SHORT = "≥", 0.1
"""Before a value that is only a lower bound, for more than this share of the questions."""

LONGEST_QUESTION, LONGEST_REASON = 70, 500
"""Characters of a question, and of why a configuration failed."""


def sections(data: Data) -> list[Section]:
    """What stands below the leaderboard, without what there is nothing to say of."""
    found = [
        _best(data),
        _honest(data),
        _power(data),
        knobs(data),
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
    if all_tie(data):
        return Section("The set of the best", (f"All {of:,} configurations: every question is a tie.",))
    if size in (1, of):
        return Section("The set of the best", tuple(best["sentences"]))
    first = (
        f"{size:,} of {counted(of, 'configuration')} can't be told from the best one at {best['alpha']:g}."
    )
    return Section("The set of the best", (first, *best["sentences"]))


def _honest(data: Data) -> Section:
    honest = data["honest"]
    if honest is None:
        return Section("Honest value")
    worth = (
        f"{value(honest['value'])} ({span(honest['lower'], honest['upper'], value)}) in {data['objective']}"
    )
    if all_tie(data):
        return Section("Honest value", (f"Nothing could be picked by luck: {worth} on new questions.",))
    names = [
        f"{named(data['rows'][one['row']]['name'])} {share(one['share'])}"
        for one in honest["winners"][:NAMED]
    ]
    more = len(honest["winners"]) - NAMED
    others = [f"{counted(more, 'other')} the rest"] if more > 0 else []
    return Section(
        "Honest value",
        (
            f"Whatever this sweep picks by its rule ({honest['rule']}) is worth {worth} on new questions; it "
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
        return f"With {asked} no difference from the {base_of(data)} can be found, however large."
    return (
        f"With {asked} a difference from the {base_of(data)} of {value(power['detectable'])} or more is "
        f"found {share(power['power'])} of the time, with {counted(power['comparisons'], 'comparison')}; for "
        f"one comparison alone it is {number(power['alone'], value)}."
    )


def _questions(data: Data) -> Section:
    lists, every = data["question_lists"], data["per_question"]
    chosen = [
        (name, every[at])
        for name in ("hardest", "disputed", "decisive")
        for at in lists[name][:QUESTIONS]
        if every[at]["mean"] < 1.0 - TIE
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
        texts("", (name for name, _ in chosen)),
        texts("id", (named(one["id"]) for _, one in chosen)),
        numbers("mean", (value(one["mean"]) for _, one in chosen)),
        numbers("lowest", (value(one["worst"]) for _, one in chosen), 2),
        numbers("highest", (value(one["best"]) for _, one in chosen), 2),
        texts("question", (shortened(one["text"]) for _, one in chosen), 1, least=30),
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
    promoted = (
        numbers("promoted", (number(one["means"].get(promote), value) for one in tags)),
        numbers("difference", (number(one["difference"], signed) for one in tags)),
    )
    best = (
        numbers("best", (number(one["means"].get(str(one["winner"])), value) for one in tags), 1),
        texts("of", (_winner(data, one) for one in tags), 2, least=24),
    )
    columns = (
        texts("tag", (named(one["tag"]) for one in tags)),
        numbers("questions", (str(one["questions"]) for one in tags)),
        numbers(base_of(data), (number(one["means"].get(baseline), value) for one in tags)),
        *(promoted if promote != baseline else ()),
        *(() if all_tie(data) else best),
    )
    more = len(data["tags"]) - TAGS
    return Section("Tags", (f"… and {counted(more, 'tag')} more.",) if more > 0 else (), columns)


def _winner(data: Data, tag: Data) -> str:
    """Who is best on the questions with a tag, and how many more are as good."""
    if tag["tied"] == data["distinct"] > 1:
        return "all tie"
    row = data["rows"][tag["winner"]]
    others = f" and {tag['tied'] - 1:,} more" if tag["tied"] > 1 else ""
    return f"{place_of(data, row)} {named(row['name'])}{others}"


def _curve(data: Data) -> Section:
    curve = data["curve"]
    if curve is None:
        return Section("Equal context")
    known = {one["row"]: _bounds(one) for one in curve["rows"]}
    roles = {data["decision"]["promote"]: "promoted", data["baseline"]: base_of(data)}
    roles = {0: "top", **roles} if 0 not in roles else roles
    rows = [row for row in sorted(roles) if row in known]
    if not rows:
        return Section("Equal context")
    columns = (
        texts("", (roles[row] for row in rows)),
        *(
            numbers(f"{budget:,}", (known[row][at] for row in rows), 1 + (at % 2))
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
    return [_bound(number(found, value), cut or 0.0) for found, cut in pairs]


def _bound(told: str, cut_short: float) -> str:
    return f"{AT_LEAST}{told}" if cut_short > CUT_SHORT and told != MOST else told


def _undominated(data: Data) -> Section:
    rows = [row for row in data["rows"] if row["pareto"] and row["alias_of"] is None and row["cost"]]
    rows.sort(key=lambda row: (row["cost"]["units"], -row["mean"]))
    if len(rows) < 2 or all_tie(data):
        return Section("Quality against work")
    shown = rows[:UNDOMINATED]
    columns = (
        numbers("work", (amount(row["cost"]["units"]) for row in shown)),
        numbers(data["objective"], (value(row["mean"]) for row in shown)),
        numbers(interval_head(data), (span(row["lower"], row["upper"], value) for row in shown), 2),
        numbers("words", (f"{row['cost']['words']:,.0f}" for row in shown), 1),
        numbers("index", (place_of(data, row) for row in shown)),
        texts("configuration", (named(row["name"]) for row in shown), least=24),
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
        numbers("p50 ms", (f"{one['p50_ms']:.1f}" for one in times)),
        numbers("p95 ms", (f"{one['p95_ms']:.1f}" for one in times)),
        numbers("build s", (f"{one['build_s']:.2f}" for one in times), 1),
        numbers("index", (place_of(data, row) for row in rows)),
        texts("configuration", (named(row["name"]) for row in rows), least=24),
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
