"""An evaluation of answers as it was kept: read whole, or refused."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rag_sweep.errors import DataError, Fault
from rag_sweep.fingerprint import fingerprint
from rag_sweep.rules.judging import metric_of

EVALUATION = "evaluation.json"
"""The file's name in the folder of a finalist."""

FORMAT = 1
"""Of an evaluation's JSON."""

CLOSE = 1e-9
"""Within which a mean is the mean of its cases."""
_STATES = frozenset(("pass", "fail", "not_applicable", "not_measured"))
_LISTS = ("pass_rules", "prompts", "answer_models")
_HASHES = ("cases_hash", "answers_hash", "asked_hash")


def read_evaluation(path: Path) -> dict[str, Any]:
    """An evaluation as `answers judge --json` prints it, or the one in a finalist's folder.

    Raises
    ------
    DataError
        If there is none, or it isn't of this version, or something of it is missing, or its means don't
        follow from its cases.
    """
    file = path / EVALUATION if path.is_dir() else path
    if path.is_dir() and not file.is_file():
        inside = sorted(one.parent.name for one in path.glob(f"*/{EVALUATION}"))
        hint = f": name one of {', '.join(inside[:8])} in it" if inside else ""
        raise DataError(Fault(f"has no {EVALUATION}{hint}", path))
    try:
        data = json.loads(file.read_text(encoding="utf-8"), parse_constant=_refused)
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(Fault(f"can't be read as JSON: {error}", file)) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT or not _is_whole(data):
        told = "is no evaluation of this version: rag-sweep answers judge --json writes one"
        raise DataError(Fault(told, file))
    if changed := _changed(data):
        told = f"was changed after it was judged: {changed}; rag-sweep answers judge --json makes it again"
        raise DataError(Fault(told, file))
    return data


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _is_whole(data: Mapping[str, Any]) -> bool:
    """Every case has its verdicts, and everything is of its type."""
    cases, over, faults = (data.get(key) for key in ("cases", "over", "attribution"))
    if not (isinstance(cases, dict) and isinstance(over, dict) and isinstance(faults, dict) and cases):
        return False
    texts = all(isinstance(data.get(key), str) for key in (*_HASHES, "version"))
    listed = all(_is_texts(data.get(key)) for key in _LISTS)
    named = "judge_model" in data and isinstance(data["judge_model"], str | None)
    return (
        texts
        and listed
        and named
        and all(name in data for name in over)
        and all(map(_is_case, cases.values()))
    )


def _is_texts(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(one, str) for one in found)


def _is_case(found: Any) -> bool:
    if not isinstance(found, dict) or not isinstance(found.get("verdicts"), list):
        return False
    texts = isinstance(found.get("question"), str) and isinstance(found.get("answer", 0), str | None)
    fault = found.get("attribution", 0)
    blamed = fault is None or (
        isinstance(fault, dict) and all(isinstance(fault.get(key), str) for key in ("to", "reason"))
    )
    return (
        texts and blamed and isinstance(found.get("pass"), bool) and all(map(_is_verdict, found["verdicts"]))
    )


def _is_verdict(found: Any) -> bool:
    if not isinstance(found, dict) or not isinstance(found.get("detail"), dict):
        return False
    named = all(isinstance(found.get(key), str) for key in ("rule", "state", "reason"))
    value = found.get("value", "")
    return named and found["state"] in _STATES and (value is None or _is_share(value))


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -1 <= value <= 1


def _changed(data: Mapping[str, Any]) -> str | None:
    """What of an evaluation doesn't follow from its cases; None if all does."""
    answers = [[name, case["answer"]] for name, case in data["cases"].items()]
    has_texts = any(text is not None for _, text in answers)
    if has_texts and fingerprint(answers) != data["answers_hash"]:
        return "the answers aren't those that were judged"
    passed = [float(case["pass"]) for case in data["cases"].values()]
    verdicts = [one for case in data["cases"].values() for one in case["verdicts"]]
    for name, counts in data["over"].items():
        mine = [one for one in verdicts if name in (one["rule"], metric_of(one["rule"]))]
        values = passed if name == "pass_at_1" else [one["value"] for one in mine if one["value"] is not None]
        states = [one["state"] for one in mine]
        told = {
            "measured": len(values),
            "not_applicable": states.count("not_applicable"),
            "not_measured": states.count("not_measured"),
        }
        if counts != told or not _is_mean(data[name], values):
            return f"{name} isn't the mean of its cases"
    return None


def _is_mean(mean: Any, values: Sequence[float]) -> bool:
    if not values:
        return mean is None
    return _is_share(mean) and abs(mean - math.fsum(values) / len(values)) <= CLOSE
