"""A scorecard as plain data and back: what is read is checked key by key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.checks import is_count
from rag_sweep.errors import ConfigError, DataError, Fault
from rag_sweep.measures import Measure

FORMAT = 1
"""The version of the layout; another one isn't read."""

PER_QUESTION = ("query_ids", "texts", "answerable", "tags", "relevant", "rankings", "values")
"""Fields that have a row for each question."""

Check = tuple[str, Callable[[Any], bool]]


def plain_of(card: Any) -> dict[str, Any]:
    """A scorecard as plain data; a question has its row in ``questions``."""
    told = {f.name: getattr(card, f.name) for f in fields(card) if f.name not in PER_QUESTION}
    for key in ("cutoffs", "measures"):
        told[key] = list(told[key])
    told["filters"] = {key: list(values) for key, values in card.filters.items()}
    return {
        "format": FORMAT,
        **told,
        "answerable": card.questions,
        "negatives": card.negatives,
        "has_text": card.texts is not None,
        "questions": [_question(card, at) for at in range(len(card.query_ids))],
    }


def _question(card: Any, at: int) -> dict[str, Any]:
    text = {} if card.texts is None else {"text": card.texts[at]}
    values = card.values[at].tolist() if card.answerable[at] else None
    return {
        "id": card.query_ids[at],
        **text,
        "tags": list(card.tags[at]),
        "relevant": dict(card.relevant[at]),
        "ranking": list(card.rankings[at]),
        "values": values,
    }


def card_of(data: object, source: Path | str) -> dict[str, Any]:
    """The fields of a scorecard from plain data.

    Raises
    ------
    DataError
        Naming the source and the key.
    """
    reading = _Reading(source)
    if not isinstance(data, Mapping):
        raise reading.fault("this is no scorecard: it must be an object")
    if data.get("format") != FORMAT:
        told = "this is no scorecard" if "format" not in data else f"a scorecard of format {data['format']!r}"
        raise reading.fault(f"{told}; this version reads format {FORMAT}")
    found = {key: reading.value(data, key, check) for key, check in _FIELDS.items()}
    rows = reading.value(data, "questions", _LIST)
    has_text = reading.value(data, "has_text", _BOOL)
    found["cutoffs"], found["measures"] = tuple(found["cutoffs"]), tuple(found["measures"])
    found["filters"] = {key: tuple(values) for key, values in found["filters"].items()}
    for measure in found["measures"]:
        reading.measure(measure)
    return {**found, **reading.questions(rows, has_text, len(found["measures"]))}


class _Reading:
    """Takes values out of plain data, or says what is wrong and where."""

    def __init__(self, source: Path | str) -> None:
        self._source = source

    def fault(self, what: str, id_: str | None = None) -> DataError:
        """The error, naming the source."""
        return DataError(Fault(what, file=Path(self._source), id=id_))

    def value(self, data: Mapping[str, Any], key: str, check: Check, id_: str | None = None) -> Any:
        """A value that must be there and hold."""
        allowed, holds = check
        if key not in data:
            raise self.fault(f'"{key}" is missing: this is no whole scorecard', id_)
        if not holds(data[key]):
            shown = repr(data[key])
            raise self.fault(f'"{key}" must be {allowed}, got {shown[:80]}{"…" if shown[80:] else ""}', id_)
        return data[key]

    def measure(self, name: str) -> None:
        """Refuse what is no measure."""
        try:
            Measure.parse(name, "measures")
        except ConfigError as error:
            raise self.fault(str(error)) from None

    def questions(self, rows: list[Any], has_text: bool, measures: int) -> dict[str, Any]:
        """The fields that have a row for each question."""
        found: dict[str, list[Any]] = {key: [] for key in PER_QUESTION}
        seen: set[str] = set()
        for number, row in enumerate(rows, 1):
            if not isinstance(row, Mapping):
                raise self.fault(f'item {number} of "questions" must be an object')
            name = self.value(row, "id", _TEXT, f"question {number}")
            if name in seen:
                raise self.fault("stands twice", name)
            seen.add(name)
            values = self.value(row, "values", _row(measures), name)
            found["query_ids"].append(name)
            found["answerable"].append(values is not None)
            found["tags"].append(tuple(self.value(row, "tags", _TEXTS, name)))
            found["relevant"].append(self.value(row, "relevant", _GRADES, name))
            found["rankings"].append(tuple(self.value(row, "ranking", _TEXTS, name)))
            if (values is None) != (not row["relevant"]):
                raise self.fault('"values" must be null where "relevant" is empty, and only there', name)
            found["values"].append([np.nan] * measures if values is None else values)
            if has_text:
                found["texts"].append(self.value(row, "text", _TEXT, name))
        if not any(found["answerable"]):
            raise self.fault('"questions" must have at least one answerable question')
        table: FloatArray = np.array(found.pop("values"), dtype=np.float64)
        taken: dict[str, Any] = {key: tuple(values) for key, values in found.items()}
        return {**taken, "values": table, "texts": taken["texts"] if has_text else None}


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _row(measures: int) -> Check:
    """The values of a question."""

    def holds(value: Any) -> bool:
        if value is None:
            return True
        sized = isinstance(value, list) and len(value) == measures
        return sized and all(_is_number(one) and 0.0 <= one <= 1.0 for one in value)

    return f"null or a list of {measures} numbers from 0 to 1", holds


def _optional(check: Check) -> Check:
    allowed, holds = check
    return f"{allowed}, or null", lambda value: value is None or holds(value)


_TEXT: Check = ("a text", _is_text)
_TEXTS: Check = ("a list of texts", _are_texts)
_LIST: Check = ("a list", lambda value: isinstance(value, list))
_BOOL: Check = ("true or false", lambda value: isinstance(value, bool))
_COUNT: Check = ("an int >= 1", is_count)
_OBJECT: Check = ("an object", lambda value: isinstance(value, Mapping))
_COUNTS: Check = (
    "an object of ints >= 1",
    lambda value: isinstance(value, Mapping) and all(map(is_count, value.values())),
)
_GRADES: Check = ("an object of grades, ints >= 1", _COUNTS[1])

_FIELDS: Mapping[str, Check] = {
    "name": _TEXT,
    "params": _OBJECT,
    "config": _OBJECT,
    "fingerprint": _optional(_TEXT),
    "code": _TEXT,
    "created": _TEXT,
    "dataset": _TEXT,
    "corpus_hash": _optional(_TEXT),
    "documents": _optional(_COUNT),
    "index_version": _optional(_TEXT),
    "gold_hash": _TEXT,
    "gold_version": _optional(_TEXT),
    "gold_date": _optional(_TEXT),
    "gold_origin": _COUNTS,
    "filters": (
        "an object of lists of texts",
        lambda v: isinstance(v, Mapping) and all(map(_are_texts, v.values())),
    ),
    "k": _COUNT,
    "cutoffs": ("a list of ints >= 1", lambda v: isinstance(v, list) and all(map(is_count, v))),
    "share": _optional(("a number above 0, at most 1", lambda v: _is_number(v) and 0.0 < v <= 1.0)),
    "pool_depth": _optional(_COUNT),
    "measures": _TEXTS,
    "honest": _optional(_OBJECT),
}
