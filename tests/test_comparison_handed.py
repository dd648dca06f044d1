"""Words and evidence that are handed over, beside the baseline: a loss is explained, or it is a caution."""

from __future__ import annotations

from typing import Any

import pytest
from comparisons import MadeSweep
from decisions import exact

from rag_sweep.comparison.careful import cautions_of
from rag_sweep.comparison.choice import Choice
from rag_sweep.comparison.findings import Findings
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.handed import less_evidence, times
from rag_sweep.comparison.parts import Best, Curve, CurveRow
from rag_sweep.comparison.prices import Prices, costs_in
from rag_sweep.comparison.row import Row
from rag_sweep.comparison.settings import Decide

BUDGETS = (100, 200, 400, 800)


def row_of(number: int, words: float, recall: float | None) -> Row:
    nothing: Any = dict.fromkeys(
        ("difference", "difference_lower", "difference_upper", "p_value", "p_adjusted", "effect", "wins")
    )
    return Row(
        row=number, rank=number + 1, sweep=0, index=number, name=f"c{number}", params={}, mean=0.5, lower=0.4,
        upper=0.6, means={}, **nothing, shown=False, ties=None, losses=None, is_baseline=number == 1,
        in_best=True, chosen_share=None, alias_of=None, twins=(),
        evidence=None if recall is None else {"recall": recall}, words=words,
        cost={"units": 100, "words": words}, pareto=True, warnings=(),
    )  # fmt: skip


def findings(
    words: tuple[float, float],
    recall: tuple[float | None, float | None],
    at_words: tuple[tuple[float, ...], tuple[float, ...]] | None,
    cut_short: float = 0.0,
    promote: int = 0,
) -> Findings:
    """The promoted one first, then the baseline."""
    rows = tuple(row_of(at, words[at], recall[at]) for at in (0, 1))
    curve = None
    if at_words is not None:
        lines = tuple(CurveRow(at, at_words[at], (cut_short,) * len(BUDGETS)) for at in (0, 1))
        curve = Curve("evidence recall", BUDGETS, lines)
    grid = Grid.of(MadeSweep(exact(0.5, 0.6)))
    return Findings(
        rows=rows,
        knobs=(),
        choice=Choice(0, promote, "better" if promote == 0 else "chance"),
        baseline=1,
        stand_in=None,
        worst=0.0,
        prices=Prices.of(costs_in(grid)),
        best=Best((0, 1), 0.05, (), (), (), (), ()),
        honest=None,
        power=None,
        curve=curve,
        notes=(),
        objective="ndcg@10",
        k=10,
        questions=60,
        distinct=2,
        failed=0,
        decide=Decide(),
    )


MORE = ((0.3, 0.4, 0.5, 0.69), (0.0, 0.1, 0.2, 0.485))
LESS = (MORE[1], MORE[0])


def test_less_evidence_in_fewer_words_is_explained_at_an_equal_number_of_words() -> None:
    found = findings((786.0, 5230.0), (0.694, 0.826), MORE)
    assert less_evidence(found) == (
        "It hands over less of the marked evidence, 0.694 of it in the first 10 passages instead of 0.826, "
        "but "
        "in fewer words; where both may hand over 800 words, it has 0.690 and the baseline 0.485.",
        "",
    )
    assert cautions_of(found, ()) == ()


def test_the_budget_is_the_one_that_is_closest_to_the_fewer_words() -> None:
    for words, budget in ((90.0, 100), (150.0, 200), (310.0, 400), (5000.0, 800)):
        told, _ = less_evidence(findings((words, 9000.0), (0.5, 0.8), MORE))
        assert f"where both may hand over {budget} words" in told


def test_what_is_only_known_to_be_at_least_so_much_is_told_so() -> None:
    told, _ = less_evidence(findings((786.0, 5230.0), (0.694, 0.826), MORE, cut_short=0.5))
    assert "it has at least 0.690 and the baseline at least 0.485" in told


def test_less_evidence_that_words_do_not_explain_is_a_caution() -> None:
    found = findings((786.0, 5230.0), (0.694, 0.826), LESS)
    assert less_evidence(found)[0] == ""
    (told,) = cautions_of(found, ())
    assert told == (
        "It hands over less of the marked evidence, 0.694 of it in the first 10 passages instead of 0.826; "
        "where both may hand over 800 words, it has 0.485 and the baseline 0.690."
    )


def test_less_evidence_in_as_many_words_is_a_caution_whatever_the_curve_says() -> None:
    for curve in (MORE, LESS, None):
        reason, caution = less_evidence(findings((800.0, 800.0), (0.6, 0.8), curve))
        assert reason == ""
        assert caution.startswith("it hands over less of the marked evidence, 0.600 of it")
    assert "where both" not in less_evidence(findings((800.0, 800.0), (0.6, 0.8), None))[1]


@pytest.mark.parametrize(
    ("recall", "promote"),
    [
        ((0.8, 0.8), 0),
        ((0.795, 0.8), 0),  # within what counts as the same
        ((0.9, 0.8), 0),
        ((None, 0.8), 0),
        ((0.6, None), 0),
        ((float("nan"), 0.8), 0),
        ((0.6, 0.8), 1),  # the baseline stays
    ],
)
def test_without_a_loss_nothing_is_said(recall: tuple[float | None, float | None], promote: int) -> None:
    assert less_evidence(findings((786.0, 5230.0), recall, MORE, promote=promote)) == ("", "")


def test_the_reason_is_a_bullet_of_the_decision() -> None:
    from rag_sweep.comparison.decision import decision_of

    told = decision_of(findings((786.0, 5230.0), (0.694, 0.826), MORE), ())
    assert told.reasons[-1].startswith("It hands over less of the marked evidence")


def test_amounts_are_told_by_their_ratio() -> None:
    assert [times(own, 100) for own in (100, 100.4, 13, 730, 1234, 0.1)] == [
        "as much", "as much", "13 % as much", "7.3 times as much", "12 times as much", "under 1 % as much"
    ]  # fmt: skip
