"""Questions dealt into folds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.errors import ConfigError
from rag_sweep.statistics.folds import held_out


@given(
    groups=st.lists(st.integers(0, 8), min_size=4, max_size=30).filter(lambda labels: len(set(labels)) >= 3),
    repeats=st.integers(1, 4),
    folds=st.integers(2, 3),
    seed=st.integers(0, 5),
)
def test_each_question_is_held_out_once_a_repeat_together_with_its_group(
    groups: list[int], repeats: int, folds: int, seed: int
) -> None:
    held = held_out(len(groups), repeats, folds, seed, groups)
    assert held.shape == (len(groups), repeats * folds)
    assert (held.reshape(len(groups), repeats, folds).sum(axis=2) == 1).all()
    for label in set(groups):
        rows = held[[at for at, group in enumerate(groups) if group == label]]
        assert (rows == rows[0]).all()
    assert held.any(axis=0).all(), "an empty fold"


@pytest.mark.parametrize(("questions", "folds"), [(225, 5), (23, 5), (10, 10)])
def test_folds_differ_by_one_question_at_most(questions: int, folds: int) -> None:
    sizes = held_out(questions, 20, folds, 0).sum(axis=0)
    assert sizes.max() - sizes.min() <= 1


def test_a_tag_is_spread_evenly() -> None:
    tags = ["dates"] * 11 + ["names"] * 7 + ["numbers"] * 3 + ["tables"] * 30
    held = held_out(len(tags), 20, 5, 0, tags=tags)
    for tag in set(tags):
        each = held[[one == tag for one in tags]].sum(axis=0)
        assert each.max() - each.min() <= 1
    assert held.sum(axis=0).max() - held.sum(axis=0).min() <= 2


def test_groups_of_many_sizes_are_spread_evenly() -> None:
    groups = np.repeat(np.arange(20), [9, 8, 7, 6, 5, *[1] * 15])
    sizes = held_out(len(groups), 20, 5, 0, groups.tolist()).sum(axis=0)
    assert sizes.max() - sizes.min() <= 1


def test_a_large_group_of_one_tag_does_not_keep_another_tag_out_of_its_fold() -> None:
    groups = [*[0] * 12, *range(1, 31)]
    held = held_out(len(groups), 20, 5, 0, groups, ["large"] * 12 + ["names"] * 30)
    assert (held[12:].sum(axis=0) == 6).all()


def test_repeats_and_seeds_deal_anew() -> None:
    held = held_out(40, 2, 5, 0)
    assert (held[:, :5] != held[:, 5:]).any()
    assert (held != held_out(40, 2, 5, 1)).any()
    assert (held == held_out(40, 2, 5, 0)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 1}, "folds must be an int from 2 to the number of groups of questions \\(6\\), got 1"),
        ({"folds": 7}, "folds must be an int from 2 to the number of groups of questions \\(6\\), got 7"),
        ({"folds": 3, "groups": [1, 1, 1, 2, 2, 2]}, "number of groups of questions \\(2\\), got 3"),
        ({"groups": [1, 2]}, "groups must be one label a question \\(6\\), got 2"),
        ({"tags": [1] * 7}, "tags must be one label a question \\(6\\), got 7"),
        ({"repeats": 0}, "repeats must be an int >= 1, got 0"),
    ],
)
def test_what_cannot_be_dealt_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        held_out(6, **{"repeats": 2, "folds": 2, "seed": 0, **options})  # type: ignore[arg-type]
