"""What a run holds, in MLflow's terms: every limit of MLflow is met here, and nothing is cut in silence."""

from __future__ import annotations

import getpass
import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.alive import TAG
from rag_sweep.tracking.artifacts import TABLE_FILE, TABLE_TAG, TABLES_TAG, table_json
from rag_sweep.tracking.names import to_mlflow
from rag_sweep.tracking.records import ChildRecord, DatasetInfo, Scalar, SweepRecord

if TYPE_CHECKING:
    from mlflow.entities import DatasetInput, Metric, Run

LONGEST_PARAM = 6000
LONGEST_TAG = 5000
LONGEST_DIGEST = 36
PARAMS_A_BATCH = 100
LONG_PARAMS_FILE = "long_params.json"
FAILURE_FILE = "failure.txt"
FAILURE_TAG = "failure"
FAILED_CHILDREN = "failed configurations: "  # the reason of a sweep that ended itself
NOTE_TAG = "mlflow.note.content"  # the description at the top of a run's page
PARENT_TAG = "mlflow.parentRunId"
SWEEP_TAG = "sweep_id"
INDEX_TAG = "index"
OUTCOME_TAG = "outcome"
OUTCOMES = {"measured": "FINISHED", "failed": "FAILED"}
"""The state of a run that holds all of its configuration. A measured one whose state is FAILED doesn't."""
NOT_LOGGED = "not logged"
_COLUMNS = {
    "corpus": {"doc_id": "string", "title": "string", "text": "string"},
    "gold": {"id": "string", "question": "string", "relevant": "string", "grades": "long", "spans": "long"},
}


@dataclass
class Content:
    """What is about to be written into one run: texts of params and tags, numbers, files by path."""

    params: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    files: dict[str, bytes | Path] = field(default_factory=dict)

    def add_params(self, params: Mapping[str, Scalar]) -> None:
        """Take params; a value that MLflow would cut goes to a file and leaves a pointer."""
        texts = {key: param_text(value) for key, value in params.items()}
        long = {key: text for key, text in texts.items() if len(text) > LONGEST_PARAM}
        pointers = {key: f"{len(text)} characters, see {LONG_PARAMS_FILE}" for key, text in long.items()}
        self.params |= texts | pointers
        if long:
            self.files[LONG_PARAMS_FILE] = json.dumps(
                long, ensure_ascii=False, indent=1, sort_keys=True
            ).encode()

    def add_metrics(self, metrics: Mapping[str, float]) -> None:
        """Take metrics under their names in tables; NaN means "not applicable" and is left out.

        Raises
        ------
        TrackingError
            For an infinite value, which MLflow would replace by 1.8e308, and for a name it can't take.
        """
        for name, value in metrics.items():
            if math.isinf(value):
                raise TrackingError(f"metric {name!r} must be finite, got {value}")
            if not math.isnan(value):
                self.metrics[to_mlflow(name)] = float(value)

    def add_failure(self, reason: str) -> None:
        """Say why the configuration failed, where a person looks first; all of it in a file if it is long."""
        short = (
            reason
            if len(reason) <= LONGEST_TAG - 200
            else f"{reason[: LONGEST_TAG - 200]} ... see {FAILURE_FILE}"
        )
        self.tags |= {FAILURE_TAG: short, NOTE_TAG: f"**Failed:** {short}"}
        if short != reason:
            self.files[FAILURE_FILE] = reason.encode()


def child_content(child: ChildRecord, *, trec: bool) -> Content:
    """Params, metrics, table, config, and the TREC run file if asked for."""
    content = Content()
    content.add_params(child.params)
    content.add_metrics(child.metrics)
    if child.config:
        content.files["config.yaml"] = child.config.encode()
    if child.table is not None:
        table = child.table
        content.files[TABLE_FILE] = table if isinstance(table, bytes) else table_json(table)
    if trec and child.trec_run is not None:
        content.files["run.trec"] = child.trec_run.encode()
    if child.failure is not None:
        content.add_failure(child.failure)
        content.tags[OUTCOME_TAG] = "failed"
    return content


def born_tags(child: ChildRecord) -> dict[str, str]:
    """Tags that a configuration's run has from its birth, which saves a transaction.

    Not that it failed: a run that couldn't be logged is FAILED too, so this comes last of all.
    """
    tags = {INDEX_TAG: str(child.index)}
    if child.failure is None:
        tags[OUTCOME_TAG] = "measured"
    return tags | (TABLE_TAG if child.table is not None else {})


def run_tags(sweep: SweepRecord, mark: str, tags: Mapping[str, str]) -> dict[str, str]:
    """The tags that a run is born with.

    Raises
    ------
    TrackingError
        For a tag that MLflow would cut.
    """
    born = {**tags, SWEEP_TAG: sweep.sweep_id, TAG: mark, **source_tags()}
    check_tags(born)
    return born


def source_tags() -> dict[str, str]:
    """Who logs: MLflow's own tags of a run's source and user."""
    return {"mlflow.source.name": "rag-sweep", "mlflow.source.type": "LOCAL", "mlflow.user": _user()}


def disowned(run: Run) -> dict[str, str]:
    """Tags that take back what a run said of itself at its birth: its configuration isn't in it."""
    taken_back = {OUTCOME_TAG: NOT_LOGGED} if INDEX_TAG in run.data.tags else {}
    return taken_back | ({TABLES_TAG: "[]"} if TABLES_TAG in run.data.tags else {})


def check_tags(tags: Mapping[str, str]) -> None:
    """Refuse what MLflow would cut. Raises TrackingError with the tag's name and length."""
    for key, value in tags.items():
        if len(value) > LONGEST_TAG:
            raise TrackingError(f"tag {key!r} must have at most {LONGEST_TAG} characters, got {len(value)}")


def param_text(value: Scalar) -> str:
    """As it is typed in an override: null, true, false, and the shortest text of a number."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def metric_entities(metrics: Mapping[str, float]) -> list[Metric]:
    """MLflow's objects for metrics, all of now and of step 0."""
    from mlflow.entities import Metric

    now = int(time.time() * 1000)
    return [Metric(name, value, now, 0) for name, value in metrics.items()]


def dataset_inputs(datasets: tuple[DatasetInfo, ...]) -> list[DatasetInput]:
    """MLflow's objects for data sets, made by hand: MLflow's own constructors want the data in pandas."""
    from mlflow.entities import Dataset, DatasetInput, InputTag

    return [
        DatasetInput(
            Dataset(
                name=f"{info.name} {info.role}",
                digest=info.digest[:LONGEST_DIGEST],
                source_type="local",
                source=json.dumps({"uri": info.source, "sha256": info.digest}, ensure_ascii=False),
                schema=_schema(info),
                profile=json.dumps(dict(info.profile)),
            ),
            [InputTag("mlflow.data.context", info.role)],
        )
        for info in datasets
    ]


def _schema(info: DatasetInfo) -> str:
    """What a document or a question consists of, in the form that the UI's page of a data set shows."""
    columns = [{"name": name, "type": kind, "required": True} for name, kind in _COLUMNS[info.role].items()]
    return json.dumps({"mlflow_colspec": columns})


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run under a number without a name
        return "unknown"
