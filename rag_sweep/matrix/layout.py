"""What is in the file of a sweep: its members, and the plain data beside them; docs/matrix.md has the whole.

Every array's first axis counts configurations, in the order of their index.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from rag_sweep.journal.head import Head, basis_json
from rag_sweep.ranking import EMPTY

Scalar: TypeAlias = str | int | float | bool | None

FORMAT = 2
"""The version of the layout; another one isn't read."""

SWEEP = "sweep.json"
"""The member that says what the sweep is and what the axes of the arrays mean."""

MATRIX, PARTIAL, ARTIFACT = "matrix.npz", "partial.npz", "sweep.npz"
"""Names of the file: of a complete sweep in its journal, of another one, and in the sweep's tracking run."""

POOL_RECALL = "pool_recall."
"""Before the name of a branch: the members that there is one of for each branch."""


@dataclass(frozen=True)
class Form:
    """How an array is kept: numpy's name of its type, its number of axes, and what fills what is missing."""

    dtype: str
    axes: int
    fill: float = EMPTY


FORMS: Mapping[str, Form] = {
    "values": Form("<f8", 3, float("nan")),
    "documents": Form("<i4", 3),
    "passages": Form("<i4", 3),
    "top_scores": Form("<f8", 2, float("nan")),
    "means": Form("<f8", 2, float("nan")),
    "chunking": Form("<i4", 1),
    "passage_offsets": Form("<i8", 1),
    "passage_document": Form("<i4", 1),
    "passage_start": Form("<i4", 1),
    "passage_end": Form("<i4", 1),
    "passage_words": Form("<i4", 1),
    POOL_RECALL: Form("<f8", 2, float("nan")),
}
"""The arrays by the name of their member, without ``.npy``."""


def form_of(name: str) -> Form:
    """The form of a member. Raises KeyError for an unknown one."""
    return FORMS[POOL_RECALL if name.startswith(POOL_RECALL) else name]


@dataclass(frozen=True)
class ConfigurationRecord:
    """One configuration of a sweep, as plain data.

    Attributes
    ----------
    index
        Position in the sweep, from 0.
    name
        What differs from the others, short.
    overrides, params
        As the user would type it; every knob, named like its override: ``lexical.k1``.
    fingerprint
        Hash of all parameters.
    alias_of
        Index of an earlier configuration that is equal in effect.
    failure
        Why it failed; None if it didn't.
    metrics, warnings
        As logged: means at k and counts; what the user should know about it.
    """

    index: int
    name: str
    overrides: tuple[str, ...]
    params: Mapping[str, Scalar]
    fingerprint: str
    alias_of: int | None
    failure: str | None
    metrics: Mapping[str, float]
    warnings: tuple[str, ...]

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> ConfigurationRecord:
        """The inverse of `vars`. Raises KeyError or TypeError for anything else."""
        lists = {key: tuple(plain[key]) for key in ("overrides", "warnings")}
        return cls(**{**plain, **lists})


def sweep_json(
    head: Head,
    measures: Iterable[str],
    columns: Iterable[str],
    planned: int | None,
    records: Iterable[ConfigurationRecord],
) -> Iterator[bytes]:
    """The member `SWEEP` piece by piece: of 10,000 configurations it has some 15 MB."""
    record = head.record
    told = {
        "format": FORMAT,
        "sweep_id": record.sweep_id,
        "name": record.name,
        "is_sweep": head.is_sweep,
        "code": record.tags.get("code", ""),
        "k": head.settings.k,
        "cutoffs": list(head.settings.cutoffs),
        "objective": head.objective,
        "share": head.settings.share,
        "measures": list(measures),
        "columns": list(columns),
        "has_text": head.has_text,
        "dataset": basis_json(head.basis, head.has_text),
        "planned": planned,
    }
    yield json.dumps(told)[:-1].encode("ascii") + b', "configurations": [\n'
    for at, one in enumerate(records):
        yield (b",\n" if at else b"") + json.dumps(vars(one)).encode("ascii")
    yield b"\n]}\n"
