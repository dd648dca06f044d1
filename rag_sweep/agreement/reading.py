"""The report of an agreement as it was kept: read whole, or refused; its numbers are reckoned again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import numpy as np

from rag_sweep.agreement.agreed import LEVEL, RESAMPLES, SEED
from rag_sweep.agreement.kappa import Kappa, Weights, kappa
from rag_sweep.errors import DataError, Fault

FORMAT = 2
KIND = "rag-sweep agreement"

RECKONED = {"level": LEVEL, "resamples": RESAMPLES, "seed": SEED}
"""By what every report has its intervals: a licence goes by no others."""
CLOSE = 1e-9
"""Within which a kappa is that of its table."""
NEAR = 0.02
"""Within which an end of its interval is: another version of numpy may draw other resamples."""
MOST = 1_000_000
"""Cases in a cell of a table."""


def read_agreement(path: Path) -> dict[str, Any]:
    """A report that `rag-sweep answers agree --out` wrote, with each kappa as its table gives it.

    Raises
    ------
    DataError
        If it can't be read, is none of this version, or its kappas don't follow from its tables.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refused)
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(Fault(f"can't be read as JSON: {error}", path)) from error
    if not _is_whole(data):
        told = "is no agreement of this version: rag-sweep answers agree --out agreement.json writes one"
        raise DataError(Fault(told, path))
    kappas = {name: _kappa(one) for name, one in data["labels"].items()}
    if changed := _changed(data, kappas):
        told = f"was changed after it was made: {changed}; rag-sweep answers agree --out makes it again"
        raise DataError(Fault(told, path))
    labels = {name: {**one, "kappa": asdict(kappas[name])} for name, one in data["labels"].items()}
    return {**data, "labels": labels}


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _is_whole(data: Any) -> bool:
    """Everything that a licence goes by is there, and of its type."""
    if not isinstance(data, dict) or data.get("kind") != KIND or data.get("format") != FORMAT:
        return False
    prompts, labels = data.get("prompts"), data.get("labels")
    texts = isinstance(prompts, list) and all(isinstance(one, str) for one in prompts)
    named = isinstance(data.get("judge_model", 0), str | None)
    return texts and named and isinstance(labels, dict) and all(map(_is_label, labels.values()))


def _is_label(one: Any) -> bool:
    if not isinstance(one, dict):
        return False
    return _is_table(one.get("scale"), one.get("table")) and _is_kappa(one.get("kappa")) and _is_told(one)


def _is_table(scale: Any, table: Any) -> bool:
    texts = isinstance(scale, list) and len(scale) > 1 and all(isinstance(one, str) for one in scale)
    if not texts or not isinstance(table, list) or len(table) != len(scale):
        return False
    return all(isinstance(row, list) and len(row) == len(scale) and all(map(_is_count, row)) for row in table)


def _is_count(cell: Any) -> bool:
    return isinstance(cell, int) and not isinstance(cell, bool) and 0 <= cell <= MOST


def _is_kappa(value: Any) -> bool:
    if not isinstance(value, dict) or value.keys() != Kappa.__dataclass_fields__.keys():
        return False
    numbers = (value[key] for key in ("value", "lower", "upper"))
    real = all(number is None or _is_share(number) for number in numbers)
    return real and value["weights"] in get_args(Weights)


def _is_share(number: Any) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and -1 <= number <= 1


def _is_told(one: Mapping[str, Any]) -> bool:
    """Each disagreement with both labels."""
    rows = one.get("disagreements")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return False
    return all(isinstance(row.get(key), str) for row in rows for key in ("person", "judge"))


def _kappa(one: Mapping[str, Any]) -> Kappa:
    table = np.asarray(one["table"], dtype=np.int64)
    return kappa(table, one["kappa"]["weights"], level=LEVEL, resamples=RESAMPLES, seed=SEED)


def _changed(data: Mapping[str, Any], kappas: Mapping[str, Kappa]) -> str | None:
    """What of a report doesn't follow from the rest; None if all does."""
    for key, value in RECKONED.items():
        if data.get(key) != value:
            return f"{key} is {data.get(key)!r:.40}, not {value}"
    for name, one in data["labels"].items():
        if not _is_listed(one):
            return f"the table of {name} isn't that of its disagreements"
        if not _is_same(one["kappa"], kappas[name]):
            return f"the kappa of {name} isn't that of its table"
    return None


def _is_listed(one: Mapping[str, Any]) -> bool:
    scale = one["scale"]
    rows = Counter((row["person"], row["judge"]) for row in one["disagreements"])
    cells = {
        (scale[person], scale[judge]): count
        for person, row in enumerate(one["table"])
        for judge, count in enumerate(row)
        if person != judge and count
    }
    return rows == cells


def _is_same(told: Mapping[str, Any], found: Kappa) -> bool:
    close = {"value": CLOSE, "lower": NEAR, "upper": NEAR}
    values = asdict(found)
    return all(
        _is_close(told[key], value, close[key]) if key in close else told[key] == value
        for key, value in values.items()
    )


def _is_close(told: float | None, found: float | None, within: float) -> bool:
    if told is None or found is None:
        return told is found
    return abs(told - found) <= within
