"""An evaluation of answers as it was kept: read whole, or refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_sweep.errors import DataError, Fault

EVALUATION = "evaluation.json"
"""The file's name in the folder of a finalist."""

FORMAT = 1
"""Of an evaluation's JSON."""

_KEYS = frozenset(
    ("over", "cases", "pass_at_1", "pass_rules", "prompts", "judge_model", "answer_models", "attribution")
)
_HASHES = frozenset(("cases_hash", "answers_hash", "asked_hash"))
_CASE = frozenset(("pass", "question", "answer", "attribution", "verdicts"))
_VERDICT = frozenset(("rule", "state", "reason", "value", "detail"))
_COUNTS = frozenset(("measured", "not_applicable", "not_measured"))


def read_evaluation(path: Path) -> dict[str, Any]:
    """An evaluation as `answers judge --json` prints it, or the one in a finalist's folder.

    Raises
    ------
    DataError
        If there is none, or it isn't of this version, or something of it is missing.
    """
    file = path / EVALUATION if path.is_dir() else path
    if path.is_dir() and not file.is_file():
        inside = sorted(one.parent.name for one in path.glob(f"*/{EVALUATION}"))
        hint = f": name one of {', '.join(inside[:8])} in it" if inside else ""
        raise DataError(Fault(f"has no {EVALUATION}{hint}", path))
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(Fault(f"can't be read as JSON: {error}", file)) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT or not _is_whole(data):
        told = "is no evaluation of this version: rag-sweep answers judge --json writes one"
        raise DataError(Fault(told, file))
    return data


def _is_whole(data: Mapping[str, Any]) -> bool:
    """Every case has its verdicts, and every mean stands with what it is over."""
    if not data.keys() >= _KEYS | _HASHES:
        return False
    cases, over = data["cases"], data["over"]
    if not (isinstance(cases, dict) and isinstance(over, dict) and cases):
        return False
    counted = all(name in data and _has(counts, _COUNTS) for name, counts in over.items())
    return counted and all(_has(one, _CASE) and _are_verdicts(one["verdicts"]) for one in cases.values())


def _are_verdicts(found: Any) -> bool:
    return isinstance(found, list) and all(_has(one, _VERDICT) for one in found)


def _has(found: Any, keys: frozenset[str]) -> bool:
    return isinstance(found, dict) and keys <= found.keys()
