"""The fields of a scorecard from what measures: an outcome, a sweep, or rankings of another system."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from rag_sweep.configuration import Configuration, code_version
from rag_sweep.errors import DataError
from rag_sweep.evaluation import Evaluation, evaluate
from rag_sweep.execute import Outcome
from rag_sweep.matrix.data import SweepData
from rag_sweep.pipeline import Pipeline
from rag_sweep.ranking import EMPTY
from rag_sweep.records import Dataset, Gold, Question

MEASURED = ("dataset", *(f.name for f in fields(Pipeline)), "k", "cutoffs", "objective", "evidence")
"""Keys of a config that decide what is measured; others may hold passwords and paths."""

_DAY = re.compile(r"(\d{4})(\d{2})(\d{2})-")


def today() -> str:
    """The day (UTC); that of SOURCE_DATE_EPOCH where it is set, so that a report can be made again."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
    return now.date().isoformat()


def outcome_fields(
    configuration: Configuration, dataset: Dataset, outcome: Outcome, created: str | None
) -> dict[str, Any]:
    """Of an outcome."""
    config = configuration.config
    tracking = config.get("tracking")
    kept_back = isinstance(tracking, Mapping) and tracking.get("text") == "none"
    return {
        **_of_gold(dataset.gold.questions, dataset.gold.version, has_text=not kept_back),
        **_of_evaluation(outcome.evaluation),
        "name": configuration.summary,
        "params": dict(configuration.params),
        "config": {key: config[key] for key in MEASURED if key in config},
        "fingerprint": configuration.fingerprint,
        "code": code_version(),
        "created": created or today(),
        "dataset": dataset.name,
        "corpus_hash": dataset.corpus.fingerprint,
        "documents": len(dataset.corpus),
        "index_version": None,
        "gold_hash": dataset.gold.fingerprint,
        "cutoffs": configuration.settings.cutoffs,
        "share": configuration.settings.share,
        "pool_depth": configuration.pipeline.fusion.pool_depth,
    }


def sweep_fields(sweep: SweepData, index: int) -> dict[str, Any]:
    """Of one configuration of a sweep; values at all cutoffs are computed from its rankings."""
    row = sweep.row(index)
    record = sweep.configurations[row]
    if record.failure is not None:
        raise DataError(f"configuration {index} of sweep {sweep.sweep_id} has failed: {record.failure}")
    evaluation = evaluate(sweep.judgements, sweep.documents[row], sweep.k, sweep.cutoffs)
    day = _DAY.match(sweep.sweep_id)
    depth = record.params.get("fusion.pool_depth")
    return {
        **_of_gold(sweep.questions, sweep.basis.gold.version, has_text=sweep.has_text),
        **_of_evaluation(evaluation),
        "name": record.name,
        "params": dict(record.params),
        "config": {},
        "fingerprint": record.fingerprint,
        "code": sweep.code,
        "created": "-".join(day.groups()) if day else today(),
        "dataset": sweep.basis.name,
        "corpus_hash": sweep.basis.corpus_hash,
        "documents": len(sweep.doc_ids),
        "index_version": None,
        "gold_hash": sweep.basis.gold_hash,
        "cutoffs": sweep.cutoffs,
        "share": sweep.share,
        "pool_depth": depth if isinstance(depth, int) else None,
    }


def rankings_fields(
    name: str,
    gold: Gold,
    evaluation: Evaluation,
    cutoffs: Sequence[int],
    dataset: str,
    corpus_hash: str | None,
    index_version: str | None,
) -> dict[str, Any]:
    """Of rankings that another system made."""
    known = corpus_hash is not None
    return {
        **_of_gold(gold.questions, gold.version, has_text=True),
        **_of_evaluation(evaluation),
        "name": name,
        "params": {},
        "config": {},
        "fingerprint": None,
        "code": code_version(),
        "created": today(),
        "dataset": dataset,
        "corpus_hash": corpus_hash,
        "documents": len(evaluation.judgements.doc_ids) if known else None,
        "index_version": index_version,
        "gold_hash": gold.fingerprint,
        "cutoffs": tuple(cutoffs),
        "share": None,
        "pool_depth": None,
    }


def _of_gold(questions: Sequence[Question], version: str | None, *, has_text: bool) -> dict[str, Any]:
    dates = [str(q.provenance["date"]) for q in questions if q.provenance.get("date")]
    return {
        "gold_version": version,
        "gold_date": max(dates, default=None),
        "gold_origin": _origin(questions),
        "filters": {},
        "query_ids": tuple(q.query_id for q in questions),
        "texts": tuple(q.text for q in questions) if has_text else None,
        "answerable": tuple(not q.is_negative for q in questions),
        "tags": tuple(q.tags for q in questions),
        "relevant": tuple({doc_id: q.grades[doc_id] for doc_id in q.relevant} for q in questions),
    }


def _origin(questions: Iterable[Question]) -> dict[str, int]:
    """Questions by source, sorted; empty if no question names one."""
    counted = Counter(str(q.provenance.get("source", "unnamed")) for q in questions)
    return {} if set(counted) <= {"unnamed"} else dict(sorted(counted.items()))


def _of_evaluation(evaluation: Evaluation) -> dict[str, Any]:
    ids = evaluation.judgements.doc_ids
    found = evaluation.documents.tolist()
    return {
        "k": evaluation.k,
        "measures": tuple(map(str, evaluation.columns)),
        "rankings": tuple(tuple(ids[item] for item in row if item != EMPTY) for row in found),
        "values": evaluation.values,
    }
