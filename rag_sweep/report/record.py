"""Results as tracking records: names, params, metrics, tags."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rag_sweep import __version__
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.configuration import Configuration, Scalar
from rag_sweep.dataset.trec import trec_run_text
from rag_sweep.fingerprint import fingerprint
from rag_sweep.records import Dataset
from rag_sweep.report.questions import QuestionTables, ranking
from rag_sweep.result import Result
from rag_sweep.stages import STAGES
from rag_sweep.tracking.content import param_text
from rag_sweep.tracking.records import ChildRecord, DatasetInfo, SweepRecord


def code_version() -> str:
    """Version of the package and of its stages: what may change values."""
    return f"{__version__}+{fingerprint({name: stage.version for name, stage in STAGES.items()})[:8]}"


def shared_params(configurations: Sequence[Configuration]) -> dict[str, Scalar]:
    """Params that all configurations have in common."""
    first = configurations[0].params
    return {
        key: value
        for key, value in first.items()
        if all(key in c.params and c.params[key] == value for c in configurations)
    }


def differing(configurations: Sequence[Configuration]) -> tuple[str, ...]:
    """The keys that have more than one value among the configurations that have them."""
    values: dict[str, set[Scalar]] = {}
    for configuration in configurations:
        for key, value in configuration.params.items():
            values.setdefault(key, set()).add(value)
    return tuple(key for key, found in values.items() if len(found) > 1)


def label(configuration: Configuration, keys: Sequence[str]) -> str:
    """What differs from the others, short: ``fixed size=80 k1=0.9``."""
    params = configuration.params
    parts = [
        param_text(params[key]) if "." not in key else f"{key.rpartition('.')[2]}={param_text(params[key])}"
        for key in keys
        if key in params
    ]
    return " ".join(parts)


def _summary(configuration: Configuration) -> str:
    """The options of a configuration that stands alone: ``document stemmed bm25 lsa rrf none``."""
    named = [str(configuration.params[group]) for group in PIPELINE_GROUPS if group in configuration.params]
    knobs = [o for o in configuration.overrides if o.partition(".")[0] in PIPELINE_GROUPS and "." in o]
    return " ".join([*named, *(knob.partition(".")[2] for knob in knobs)])


def sweep_record(
    config: Mapping[str, Any], configurations: Sequence[Configuration], dataset: Dataset
) -> SweepRecord:
    """What the configurations of a sweep share; its id is new each time."""
    sweep_id = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
    name = (config.get("sweep") or {}).get("name") or dataset.name
    gold = dataset.gold
    given = config.get("dataset") or {}
    source = str(given.get("path") or given.get("documents") or dataset.name)
    return SweepRecord(
        sweep_id=sweep_id,
        name=f"{name} {time.strftime('%Y-%m-%d %H:%M')}",
        params=shared_params(configurations),
        tags={
            "sweep_id": sweep_id,
            "corpus": dataset.corpus.fingerprint,
            "gold": gold.fingerprint,
            "code": code_version(),
            **({"gold_version": gold.version} if gold.version else {}),
        },
        datasets=(
            DatasetInfo(
                dataset.name, "corpus", dataset.corpus.fingerprint, source, {"documents": len(dataset.corpus)}
            ),
            DatasetInfo(dataset.name, "gold", gold.fingerprint, source, counts(dataset)),
        ),
        objective=str(configurations[0].objective),
    )


def counts(dataset: Dataset) -> dict[str, int]:
    """Counts of a dataset's questions."""
    gold = dataset.gold
    return {
        "questions": len(gold.questions),
        "answerable": len(gold.answerable),
        "negatives": len(gold.negatives),
        "unjudged": gold.unjudged,
    }


def child_record(
    result: Result,
    dataset: Dataset,
    sweep: SweepRecord,
    tables: QuestionTables,
    keys: Sequence[str],
    trec: bool = False,
) -> ChildRecord:
    """One configuration as it is tracked, named by its values of `keys`; `trec` adds its run file."""
    configuration = result.configuration
    name = label(configuration, keys) or _summary(configuration)
    return ChildRecord(
        index=configuration.index,
        name=name,
        params=configuration.params,
        metrics=metrics(result, dataset),
        tags={
            **sweep.tags,
            "configuration": configuration.fingerprint,
            **({"alias_of": str(result.alias_of)} if result.alias_of is not None else {}),
        },
        table=tables.of(result),
        config=configuration.text,
        trec_run=trec_run_text(name, _rankings(result, dataset)) if trec else None,
        failure=result.failure,
    )


def _rankings(result: Result, dataset: Dataset) -> Iterable[tuple[str, Sequence[str]]]:
    if result.outcome is None:
        return
    for at, question in enumerate(dataset.gold.questions):
        yield question.query_id, ranking(result.outcome, at, dataset.corpus)


def metrics(result: Result, dataset: Dataset) -> dict[str, float]:
    """Means at k and the counts; other cutoffs are in the table."""
    outcome, negatives = result.outcome, result.negatives()
    if outcome is None or negatives is None:
        return {}
    k = result.configuration.settings.k
    at_k = {name: value for name, value in result.means().items() if name.endswith(f"@{k}")}
    answerable = outcome.evaluation.judgements.answerable
    recalls = {
        f"pool_recall.{name}": math.fsum(values[answerable].tolist()) / max(1, int(answerable.sum()))
        for name, values in outcome.pool_recall.items()
    }
    found = {
        "questions.answerable": float(outcome.evaluation.answerable),
        "questions.negative": float(negatives.n),
        "questions.without_tokens": float(len(outcome.tokenless_questions)),
        "questions.empty": float((outcome.found.documents.lengths == 0).sum()),
        "passages": float(len(outcome.passages)),
    }
    if negatives.empty_share is not None:
        found["negatives.empty_share"] = negatives.empty_share
    if negatives.auroc is not None:
        found["negatives.auroc"] = negatives.auroc
    if outcome.effective_dim is not None:
        dim = result.configuration.pipeline.embedder.dim
        found["effective_dim"] = float(min(outcome.effective_dim, dim))
    return {**at_k, **recalls, **found}
