"""When two commands mean the same sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from rag_sweep.configuration import Configuration, code_version
from rag_sweep.fingerprint import class_name, fingerprint, is_durable
from rag_sweep.records import Basis

_VERSION = 1


def identity(
    shared: Mapping[str, Any], configurations: Sequence[Configuration], basis: Basis, alone: bool
) -> str:
    """Hash of all that decides a sweep's results and how they are told: what can be gone on with is equal.

    Configurations in their order, corpus, GOLD, cutoffs, objective, the version of package and stages, the
    sweep's name, and whether texts are kept; not where results are sent to, nor how they are computed.
    """
    first = configurations[0]
    return fingerprint(
        [
            _VERSION,
            code_version(),
            alone,
            (shared.get("sweep") or {}).get("name"),
            (shared.get("tracking") or {}).get("text", "full"),
            [basis.name, basis.corpus_hash, basis.gold_hash, basis.gold.version, basis.gold.unjudged],
            [first.settings, str(first.objective)],
            [[c.fingerprint, dict(c.params)] for c in configurations],
        ]
    )


def fleeting(configurations: Sequence[Configuration]) -> tuple[str, ...]:
    """Names of the components that may mean something else tomorrow: they declare no `version`.

    Results that depend on them are never taken for those of another run.
    """
    names = [f.name for f in fields(configurations[0].pipeline)]
    parts = (getattr(c.pipeline, name) for c in configurations for name in names)
    found = {class_name(type(part)) for part in parts if not is_durable(part)}
    return tuple(sorted(found))
