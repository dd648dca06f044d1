"""A drill of answers in the terminal; the data are those of `AnswersDrill.to_dict`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rag_sweep.comparison.words import counted
from rag_sweep.report.comparison_rows import NOTHING, Column, Data, named
from rag_sweep.report.comparison_text import fitting, table

SHOWN = 8


def answers_drill_text(data: Data, width: int) -> list[Any]:
    """Things for rich: a row a sabotage, a column a rule, then what still passes."""
    found: list[Any] = [
        f"{data['caught']} of {counted(data['applicable'], 'sabotage')} caught; "
        f"untouched, {data['passing']} of {counted(data['answers'], 'answer')} pass",
        "",
        table(fitting(_columns(data), width)),
        f"of rules: answers that each fails now, of those it didn't fail before; "
        f"an answer passes by {', '.join(data['pass_rules'])}",
    ]
    for row in data["broken"]:
        if row["caught"] is False:
            ids = ", ".join(named(one) for one in row["missed"][:SHOWN])
            more = ", …" if len(row["missed"]) > SHOWN else ""
            found.append(f"{row['key']}: still passing {ids}{more}")
    return found


def _columns(data: Data) -> list[Column]:
    rows = data["broken"]
    state = {True: "caught", False: "NOT CAUGHT", None: "not applicable"}
    rules = list(rows[0]["rules"]) if rows else []
    # those that decide are the last to give way
    weight = {rule: 1 if rule in data["pass_rules"] else 2 for rule in rules}
    return [
        Column("sabotage", tuple(row["key"] for row in rows), is_number=False),
        Column("", tuple(state[row["caught"]] for row in rows), is_number=False),
        Column("fail now", tuple(_noticed(row["failing"]) for row in rows)),
        *(Column(rule, tuple(_noticed(row["rules"][rule]) for row in rows), weight[rule]) for rule in rules),
        Column("what", tuple(row["told"] for row in rows), 3, False),
    ]


def _noticed(one: Mapping[str, int]) -> str:
    return f"{one['count']}/{one['of']}" if one["of"] else NOTHING
