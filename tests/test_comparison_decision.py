"""What a team lead reads: what to do, why, and what to be careful about."""

from __future__ import annotations

import re

import numpy as np
from comparisons import SHIPPED, MadeSweep, asked
from decisions import PARAMS, decided, exact

from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.parts import History
from rag_sweep.comparison.settings import Decide
from rag_sweep.comparison.words import NAME
from rag_sweep.statistics.differences import against_baseline


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
    gain = round(found.honest.value - 0.5, 3)
    assert f"which is +{gain:.3f} from the 0.500 of the baseline. Here it measured 0.600" in told.reasons[1]
    assert told.reasons[2].startswith("The difference from the baseline is real: +0.100 (+0.0")
    assert (
        ") on the questions that picked it, p = 0.002, with all 3 comparisons counted in" in told.reasons[2]
    )
    assert "of 60 questions." in told.reasons[2]
    assert told.reasons[3] == "One configuration stands alone: every other one is worse beyond chance."
    assert told.reasons[4] == (
        "A question takes as much computing as with the baseline, and hands over as many words, 100."
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
        "Promote chunker=document k1=1.2 b=0.4 pool_depth=100: it costs less than the baseline, and as far "
        "as 60 questions can tell it is at most 0.017 worse in ndcg@10"
    )
    assert found.decision.why == "cheaper"
    assert found.decision.reasons[-1].startswith(
        "A question takes 13 % as much computing as with the baseline"
    )
    (told,) = [reason for reason in found.decision.reasons if reason.startswith("It is +0.001 (")]
    assert "may be chance (p = 0.994 and at worst −0.017, with both comparisons counted in); better" in told
    # the headline says how much worse it may be: no caution says it again in other numbers
    assert found.decision.cautions == ()


def test_how_much_worse_the_cheaper_one_may_be_counts_in_all_comparisons() -> None:
    values = exact(0.5, 0.501, 0.4)
    found = decided(values, depths=[1000, 100, 1000])
    together = against_baseline(values, 0, resamples=500)
    row = found.rows[found.decision.promote]
    assert row.difference_lower is not None
    assert together.lower[1] < row.difference_lower < 0
    assert f"at most {-together.lower[1]:.3f} worse" in found.decision.headline


def test_the_cheaper_one_that_measures_the_same_everywhere_is_told_so() -> None:
    values = exact(0.5, 0.5, 0.4)
    values[1] = values[0]
    told = decided(values, depths=[1000, 100, 1000]).decision
    assert told.headline.endswith(
        ": it costs less than the baseline, and measures the same on every one of 60 questions"
    )
    unseen = 1 - 0.025 ** (1 / 60)  # Clopper and Pearson, of none in 60
    assert (
        "It measures the same as the baseline on all of 60 questions; on up to "
        f"{100 * unseen:.0f} % of other questions it may differ all the same."
    ) in told.reasons
    assert not any("from the baseline: that may be chance" in reason for reason in told.reasons)


def test_with_few_questions_something_cheaper_is_no_reason() -> None:
    found = decided(exact(0.5, 0.501, 0.4, questions=7), depths=[1000, 100, 1000])
    told = found.decision
    assert (told.why, told.keeps_baseline, told.promote) == ("few", True, found.baseline)
    assert told.headline == (
        "Keep the baseline, chunker=document k1=1.2 b=0.75 pool_depth=1000: 7 questions are too few to decide"
    )
    assert told.reasons[0] == (
        "With fewer than 25 questions one more or less may turn the order around, and of these "
        "configurations none is shown to be better: ask more questions."
    )
    assert told.reasons[1].startswith("The baseline measured 0.500 in ndcg@10.")
    assert told.cautions == ()  # how much a handful varies isn't known: no number of what they could show
    enough = decided(exact(0.5, 0.501, 0.4, questions=25), depths=[1000, 100, 1000]).decision
    assert enough.why == "cheaper"


def test_with_few_questions_what_is_shown_is_promoted_with_a_caution() -> None:
    told = decided(exact(0.5, 0.8, 0.4, questions=7)).decision
    assert told.why == "better"
    assert told.cautions[0].startswith("7 questions have an answer in the corpus; below 25,")


def test_one_question_is_too_few() -> None:
    told = decided([[0.5], [0.6]]).decision
    assert told.headline.endswith(": 1 question is too few to decide")


def test_an_interval_that_leaves_out_zero_is_of_one_comparison() -> None:
    found = decided(exact(0.5, 0.516, 0.4, 0.49))
    row = found.rows[0]
    assert row.difference_lower is not None
    assert row.difference_lower > 0
    assert not row.shown
    (told,) = [reason for reason in found.decision.reasons if "may be chance" in reason]
    assert (
        f"(p = {row.p_adjusted:.3f}, with all 3 comparisons counted in; the interval is of this one alone)"
        in told
    )
    alone = decided(exact(0.5, 0.502)).decision  # one comparison: nothing else is counted in
    assert not any("counted in" in reason or "this one alone" in reason for reason in alone.reasons)


def test_none_is_better_is_said_only_where_none_is() -> None:
    rng = np.random.default_rng(0)
    close = np.full(60, 0.5)
    close[:40] = 0.52  # a little better on most questions
    far = np.clip(0.5 + rng.normal(0, 0.3, 60), 0, 1)
    far += 0.53 - far.mean()
    values = np.clip(np.stack([np.full(60, 0.5), far, close]), 0, 1)
    found = decided(values, rule="best")
    assert found.decision.why == "chance"
    assert any(row.shown and (row.difference or 0) > 0 for row in found.rows)
    assert found.decision.headline.endswith(
        "of 3 configurations the one that the rule takes isn't shown to be better"
    )


def test_one_close_to_the_best_that_is_shown_to_be_worse_is_not_called_unbeaten() -> None:
    rng = np.random.default_rng(0)
    base = rng.uniform(0.3, 0.5, 60)
    cheap = base + 0.1 + rng.normal(0, 0.01, 60)
    relative = cheap + 0.005 + rng.normal(0, 0.001, 60)
    noise = rng.normal(0, 0.1, 60)
    top = relative + 0.001 + noise - noise.mean()
    values = np.stack([base, cheap, relative, top])
    found = decided(values, depths=[1000, 100, 1000, 1000], rule="one_standard_error")
    assert not found.rows[found.decision.promote].in_best
    assert found.decision.headline.endswith(": it beats the baseline, and it is close to the best")


def test_one_configuration_leaves_nothing_to_choose() -> None:
    found = decided(exact(0.5))
    assert found.decision.headline == (
        "Nothing to choose: chunker=document k1=1.2 b=0.75 pool_depth=100 is the only configuration"
    )
    assert found.decision.reasons[0].startswith("Its ndcg@10 is 0.500 (0.4")
    assert found.warnings == ()


def test_equal_in_effect_or_failed_leave_nothing_to_choose_either() -> None:
    values = np.tile(exact(0.5), (3, 1))
    equal = compare(Grid.of(MadeSweep(values, PARAMS[:3], aliases={1: 0, 2: 0})), Decide(resamples=200))
    assert equal.decision.why == "alone"
    assert equal.decision.headline.startswith(
        "Nothing to choose: all 3 configurations are equal in effect to chunker=document"
    )
    failed = compare(Grid.of(MadeSweep(values[:2], PARAMS[:2], failures={1: "x"})), Decide(resamples=200))
    assert failed.decision.headline.endswith("b=0.75 is the only configuration that has values")


def test_what_this_gold_can_show_is_a_caution() -> None:
    found = decided(exact(0.5, 0.502, 0.4), difference=0.01)
    assert found.power is not None
    (told,) = found.decision.cautions
    assert told.startswith(
        "A better one may be among them unseen: 60 questions show a difference of "
        f"{found.power.detectable:.3f} from the baseline 80 % of the time, and a smaller one less often. To "
        "find a difference of 0.01, it "
        "would take "
    )
    assert found.power.wanted is not None
    assert told.endswith(f"{found.power.wanted.questions:,} questions.")


def test_a_difference_that_is_shown_isnt_taken_back_by_a_caution() -> None:
    assert decided(exact(0.5, 0.6, 0.4)).decision.cautions == ()
    (told,) = decided(exact(0.5, 0.6, 0.4), difference=0.01).decision.cautions
    assert re.fullmatch(r"To find a difference of 0\.01, it would take \d+ questions\.", told)


def test_questions_too_few_for_any_sign_pattern_show_nothing_however_large() -> None:
    found = decided(exact(0.5, 0.6, questions=3))
    assert found.to_dict()["power"]["detectable"] is None
    assert found.to_dict()["power"]["alone"] is None
    assert found.decision.cautions[0] == (
        "With 3 questions no difference from the baseline could be shown, however large."
    )
    t_test = decided(exact(0.5, 0.6, questions=3), correction="holm")
    assert t_test.to_dict()["power"]["detectable"] > 0


def test_few_questions_are_a_caution() -> None:
    found = decided(exact(0.5, 0.8, questions=7))
    assert found.decision.cautions[0].startswith("7 questions have an answer in the corpus; below 25,")
    assert any(
        text.startswith("No honest value: 7 questions are too few") for text in found.decision.cautions
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


def test_long_names_are_cut_in_sentences_and_whole_in_the_rows() -> None:
    long = "/".join(["corpus"] * 2000)
    params = [{"chunker": "document"}, {"chunker": long}, {"chunker": f"{long}/2"}]
    better = compare(
        Grid.of(MadeSweep(exact(0.5, 0.6, 0.4), params)), Decide(resamples=200, repeats=4), SHIPPED
    )
    kept = compare(
        Grid.of(MadeSweep(exact(0.4, 0.5, 0.501), params)), Decide(resamples=200, repeats=4, baseline=1)
    )
    level = compare(Grid.of(MadeSweep(np.tile(exact(0.5), (3, 1)), params)), Decide(resamples=200, repeats=4))
    assert better.rows[0].params["chunker"] == long
    assert long in better.rows[0].name
    for found in (better, kept, level):
        told = found.decision
        every = [told.headline, *told.reasons, *told.cautions, *found.notes, *found.best.sentences]
        every += [warning.text for warning in found.warnings]
        assert max(map(len, every)) < 4 * NAME
    assert better.decision.headline.count("…") == 1
    assert better.decision.reasons[0].startswith("What changes from the baseline: chunker document → corpus/")


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
