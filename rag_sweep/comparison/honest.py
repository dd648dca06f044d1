"""The honest value: what this way of choosing is worth on questions that didn't choose."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.measured import Measured
from rag_sweep.comparison.parts import Honest, Winner
from rag_sweep.comparison.prices import Prices
from rag_sweep.comparison.rules import Choosing
from rag_sweep.comparison.settings import Decide
from rag_sweep.records import Question
from rag_sweep.statistics.differences import against_baseline
from rag_sweep.statistics.intervals import Intervals
from rag_sweep.statistics.nested import NestedValue, nested_value
from rag_sweep.statistics.table import best_share, numbered, settle

SHOWN = 20
"""Winners that are listed."""
QUICK = 1_000
"""Sign patterns for a critical value that only approximates."""
FEWEST = 2
"""Groups of questions in each fold, at least on average."""


def honest_value(
    grid: Grid, measured: Measured, decide: Decide, prices: Prices, chosen: int
) -> tuple[Honest, list[float]] | str:
    """Cross-validate the rule; the honest value with the share of choices of each row of `measured.table`.

    Parameters
    ----------
    prices
        Of the rows of `measured.table`.
    chosen
        The row of `measured.table` that the rule chooses from all questions.

    Returns
    -------
    tuple or str
        A text if nothing can be said: why.
    """
    groups = groups_of(grid.questions, decide.groups)
    number = len(set(groups))
    if len(measured.table) < 2:
        return "one configuration only: nothing was chosen"
    if number < FEWEST * decide.folds:
        kind = "questions" if decide.groups == "question" else "groups of questions without a common document"
        return f"{number} {kind} are too few for {decide.folds} folds"
    rule = _choosing(measured, decide, prices)
    crossed = partial(
        nested_value,
        measured.table,
        folds=decide.folds,
        repeats=decide.repeats,
        groups=groups,
        tags=_strata(grid.questions),
        level=decide.level,
        seed=decide.seed,
    )
    found = crossed(rule=rule)
    top = None
    if decide.rule != "best":
        plain = crossed(rule=best_share, resamples=2)
        top = {"value": plain.value, "naive": plain.naive, "optimism": plain.optimism}
    naive = settle(float(measured.table[chosen].mean()))
    lower, upper = _at_least(found, naive, measured.means, chosen)
    found = replace(found, naive=naive, optimism=settle(naive - found.value), lower=lower, upper=upper)
    return _told(grid, found, decide, top), found.chosen.tolist()


def _at_least(found: NestedValue, naive: float, means: Intervals, chosen: int) -> tuple[float, float]:
    """The interval, to neither side shorter than that of the mean of what is chosen.

    It is symmetric, and the questions alone may reach further down where most values are at a bound.
    """
    below, above = naive - float(means.lower[chosen]), float(means.upper[chosen]) - naive
    lower, upper = min(found.lower, found.value - below), max(found.upper, found.value + above)
    return settle(max(lower, 0.0)), settle(min(upper, 1.0))


def _told(grid: Grid, found: NestedValue, decide: Decide, top: dict[str, float] | None) -> Honest:
    order = np.argsort(-found.chosen, kind="stable")[:SHOWN]
    winners = [Winner(int(grid.main[at]), float(found.chosen[at])) for at in order if found.chosen[at] > 0]
    return Honest(
        value=found.value,
        lower=found.lower,
        upper=found.upper,
        naive=found.naive,
        optimism=found.optimism,
        folds=found.folds,
        repeats=found.repeats,
        rule=decide.rule,
        winners=tuple(winners),
        top=top,
    )


def _choosing(measured: Measured, decide: Decide, prices: Prices) -> Choosing:
    near = 1.0
    if decide.rule == "cheapest_of_the_best":
        best = int(measured.table.mean(axis=1).argmax())
        patterns = min(QUICK, decide.resamples)
        near = against_baseline(
            measured.table, best, alpha=decide.alpha, resamples=patterns, seed=decide.seed
        ).critical
    beyond = measured.differences.critical
    return Choosing(decide.rule, measured.table, prices, measured.baseline, near, beyond)


def groups_of(questions: Sequence[Question], groups: str) -> list[int]:
    """What stays together: questions with equal texts but for case, space and punctuation; or by document.

    Questions about the same document, directly or through others, are one group with ``document``.
    """
    if groups == "question":
        numbers: list[int] = numbered([_normalised(question) for question in questions]).tolist()
        return numbers
    documents: dict[str, list[int]] = {}
    for at, question in enumerate(questions):
        for doc_id in question.relevant:
            documents.setdefault(doc_id, []).append(at)
    links = [pair for asked in documents.values() for pair in pairwise(asked)]
    first, second = np.array(links, dtype=np.int64).reshape(-1, 2).T
    graph = coo_array((np.ones(len(links)), (first, second)), shape=(len(questions),) * 2)
    labels: list[int] = connected_components(graph, directed=False)[1].tolist()
    return labels


def _normalised(question: Question) -> str:
    """Its text as far as it says something; its id where no text was kept."""
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", question.text).casefold())
    return " ".join(words) or f"\n{question.query_id}"


def _strata(questions: Sequence[Question]) -> list[str]:
    return ["\n".join(sorted(question.tags)) for question in questions]
