"""Where a limit can't do what it is there for: too tight for so few questions, or on what can't fall."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.comparison.words import counted, listed
from rag_sweep.evaluation import k_covers_all
from rag_sweep.gate.verdict import Check
from rag_sweep.measures import MEASURES, Measure
from rag_sweep.scorecard import Scorecard
from rag_sweep.statistics.table import TIE

WITHOUT_ORDER = ("hit", "recall", "precision")
"""Measures that depend on what is among the first k alone, not on its order."""


def cautions(current: Scorecard, baseline: Scorecard | None, checks: Sequence[Check]) -> tuple[str, ...]:
    """What whoever chose the limits should know.

    Parameters
    ----------
    baseline
        None where there is none, or none that can be compared: then the present ranks say how far a
        question can fall.
    """
    return (*_covered(current, checks), *_tight(baseline or current, checks))


def _covered(card: Scorecard, checks: Iterable[Check]) -> list[str]:
    """Measures at a cutoff that no document is left out by."""
    measures = [Measure.parse(check.measure) for check in checks if check.measure is not None]
    found: dict[int, list[str]] = {}
    for measure in dict.fromkeys(measures):
        if measure.name in WITHOUT_ORDER and k_covers_all(measure.k, card.documents):
            found.setdefault(measure.k, []).append(str(measure))
    return [_covers(k, names, card.documents or 0) for k, names in found.items()]


def _covers(k: int, names: Sequence[str], documents: int) -> str:
    return (
        f"{k} ranks hold all {counted(documents, 'document')}, so {listed(names)} can't fail as long as what "
        "is relevant comes back at all; take a smaller k, or a measure of the order, such as ndcg or mrr"
    )


def _tight(card: Scorecard, checks: Iterable[Check]) -> list[str]:
    """Largest drops that one question alone exceeds by the smallest fall that it can have."""
    found: dict[tuple[float, str | None], list[str]] = {}
    rows: dict[tuple[float, str | None], int] = {}
    for check in checks:
        if check.kind != "max_drop" or check.measure not in card.measures or not check.limit:
            continue
        cost = _typical_fall(card, check)
        if cost is not None and cost > check.limit + TIE:
            key = check.limit, check.tag
            found.setdefault(key, []).append(f"{cost:.3f} of {check.measure}")
            rows[key] = check.questions
    return [_too_tight(limit, tag, rows[limit, tag], told) for (limit, tag), told in found.items()]


def _too_tight(limit: float, tag: str | None, questions: int, costs: Sequence[str]) -> str:
    of = "" if tag is None else f" with the tag {tag}"
    return (
        f"one question of {questions}{of} that falls as little as it can costs {listed(costs)}: more than "
        f"the limit of {limit:g}, so hardly any may get worse; choose larger limits, or ask more questions"
    )


def _typical_fall(card: Scorecard, check: Check) -> float | None:
    """What the smallest fall of a question costs the mean: the median over those that can fall."""
    if check.limit is None or check.questions * check.limit >= 1.0:  # even a whole question is within it
        return None
    falls = smallest_falls(card, Measure.parse(str(check.measure)), check.tag)
    able = falls[np.isfinite(falls)]
    return float(np.median(able)) / check.questions if len(able) else None


def smallest_falls(card: Scorecard, measure: Measure, tag: str | None = None) -> FloatArray:
    """How little each question can fall, float64, shape (answerable questions, or those with the tag,).

    Tried is every slip by one rank, and every loss of one document, the ones behind it moving up. Infinite
    where nothing can get worse.
    """
    rows = [at for at in np.flatnonzero(card.mask).tolist() if tag is None or tag in card.tags[at]]
    grades = np.array([_grades(card, at, measure.k) for at in rows], dtype=np.int64)
    most = max(len(card.relevant[at]) for at in rows)
    ideal = np.array([_padded(sorted(card.relevant[at].values(), reverse=True), most) for at in rows])
    worse = np.stack([grades, *_slips(grades)])
    values = MEASURES[measure.name](worse, ideal, measure.k)
    falls = values[:1] - values[1:]
    least: FloatArray = np.where(falls > TIE, falls, np.inf).min(axis=0)
    return least


def _slips(grades: IntArray) -> Iterable[IntArray]:
    """Every ranking that is worse by one step, shape of `grades` each."""
    depth = grades.shape[1]
    for rank in range(depth):
        swapped = grades.copy()
        if rank + 1 < depth:
            swapped[:, [rank, rank + 1]] = grades[:, [rank + 1, rank]]
        else:
            swapped[:, rank] = 0
        yield swapped
        lost = np.zeros_like(grades)
        lost[:, :-1] = np.delete(grades, rank, axis=1)
        yield lost


def _grades(card: Scorecard, at: int, depth: int) -> list[int]:
    """Of the first documents of a question, by rank."""
    return _padded([card.relevant[at].get(doc_id, 0) for doc_id in card.rankings[at][:depth]], depth)


def _padded(numbers: Sequence[int], length: int) -> list[int]:
    return [*numbers, *[0] * (length - len(numbers))]
