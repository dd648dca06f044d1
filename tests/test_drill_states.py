"""The rows of a drill: what moved between two scorecards, and what a row is called."""

from __future__ import annotations

import pytest
from scorecards import gold_of, scorecard_of

from rag_sweep.drill.states import (
    BASELINE,
    CAUGHT,
    IMPROVED,
    NOT_APPLICABLE,
    PASSED,
    RESTORED,
    SMALL,
    UNCHANGED,
    Drill,
    Effect,
    Judged,
    State,
    effect_of,
    status_of,
)
from rag_sweep.drill.words import headline

MEASURES = ("mrr@5", "recall@5", "hit@5")


def effect(ranks: list[int | None], before: list[int | None]) -> Effect:
    return effect_of(scorecard_of(ranks), scorecard_of(before), "mrr@5", MEASURES)


def drill_of(*states: State, identical: bool = True, unfit: str | None = None) -> Drill:
    return Drill(
        name="made",
        dataset="made",
        gold="a" * 64,
        gold_version=None,
        corpus="c" * 64,
        questions=4,
        documents=9,
        k=5,
        objective="mrr@5",
        measures=MEASURES,
        shown=MEASURES,
        thresholds=("mrr@5 at least 0.5",),
        seed=0,
        states=states,
        identical=identical,
        unfit=unfit,
    )


def state(status: str, key: str = "k1x10") -> State:
    return State(key, key, "a story", status, "told")


def test_means_and_changes_are_those_of_the_cards() -> None:
    found = effect([1, 2, None, 1], [1, 1, 1, None])
    assert found.means == {"mrr@5": 2.5 / 4, "recall@5": 0.75, "hit@5": 0.75}
    assert found.changes == pytest.approx({"mrr@5": -0.5 / 4, "recall@5": 0.0, "hit@5": 0.0})


def test_questions_are_named_by_what_became_of_them_hardest_first() -> None:
    found = effect([1, 2, None, 1, 6], [1, 1, 1, None, 7])
    assert found.worse == ("q02", "q01")
    assert found.better == ("q03",)
    assert found.lost == ("q02",)
    assert found.found == ("q03",)
    # q00 is the same; q04 has its document behind k, where no value sees it move
    assert found.moved == ("q01", "q02", "q03")
    assert found.reordered == ("q01", "q02", "q03")


def test_a_negative_is_no_question_that_can_fall() -> None:
    gold = gold_of(3, negatives=1)
    before, after = scorecard_of([1, 1, None], gold), scorecard_of([2, 1, None], gold)
    found = effect_of(after, before, "mrr@5", MEASURES)
    assert (found.worse, found.moved) == (("q00",), ("q00",))


def test_the_largest_fall_is_the_one_that_is_told() -> None:
    found = effect([None, 2, 1, 1], [1, 1, 1, 1])
    assert found.fall is not None
    assert found.fall.measure == "mrr@5"
    assert found.fall.change == pytest.approx(-1.5 / 4)
    assert found.fall.worse == ("q00", "q01")
    assert effect([1, 1], [1, 2]).fall is None


def test_where_nothing_differs_nothing_is_told() -> None:
    found = effect([1, 3], [1, 3])
    assert found.fall is None
    assert found.worse + found.better + found.moved + found.reordered + found.lost + found.found == ()


@pytest.mark.parametrize(
    ("ranks", "before", "code", "status"),
    [
        ([1, 2], [1, 1], 1, CAUGHT),
        ([1, 1], [1, 1], 3, CAUGHT),
        ([1, 2], [1, 1], 0, PASSED),
        ([1, 1], [1, 2], 0, IMPROVED),
        ([1, 2], [1, 2], 0, UNCHANGED),
        ([2, 1], [1, 2], 0, UNCHANGED),  # the mean stays, whichever questions moved
    ],
)
def test_a_row_is_called_by_what_the_gate_says_and_what_the_values_do(
    ranks: list[int | None], before: list[int | None], code: int, status: str
) -> None:
    assert status_of(effect(ranks, before), Judged(code), "mrr@5") == status


def test_where_the_objective_stays_the_other_measures_decide() -> None:
    gold = gold_of(2)
    before, after = scorecard_of([1, 4], gold), scorecard_of([1, None], gold)
    found = effect_of(after, before, "hit@3", ("hit@3", "recall@5"))
    assert status_of(found, Judged(0), "hit@3") == PASSED
    back = effect_of(before, after, "hit@3", ("hit@3", "recall@5"))
    assert status_of(back, Judged(0), "hit@3") == IMPROVED


def test_what_cannot_be_seen_with_three_decimals_is_no_change() -> None:
    one = Effect({}, {"mrr@5": SMALL / 2}, None, (), ("q",), ("q",), (), (), ())
    assert status_of(one, Judged(0), "mrr@5") == UNCHANGED


def test_only_sabotages_that_apply_are_counted() -> None:
    drill = drill_of(
        state(BASELINE, "baseline"),
        state(CAUGHT, "a"),
        state(IMPROVED, "b"),
        state(NOT_APPLICABLE, "c"),
        state(RESTORED, "restored"),
    )
    assert [one.key for one in drill.sabotages] == ["a", "b"]
    assert drill.caught == 1
    data = drill.to_dict()
    assert (data["caught"], data["applicable"]) == (1, 2)
    assert [row["caught"] for row in data["states"]] == [None, True, False, None, None]


def test_a_drill_passes_if_as_many_are_noticed_as_are_required() -> None:
    some = state(CAUGHT, "a"), state(PASSED, "b")
    assert not drill_of(*some).is_passed()
    assert drill_of(*some).is_passed(1)
    assert not drill_of(*some).is_passed(2)
    assert drill_of(some[0]).is_passed()


@pytest.mark.parametrize("fault", [{"identical": False}, {"unfit": "it fails"}])
def test_a_drill_that_proves_nothing_never_passes(fault: dict[str, object]) -> None:
    assert not drill_of(state(CAUGHT), **fault).is_passed(0)  # type: ignore[arg-type]


def test_a_drill_in_which_nothing_applies_is_not_passed() -> None:
    none = drill_of(State("dim8", "dim = 8", "", NOT_APPLICABLE, "no dense branch"))
    assert (none.caught, none.is_passed(), none.is_passed(0)) == (0, False, False)
    assert headline(none) == "None of the sabotages applies to this search, so nothing is known of this gold"
