"""A section of a comparison in short, and what its tables are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rag_sweep.report.comparison_rows import Column, Data


@dataclass(frozen=True)
class Section:
    """A heading with sentences and a table; `columns` may be empty."""

    title: str
    sentences: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()


def all_tie(data: Data) -> bool:
    """True if no question tells one configuration from another one: then there is hardly anything to say."""
    return data["distinct"] > 1 and all(one["dead"] for one in data["per_question"])


def texts(head: str, cells: Iterable[str], place: int = 0, least: int | None = None) -> Column:
    """A column of words."""
    return Column(head, tuple(cells), place, is_number=False, least=least)


def numbers(head: str, cells: Iterable[str], place: int = 0) -> Column:
    """A column of numbers."""
    return Column(head, tuple(cells), place)
