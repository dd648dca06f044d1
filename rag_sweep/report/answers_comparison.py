"""Two evaluations of answers side by side in the terminal; the data are those of `answers.comparing`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rag_sweep.comparison.words import chance, counted, signed, value
from rag_sweep.judges.known import SIGNALS
from rag_sweep.report.answers_judges import words
from rag_sweep.report.comparison_rows import NOTHING, Column, Data, named, number, span
from rag_sweep.report.comparison_sections import shortened
from rag_sweep.report.comparison_text import fitting, table

LONGEST = 80


def comparison_text(data: Data, limit: int, width: int) -> list[Any]:
    """Things for rich: what is compared, a row a measure, then the cases that changed."""
    found: list[Any] = [
        f"B against A over {counted(data['cases'], 'case')}: A = {data['a']}, B = {data['b']}",
        "",
        table(fitting(_measures(data), width)),
        "each mean is over the cases that both have measured; each p is of one measure alone, not corrected",
        "for their number; with few cases go by p, since intervals are too narrow there",
    ]
    faults = [_faults(name, data[f"attribution_{name}"]) for name in ("a", "b")]
    found += ["", *faults]
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
        Column(level, tuple(_span(row) for row in rows), 2),
        Column("p", tuple(number(row["p_value"], lambda p: chance(p).removeprefix("p = ")) for row in rows)),
        Column("better/same/worse", tuple(outcomes), 3),
        Column("over", tuple(str(row["over"]) for row in rows)),
        Column("in one only", tuple(str(row["only_a"] + row["only_b"] or NOTHING) for row in rows), 1),
    ]


def _span(row: Data) -> str:
    """Where no case differs an interval would be that of its fallback, and say nothing."""
    is_equal = row["over"] and row["better"] == row["worse"] == 0
    return "no difference" if is_equal else span(row["lower"], row["upper"], signed)


def _faults(name: str, counts: Data) -> str:
    total = sum(counts.values())
    parts = ", ".join(f"{place} {number}" for place, number in counts.items())
    return f"{name.upper()}: {counted(total, 'failed question')}{f': {parts}' if total else ''}"


def _changed(rows: Sequence[Data]) -> list[Column]:
    return [
        Column("case", tuple(named(row["id"]) for row in rows), is_number=False),
        *(Column(one.upper(), tuple(_state(row, one) for row in rows), 1, False, 16) for one in ("a", "b")),
        Column("question", tuple(shortened(row["question"], LONGEST) for row in rows), 2, False, 20),
    ]


def _state(row: Data, one: str) -> str:
    """What became of a case: an answer may pass and its question have failed all the same."""
    fault = row[f"fault_{one}"]
    if row[one]:
        return f"passes, but {words(fault)}" if fault else "right"
    return words(fault or "fails")
