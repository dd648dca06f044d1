"""Evaluations of answers in MLflow: one run each, linked to the retrieval that its cases came from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rag_sweep.tracking.alive import TAG, Mark
from rag_sweep.tracking.artifacts import TABLES_TAG, table_json
from rag_sweep.tracking.connect import connect, ensure_experiment
from rag_sweep.tracking.content import INDEX_TAG, NOTE_TAG, SWEEP_TAG, Content, source_tags
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.orphans import reap
from rag_sweep.tracking.place import Place, resolve
from rag_sweep.tracking.records import Scalar, Table
from rag_sweep.tracking.runs import Runs
from rag_sweep.tracking.thirdparty import at_mlflow, calling_mlflow, reason_of
from rag_sweep.tracking.traces import RUN_TYPE, AnswerTrace, log_traces
from rag_sweep.tracking.view import runs_page

if TYPE_CHECKING:
    from mlflow import MlflowClient

KIND_TAG, KIND = "kind", "answers"
"""What tells these runs from those of retrieval; without a ``sweep_id`` no sweep takes them for its own."""
RETRIEVAL_SWEEP, RETRIEVAL_INDEX, RETRIEVAL_RUN = "retrieval_sweep_id", "retrieval_index", "retrieval_run_id"
TABLE_FILE = "answers.json"
TABLE_TAG = {TABLES_TAG: json.dumps([{"path": TABLE_FILE, "type": "table"}])}


@dataclass(frozen=True)
class AnswersRecord:
    """One evaluation of answers, as it is logged.

    Attributes
    ----------
    sweep_id, index
        Of the configuration whose passages are the context; None where the cases came from elsewhere.
    params, metrics
        As in `ChildRecord`.
    table
        One row a case.
    files
        Reports by their names.
    traces
        For MLflow's pages for language models; none need be given.
    """

    name: str
    params: Mapping[str, Scalar]
    metrics: Mapping[str, float]
    table: Table
    files: Mapping[str, bytes] = field(default_factory=dict)
    sweep_id: str | None = None
    index: int | None = None
    description: str = ""
    traces: tuple[AnswerTrace, ...] = ()


@dataclass(frozen=True)
class Logged:
    """The runs that were made, in words where to look, and why something of them is missing."""

    run_ids: tuple[str, ...]
    where: str
    notes: tuple[str, ...] = ()


def log_answers(of: MLflow, records: Sequence[AnswersRecord]) -> Logged:
    """Create, fill and end a run for each evaluation.

    Raises
    ------
    TrackingError
        If the store can't be reached or doesn't take them; what was begun is then marked FAILED.
    """
    place = resolve(of.uri, of.path)
    client = connect(place)
    experiment_id = ensure_experiment(client, place, of.experiment)
    mark = Mark(place.marks / experiment_id)
    try:
        with at_mlflow(), calling_mlflow(f"answers can't be written to {place.shown}"):
            mark.set()
            reap(client, experiment_id, mark)
            runs = Runs(client, experiment_id, mark.name)
            made = tuple(_log(client, runs, experiment_id, mark, record) for record in records)
            notes = _traced(place, experiment_id, made, records)
    except BaseException:
        mark.abandon()
        raise
    mark.clear()
    return Logged(made, _where(place, experiment_id, made), notes)


def _log(client: MlflowClient, runs: Runs, experiment_id: str, mark: Mark, record: AnswersRecord) -> str:
    content = Content(tags=dict(TABLE_TAG))
    content.add_params(record.params)
    content.add_metrics(record.metrics)
    content.files |= {TABLE_FILE: table_json(record.table), **record.files}
    if record.description:
        content.tags[NOTE_TAG] = record.description
    typed = RUN_TYPE if record.traces else {}
    born = {**source_tags(), **typed, TAG: mark.name, KIND_TAG: KIND, **_links(client, experiment_id, record)}
    run = client.create_run(experiment_id, tags=born, run_name=record.name)
    with runs.failing(run):
        runs.write(run, content)
        runs.end(run, "FINISHED")
    return str(run.info.run_id)


def _traced(
    place: Place, experiment_id: str, made: Sequence[str], records: Sequence[AnswersRecord]
) -> tuple[str, ...]:
    """Write the traces: a store that can't take them has the runs all the same, and that is told."""
    try:
        for run_id, record in zip(made, records, strict=True):
            if record.traces:
                log_traces(place.uri, experiment_id, run_id, record.traces)
    except Exception as error:  # another version of MLflow may lack or change any part of this
        return (f"MLflow's page of evaluation runs lacks cases: {reason_of(error)}",)
    return ()


def _links(client: MlflowClient, experiment_id: str, record: AnswersRecord) -> dict[str, str]:
    """The retrieval that the context came from; its run too, where this store has it."""
    if record.sweep_id is None or record.index is None:
        return {}
    wanted = f"tags.{SWEEP_TAG} = '{record.sweep_id}' AND tags.`{INDEX_TAG}` = '{record.index}'"
    found = client.search_runs([experiment_id], wanted, max_results=1)
    links = {RETRIEVAL_SWEEP: record.sweep_id, RETRIEVAL_INDEX: str(record.index)}
    return links | ({RETRIEVAL_RUN: str(found[0].info.run_id)} if found else {})


def _where(place: Place, experiment_id: str, made: Sequence[str]) -> str:
    look = f"{place.shown}/{runs_page(experiment_id, None)}" if place.is_server else "rag-sweep ui"
    runs = "run" if len(made) == 1 else "runs"
    return f"MLflow, {place.shown}: {len(made)} {runs} with tags.{KIND_TAG} = '{KIND}' ({look})"
