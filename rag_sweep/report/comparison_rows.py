"""The leaderboard of a comparison as columns of text, for the terminal and for Markdown.

A comparison is plain data here, as `comparison.parts.Comparison.to_dict` gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rag_sweep.comparison.words import brief, counted, setting, signed, value
from rag_sweep.report.printable import printable

Data: TypeAlias = Mapping[str, Any]

NOTHING = "–"
"""Stands where there is no value."""

LEVEL = "no difference"
"""Stands for an interval where every question has the same value as with the baseline."""

REAL = "*"
"""Behind a corrected p: the difference is real at alpha."""


@dataclass(frozen=True)
class Column:
    """A column with its head.

    Attributes
    ----------
    place
        When it gives way where there is no room: 0 never, the highest number first.
    is_number
        Numbers stand at the right.
    least
        Where it may take several lines: how narrow it may be; None where it mayn't.
    """

    head: str
    cells: tuple[str, ...]
    place: int = 0
    is_number: bool = True
    least: int | None = None

    @property
    def width(self) -> int:
        """That it needs: of the widest cell, or less where it may take several lines."""
        widest = max(map(len, (self.head, *self.cells)))
        return widest if self.least is None else min(widest, self.least)


def leaders(data: Data, top: int) -> list[Data]:
    """The best rows but those equal in effect to another; the baseline and what the decision names always."""
    rows: Sequence[Data] = data["rows"]
    best = [row["row"] for row in rows if row["alias_of"] is None][:top]
    decision = data["decision"]
    chosen = {*best, decision["promote"], *decision["named"], data["baseline"]}
    return [rows[at] for at in sorted(chosen)]


def columns_of(data: Data, rows: Sequence[Data]) -> list[Column]:
    """All columns of some rows."""
    return [
        Column("#", tuple(str(row["rank"]) for row in rows)),
        Column("index", tuple(place_of(data, row) for row in rows)),
        *knob_columns(data, rows),
        *_of(rows, data["objective"], lambda row: value(row["mean"])),
        *_of(rows, interval_head(data), lambda row: span(row["lower"], row["upper"], value), place=3),
        *_of(rows, "difference", lambda row: number(row["difference"], signed)),
        *_of(rows, "its interval", _apart, place=2),
        *_of(rows, "p", p_of),
        *_of(rows, "won/tied/lost", _outcomes, place=4),
        Column("best", tuple(mark_of(data, row) for row in rows), 1, is_number=False),
        *_evidence(rows),
        *_of(rows, "work", _work, place=5),
        *_of(rows, "words", lambda row: number(row["words"], lambda words: f"{words:,.0f}"), place=6),
    ]


def base_of(data: Data) -> str:
    """What the baseline is called: only where it is the user's own it is that."""
    return "baseline" if data["stand_in"] is None else "stand-in"


def knob_columns(data: Data, rows: Sequence[Data]) -> list[Column]:
    """A column for each knob that differs."""
    return [
        Column(knob["short"], tuple(setting(row["params"].get(knob["key"])) for row in rows), is_number=False)
        for knob in data["knobs"]
    ]


def place_of(data: Data, row: Data) -> str:
    """The index of a configuration; of several sweeps with the number of its sweep in front."""
    return str(row["index"]) if len(data["sweeps"]) == 1 else f"{row['sweep'] + 1}:{row['index']}"


def interval_head(data: Data) -> str:
    """``95 % interval``."""
    return f"{100 * data['settings']['level']:g} % interval"


def named(name: str) -> str:
    """The name of a configuration, or of something else, as a cell takes it: no escapes, and cut if long."""
    return brief(printable(name))


def number(found: float | None, form: Callable[[float], str]) -> str:
    """A number, or what stands for none."""
    return NOTHING if found is None else form(found)


def span(lower: float | None, upper: float | None, form: Callable[[float], str]) -> str:
    """``0.336 to 0.419``."""
    return NOTHING if lower is None or upper is None else f"{form(lower)} to {form(upper)}"


def p_of(row: Data) -> str:
    """The corrected p of a row, with a mark where the difference is real."""
    p = row["p_adjusted"]
    return NOTHING if p is None else f"{probability(p)}{REAL if row['shown'] else ''}"


def probability(p: float) -> str:
    """A p-value, never as 0."""
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1g}"


def mark_of(data: Data, row: Data) -> str:
    """Whether a row is in the set of the best, and what else it is."""
    roles = [
        *(["promote"] if row["row"] == data["decision"]["promote"] and not row["is_baseline"] else []),
        *([base_of(data)] if row["is_baseline"] else []),
    ]
    return " ".join([*(["yes"] if row["in_best"] else []), *roles])


def _apart(row: Data) -> str:
    if row["wins"] == 0 and row["losses"] == 0:
        return LEVEL
    return span(row["difference_lower"], row["difference_upper"], signed)


def _outcomes(row: Data) -> str:
    return NOTHING if row["wins"] is None else f"{row['wins']}/{row['ties']}/{row['losses']}"


def _evidence(rows: Sequence[Data]) -> list[Column]:
    if all(row["evidence"] is None for row in rows):
        return []
    cells = tuple(number((row["evidence"] or {}).get("recall"), value) for row in rows)
    return [Column("evidence", cells, 7)]


def _work(row: Data) -> str:
    return NOTHING if row["cost"] is None else amount(row["cost"]["units"])


def amount(units: float) -> str:
    """``6.2k``, ``1.4M``: three digits are enough to compare work by."""
    for limit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if units >= limit:
            return f"{units / limit:.3g}{letter}"
    return f"{units:.0f}"


def _of(rows: Iterable[Data], head: str, cell: Callable[[Data], str], place: int = 0) -> list[Column]:
    return [Column(head, tuple(cell(row) for row in rows), place)]


def legend_of(data: Data, rows: Sequence[Data], heads: Iterable[str]) -> list[str]:
    """What the columns are that don't say it themselves, a line each; `heads` are those that are shown."""
    shown = set(heads)
    return [
        *([_test_of(data)] if "p" in shown else []),
        *([_chance_of(data)] if "its interval" in shown and any(map(_is_open, rows)) else []),
        *_amounts_of(data, shown),
    ]


def _test_of(data: Data) -> str:
    """How differences were tested, in words."""
    test, alpha = data["test"], f"{REAL} real at {data['settings']['alpha']:g}"
    if test["correction"] == "holm":
        how = "paired t-tests, corrected by Holm"
    else:
        patterns = f"{test['resamples']:,} {'(all) ' if test['exact'] else ''}sign patterns"
        how = f"paired randomisation, max-T, {patterns}"
    if data["distinct"] < 3:
        return f"p: {alpha} ({how})"
    return (
        f"p: with all {data['distinct'] - 1:,} comparisons counted in; {alpha} ({how}); `rag-sweep diff` has "
        "the p of a pair alone, which is smaller"
    )


def _is_open(row: Data) -> bool:
    """True where the interval leaves out 0 though the difference isn't shown."""
    lower, upper = row["difference_lower"], row["difference_upper"]
    level = row["wins"] == 0 and row["losses"] == 0
    return not (row["shown"] or level or lower is None or upper is None or lower <= 0 <= upper)


def _chance_of(data: Data) -> str:
    others = data["distinct"] - 1
    why = f"for {others:,} were tried" if others > 1 else "where both are close: then p counts"
    return (
        f"its interval: of that one comparison; without {REAL} it may be chance even where it leaves out 0, "
        f"{why}"
    )


def _amounts_of(data: Data, shown: set[str]) -> list[str]:
    told = {
        "evidence": f"evidence: share of the marked evidence in the first {data['k']} passages",
        "work": "work: computing for a question, about so many multiply-adds",
        "words": "words: handed over for a question",
    }
    parts = [text for head, text in told.items() if head in shown]
    return ["; ".join(parts)] if parts else []


def caption_of(data: Data) -> str:
    """What the numbers are over."""
    sweeps = data["sweeps"]
    parts = [
        counted(data["configurations"], "configuration")
        + (
            f" ({data['distinct']:,} different in effect)"
            if data["distinct"] != data["configurations"]
            else ""
        )
        + (f" of {len(sweeps)} sweeps" if len(sweeps) > 1 else ""),
        f"{counted(data['questions'], 'answerable question')} of {data['dataset']['name']}",
        f"k = {data['k']}",
    ]
    if data["negatives"]:
        parts.append(f"{counted(data['negatives'], 'question')} without an answer left out")
    return ", ".join(parts)
