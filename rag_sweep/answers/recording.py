"""An evaluation of answers as it is tracked: params, metrics with their counts, a row a case, reports."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.answers.finalists import Finalists
from rag_sweep.answers.reading import EVALUATION
from rag_sweep.answers.request import AnswersRequest
from rag_sweep.answers.writing import REPORT, TABLE
from rag_sweep.judges.known import is_judge
from rag_sweep.report.answers import answers_csv, answers_markdown, headline
from rag_sweep.rules.judging import metric_of
from rag_sweep.rules.wording import script
from rag_sweep.tracking.answers import AnswersRecord, log_answers
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.place import without_password
from rag_sweep.tracking.records import Scalar, Table
from rag_sweep.tracking.traces import AnswerTrace, Judgement

METRICS = {"pass_at_1": "pass@1"}
"""Names of means as tables have them; MLflow's own are made of these."""

SHARES = ("groundedness", "overlap")
"""Means of shares, among those of rules."""
ASSESSMENTS = {"groundedness": "numbers"}
"""Names of assessments where MLflow has a judge of its own that is called so, and shows it as yes or no."""

GROUPS = ("generator", "llm", "rules")


def record_of(
    found: Evaluation, request: AnswersRequest, about: Mapping[str, Any] | None = None, *, text: bool = True
) -> AnswersRecord:
    """What is logged of an evaluation.

    With ``tracking.text=none`` no question, answer or part of one is in it; the context never is.

    Parameters
    ----------
    about
        Of a finalist, what `Finalist.to_dict` gives.
    text
        False keeps texts out whatever the request says, as the sweep did that the cases came from.
    """
    full = found.to_dict()
    data = full if text and request.tracking.text == "full" else without_texts(full)
    index = None if about is None else int(about["index"])
    name = "answers" if about is None else f"answers {about['name'] or index}"
    return AnswersRecord(
        name=name,
        params=_params(full, request, found, about),
        metrics=_metrics(full),
        table=_table(data),
        files={
            TABLE: answers_csv(data).encode(),
            REPORT: answers_markdown(data).encode(),
            EVALUATION: json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False).encode(),
        },
        sweep_id=None if about is None else str(about["sweep_id"]),
        index=index,
        description=f"**{headline(full)}**",
        traces=_traces(full) if data is full else (),
    )


def records_of(found: Finalists, request: AnswersRequest) -> list[AnswersRecord]:
    """One record a finalist."""
    return [
        record_of(one.evaluation, request, one.to_dict(), text=one.sweep.has_text) for one in found.finalists
    ]


def track(records: Sequence[AnswersRecord], request: AnswersRequest) -> list[str]:
    """Log records, and say where they are, and what is missing; nothing with ``tracking=none``.

    Raises
    ------
    TrackingError
        If the store doesn't take them.
    """
    if not isinstance(request.tracking, MLflow):
        return []
    traces = sum(len(one.traces) for one in records)
    notes = []
    if traces > request.traces:
        records = [replace(one, traces=()) for one in records]
        if request.traces:
            notes = [
                f"{traces} cases aren't shown on MLflow's page of evaluation runs: traces={traces} does it"
            ]
    logged = log_answers(request.tracking, records)
    return [logged.where, *notes, *logged.notes]


def _traces(data: Mapping[str, Any]) -> tuple[AnswerTrace, ...]:
    return tuple(
        AnswerTrace(name, case["question"], case["answer"] or "", tuple(_judgements(data, case)))
        for name, case in data["cases"].items()
    )


def _judgements(data: Mapping[str, Any], case: Mapping[str, Any]) -> Iterator[Judgement]:
    """Rules pass or fail; what counts shares is a number, as in tables."""
    yield Judgement("pass", bool(case["pass"]), "")
    fault = case["attribution"]
    if fault is not None:
        yield Judgement("fault", fault["to"], fault["reason"])
    for one in case["verdicts"]:
        if one["value"] is not None:
            yield _judgement(data, one)


def _judgement(data: Mapping[str, Any], one: Mapping[str, Any]) -> Judgement:
    name = metric_of(one["rule"])
    counted = name in data["over"]
    is_rule = not is_judge(one["rule"])
    is_share = not is_rule or name in SHARES
    value = float(one["value"]) if is_share or one["value"] not in (0.0, 1.0) else bool(one["value"])
    shown = ASSESSMENTS.get(name, name) if counted else one["rule"]
    return Judgement(shown, value, one["reason"], None if is_rule else data["judge_model"])


def without_texts(data: Mapping[str, Any]) -> dict[str, Any]:
    """An evaluation without questions and answers, and without what was found in them."""
    cases = {
        name: {
            "question": "",
            "answer": None,
            "evidence": case["evidence"],
            "context_hash": case["context_hash"],
            "pass": case["pass"],
            "verdicts": [{**one, "detail": {}} for one in case["verdicts"]],
            "attribution": case["attribution"],
        }
        for name, case in data["cases"].items()
    }
    return {**data, "cases": cases}


def _params(
    data: Mapping[str, Any], request: AnswersRequest, found: Evaluation, about: Mapping[str, Any] | None
) -> dict[str, Scalar]:
    """Everything that gives the same again."""
    hashes = {key: data[key] for key in ("cases_hash", "asked_hash", "answers_hash")}
    written = _prompt_labels(request, found)
    told: dict[str, Scalar] = {
        "version": data["version"],
        "cases": len(data["cases"]),
        **hashes,
        "answer_model": ", ".join(data["answer_models"]) or None,
        "answer_prompts": ", ".join(written) or None,
        "judge_model": data["judge_model"],
        "judge_prompts": ", ".join(data["prompts"]) or None,
        "judges": ", ".join(one.name for one in request.judges) or None,
        "pass_rules": ", ".join(data["pass_rules"]),
    }
    for group in GROUPS:
        config = request.config.get(group) or {}
        told[group] = str(config.get("_target_", "")).rpartition(".")[2]
        told |= _leaves(group, config)
    told |= _leaves("rules", data["rules"] or {})
    if about is not None:
        told |= {"retrieval.sweep_id": about["sweep_id"], "retrieval.index": about["index"]}
        told |= {f"retrieval.{key}": value for key, value in about["params"].items()}
    return told


def _leaves(group: str, config: Mapping[str, Any]) -> dict[str, Scalar]:
    return {f"{group}.{key}": _scalar(value) for key, value in config.items() if key != "_target_"}


def _scalar(value: Any) -> Scalar:
    if isinstance(value, str):
        return without_password(value)
    if value is None or isinstance(value, int | float | bool):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def _prompt_labels(request: AnswersRequest, found: Evaluation) -> Sequence[str]:
    """Of the prompt that the answers were asked with, where this request's generator wrote them."""
    name = getattr(request.generator, "prompt", None)
    if not request.generator.asks_model or name is None:
        return ()
    language = getattr(request.generator, "language", "auto")
    spoken = (
        {script(case.question) or "en" for case in found.cases.cases} if language == "auto" else {language}
    )
    return [request.prompts.get(name, each, ("context", "question")).label for each in sorted(spoken)]


def _metrics(data: Mapping[str, Any]) -> dict[str, float]:
    """Each mean that is over something, with what it is over; counts are apart, so none can be misread."""
    found: dict[str, float] = {}
    for name, over in data["over"].items():
        if over["measured"]:
            found[METRICS.get(name, name)] = float(data[name])
            found[f"{name}_over"] = float(over["measured"])
        if over["not_measured"]:
            found[f"{name}_not_measured"] = float(over["not_measured"])
    found |= {f"failed_{place}": float(number) for place, number in data["attribution"].items()}
    return found


def _table(data: Mapping[str, Any]) -> Table:
    """One row a case: what MLflow's page of several runs sets side by side."""
    rules = list(dict.fromkeys(one["rule"] for case in data["cases"].values() for one in case["verdicts"]))
    columns = ("id", "question", "answer", "pass", "fault", "why", *rules)
    rows = [_row(name, case, rules) for name, case in data["cases"].items()]
    return Table(columns, tuple(rows))


def _row(name: str, case: Mapping[str, Any], rules: Sequence[str]) -> tuple[Scalar, ...]:
    verdicts = {one["rule"]: one for one in case["verdicts"]}
    fault = case["attribution"]
    values = (verdicts[rule]["value"] if rule in verdicts else None for rule in rules)
    return (
        name,
        case["question"],
        case["answer"] or "",
        "✓" if case["pass"] else "✗",
        fault["to"] if fault else "",
        fault["reason"] if fault else "",
        *(math.nan if value is None else float(value) for value in values),
    )
