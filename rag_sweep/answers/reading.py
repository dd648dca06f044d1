"""An evaluation of answers as it was kept: read whole, or refused."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rag_sweep.answers.attribution import PLACES, faults_of
from rag_sweep.cases.records import Answer, Case
from rag_sweep.errors import DataError, Fault
from rag_sweep.fingerprint import fingerprint
from rag_sweep.judges.known import EVIDENCE_CITED, PASS_AT_1, is_judge
from rag_sweep.rules.judging import NAMES, Judged, metric_of
from rag_sweep.rules.verdict import Verdict

EVALUATION = "evaluation.json"
"""The file's name in the folder of a finalist."""

FORMAT = 2
"""Of an evaluation's JSON; the first one didn't say with which settings its rules judged."""

CLOSE = 1e-9
"""Within which a mean is the mean of its cases."""
_JUDGED = frozenset(("pass", "fail"))
_STATES = _JUDGED | {"not_applicable", "not_measured"}
_ABSENT = frozenset(("no_answer", "empty_answer", "generator_failed"))
_LISTS = ("pass_rules", "prompts", "answer_models")
_HASHES = ("cases_hash", "answers_hash", "asked_hash")


def read_evaluation(path: Path) -> dict[str, Any]:
    """An evaluation as `answers judge --json` prints it, or the one in a finalist's folder.

    Raises
    ------
    DataError
        If there is none, or it isn't of this version, or something of it is missing, or what follows from its
        verdicts isn't what follows: who passes, which questions failed, means and counts.
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
        raise DataError(Fault(_told(data), file))
    if changed := _changed(data):
        told = f"was changed after it was judged: {changed}; rag-sweep answers judge --json makes it again"
        raise DataError(Fault(told, file))
    return data


def values_of(data: Mapping[str, Any], name: str) -> dict[str, float]:
    """The values of a measure by the id of the case; what isn't applicable or measured has none."""
    if name == PASS_AT_1:
        return {case_id: float(case["pass"]) for case_id, case in data["cases"].items()}
    found = verdicts_of(data, name)
    return {case_id: float(one["value"]) for case_id, one in found if one["value"] is not None}


def verdicts_of(data: Mapping[str, Any], name: str) -> list[tuple[str, Mapping[str, Any]]]:
    """The verdicts that a mean is of, with the ids of their cases."""
    every = ((case_id, one) for case_id, case in data["cases"].items() for one in case["verdicts"])
    return [(case_id, one) for case_id, one in every if name in (one["rule"], metric_of(one["rule"]))]


def has_texts(data: Mapping[str, Any]) -> bool:
    """False for an evaluation that was kept with ``tracking.text=none``, or of no answer at all."""
    return any(case["answer"] is not None for case in data["cases"].values())


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _told(data: Any) -> str:
    """What is wrong with it, and what to do."""
    found = data.get("format") if isinstance(data, dict) else None
    former = isinstance(found, int) and found != FORMAT
    other = f" (its format is {found}, and {FORMAT} is read)" if former else ""
    return f"is no evaluation of this version{other}: rag-sweep answers judge --json writes one"


def _is_whole(data: Mapping[str, Any]) -> bool:
    """Every case has its verdicts, and everything is of its type."""
    cases, over, faults = (data.get(key) for key in ("cases", "over", "attribution"))
    if not (isinstance(cases, dict) and isinstance(over, dict) and isinstance(faults, dict) and cases):
        return False
    texts = all(isinstance(data.get(key), str) for key in (*_HASHES, "version"))
    listed = all(_is_texts(data.get(key)) for key in _LISTS)
    named = "judge_model" in data and isinstance(data["judge_model"], str | None)
    ruled = "rules" in data and isinstance(data["rules"], dict | None)
    counted = faults.keys() == set(PLACES) and all(map(_is_count, faults.values()))
    return (
        texts
        and listed
        and named
        and ruled
        and counted
        and all(name in NAMES for name in data["pass_rules"])
        and all(name in data for name in over)
        and all(map(_is_case, cases.values()))
    )


def _is_texts(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(one, str) for one in found)


def _is_case(found: Any) -> bool:
    if not isinstance(found, dict) or not isinstance(found.get("verdicts"), list):
        return False
    texts = all(isinstance(found.get(key), str) for key in ("question", "context_hash"))
    said = isinstance(found.get("answer", 0), str | None) and isinstance(
        found.get("evidence", 0), bool | None
    )
    flags = isinstance(found.get("pass"), bool) and _is_fault(found.get("attribution", 0))
    return texts and said and flags and all(map(_is_verdict, found["verdicts"]))


def _is_fault(found: Any) -> bool:
    """None of a question that didn't fail, or where the fault lies."""
    if found is None:
        return True
    if not isinstance(found, dict) or not isinstance(found.get("evidence"), dict):
        return False
    return found.get("to") in PLACES and isinstance(found.get("reason"), str)


def _is_verdict(found: Any) -> bool:
    if not isinstance(found, dict) or not isinstance(found.get("detail"), dict):
        return False
    named = all(isinstance(found.get(key), str) for key in ("rule", "state", "reason"))
    if not named or found["state"] not in _STATES:
        return False
    value = found.get("value", "")
    return _is_share(value) if found["state"] in _JUDGED else value is None


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -1 <= value <= 1


def _is_count(found: Any) -> bool:
    return isinstance(found, int) and not isinstance(found, bool)


def _changed(data: Mapping[str, Any]) -> str | None:
    """What of an evaluation doesn't follow from the verdicts in it; None if all does."""
    answers = [[name, case["answer"]] for name, case in data["cases"].items()]
    if has_texts(data) and fingerprint(answers) != data["answers_hash"]:
        return "the answers aren't those that were judged"
    if not data["pass_rules"] or (data["rules"] or data).get("pass_rules") != data["pass_rules"]:
        return "its pass_rules aren't those of its rules"
    texts = has_texts(data)
    for name in data["cases"]:
        if told := _changed_case(data, name, texts):
            return told
    places = [case["attribution"]["to"] for case in data["cases"].values() if case["attribution"]]
    if data["attribution"] != {place: places.count(place) for place in PLACES}:
        return "attribution doesn't count the failed questions of its cases"
    return _changed_means(data)


def _changed_case(data: Mapping[str, Any], name: str, texts: bool) -> str | None:
    case, judged = data["cases"][name], _judged(data, name, texts)
    if missing := [rule for rule in NAMES if judged.verdict(rule) is None]:
        return f"the case {name!r:.60} has no verdict of {', '.join(missing)}"
    own = {one.rule: one.value for one in judged.verdicts if is_judge(one.rule) or one.rule == EVIDENCE_CITED}
    for key, found in {**judged.to_dict(), **own}.items():
        if case.get(key, found) != found:
            return f"{key} of the case {name!r:.60} isn't what its verdicts say"
    faults = faults_of(judged, judged.verdict(EVIDENCE_CITED))
    told = case["attribution"]["evidence"].get("faults") if case["attribution"] else []
    if told != list(faults):
        return f"attribution of the case {name!r:.60} isn't what its verdicts say"
    return None


def _judged(data: Mapping[str, Any], name: str, texts: bool) -> Judged:
    """A case as it was judged, without the context, which isn't kept; any answer, where texts aren't."""
    case = data["cases"][name]
    keys = ("rule", "state", "reason", "detail", "value")
    verdicts = tuple(Verdict(**{key: one[key] for key in keys}) for one in case["verdicts"])
    text = case["answer"] if texts else "kept apart"
    is_there = text is not None and not any(one.reason in _ABSENT for one in verdicts)
    answer = Answer(name, text) if is_there else None
    return Judged(Case(name, case["question"], ()), answer, verdicts, tuple(data["pass_rules"]))


def _changed_means(data: Mapping[str, Any]) -> str | None:
    judges = [one["rule"] for case in data["cases"].values() for one in case["verdicts"]]
    every = {PASS_AT_1, *map(metric_of, NAMES), *(name for name in judges if name not in NAMES)}
    if data["over"].keys() != every:
        return f"{min(data['over'].keys() ^ every)} is told without its verdicts, or not told"
    for name, counts in data["over"].items():
        values = list(values_of(data, name).values())
        states = [one["state"] for _, one in verdicts_of(data, name)]
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
