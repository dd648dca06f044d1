"""Questions dealt into folds: what belongs together stays together, every kind is everywhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.checks import is_count, require
from rag_sweep.statistics.table import numbered


def held_out(
    questions: int,
    repeats: int,
    folds: int,
    seed: int,
    groups: Sequence[object] | None = None,
    tags: Sequence[object] | None = None,
) -> FloatArray:
    """Which questions each fold holds out, 1.0 or 0.0, shape (questions, repeats x folds).

    In every repeat each question is in one fold; equal `groups` in the same one. Equal `tags` are spread
    evenly over the folds; a group counts by the tag of its first question. Larger groups are dealt first.

    Raises
    ------
    ConfigError
        For labels that aren't one a question, and unless 2 <= folds <= number of groups.
    """
    group = _labels("groups", groups, questions, list(range(questions)))
    tag = _labels("tags", tags, questions, [0] * questions)
    number = int(group.max()) + 1
    allowed = f"an int from 2 to the number of groups of questions ({number})"
    require("folds", folds, allowed, is_count(folds, 2) and folds <= number)
    require("repeats", repeats, "an int >= 1", is_count(repeats))
    sizes = np.bincount(group)
    first_tag = tag[np.unique(group, return_index=True)[1]]
    rng = np.random.default_rng(seed)
    columns = np.zeros((questions, repeats, folds))
    for repeat in range(repeats):
        fold = _dealt(sizes, first_tag, folds, rng)
        columns[np.arange(questions), repeat, fold[group]] = 1.0
    return columns.reshape(questions, repeats * folds)


def _labels(key: str, labels: Sequence[object] | None, questions: int, default: Sequence[object]) -> IntArray:
    given = default if labels is None else list(labels)
    require(key, len(given), f"one label a question ({questions})", len(given) == questions)
    return numbered(given)


def _dealt(sizes: IntArray, tags: IntArray, folds: int, rng: np.random.Generator) -> IntArray:
    """The fold of each group, int64, shape (groups,): the one that has least of its tag, then least."""
    shuffled = rng.permutation(len(sizes))
    order = shuffled[np.lexsort((-sizes[shuffled], tags[shuffled]))]
    favour = rng.permutation(folds).tolist()
    if sizes.max() == 1 and tags.min() == tags.max():  # then they are dealt in turn
        fold = np.empty(len(sizes), dtype=np.int64)
        fold[order] = np.array(favour)[np.arange(len(sizes)) % folds]
        return fold
    total, of_tag, tag = [0] * folds, [0] * folds, -1
    fold = np.zeros(len(sizes), dtype=np.int64)
    for group, size, its_tag in zip(order.tolist(), sizes[order].tolist(), tags[order].tolist(), strict=True):
        if its_tag != tag:
            of_tag, tag = [0] * folds, its_tag
        least = min(favour, key=lambda at: (of_tag[at], total[at]))
        fold[group] = least
        of_tag[least] += size
        total[least] += size
    return fold
