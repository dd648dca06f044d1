"""What judges that are models failed or couldn't judge, in lines; no rule of a pass has a part in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rag_sweep.comparison.words import counted
from rag_sweep.judges.known import is_judge
from rag_sweep.report.comparison_rows import Data, named
from rag_sweep.report.comparison_sections import shortened

LONGEST = 60
SHOWN = 5
"""Ids in a line."""


def judges_told(data: Data) -> list[str]:
    """A line for what each judge fails, and for each reason why it couldn't judge; an empty one before."""
    found = [text for name in data["over"] for text in _told(name, _verdicts(data, name))]
    return ["", *found] if found else []


def _verdicts(data: Data, name: str) -> list[tuple[str, Data]]:
    """The verdicts of a judge with the ids of their cases; none of a rule."""
    if not is_judge(name):
        return []
    cases = data["cases"].items()
    return [(case_id, one) for case_id, case in cases for one in case["verdicts"] if one["rule"] == name]


def _told(name: str, verdicts: Sequence[tuple[str, Data]]) -> list[str]:
    failed = [case_id for case_id, one in verdicts if one["state"] == "fail"]
    missing: dict[str, list[str]] = {}
    for case_id, one in verdicts:
        if one["state"] == "not_measured":
            missing.setdefault(_reason(one), []).append(case_id)
    found = [f"{name} fails {counted(len(failed), 'answer')}: {_some(failed)}"] if failed else []
    return found + [
        f"{name} isn't measured for {counted(len(ids), 'answer')}, {why}: {_some(ids)}"
        for why, ids in missing.items()
    ]


def _reason(verdict: Mapping[str, Any]) -> str:
    told, detail = words(verdict["reason"]), str(verdict["detail"].get("detail") or "")
    return f"{told} ({shortened(detail, LONGEST)})" if detail else told


def _some(ids: Sequence[str]) -> str:
    shown = ", ".join(named(one) for one in ids[:SHOWN])
    return f"{shown} and {len(ids) - SHOWN} more" if len(ids) > SHOWN else shown


def words(reason: str) -> str:
    """A reason's code as words."""
    return reason.replace("_", " ")
