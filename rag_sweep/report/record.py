"""Results as tracking records: names, params, metrics, tags."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from rag_sweep.configuration import Card, Configuration, Scalar, code_version
from rag_sweep.dataset.trec import trec_run_text
from rag_sweep.execute import Outcome
from rag_sweep.records import Basis, Gold
from rag_sweep.report.questions import QuestionTables, ranking
from rag_sweep.result import Summary
from rag_sweep.tracking.content import param_text
from rag_sweep.tracking.records import ChildRecord, DatasetInfo, SweepRecord


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


def card(configuration: Configuration, keys: Sequence[str]) -> Card:
    """What is told of a configuration, which is named by its values of `keys`."""
    return Card(
        index=configuration.index,
        name=label(configuration, keys) or configuration.summary,
        overrides=configuration.overrides,
        params=configuration.params,
        fingerprint=configuration.fingerprint,
        config=configuration.config,
    )


def sweep_record(
    config: Mapping[str, Any], configurations: Sequence[Configuration], basis: Basis
) -> SweepRecord:
    """What the configurations of a sweep share; its id is new each time."""
    sweep_id = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
    name = (config.get("sweep") or {}).get("name") or basis.name
    given = config.get("dataset") or {}
    source = str(given.get("path") or given.get("documents") or basis.name)
    version = basis.gold.version
    documents = {"documents": len(basis.doc_ids)}
    return SweepRecord(
        sweep_id=sweep_id,
        name=f"{name} {time.strftime('%Y-%m-%d %H:%M')}",
        params=shared_params(configurations),
        tags={
            "sweep_id": sweep_id,
            "corpus": basis.corpus_hash,
            "gold": basis.gold_hash,
            "code": code_version(),
            **({"gold_version": version} if version else {}),
        },
        datasets=(
            DatasetInfo(basis.name, "corpus", basis.corpus_hash, source, documents),
            DatasetInfo(basis.name, "gold", basis.gold_hash, source, counts(basis.gold)),
        ),
        objective=str(configurations[0].objective),
    )


def counts(gold: Gold) -> dict[str, int]:
    """Counts of the questions."""
    return {
        "questions": len(gold.questions),
        "answerable": len(gold.answerable),
        "negatives": len(gold.negatives),
        "unjudged": gold.unjudged,
    }


class Measured(Protocol):
    """A result as far as it is logged: a `Result`, or what the journal kept of one."""

    @property
    def summary(self) -> Summary | None:
        """None for a failed configuration."""
        ...

    @property
    def failure(self) -> str | None:
        """Why it failed."""
        ...

    @property
    def alias_of(self) -> int | None:
        """Index of an earlier configuration that is equal in effect."""
        ...


class Children:
    """Makes the records of configurations, as they are tracked.

    Parameters
    ----------
    with_text
        Whether the questions' texts are in the tables.
    trec
        Whether the rankings go along as a TREC run file.
    """

    def __init__(
        self, sweep: SweepRecord, basis: Basis, *, with_text: bool = True, trec: bool = False
    ) -> None:
        self._sweep, self._basis, self._trec = sweep, basis, trec
        self._tables = QuestionTables(basis, with_text)

    def record(self, card: Card, measured: Measured, outcome: Outcome | None) -> ChildRecord:
        """One configuration; without an outcome if it failed."""
        alias = {"alias_of": str(measured.alias_of)} if measured.alias_of is not None else {}
        return ChildRecord(
            index=card.index,
            name=card.name,
            params=card.params,
            metrics=measured.summary.metrics if measured.summary else {},
            tags={**self._sweep.tags, "configuration": card.fingerprint, **alias},
            table=self._tables.of(outcome) if outcome else None,
            config=card.text,
            trec_run=self._trec_run(card.name, outcome) if self._trec else None,
            failure=measured.failure,
        )

    def _trec_run(self, name: str, outcome: Outcome | None) -> str:
        questions = self._basis.gold.questions if outcome else ()
        rows = ((q.query_id, ranking(outcome, at, self._basis)) for at, q in enumerate(questions) if outcome)
        return trec_run_text(name, rows)
