"""What the page needs beside the comparison: all values, and the finalists' rankings with texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rag_sweep.comparing.texts import Texts
from rag_sweep.comparison.comparison import Comparison
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.row import Row
from rag_sweep.ranking import EMPTY
from rag_sweep.records import Document

MOST_ROWS = 2_000
"""Configurations whose values are told question by question: more would make a page of many megabytes."""

BEST = 10
"""Of the leaderboard: how many are finalists, beside the promoted one, the baseline and the cheapest."""

SNIPPET = 240
"""Characters of a document's text that are told."""


def detail_of(grid: Grid, comparison: Comparison, texts: Texts) -> dict[str, Any]:
    """Plain data; every number is finite or None. Documents are numbers here: places in ``documents``."""
    documents: dict[str, int] = {}
    relevant = [[_number(documents, doc_id) for doc_id in question.relevant] for question in grid.questions]
    rankings = [{"row": row, "ranked": _ranked(grid, row, documents)} for row in finalists(comparison)]
    told = _texts(grid, list(documents), texts)
    return {
        "values": _values(grid),
        "documents": list(documents),
        "titles": [title for title, _ in told],
        "snippets": [snippet for _, snippet in told],
        "relevant": relevant,
        "rankings": rankings,
    }


def finalists(comparison: Comparison) -> tuple[int, ...]:
    """Rows: the promoted one, the best (without aliases), the baseline, and the cheapest."""
    rows = comparison.rows
    best = [row.row for row in rows if row.alias_of is None][:BEST]
    cheapest = min((row for row in rows if row.cost is not None), key=_price, default=None)
    last = [] if cheapest is None else [cheapest.row]
    return tuple(dict.fromkeys([comparison.decision.promote, *best, comparison.baseline, *last]))


def _price(row: Row) -> tuple[float, float, int]:
    cost = row.cost or {}
    return float(cost["units"]), float(cost["words"]), row.row


def _values(grid: Grid) -> list[list[float | None]]:
    rounded = np.round(grid.values[:MOST_ROWS], 4)
    return [[None if value != value else value for value in row] for row in rounded.tolist()]


def _number(documents: dict[str, int], doc_id: str) -> int:
    return documents.setdefault(doc_id, len(documents))


def _ranked(grid: Grid, row: int, documents: dict[str, int]) -> list[list[int]]:
    """The first k documents of each answerable question."""
    one = grid.members[row]
    sweep = grid.sweeps[one.sweep]
    found = sweep.documents[one.at, grid.answerable, : grid.k].tolist()
    return [[_number(documents, sweep.doc_ids[item]) for item in items if item != EMPTY] for items in found]


def _texts(grid: Grid, doc_ids: Sequence[str], texts: Texts) -> list[tuple[str | None, str | None]]:
    """Title and beginning of each document, from the first sweep whose documents could be read."""
    found = []
    for doc_id in doc_ids:
        known = (texts.document(sweep, doc_id) for sweep in grid.sweeps)
        document = next((one for one in known if one is not None), None)
        found.append(_told(document))
    return found


def _told(document: Document | None) -> tuple[str | None, str | None]:
    return (None, None) if document is None else (document.title or None, _beginning(document.text))


def _beginning(text: str) -> str:
    """The beginning of a text, in one line."""
    whole = " ".join(text[: 4 * SNIPPET].split())
    return whole if len(whole) <= SNIPPET and len(text) <= 4 * SNIPPET else f"{whole[:SNIPPET]}…"
