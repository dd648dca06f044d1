"""What a team lead reads: what to do, why, and what to be careful about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from comparisons import SHIPPED, MadeSweep, asked, grid_params

from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.comparison import Comparison
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.parts import History
from rag_sweep.comparison.settings import Decide
from rag_sweep.comparison.words import chance, counted, listed, sentence, share, signed

PARAMS = grid_params(chunker=["document"], lexical__k1=[1.2, 0.9], lexical__b=[0.75, 0.4])


def exact(*means: float, questions: int = 60, noise: float = 0.05) -> np.ndarray:
    """Values whose means are exactly these."""
    rng = np.random.default_rng(1)
    hard = rng.uniform(-0.1, 0.1, questions)
    rows = rng.normal(0, noise, (len(means), questions))
    return np.array(means)[:, np.newaxis] + (hard - hard.mean()) + rows - rows.mean(axis=1, keepdims=True)


def decided(
    values: Any,
    *,
    words: list[float] | None = None,
    depths: list[int] | None = None,
    history: History | None = None,
    questions: Any = None,
    **decide: Any,
) -> Comparison:
    number = len(values)
    metrics = [
        {"context.words": (words or [100.0] * number)[at], "pool_recall.lexical": 0.5} for at in range(number)
    ]
    params = [
        {**one, "fusion.pool_depth": (depths or [100] * number)[at]} for at, one in enumerate(PARAMS[:number])
    ]
    sweep = MadeSweep(values, params, metrics=metrics, questions=questions)
    return compare(Grid.of(sweep), Decide(resamples=500, repeats=10, **decide), SHIPPED, history)


def test_what_beats_the_baseline_is_promoted_with_its_honest_value() -> None:
    found = decided(exact(0.5, 0.6, 0.52, 0.51))
    told = found.decision
    assert told.promote == 0
    assert not told.keeps_baseline
    assert told.headline == (
        "Promote chunker=document k1=1.2 b=0.4 pool_depth=100: it beats the baseline, and of 4 "
        "configurations none is shown to be better"
    )
    assert told.reasons[0] == "What changes from the baseline: b 0.75 → 0.4."
    assert found.honest is not None
    assert told.reasons[1].startswith(f"On new questions expect {found.honest.value:.3f} in ndcg@10 (")
    assert "against 0.500 of the baseline. Here it measured 0.600" in told.reasons[1]
    assert told.reasons[2].startswith("The difference from the baseline is real: +0.100 (+0.0")
    assert "p = 0.002, with all 3 comparisons counted in" in told.reasons[2]
    assert "of 60 questions." in told.reasons[2]
    assert told.reasons[3] == "One configuration stands alone: every other one is worse beyond chance."
    assert told.reasons[4] == (
        "A question takes as much work as with the baseline, and hands over 100 words instead of 100."
    )


def test_the_winners_number_never_stands_alone() -> None:
    for values in (exact(0.5, 0.6, 0.52), exact(0.5, 0.501, 0.4), exact(0.5, 0.49)):
        for rule in ("best", "cheapest_of_the_best", "one_standard_error"):
            found = decided(values, rule=rule)
            (worth,) = [reason for reason in found.decision.reasons if "new questions" in reason]
            assert found.honest is not None
            honest = found.honest.top["value"] if found.honest.top else found.honest.value
            assert f"{honest:.3f}" in worth or f"{found.honest.value:.3f}" in worth


def test_what_may_be_chance_keeps_the_baseline() -> None:
    told = decided(exact(0.5, 0.502, 0.4)).decision
    assert told.keeps_baseline
    assert told.headline == (
        "Keep the baseline, chunker=document k1=1.2 b=0.75 pool_depth=100: of 3 configurations none is "
        "shown to be better"
    )
    assert told.reasons[0].startswith(
        "The top of the leaderboard shows 0.502, but what is picked by its mean is "
    )
    assert told.reasons[0].endswith("; the baseline measured 0.500.")
    assert told.reasons[1].startswith(
        "The rule would take chunker=document k1=1.2 b=0.4 pool_depth=100, which is +0.002 ("
    )
    assert "that may be chance" in told.reasons[1]


def test_a_baseline_at_the_top_stays() -> None:
    told = decided(exact(0.5, 0.499, 0.4)).decision
    assert told.headline.endswith(
        "of 3 configurations none is shown to be better, and none as good costs less"
    )
    assert told.reasons[0].startswith("The baseline is at the top, with 0.500 in ndcg@10; what is picked")


def test_the_same_for_less_is_promoted_and_said() -> None:
    found = decided(exact(0.5, 0.501, 0.4), depths=[1000, 100, 1000])
    assert found.decision.headline == (
        "Promote chunker=document k1=1.2 b=0.4 pool_depth=100: it costs less than the baseline, and isn't "
        "worse as far as 60 questions can tell"
    )
    assert found.decision.reasons[-1].startswith("A question takes 13 % as much work as with the baseline")
    assert any(reason.startswith("It is +0.001 (") for reason in found.decision.reasons)


def test_one_configuration_leaves_nothing_to_choose() -> None:
    found = decided(exact(0.5))
    assert found.decision.headline == (
        "Nothing to choose: chunker=document k1=1.2 b=0.75 pool_depth=100 is the only configuration"
    )
    assert found.decision.reasons[0].startswith("Its ndcg@10 is 0.500 (0.4")
    assert found.warnings == ()


def test_what_this_gold_can_show_is_a_caution() -> None:
    found = decided(exact(0.5, 0.502, 0.4), difference=0.01)
    assert found.power is not None
    (told,) = found.decision.cautions
    assert told.startswith(
        f"With 60 questions a difference of {found.power.detectable:.3f} from the baseline is found 80 % of "
        "the time, a smaller one less often. To find 0.01, it would take "
    )
    assert found.power.wanted is not None
    assert told.endswith(f"{found.power.wanted.questions:,} questions.")


def test_few_questions_are_a_caution() -> None:
    found = decided(exact(0.5, 0.6, questions=3))
    assert found.decision.cautions[0].startswith("3 questions have an answer in the corpus; below 25,")
    assert any(
        text.startswith("No honest value: 3 questions are too few") for text in found.decision.cautions
    )
    assert any("can't be told" in text for text in found.decision.reasons)


def test_a_ceiling_is_a_caution() -> None:
    every = decided(np.clip(exact(0.97, 0.98, 0.99, noise=0.005), 0, 1))
    assert [warning.kind for warning in every.warnings] == ["ceiling"]
    assert every.warnings[0].text.startswith("every configuration is above 0.95 in ndcg@10")
    best = decided(np.clip(exact(0.6, 0.98, noise=0.01) + 0.0, 0, 1))
    assert best.warnings[0].text.startswith("the best mean of ndcg@10 is 0.9")
    assert any("hardly room to tell good from better" in text for text in best.decision.cautions)


def test_a_gold_that_judged_many_sweeps_is_a_caution() -> None:
    told = (
        "This gold has judged 12,000 configurations in 9 sweeps; each choice fits it a little more, so it's "
        "time for new questions."
    )
    assert told in decided(exact(0.5, 0.6), history=History(9, 12_000)).decision.cautions
    assert decided(exact(0.5, 0.6), history=History(2, 12_000)).warnings == ()


def test_larger_passages_are_a_caution() -> None:
    found = decided(exact(0.5, 0.6), words=[100.0, 1000.0])
    (told,) = [text for text in found.decision.cautions if "words a question" in text]
    assert "1,000 words a question, the baseline 100" in told
    assert "within 300 words its document recall is" in told
    assert not any(
        "words a question" in t for t in decided(exact(0.5, 0.6), words=[1000.0, 100.0]).decision.cautions
    )


def test_notes_on_the_sweeps_are_cautions() -> None:
    grid = Grid.of(MadeSweep(exact(0.5, 0.6), PARAMS[:2], planned=7))
    told = compare(grid, Decide(resamples=200, repeats=4)).decision.cautions
    assert any("isn't complete: 2 of 7 are there" in text for text in told)


def test_equal_rankings_are_a_warning_that_names_the_knobs() -> None:
    same = np.tile(np.arange(10), (3, 60, 1))
    same[2] = same[2][:, ::-1]
    sweep = MadeSweep(exact(0.5, 0.5, 0.4), PARAMS[:3], documents=same)
    found = compare(Grid.of(sweep), Decide(resamples=200, repeats=4))
    (told,) = [warning.text for warning in found.warnings if warning.kind == "identical"]
    assert told.startswith(
        "2 configurations rank the documents of every question exactly as another one does"
    )
    assert "(b)" in told
    assert [row.twins for row in found.rows] == [(1,), (0,), ()]


def test_few_judgements_are_a_warning_of_a_pooled_gold_only() -> None:
    kinds = [w.kind for w in decided(exact(0.5, 0.6), questions=asked(60, judged=True)).warnings]
    assert kinds == ["judged"]
    assert decided(exact(0.5, 0.6)).warnings == ()


def test_questions_without_tokens_are_a_warning() -> None:
    metrics = [{"questions.without_tokens": 3.0}, {"questions.without_tokens": 0.0}]
    params = [{"analyzer": "simple"}, {"analyzer": "stemmed"}]
    found = compare(Grid.of(MadeSweep(exact(0.5, 0.6), params, metrics=metrics)), Decide(resamples=200))
    (told,) = [warning.text for warning in found.warnings if warning.kind == "tokens"]
    assert told == (
        "3 questions have no token under analyzer=simple (1 of 2 configurations): words can't find anything "
        "for them"
    )


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (counted(1, "question"), "1 question"),
        (counted(1200, "question"), "1,200 questions"),
        (listed([]), ""),
        (listed(["a"]), "a"),
        (listed(["a", "b", "c"], "or"), "a, b or c"),
        (listed(["a", "b", "c"], most=2), "a, b and 1 more"),
        (signed(0.0004), "0.000"),
        (signed(-0.0124), "−0.012"),
        (signed(0.02), "+0.020"),
        (chance(0.04321), "p = 0.043"),
        (chance(0.0001), "p = 0.0001"),
        (share(0.0004), "under 1 %"),
        (share(0.9999), "over 99 %"),
        (share(1.0), "100 %"),
        (share(0.0), "0 %"),
        (sentence("a b"), "A b."),
        (sentence("so?"), "So?"),
    ],
)
def test_words_for_numbers(found: str, told: str) -> None:
    assert found == told
