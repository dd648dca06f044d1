"""A sweep's page in the MLflow UI, laid out for reading: its configurations alone, best first.

MLflow's own page starts with the sweep closed and without a single parameter or metric. Its share
button keeps a page's layout in a tag of the experiment, under a key that an address can name; this writes
such a tag. The format isn't documented; it was read from, and tried with, MLflow 3.17. A UI that doesn't
know it says so and shows its own page.
"""

from __future__ import annotations

import base64
import json
import time
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from rag_sweep.measures import MEASURES
from rag_sweep.tracking.content import Content
from rag_sweep.tracking.names import to_mlflow
from rag_sweep.tracking.records import ChildRecord

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

_TAG = "mlflow.sharedViewState."
_KEY = "rag-sweep-"
_KEPT = 20  # layouts of ours in one experiment: the page loads them all
_COLUMNS = 6  # measures beside the params; more are a click away
_AXES = 8  # params in one parallel-coordinates chart
_SECTION = "rag-sweep"
_RUN_NAME = "attributes.`Run Name`"
_CREATED = "runDateAndNestInfo"


@dataclass
class Seen:
    """What the configurations of a sweep turned out to have."""

    children: int = 0
    values: dict[str, list[str]] = field(default_factory=dict)
    metrics: dict[str, None] = field(default_factory=dict)

    def add(self, child: ChildRecord) -> None:
        """Take one configuration."""
        content = Content()
        content.add_params(child.params)
        content.add_metrics(child.metrics)
        self._add(content.params, content.metrics)

    def add_run(self, run: Run) -> None:
        """Take one configuration as it was logged."""
        self._add(run.data.params, run.data.metrics)

    def _add(self, params: Mapping[str, str], metrics: Iterable[str]) -> None:
        self.children += 1
        for key, text in params.items():
            self.values.setdefault(key, []).append(text)
        self.metrics |= dict.fromkeys(metrics)

    @property
    def swept(self) -> tuple[str, ...]:
        """Params with more than one value: one that always comes with an option says nothing new.

        In the order of the pipeline, so that nothing depends on which configuration was logged first.
        """
        return tuple(sorted((k for k, values in self.values.items() if len(set(values)) > 1), key=_place))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of metrics, in MLflow: measures in the order of tables, then the others."""
        return tuple(sorted(self.metrics, key=_rank))

    @property
    def axes(self) -> tuple[str, ...]:
        """Swept params that all configurations have: a chart leaves out a run that lacks one."""
        return tuple(key for key in self.swept if len(self.values[key]) == self.children)


def runs_page(experiment_id: str, parent_id: str | None = None) -> str:
    """The address of the runs table, below the server's; of one sweep in its layout if it has one.

    Without ``workflowType`` MLflow opens on its pages for language models, which are empty here.
    """
    page = f"#/experiments/{experiment_id}/runs?workflowType=machine_learning"
    return page if parent_id is None else f"{page}&viewStateShareKey={_KEY}{parent_id}"


def write_view(
    client: MlflowClient, experiment_id: str, parent_id: str, name: str, objective: str | None, seen: Seen
) -> None:
    """Keep the layout of a sweep's page in the experiment; the oldest of our own go if they are many."""
    now = int(time.time() * 1000)
    measures = [metric for metric in seen.names if "_at_" in metric]
    first = to_mlflow(objective) if objective else next(iter(measures), None)
    state = json.dumps(_state(parent_id, first, measures, seen))
    packed = "deflate;" + base64.b64encode(zlib.compress(state.encode())).decode()
    envelope = {"name": name, "createdAt": now, "updatedAt": now, "state": packed}
    client.set_experiment_tag(
        experiment_id, _TAG + _KEY + parent_id, json.dumps(envelope, ensure_ascii=False)
    )
    _drop_oldest(client, experiment_id)


def has_view(tags: Mapping[str, str], parent_id: str) -> bool:
    """True if an experiment with these tags holds the layout of that sweep."""
    return _TAG + _KEY + parent_id in tags


def _place(param: str) -> tuple[int, str]:
    from rag_sweep.pipeline import Pipeline

    groups = [field.name for field in fields(Pipeline)]
    group = param.partition(".")[0]
    return (groups.index(group) if group in groups else len(groups), param)


def _rank(metric: str) -> tuple[int, int, str]:
    measures, cut = list(MEASURES), metric.rpartition("_at_")
    known = cut[0] in measures and cut[2].isdecimal()
    return (measures.index(cut[0]), int(cut[2]), metric) if known else (len(measures), 0, metric)


def _state(parent_id: str, first: str | None, measures: list[str], seen: Seen) -> dict[str, Any]:
    ordered = list(dict.fromkeys([first, *measures] if first else measures))
    params = [f"params.`{key}`" for key in seen.swept]
    metrics = [f"metrics.`{name}`" for name in ordered[:_COLUMNS]]
    columns = [*metrics[:1], *params, *metrics[1:]]
    return {
        "searchFilter": f"tags.mlflow.parentRunId = '{parent_id}'",
        "orderByKey": f"metrics.`{first}`" if first else "attributes.start_time",
        "orderByAsc": False,
        "selectedColumns": columns,
        "columnOrder": [_RUN_NAME, _CREATED, *columns],
        "columnWidths": {_RUN_NAME: 250},
        "runsHiddenMode": "FIRST_10_RUNS",
        "compareRunCharts": _charts(ordered, seen),
        "compareRunSections": [_section()],
    }


def _charts(measures: list[str], seen: Seen) -> list[dict[str, Any]]:
    """How the swept params lead to the objective, then one bar chart a measure; counts stay hidden."""
    charts = []
    if len(seen.axes) > 1 and measures:
        axes = list(seen.axes[:_AXES])
        charts.append(_card("PARALLEL", selectedParams=axes, selectedMetrics=measures[:1], showAllRuns=True))
    for name in dict.fromkeys([*measures, *seen.names]):
        charts.append(
            _card("BAR", metricKey=name, displayName=name, isGenerated=True, deleted=name not in measures)
        )
    return [{"uuid": f"rag-sweep-{at}", **chart} for at, chart in enumerate(charts)]


def _card(kind: str, **settings: Any) -> dict[str, Any]:
    common = {"runsCountToCompare": 10, "metricSectionId": _SECTION, "deleted": False, "isGenerated": False}
    return {"type": kind, **common, **settings}


def _section() -> dict[str, Any]:
    states = {"display": True, "isReordered": False, "deleted": False, "isGenerated": True}
    return {"uuid": _SECTION, "name": "Model metrics", "columns": 2, "cardHeight": 340, **states}


def _drop_oldest(client: MlflowClient, experiment_id: str) -> None:
    tags = client.get_experiment(experiment_id).tags
    ours = [key for key in tags if key.startswith(_TAG + _KEY)]
    ours.sort(key=lambda key: int(json.loads(tags[key])["createdAt"]))
    for key in ours[:-_KEPT]:
        client.delete_experiment_tag(experiment_id, key)
