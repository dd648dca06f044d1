"""Two evaluations of answers side by side in the terminal; the data are those of `answers.comparing`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rag_sweep.comparison.words import chance, counted, signed, value
from rag_sweep.report.answers import SIGNALS
from rag_sweep.report.comparison_rows import NOTHING, Column, Data, named, number, span
from rag_sweep.report.comparison_sections import shortened
from rag_sweep.report.comparison_text import fitting, table

LONGEST = 80


def comparison_text(data: Data, limit: int, width: int) -> list[Any]:
    """Things for rich: what is compared, a row a measure, then the cases that pass in one only."""
    found: list[Any] = [
        f"B against A over {counted(data['cases'], 'case')}: A = {data['a']}, B = {data['b']}",
        "",
        table(fitting(_measures(data), width)),
        "each p is of one measure alone, not corrected for their number",
    ]
    faults = [_faults(name, data[f"attribution_{name}"]) for name in ("a", "b")]
    found += ["", *(text for text in faults if text)]
    rows = data["changed"]
    if rows:
        found += ["", table(fitting(_changed(rows[:limit]), width))]
    if len(rows) > limit:
        found.append(f"{counted(len(rows) - limit, 'more case')} that changed: --limit {len(rows)}")
    return found


def _measures(data: Data) -> list[Column]:
    rows: Sequence[Data] = data["measures"]
    level = f"{100 * data['level']:g} % interval"
    names = (f"{row['name']} (heuristic)" if row["name"] in SIGNALS else row["name"] for row in rows)
    outcomes = (f"{row['better']}/{row['same']}/{row['worse']}" for row in rows)
    return [
        Column("measure", tuple(names), is_number=False),
        Column("A", tuple(number(row["a"], value) for row in rows)),
        Column("B", tuple(number(row["b"], value) for row in rows)),
        Column("B − A", tuple(number(row["difference"], signed) for row in rows)),
        Column(level, tuple(span(row["lower"], row["upper"], signed) for row in rows), 2),
        Column("p", tuple(number(row["p_value"], lambda p: chance(p).removeprefix("p = ")) for row in rows)),
        Column("better/same/worse", tuple(outcomes), 3),
        Column("over", tuple(str(row["over"]) for row in rows)),
        Column("in one only", tuple(str(row["only_a"] + row["only_b"] or NOTHING) for row in rows), 1),
    ]


def _faults(name: str, counts: Data) -> str:
    total = sum(counts.values())
    parts = ", ".join(f"{place} {number}" for place, number in counts.items())
    return f"{name.upper()}: {counted(total, 'failed question')}: {parts}" if total else ""


def _changed(rows: Sequence[Data]) -> list[Column]:
    return [
        Column("case", tuple(named(row["id"]) for row in rows), is_number=False),
        Column("passes in", tuple("A" if row["a"] else "B" for row in rows), is_number=False),
        Column("fault of the other", tuple(row["fault"] or NOTHING for row in rows), 1, False),
        Column("question", tuple(shortened(row["question"], LONGEST) for row in rows), 2, False, 20),
    ]
