"""The questions that a gate fails by, for the terminal, Markdown and JUnit."""

from __future__ import annotations

from rag_sweep.comparison.words import brief, counted
from rag_sweep.report.comparison_rows import NOTHING, Column, Data, named
from rag_sweep.report.printable import printable

FEW, MANY = 10, 50
"""Questions that are shown in the terminal, and in files; the JSON has all."""

LONGEST = 60
"""Characters of a question's text."""


def fell_title(data: Data, most: int) -> str:
    """What stands above them."""
    number = len(data["questions"]["fell"])
    more = f", the first {most}; all are in the JSON" if number > most else ""
    return f"What fails: {counted(number, 'question')}, the largest fall first{more}"


def fell_columns(data: Data, most: int) -> list[Column]:
    """A row for each question: the rank of its first relevant document, its value in each failing check."""
    rows = data["questions"]["fell"][:most]
    targets = list(dict.fromkeys(one["target"] for row in rows for one in row["changes"]))
    columns = [
        Column("question", tuple(named(row["id"]) for row in rows), is_number=False, least=16),
        Column("first relevant", tuple(map(_ranks, rows))),
        *(
            Column(target, tuple(_change(row, target) for row in rows), place=2 + at)
            for at, target in enumerate(targets)
        ),
    ]
    if any(row["text"] for row in rows):
        columns.append(Column("text", tuple(map(_text, rows)), place=1, is_number=False, least=24))
    return columns


def fell_lines(data: Data, check: Data, most: int = MANY) -> list[str]:
    """The same for one check, a line for each question."""
    found = {row["id"]: row for row in data["questions"]["fell"]}
    target = check["measure"] if check["tag"] is None else f"{check['tag']}:{check['measure']}"
    lines = [_line(found[name], target) for name in check["fell"][:most]]
    more = len(check["fell"]) - most
    return [*lines, *([f"and {more:,} more, in the JSON"] if more > 0 else [])]


def _line(row: Data, target: str) -> str:
    text = f": {_text(row)}" if row["text"] else ""
    return f"{named(row['id'])} {_change(row, target)}, first relevant at {_ranks(row)}{text}"


def _change(row: Data, target: str) -> str:
    """``1.000 → 0.333``, or the value alone without a baseline."""
    for one in row["changes"]:
        if one["target"] == target:
            before = "" if one["before"] is None else f"{one['before']:.3f} → "
            return f"{before}{one['after']:.3f}"
    return NOTHING


def _ranks(row: Data) -> str:
    now = str(row["rank"] or NOTHING)
    has_before = any(one["before"] is not None for one in row["changes"])
    return f"{row['baseline_rank'] or NOTHING} → {now}" if has_before else now


def _text(row: Data) -> str:
    return brief(printable(row["text"] or NOTHING), LONGEST)
