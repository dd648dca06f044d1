"""What each question, and each tag, says about the configurations."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.arrays import FloatArray
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.parts import QuestionInfo, TagInfo
from rag_sweep.statistics.questions import QuestionView, view_questions
from rag_sweep.statistics.table import TIE, settle

SHOWN = 10
"""Questions in each list; the lists of dead and decisive ones are whole."""


def questions_of(
    grid: Grid, table: FloatArray
) -> tuple[tuple[QuestionInfo, ...], dict[str, tuple[int, ...]]]:
    """Each answerable question, and lists of their positions; `table` has the values of `grid.main`."""
    view = view_questions(table)
    best, worst = table.max(axis=0).tolist(), table.min(axis=0).tolist()
    told = tuple(
        QuestionInfo(
            id=question.query_id,
            text=question.text if grid.has_text else None,
            tags=tuple(question.tags),
            mean=float(view.mean[at]),
            deviation=float(view.deviation[at]),
            best=best[at],
            worst=worst[at],
            dead=bool(view.dead[at]),
            decides=int(view.decisive[at]),
        )
        for at, question in enumerate(grid.questions)
    )
    return told, _lists(view)


def _lists(view: QuestionView) -> dict[str, tuple[int, ...]]:
    decisive = [at for at in (-view.decisive).argsort(kind="stable").tolist() if view.decisive[at]]
    return {
        "hardest": tuple(view.hardest(SHOWN).tolist()),
        "easiest": tuple(view.easiest(SHOWN).tolist()),
        "disputed": tuple(view.divisive(SHOWN).tolist()),
        "dead": tuple(view.dead.nonzero()[0].tolist()),
        "decisive": tuple(decisive),
    }


def tags_of(grid: Grid, rows: Sequence[int], promoted: int, baseline: int) -> tuple[TagInfo, ...]:
    """Each tag that an answerable question has, the commonest first.

    Parameters
    ----------
    rows
        The rows whose means are told.
    """
    places: dict[str, list[int]] = {}
    for at, question in enumerate(grid.questions):
        for tag in question.tags:
            places.setdefault(tag, []).append(at)
    return tuple(
        _tag(grid, tag, places[tag], rows, promoted, baseline)
        for tag in sorted(places, key=lambda tag: (-len(places[tag]), tag))
    )


def _tag(
    grid: Grid, tag: str, at: Sequence[int], rows: Sequence[int], promoted: int, baseline: int
) -> TagInfo:
    means = [settle(mean) for mean in grid.values[:, at].mean(axis=1).tolist()]
    winner = max(range(len(means)), key=lambda row: (means[row], -row))
    return TagInfo(
        tag=tag,
        questions=len(at),
        winner=winner,
        tied=sum(means[row] >= means[winner] - TIE for row in grid.main.tolist()),
        means={row: means[row] for row in dict.fromkeys([*rows, winner])},
        difference=settle(means[promoted] - means[baseline]),
    )
