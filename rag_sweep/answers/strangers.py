"""Answers to cases that aren't there: nobody would see that they weren't judged."""

from __future__ import annotations

from collections.abc import Iterable

from rag_sweep.cases.records import Cases
from rag_sweep.errors import DataError, Fault


def refuse_strangers(cases: Cases, answers: Iterable[str]) -> None:
    """Refuse answers, given by their ids, to cases that aren't there.

    Raises
    ------
    DataError
        With the id of each.
    """
    unknown = [name for name in answers if name not in cases.position]
    if unknown:
        raise DataError([Fault(f"no case has the id of this answer: {name!r}") for name in unknown])
