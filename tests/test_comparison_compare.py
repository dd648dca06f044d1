"""A whole comparison: what it holds, that it is plain data, and that order changes nothing."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from comparisons import SHIPPED, MadeSweep, asked, grid_params, noisy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.comparison import Comparison
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.parts import History
from rag_sweep.comparison.settings import Decide
from rag_sweep.statistics.pairs import all_pairs

QUICK: dict[str, Any] = {"resamples": 300, "repeats": 4}
PARAMS = grid_params(chunker=["document", "fixed"], lexical__k1=[0.9, 1.2], lexical__b=[0.4, 0.75])
MEANS = [0.5, 0.52, 0.55, 0.5, 0.6, 0.61, 0.7, 0.69]
KEYS = {
    "format", "objective", "k", "questions", "negatives", "configurations", "distinct", "failed", "dataset",
    "sweeps", "notes", "settings", "knobs", "baseline", "stand_in", "rows", "test", "best", "honest", "power",
    "effects", "per_question", "question_lists", "tags", "likes", "curve", "latency", "history", "warnings",
    "decision",
}  # fmt: skip
ROW = {
    "row", "rank", "sweep", "index", "name", "params", "mean", "lower", "upper", "means", "difference",
    "difference_lower", "difference_upper", "p_value", "p_adjusted", "effect", "shown", "wins", "ties",
    "losses", "is_baseline", "in_best", "chosen_share", "alias_of", "twins", "evidence", "words", "cost",
    "pareto", "warnings",
}  # fmt: skip


def compared(
    values: Any, params: Any = None, *, decide: dict[str, Any] | None = None, **sweep: Any
) -> Comparison:
    return compare(
        Grid.of(MadeSweep(values, params, **sweep)), Decide(**{**QUICK, **(decide or {})}), SHIPPED
    )


def plain(found: Comparison) -> Any:
    """Through JSON, which refuses what isn't finite."""
    return json.loads(json.dumps(found.to_dict(), allow_nan=False))


def test_it_holds_what_it_promises() -> None:
    found = plain(
        compared(noisy(MEANS, 40), PARAMS, questions=asked(40, tags=True), failures={2: "no memory"})
    )
    assert found.keys() == KEYS
    assert all(row.keys() == ROW for row in found["rows"])
    assert [row["row"] for row in found["rows"]] == list(range(7))
    assert (found["configurations"], found["distinct"], found["questions"]) == (8, 7, 40)
    assert found["failed"] == [
        {"name": "chunker=document k1=1.2 b=0.4", "failure": "no memory", "sweep": 0, "index": 2, "row": None}
    ]
    assert [row["row"] for row in found["rows"] if row["is_baseline"]] == [found["baseline"]]
    assert found["rows"][found["baseline"]]["params"] == {
        "chunker": "document", "lexical.k1": 1.2, "lexical.b": 0.75
    }  # fmt: skip
    assert [(knob["key"], knob["short"], knob["values"]) for knob in found["knobs"]] == [
        ("chunker", "chunker", ["document", "fixed"]),
        ("lexical.k1", "k1", [0.9, 1.2]),
        ("lexical.b", "b", [0.4, 0.75]),
    ]
    assert found["settings"]["rule"] == "cheapest_of_the_best"
    assert {tag["tag"]: tag["questions"] for tag in found["tags"]} == {"t0": 20, "t1": 20}
    assert found["power"]["for"] is None


def test_a_row_says_how_it_compares_with_the_baseline() -> None:
    values = noisy([0.5, 0.6], 40, noise=0.05)
    found = compared(values, decide={"baseline": 0})
    first, old = found.rows
    apart = values[1] - values[0]
    assert first.difference == pytest.approx(apart.mean())
    assert first.effect == pytest.approx(apart.mean() / apart.std(ddof=1))
    assert (first.wins, first.losses) == ((apart > 0).sum(), (apart < 0).sum())
    assert first.difference_lower is not None
    assert first.difference_upper is not None
    assert 0 < first.difference_lower < apart.mean() < first.difference_upper
    assert first.shown
    assert first.p_value == first.p_adjusted == pytest.approx(1 / 301)
    compares = (old.difference, old.p_value, old.p_adjusted, old.effect, old.wins, old.ties, old.losses)
    assert compares == (None,) * 7
    assert not old.shown


def test_an_alias_has_the_numbers_of_what_it_is_equal_to() -> None:
    values = noisy([0.5, 0.6, 0.6, 0.4], 40)
    values[2] = values[1]
    with_alias, without = compared(values, aliases={2: 1}), compared(values[[0, 1, 3]])
    assert (with_alias.distinct, without.distinct) == (3, 3)
    assert with_alias.rows[1].alias_of == 0
    for name in ("mean", "lower", "upper", "p_value", "p_adjusted", "difference", "in_best", "wins"):
        assert getattr(with_alias.rows[0], name) == getattr(with_alias.rows[1], name)
        assert getattr(with_alias.rows[0], name) == getattr(without.rows[0], name)
    assert with_alias.power == without.power


def test_the_baseline_may_be_an_alias() -> None:
    values = noisy([0.6, 0.6, 0.5], 40)
    values[1] = values[0]
    found = compared(values, aliases={1: 0}, decide={"baseline": 1})
    assert found.rows[found.baseline].index == 1
    assert found.decision.keeps_baseline
    assert found.decision.promote == found.baseline
    assert found.rows[0].difference is None


def test_holm_is_an_alternative() -> None:
    found = compared(noisy(MEANS, 40), PARAMS, decide={"correction": "holm"})
    assert found.test.correction == "holm"
    assert found.test.resamples == 0
    assert not found.test.exact


def test_any_two_that_are_so_far_apart_differ() -> None:
    values = noisy(MEANS, 40)
    found = compared(values, PARAMS)
    assert found.test.apart == all_pairs(values, resamples=300).critical_difference
    # the range of all is at least as large as that of two, so two need to be further apart
    assert found.test.apart > compared(values[:2], PARAMS[:2]).test.apart > 0
    assert plain(compared(values[:, :3], PARAMS))["test"]["apart"] is None  # too few for any difference
    assert compared(np.full((3, 30), 0.4)).test.apart == 0


def test_equal_means_share_a_rank() -> None:
    found = compared([[0.5, 0.7] * 10, [0.7, 0.5] * 10, [0.2, 0.3] * 10])
    assert [row.rank for row in found.rows] == [1, 1, 3]
    assert "ties" in [warning.kind for warning in found.warnings]


def test_what_the_gold_has_judged_so_far_goes_along() -> None:
    grid = Grid.of(MadeSweep(noisy([0.5, 0.6], 30)))
    found = compare(grid, Decide(**QUICK), history=History(4, 1200))
    assert plain(found)["history"] == {"sweeps": 4, "configurations": 1200}


def test_the_difference_that_matters_is_given_its_number_of_questions() -> None:
    found = plain(compared(noisy([0.5, 0.52], 40), decide={"difference": 0.02}))
    assert found["power"]["for"]["difference"] == 0.02
    assert found["power"]["for"]["questions"] > 40
    tiny = plain(compared(noisy([0.5, 0.52], 40), decide={"difference": 1e-9}))
    assert tiny["power"]["for"]["questions"] is None


@pytest.mark.parametrize(
    ("values", "options"),
    [
        (noisy([0.5], 30), {}),
        (noisy([0.5, 0.6], 2), {}),
        (noisy([0.5, 0.6], 1), {}),
        (np.full((3, 30), 0.4), {}),
        (np.zeros((3, 30)), {}),
        (np.ones((3, 30)), {}),
        (noisy([0.5, 0.6, 0.7], 30), {"failures": {0: "x", 2: "y"}}),
        (noisy([0.5, 0.6, 0.7], 30), {"objective": "recall@5"}),
        (noisy([0.5, 0.6, 0.7], 30), {"questions": asked(34, negatives=4)}),
        (np.repeat([[0.5], [0.75]], 20, axis=1), {}),  # the same difference everywhere
    ],
)
def test_odd_sweeps_are_told_in_finite_numbers(values: Any, options: dict[str, Any]) -> None:
    for correction in ("max_t", "holm"):
        found = plain(compared(values, **options, decide={"correction": correction, "baseline": None}))
        assert found["decision"]["headline"]
        assert found["rows"]


@settings(max_examples=25)
@given(
    values=arrays.arrays(
        np.float64,
        st.tuples(st.integers(1, 5), st.integers(1, 12)),
        elements=st.sampled_from([0.0, 0.25, 1 / 3, 0.63, 1.0]),
    )
)
def test_whatever_the_values_are_it_is_plain_data(values: np.ndarray) -> None:
    found = compared(values, decide={"resamples": 100, "repeats": 2, "folds": 2})
    assert plain(found)["rows"][found.decision.promote]["mean"] == found.rows[found.decision.promote].mean


def test_the_order_of_configurations_changes_nothing() -> None:
    values = noisy(MEANS, 40)
    order = np.random.default_rng(0).permutation(8)
    moved = compared(values[order], [PARAMS[at] for at in order])
    ours, theirs = plain(compared(values, PARAMS)), plain(moved)
    where = {row["index"]: at for at, row in enumerate(ours["rows"])}
    assert [where[int(order[row["index"]])] for row in theirs["rows"]] == list(range(8))
    for found in (ours, theirs):  # what does depend on it, by name
        for row in found["rows"]:
            del row["index"], row["twins"], row["cost"]
        del found["effects"], found["likes"], found["curve"]
        found["knobs"].sort(key=lambda knob: knob["key"])
        for knob in found["knobs"]:
            knob["values"].sort()
        del found["best"], found["notes"]
    assert _rounded(ours) == _rounded(theirs)


def test_the_order_of_questions_changes_nothing() -> None:
    values, questions = noisy(MEANS, 40), asked(40)
    order = np.random.default_rng(0).permutation(40)
    # each flips and draws other questions, so chances differ a little and nothing else does
    how = {"resamples": 5000}
    ours = compared(values, PARAMS, questions=questions, decide=how)
    theirs = compared(values[:, order], PARAMS, questions=[questions[at] for at in order], decide=how)
    for one, other in zip(ours.rows, theirs.rows, strict=True):
        assert (one.index, one.rank, one.mean, one.wins, one.losses) == (
            other.index, other.rank, pytest.approx(other.mean), other.wins, other.losses
        )  # fmt: skip
        assert one.p_value == pytest.approx(other.p_value, abs=0.03)
        assert one.lower == pytest.approx(other.lower, abs=0.005)
    assert ours.decision.headline == theirs.decision.headline
    assert ours.power == theirs.power
    places = {question.id: question for question in theirs.per_question}
    assert all(question == places[question.id] for question in ours.per_question)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value


def test_two_sweeps_are_one_leaderboard() -> None:
    first = MadeSweep(noisy([0.5, 0.6], 40), PARAMS[:2])
    other = MadeSweep(noisy([0.7, 0.8], 40, seed=1), PARAMS[2:4], sweep_id="20260131-130000-d4e5f6")
    found = compare(Grid.of(first, other), Decide(**QUICK), SHIPPED)
    assert sorted((row.sweep, row.index) for row in found.rows) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [sweep.configurations for sweep in found.sweeps] == [2, 2]
    assert found.rows[found.baseline].params["lexical.k1"] == 1.2


def test_many_configurations_save_resamples_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from rag_sweep.comparison import measured

    monkeypatch.setattr(measured, "MANY", 4)
    monkeypatch.setattr(measured, "FEWER", 100)
    assert any("100 resamples" in note for note in compared(noisy(MEANS, 30), PARAMS).notes)
    assert not any("resamples" in note for note in compared(noisy(MEANS[:4], 30), PARAMS[:4]).notes)
