"""Judgements of a GOLD line written in the line's own form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rag_sweep.dataset.fields import as_id
from rag_sweep.goldlife.migrating import Migrated

Values = Mapping[str, Any]


def migrated_values(values: Values, migrated: Migrated) -> Values:
    """The object of a question after a migration; keys, their order and all other values stay."""
    new = dict(values)
    key = _relevant_key(values)
    if values.get(key) is not None:
        new[key] = _ids(values[key], migrated)
    if values.get("grades") is not None:
        ids = (target for doc_id in values["grades"] for target in migrated.targets[doc_id])
        new["grades"] = {doc_id: migrated.grades[doc_id] for doc_id in dict.fromkeys(ids)}
    if values.get("spans") is not None:
        new["spans"] = _distinct(span.new for span in migrated.spans)
    return _sound(new, key, migrated.grades)


def judged_values(values: Values, grades: Mapping[str, int]) -> Values:
    """The object of a question with further judgements, which win over those that it has."""
    new = dict(values)
    key = _relevant_key(values)
    kept = [one for one in values.get(key) or [] if grades.get(as_id(one) or "", 1) > 0]
    known = {as_id(one) for one in kept}
    new[key] = kept + [doc_id for doc_id, grade in grades.items() if grade > 0 and doc_id not in known]
    told = dict(values.get("grades") or {})
    for doc_id, grade in grades.items():
        if grade != 1 or told or doc_id in told:
            told[doc_id] = grade
    if told or values.get("grades") is not None:
        new["grades"] = told
    return new


def _relevant_key(values: Values) -> str:
    return "expected_doc_ids" if values.get("expected_doc_ids") is not None else "relevant"


def _ids(given: Iterable[Any], migrated: Migrated) -> list[Any]:
    """Each id once; one that stays is written as it was, a number or a text."""
    found: dict[str, Any] = {}
    for one in given:
        doc_id = as_id(one) or ""
        for target in migrated.targets[doc_id]:
            found.setdefault(target, one if target == doc_id else target)
    return list(found.values())


def _distinct(spans: Iterable[Values | None]) -> list[Values]:
    found: list[Values] = []
    for span in spans:
        if span is not None and span not in found:
            found.append(span)
    return found


def _sound(values: dict[str, Any], key: str, grades: Mapping[str, int]) -> dict[str, Any]:
    """An empty list says that nothing is relevant: then those stand in it that have a grade alone."""
    if values.get(key) == []:
        values[key] = [doc_id for doc_id, grade in grades.items() if grade > 0]
    return values
