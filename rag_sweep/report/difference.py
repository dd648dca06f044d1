"""Two configurations side by side in the terminal: what moved in every question, or one question whole.

The data are plain, as `Difference.to_dict` and `Sides.to_dict` of `rag_sweep.comparing` give them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rag_sweep.comparison.words import chance, counted, setting, share, signed, value
from rag_sweep.report.comparison_rows import NOTHING, Column, Data, named
from rag_sweep.report.comparison_sections import shortened
from rag_sweep.report.comparison_text import fitting, table
from rag_sweep.report.printable import printable

FATES = {"found": "found", "lost": "lost", "up": "up", "down": "down", "same": "stays", "missing": "missing"}
"""What became of a relevant document, in words."""

OPENS, CLOSES = "▸", "◂"
"""Around evidence in a passage, since not every terminal shows colours."""

AROUND, LONGEST = 60, 320
"""Characters shown before the first evidence of a passage, and of the passage in all."""

NARROW = 30
"""Columns that a text gets at least before it takes several lines."""


def difference_text(data: Data, limit: int | None, width: int) -> list[Any]:
    """Things for rich: both configurations, the result in a line, then questions, the largest change first.

    Parameters
    ----------
    limit
        Questions that are shown; None for all, also those in which nothing moved.
    """
    moved = [row for row in data["rows"] if row["change"] or _has_moved(row)]
    rows = data["rows"] if limit is None else moved[:limit]
    found = [*_head(data), _text(f"\n{_summary(data)}", "bold"), _text(_mean(data))]
    if rows:
        found += ["", table(fitting(_columns(rows), width))]
    hidden = len(moved) - len(rows)
    still = len(data["rows"]) - len(moved)
    below = [
        *(
            [f"{counted(hidden, 'more question')} in which something moved: --limit {len(moved)}"]
            if hidden > 0
            else []
        ),
        *(
            [f"{counted(still, 'question')} in which no relevant document moved: --all"]
            if still and limit is not None
            else []
        ),
    ]
    return [*found, _text("; ".join(below), "dim")] if below else found


def sides_text(data: Data, sides: Data, width: int) -> list[Any]:
    """Things for rich: one question, and its two rankings beside each other with the passages."""
    row = sides["question"]
    relevant = ", ".join(_fate(move) for move in row["documents"])
    lines = [
        *_head(data),
        _text(f"\n{row['id']}: {row['text'] or NOTHING}", "bold"),
        *([f"tags: {', '.join(row['tags'])}"] if row["tags"] else []),
        f"{data['objective']}: {value(row['a'])} → {value(row['b'])} ({signed(row['change'])})",
        f"relevant: {relevant}",
    ]
    if sides["spans"]:
        lines.append(f"evidence stands between {OPENS} and {CLOSES}")
    return [*lines, "", _beside(sides, width)]


def _head(data: Data) -> list[Any]:
    """The two, and the knobs by which they differ."""
    a, b = data["a"], data["b"]
    same = a["sweep_id"] == b["sweep_id"]
    columns = [
        Column("", ("A", "B"), is_number=False),
        Column("index", tuple(_place(one, same) for one in (a, b))),
        Column(data["objective"], tuple(value(one["mean"]) for one in (a, b))),
        Column("configuration", tuple(named(one["name"]) for one in (a, b)), is_number=False, least=NARROW),
    ]
    knobs = [f"{knob['key']} {_side(knob, 'a')} → {_side(knob, 'b')}" for knob in data["knobs"]]
    told = f"They differ in {', '.join(knobs)}." if knobs else "They are the same configuration."
    return [table(columns), _text(told)]


def _place(one: Data, alone: bool) -> str:
    return str(one["index"]) if alone else f"{one['sweep_id']}:{one['index']}"


def _side(knob: Data, side: str) -> str:
    return "null" if knob[f"has_{side}"] and knob[side] is None else setting(knob[side])


def _summary(data: Data) -> str:
    return (
        f"B is better on {counted(data['better'], 'question')}, worse on {data['worse']:,}, the same on "
        f"{data['same']:,}, of {data['questions']:,} (k = {data['k']})."
    )


def _mean(data: Data) -> str:
    """How large the difference is, and whether it may be chance."""
    if not data["reordered"]:
        same = f"every question has the same first {data['k']} documents in the same order"
        return f"Mean difference {signed(data['difference'])}: {same}."
    if data["same"] == data["questions"]:  # then the interval says how many others may differ, fully
        return (
            f"No difference on any question, though {data['reordered']:,} of them have other documents or "
            f"another order; on up to {share(data['upper'])} of other questions there may be one."
        )
    interval = f"{100 * data['level']:g} % interval {signed(data['lower'])} to {signed(data['upper'])}"
    mean = f"Mean difference {signed(data['difference'])}, {interval}, {chance(data['p_value'])}"
    if data["p_value"] > data["alpha"]:
        return f"{mean}: that may be chance."
    return (
        f"{mean} for this pair alone: more than chance, unless it was picked from many. Then the p of "
        "`rag-sweep compare` counts."
    )


def _columns(rows: Sequence[Data]) -> list[Column]:
    return [
        Column("question", tuple(named(row["id"]) for row in rows), is_number=False),
        Column("change", tuple(signed(row["change"]) for row in rows)),
        Column("A", tuple(value(row["a"]) for row in rows), 2),
        Column("B", tuple(value(row["b"]) for row in rows), 2),
        Column("relevant documents, rank in A → B", tuple(map(_moves, rows)), is_number=False, least=NARROW),
        Column("text", tuple(shortened(row["text"]) for row in rows), 3, is_number=False, least=NARROW),
    ]


def _moves(row: Data) -> str:
    """What moved; what didn't only if nothing did."""
    moved = [move for move in row["documents"] if move["a"] != move["b"]]
    return "; ".join(map(_fate, moved or row["documents"]))


def _fate(move: Data) -> str:
    """``leave 7 → 2 up``."""
    ranks = f"{_rank(move['a'])} → {_rank(move['b'])}"
    return f"{named(move['doc_id'])} {ranks} {FATES[move['fate']]}"


def _rank(rank: int | None) -> str:
    return NOTHING if rank is None else str(rank)


def _has_moved(row: Data) -> bool:
    return any(move["a"] != move["b"] for move in row["documents"])


def _beside(sides: Data, width: int) -> Any:
    """Rank by rank: A at the left, B at the right."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 1, 0))
    made.add_column("#", justify="right", no_wrap=True)
    each = max((min(width, 200) - 8) // 2, NARROW)
    for head in ("A", "B"):
        made.add_column(head, overflow="fold", width=each)
    a, b = ({one["rank"]: one for one in sides[side]} for side in ("a", "b"))
    for rank in sorted(a.keys() | b.keys()):
        made.add_row(str(rank), _cell(a.get(rank)), _cell(b.get(rank)))
    return made


def _cell(one: Data | None) -> Any:
    """A document: whether it is relevant, its title, and the passage that was handed over."""
    if one is None:
        return _text(NOTHING)
    relevant = one["grade"] is not None and one["grade"] > 0
    text = _text("")
    text.append(f"✓ {one['doc_id']}" if relevant else one["doc_id"], "bold green" if relevant else "bold")
    if one["title"]:
        text.append(f"  {printable(one['title'])}", "italic")
    if one["passage"] is not None:
        text.append("\n")
        for piece, is_evidence in pieces(one["passage"]):
            text.append(printable(piece), "bold yellow" if is_evidence else "")
    return text


def pieces(passage: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """A passage in pieces, evidence between its marks, cut to `LONGEST` characters around the first of it."""
    start, end, text = passage["start"], passage["end"], passage["text"]
    if text is None:
        return [(f"characters {start} to {end}", False)]
    spans = [(first - start, last - start) for first, last in passage["evidence"]]
    begin = max(spans[0][0] - AROUND, 0) if spans else 0
    stop = min(begin + LONGEST, len(text))
    found, at = [("…", False)] if begin else [], begin
    for first, last in spans:
        if first >= stop:
            break
        found.append((text[at:first], False))
        found.append((f"{OPENS}{text[first : min(last, stop)]}{CLOSES}", True))
        at = min(last, stop)
    found += [(text[at:stop], False), *([("…", False)] if stop < len(text) else [])]
    return [(" ".join(piece.split("\n")), mark) for piece, mark in found if piece]


def _text(text: str, style: str = "") -> Any:
    from rich.text import Text

    return Text("\n".join(map(printable, text.split("\n"))), style=style)
