"""Finalists of a sweep by their answers, for the terminal; retrieval stands apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rag_sweep.comparison.words import counted, value
from rag_sweep.judges.known import SIGNALS
from rag_sweep.report.comparison_rows import NOTHING, Column, Data, named
from rag_sweep.report.comparison_text import fitting, table

SHOWN = (
    "pass_at_1",
    "evidence_cited",
    "groundedness",
    "citations_ok",
    "refusal_ok",
    "must_include_ok",
    "faithfulness",
)
"""Measures that come first."""


def finalists_text(data: Data, width: int) -> list[Any]:
    """Things for rich: answers by configuration, with what each mean is over, and whose faults there are."""
    rows: Sequence[Data] = data["finalists"]
    about = f"{counted(len(rows), 'configuration')}, the first {data['k']} passages each, by their answers"
    return [
        f"{about}; {data['objective']} is of retrieval and no part of that",
        "",
        table(fitting(_columns(data, rows), width)),
        "",
        table(fitting(_faults(rows), width)),
        *_same(rows),
    ]


def _columns(data: Data, rows: Sequence[Data]) -> list[Column]:
    return [
        Column("index", tuple(_place(row) for row in rows)),
        Column("configuration", tuple(named(row["name"]) for row in rows), is_number=False),
        *(_measure(name, rows) for name in _names(rows)),
        Column(f"({data['objective']})", tuple(value(row["retrieval"]) for row in rows)),
    ]


def _place(row: Data) -> str:
    return f"{row['index']}{' (baseline)' if row['is_baseline'] else ''}"


def _names(rows: Sequence[Data]) -> list[str]:
    """Measures that say something of any row, in their order; heuristics last."""
    every = dict.fromkeys(name for row in rows for name in row["over"] if row["over"][name]["measured"])
    first = [name for name in SHOWN if name in every]
    last = [name for name in every if name in SIGNALS]
    return [*first, *(name for name in every if name not in (*first, *last)), *last]


def _measure(name: str, rows: Sequence[Data]) -> Column:
    head = f"{name} (heuristic)" if name in SIGNALS else name
    place = 0 if name in SHOWN else 2 if name in SIGNALS else 1
    return Column(head, tuple(_mean(row, name) for row in rows), place)


def _mean(row: Data, name: str) -> str:
    over = row["over"].get(name)
    if over is None or not over["measured"]:
        return NOTHING
    return f"{value(row['answers'][name])} of {over['measured']}"


def _faults(rows: Sequence[Data]) -> list[Column]:
    """Failed questions by whose fault they are, and where the evidence was."""
    there = ("yes", "no", "unknown")
    return [
        Column("index", tuple(_place(row) for row in rows)),
        Column("failed questions", tuple(str(sum(row["attribution"].values())) for row in rows)),
        *(
            Column(place, tuple(str(row["attribution"][place]) for row in rows))
            for place in ("gold", "retrieval", "generation")
        ),
        Column(
            "evidence in context: yes/no/unknown",
            tuple("/".join(str(row["evidence_in_context"][key]) for key in there) for row in rows),
        ),
    ]


def _same(rows: Sequence[Data]) -> list[str]:
    found = [(row["index"], row["same"]) for row in rows if row["same"]]
    return [
        f"{index} stands for {counted(len(same), 'further configuration')} too, which hand over the same"
        for index, same in found
    ]
