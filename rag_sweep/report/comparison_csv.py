"""The leaderboard of a comparison as CSV: every configuration, every number in full."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from rag_sweep.dataset.spreadsheet import guarded
from rag_sweep.report.comparison_rows import Data
from rag_sweep.tracking.content import param_text

_FIRST = ("rank", "sweep_id", "index", "name")
_NUMBERS = (
    *("mean", "lower", "upper", "difference", "difference_lower", "difference_upper"),
    *("p_value", "p_adjusted", "effect", "shown", "wins", "ties", "losses"),
    *("in_best", "is_baseline", "promoted", "chosen_share", "alias_of_index", "pareto", "words"),
)


def leaderboard_csv(data: Data) -> str:
    """One line a configuration, best first, with a head; failed ones at the end, without numbers.

    An empty cell is no value. Knobs are columns named like their overrides, measures and costs columns of
    their own.
    """
    text = io.StringIO(newline="")
    rows = [_row(data, row) for row in data["rows"]]
    failed = [_failed(data, one) for one in data["failed"]]
    heads = list(
        dict.fromkeys([*_FIRST, *(key for row in rows for key in row), *(["failure"] if failed else [])])
    )
    writer = csv.DictWriter(text, heads, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in [*rows, *failed])
    return text.getvalue()


def _row(data: Data, row: Data) -> dict[str, Any]:
    alias = None if row["alias_of"] is None else data["rows"][row["alias_of"]]["index"]
    told = {**row, "promoted": row["row"] == data["decision"]["promote"], "alias_of_index": alias}
    return {
        "rank": row["rank"],
        "sweep_id": data["sweeps"][row["sweep"]]["sweep_id"],
        "index": row["index"],
        "name": row["name"],
        **row["params"],
        **{key: told[key] for key in _NUMBERS},
        **_below("", row["means"]),
        **_below("evidence.", row["evidence"]),
        **_below("cost.", row["cost"]),
    }


def _below(prefix: str, found: Mapping[str, Any] | None) -> dict[str, Any]:
    return {f"{prefix}{key}": value for key, value in (found or {}).items()}


def _failed(data: Data, one: Data) -> dict[str, Any]:
    sweep_id = data["sweeps"][one["sweep"]]["sweep_id"]
    return {"sweep_id": sweep_id, "index": one["index"], "name": one["name"], "failure": one["failure"]}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = " ".join(map(str, value)) if isinstance(value, list) else param_text(value)
    return text if isinstance(value, bool | int | float) else guarded(text)  # -0.02 is a number
