"""Two configurations, question by question: relevant documents that moved, and what that did to values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.comparing.finding import Place
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.plain import plain
from rag_sweep.comparison.settings import Decide
from rag_sweep.configuration import Scalar
from rag_sweep.errors import DataError
from rag_sweep.records import Question
from rag_sweep.statistics.differences import against_baseline
from rag_sweep.statistics.intervals import bootstrap_differences
from rag_sweep.statistics.table import TIE, settle

FORMAT = 1
"""The version of the plain data."""

Fate = Literal["found", "lost", "up", "down", "same", "missing"]


@dataclass(frozen=True)
class Side:
    """One of the two: where it is from, and the mean of the objective."""

    sweep_id: str
    index: int
    name: str
    mean: float


@dataclass(frozen=True)
class Knob:
    """A param that differs; `has_a` and `has_b` are False where a pipeline hasn't got it."""

    key: str
    a: Scalar
    b: Scalar
    has_a: bool
    has_b: bool


@dataclass(frozen=True)
class Move:
    """A relevant document: its ranks, None where it isn't among those that were kept.

    `fate` is "found" if it is among the first k of B only, "lost" if of A only, else "up" and "down" for
    ranks within k, "same", and "missing" where neither has it there.
    """

    doc_id: str
    grade: int
    a: int | None
    b: int | None
    fate: Fate


@dataclass(frozen=True)
class Row:
    """A question: its values, B minus A, and its relevant documents."""

    id: str
    text: str | None
    tags: tuple[str, ...]
    a: float
    b: float
    change: float
    same_ranking: bool
    documents: tuple[Move, ...]


@dataclass(frozen=True)
class Difference:
    """B against A over the answerable questions.

    Attributes
    ----------
    difference, lower, upper
        Mean of B minus A, with its bootstrap interval at `level`.
    alpha, p_value
        Of the paired randomisation test, two-sided, of this one comparison; at most `alpha` is beyond chance.
    better, worse, same
        Questions whose value rose, fell, and stayed.
    reordered
        Questions whose first k documents are others, or in another order.
    rows
        Every question, the largest change first.
    """

    format: int
    objective: str
    k: int
    questions: int
    negatives: int
    dataset: str
    gold: str
    a: Side
    b: Side
    knobs: tuple[Knob, ...]
    difference: float
    lower: float
    upper: float
    level: float
    alpha: float
    p_value: float
    better: int
    worse: int
    same: int
    reordered: int
    notes: tuple[str, ...]
    rows: tuple[Row, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        result: dict[str, Any] = plain(self)
        return result


def difference_of(a: Place, b: Place, decide: Decide, objective: str | None = None) -> Difference:
    """Compare two configurations.

    Raises
    ------
    NotComparable
        If gold, k or objective of their sweeps differ.
    DataError
        If one of them has failed.
    """
    for place in (a, b):
        _refuse_failed(place)
    grid = Grid.chosen(dict.fromkeys((a, b)), objective=objective)
    first, second = (_values(grid, place) for place in (a, b))
    rows = _rows(grid, a, b, first, second)
    changes = second - first
    interval, p_value = _test(np.stack([first, second]), decide)
    return Difference(
        format=FORMAT,
        objective=grid.objective,
        k=grid.k,
        questions=len(first),
        negatives=int((~grid.answerable).sum()),
        dataset=a[0].basis.name,
        gold=a[0].basis.gold_hash,
        a=_side(a, first),
        b=_side(b, second),
        knobs=_knobs(a, b),
        difference=settle(float(changes.mean())),
        lower=interval[0],
        upper=interval[1],
        level=decide.level,
        alpha=decide.alpha,
        p_value=p_value,
        better=int((changes > TIE).sum()),
        worse=int((changes < -TIE).sum()),
        same=int((np.abs(changes) <= TIE).sum()),
        reordered=sum(not row.same_ranking for row in rows),
        notes=grid.notes,
        rows=rows,
    )


def _refuse_failed(place: Place) -> None:
    sweep, index = place
    failure = sweep.configurations[sweep.row(index)].failure
    if failure is not None:
        raise DataError(f"configuration {index} of sweep {sweep.sweep_id} failed: {failure}")


def _values(grid: Grid, place: Place) -> FloatArray:
    """Of the objective, shape (answerable questions,)."""
    sweep, index = place
    here = [s.sweep_id for s in grid.sweeps].index(sweep.sweep_id)
    row = next(at for at, one in enumerate(grid.members) if one.place == (here, index))
    values: FloatArray = grid.values[row]
    return values


def _test(table: FloatArray, decide: Decide) -> tuple[tuple[float, float], float]:
    """Interval of the mean difference and p of paired randomisation, of two rows."""
    resamples, seed = decide.resamples, decide.seed
    tested = against_baseline(table, 0, alpha=decide.alpha, resamples=resamples, seed=seed)
    apart = bootstrap_differences(table, 0, level=decide.level, resamples=resamples, seed=seed)
    return (float(apart.lower[1]), float(apart.upper[1])), float(tested.p_value[1])


def _side(place: Place, values: FloatArray) -> Side:
    sweep, index = place
    name = sweep.configurations[sweep.row(index)].name
    return Side(sweep.sweep_id, index, name, settle(float(values.mean())))


def _knobs(a: Place, b: Place) -> tuple[Knob, ...]:
    """Params that differ; those of the dataset too, for they may be why."""
    one, other = (sweep.configurations[sweep.row(index)].params for sweep, index in (a, b))
    return tuple(
        Knob(key, one.get(key), other.get(key), key in one, key in other)
        for key in dict.fromkeys([*one, *other])
        if (key in one, one.get(key)) != (key in other, other.get(key))
    )


def _rows(grid: Grid, a: Place, b: Place, first: FloatArray, second: FloatArray) -> tuple[Row, ...]:
    rows = [
        _row(grid, question, a, b, float(x), float(y))
        for question, x, y in zip(grid.questions, first, second, strict=True)
    ]
    order = sorted(range(len(rows)), key=lambda at: (-round(abs(rows[at].change), 9), at))
    return tuple(rows[at] for at in order)


def _row(grid: Grid, question: Question, a: Place, b: Place, x: float, y: float) -> Row:
    ranked = [_ranking(place, question.query_id) for place in (a, b)]
    ranks: list[Mapping[str, int]] = [{doc_id: at for at, doc_id in enumerate(r, 1)} for r in ranked]
    wanted = sorted(question.relevant, key=lambda doc_id: (-question.grades[doc_id], doc_id))
    moves = [
        _move(doc_id, question.grades[doc_id], ranks[0].get(doc_id), ranks[1].get(doc_id), grid.k)
        for doc_id in wanted
    ]
    return Row(
        id=question.query_id,
        text=question.text if grid.has_text else None,
        tags=question.tags,
        a=x,
        b=y,
        change=settle(y - x),
        same_ranking=ranked[0][: grid.k] == ranked[1][: grid.k],
        documents=tuple(moves),
    )


def _ranking(place: Place, query_id: str) -> tuple[str, ...]:
    sweep, index = place
    return sweep.ranking(index, query_id)


def _move(doc_id: str, grade: int, a: int | None, b: int | None, k: int) -> Move:
    within_a, within_b = (rank is not None and rank <= k for rank in (a, b))
    fate: Fate
    if not (within_a or within_b):
        fate = "missing"
    elif not within_a:
        fate = "found"
    elif not within_b:
        fate = "lost"
    else:
        fate = "same" if a == b else "up" if (b or 0) < (a or 0) else "down"
    return Move(doc_id, grade, a, b, fate)
