"""Answers as MLflow's pages for language models show them: a trace a case, with what was judged of it.

The pages *Evaluation runs* and *Traces* then list questions, answers and verdicts. Spans are made by hand, as
they would be by a program that MLflow watches: nobody was watching when the answers were written. Read from,
and tried in a browser with, MLflow 3.17.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mlflow.entities import Feedback
    from mlflow.entities.span import Span

RUN_TYPE = {"mlflow.runType": "genai_evaluate"}
"""The tag of runs that the page *Evaluation runs* lists."""
LONGEST = 1000
"""Characters of a question or an answer in the list of traces; the trace itself has all of it."""


@dataclass(frozen=True)
class Judgement:
    """What one rule or judge says; `judge` is the model, None for a rule."""

    name: str
    value: float | bool | str
    reason: str
    judge: str | None = None


@dataclass(frozen=True)
class AnswerTrace:
    """A case: what was asked, what was answered, and every judgement with a value."""

    case_id: str
    question: str
    answer: str
    judgements: tuple[Judgement, ...]


def log_traces(uri: str, experiment_id: str, run_id: str, traces: Sequence[AnswerTrace]) -> None:
    """Write traces that belong to a run; some 50 ms each. Whatever goes wrong is raised as it comes."""
    from mlflow.tracing.client import TracingClient

    client = TracingClient(uri)
    for trace in traces:
        name, now = f"tr-{secrets.randbits(127) | 1:032x}", time.time_ns()
        client.start_trace(_info(trace, name, experiment_id, run_id, now))
        client.store.log_spans(experiment_id, [_span(trace, name, now)])


def _info(trace: AnswerTrace, name: str, experiment_id: str, run_id: str, now: int) -> Any:
    from mlflow.entities import TraceInfo, TraceLocation, TraceState

    inputs, output = _texts(trace)
    return TraceInfo(
        trace_id=name,
        trace_location=TraceLocation.from_experiment_id(experiment_id),
        request_time=now // 1_000_000,
        state=TraceState.OK,
        request_preview=trace.question[:LONGEST],
        response_preview=trace.answer[:LONGEST],
        execution_duration=0,
        trace_metadata={
            "mlflow.sourceRun": run_id,
            "mlflow.traceInputs": inputs[:LONGEST],
            "mlflow.traceOutputs": output[:LONGEST],
            "mlflow.trace_schema.version": "3",
        },
        tags={"mlflow.traceName": trace.case_id},
        assessments=[_feedback(name, one) for one in trace.judgements],
    )


def _texts(trace: AnswerTrace) -> tuple[str, str]:
    inputs = {"id": trace.case_id, "question": trace.question}
    return json.dumps(inputs, ensure_ascii=False), json.dumps(trace.answer, ensure_ascii=False)


def _feedback(trace_id: str, one: Judgement) -> Feedback:
    from mlflow.entities import AssessmentSource, Feedback

    source = ("CODE", "rag-sweep") if one.judge is None else ("LLM_JUDGE", one.judge)
    return Feedback(
        name=one.name,
        value=one.value,
        rationale=one.reason,
        source=AssessmentSource(*source),
        trace_id=trace_id,
    )


def _span(trace: AnswerTrace, name: str, now: int) -> Span:
    """The one span of a trace, from the form in which MLflow keeps it in files."""
    from mlflow.entities.span import Span

    inputs, output = _texts(trace)
    attributes = {
        "mlflow.traceRequestId": json.dumps(name),
        "mlflow.spanType": json.dumps("CHAIN"),
        "mlflow.spanInputs": inputs,
        "mlflow.spanOutputs": output,
    }
    return Span.from_dict(
        {
            "trace_id": name,
            "span_id": f"{secrets.randbits(63) | 1:016x}",
            "parent_span_id": "",
            "name": "answer",
            "start_time_unix_nano": now,
            "end_time_unix_nano": now,
            "status": {"code": "OK"},
            "attributes": attributes,
        }
    )
