"""The honest value of the choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from comparisons import MadeSweep, asked, grid_params, noisy

from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.comparison import Comparison
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.honest import groups_of
from rag_sweep.comparison.settings import Decide
from rag_sweep.records import Question


def compared(values: Any, questions: Any = None, **decide: Any) -> Comparison:
    sweep = MadeSweep(values, questions=questions)
    return compare(Grid.of(sweep), Decide(**{"resamples": 200, "repeats": 10, **decide}))


def test_questions_with_the_same_words_stay_together() -> None:
    texts = ["What is it?", "what  is IT", "Ｗhat is it!", "what is it not", "", ""]
    questions = [Question(f"q{at}", text, {"d": 1}) for at, text in enumerate(texts)]
    assert groups_of(questions, "question") == [0, 0, 0, 1, 2, 3]


def test_questions_about_the_same_document_stay_together_through_others() -> None:
    relevant = [("a", "b"), ("c",), ("b", "d"), ("d",), ("e",)]
    questions = [
        Question(f"q{at}", f"{at}", dict.fromkeys(docs, 1) | {"z": 0}) for at, docs in enumerate(relevant)
    ]
    group = groups_of(questions, "document")
    assert group[0] == group[2] == group[3]
    assert len({group[0], group[1], group[4]}) == 3


def test_among_equals_the_top_looks_too_good_and_the_honest_value_doesnt() -> None:
    found = [compared(noisy([0.5] * 40, 50, seed, 0.2), rule="best", baseline=0) for seed in range(8)]
    naive = np.mean([one.honest.naive for one in found if one.honest])
    value = np.mean([one.honest.value for one in found if one.honest])
    truth = np.mean([[row.mean for row in one.rows] for one in found])
    assert naive > truth + 0.03
    assert abs(value - truth) < 0.02
    for one in found:
        assert one.honest is not None
        assert one.honest.naive == one.rows[0].mean
        assert one.honest.optimism == pytest.approx(one.honest.naive - one.honest.value, abs=1e-9)
        assert one.honest.top is None
        assert sum(row.chosen_share or 0 for row in one.rows) == pytest.approx(1)


def test_where_cost_has_a_say_the_plain_choice_of_the_top_is_told_too() -> None:
    honest = compared(noisy([0.5, 0.6, 0.62], 50), baseline=0).honest
    assert honest is not None
    assert honest.rule == "cheapest_of_the_best"
    assert honest.top is not None
    assert honest.top["optimism"] == pytest.approx(honest.top["naive"] - honest.top["value"], abs=1e-9)


def test_aliases_share_no_choices() -> None:
    sweep = MadeSweep(noisy([0.4, 0.6, 0.6], 40), aliases={2: 1})
    rows = compare(Grid.of(sweep), Decide(resamples=200, repeats=4)).rows
    alias = next(row for row in rows if row.alias_of is not None)
    assert alias.chosen_share is None


@pytest.mark.parametrize(
    ("values", "options", "reason"),
    [
        (noisy([0.5, 0.6], 9), {}, "9 questions are too few for 5 folds"),
        (noisy([0.5, 0.6], 60), {"groups": "document"}, "40 groups"),
        (noisy([0.5, 0.6], 9), {"folds": 4}, None),
    ],
)
def test_too_few_questions_give_a_reason_in_place_of_a_value(
    values: Any, options: dict[str, Any], reason: str | None
) -> None:
    folds = {"folds": 25} if options.get("groups") == "document" else {}
    found = compared(values, **{**folds, **options})
    told = [warning.text for warning in found.warnings if warning.kind == "no_honest_value"]
    assert (found.honest is None) == bool(reason)
    assert all(row.chosen_share is None for row in found.rows) == bool(reason)
    assert [reason in text for text in told] == ([True] if reason else [])


def test_tags_are_spread_over_the_folds_without_changing_what_is_said() -> None:
    values = noisy([0.4, 0.6], 40)
    plain, tagged = compared(values), compared(values, asked(40, tags=True))
    assert plain.honest is not None
    assert tagged.honest is not None
    assert tagged.honest.value == pytest.approx(plain.honest.value, abs=0.02)


def test_documents_may_hold_questions_together() -> None:
    grid = Grid.of(MadeSweep(noisy([0.4, 0.6], 80), grid_params(lexical__k1=[0.9, 1.2])))
    honest = compare(grid, Decide(resamples=200, repeats=4, groups="document")).honest
    assert honest is not None
    assert honest.value == pytest.approx(0.6, abs=0.08)


@pytest.mark.full
@pytest.mark.parametrize("rule", ["best", "cheapest_of_the_best", "one_standard_error"])
def test_the_honest_value_of_every_rule_is_unbiased_and_the_naive_one_isnt(rule: str) -> None:
    naive, honest = [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        truth = rng.normal(0.5, 0.006, 40)
        truth[0] = 0.494
        values = truth[:, np.newaxis] + rng.normal(0, 0.03, 60) + rng.normal(0, 0.025, (40, 60))
        params = [
            {"lexical.k1": at, "fusion.pool_depth": int(depth)}
            for at, depth in enumerate(rng.choice([100, 1000], 40))
        ]
        sweep = MadeSweep(values, params, metrics=[{"pool_recall.lexical": 0.5}] * 40)
        grid = Grid.of(sweep)
        decide = Decide(resamples=500, repeats=10, rule=rule, baseline=0)
        found = compare(grid, decide)
        assert found.honest is not None
        chosen = found.rows[found.decision.promote] if not found.decision.keeps_baseline else None
        picked = chosen or next(row for row in found.rows if row.mean == found.honest.naive)
        naive.append(found.honest.naive - truth[picked.index])
        honest.append(found.honest.value - truth[picked.index])
    error = np.std(honest) / np.sqrt(len(honest))
    assert abs(np.mean(honest)) < 3 * error
    assert np.mean(naive) > np.mean(honest) + 3 * np.std(np.subtract(naive, honest)) / np.sqrt(len(honest))


def test_its_interval_is_to_neither_side_shorter_than_that_of_what_is_chosen() -> None:
    # most values are at the bound: questions alone may reach far down, which no symmetric interval shows
    values = np.ones((3, 13))
    values[:, :2] = 0.63
    found = compared(values, baseline=0)
    assert found.honest is not None
    row = found.rows[found.decision.promote]
    assert found.honest.value == pytest.approx(row.mean)
    assert found.honest.lower <= row.lower + 1e-9
    assert found.honest.upper >= row.upper - 1e-9
