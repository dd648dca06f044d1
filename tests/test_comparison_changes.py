"""Which changes a decision hangs on: told by the rows in which one of them alone is taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from comparisons import MadeSweep, grid_params
from decisions import exact

from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.comparison import Comparison
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.settings import Decide
from rag_sweep.configuration import Scalar

TWO = grid_params(lexical__k1=[1.2, 0.9], lexical__b=[0.75, 0.4])


def found_by(
    means: Sequence[float],
    params: Sequence[Mapping[str, Scalar]],
    *,
    words: Sequence[float] | None = None,
) -> Comparison:
    """Compared with the first one."""
    metrics = [{"context.words": count} for count in words or [100.0] * len(means)]
    sweep = MadeSweep(exact(*means), params, metrics=metrics)
    return compare(Grid.of(sweep), Decide(resamples=400, repeats=4, baseline=0))


def changes(found: Comparison) -> str:
    (told,) = [one for one in found.decision.reasons if one.startswith("What changes from the baseline: ")]
    return told.removeprefix("What changes from the baseline: ")


def test_what_is_needed_and_what_only_comes_along() -> None:
    found = found_by([0.5, 0.6, 0.5, 0.602], TWO)
    assert changes(found) == (
        "k1 1.2 → 0.9 and b 0.75 → 0.4. "
        "b is needed: with its old value it isn't shown to beat the baseline (0.500). "
        "k1 makes no sure difference: with its old value it beats the baseline too (0.600)."
    )


def test_what_adds_to_it_is_neither() -> None:
    found = found_by([0.5, 0.6, 0.58, 0.64], TWO)
    assert changes(found) == (
        "k1 1.2 → 0.9 and b 0.75 → 0.4. k1 and b add to it: with the old value of either it beats the "
        "baseline "
        "too, but isn't among the best any more (0.600 and 0.580)."
    )


def test_three_that_are_needed_are_told_together() -> None:
    params = grid_params(lexical__k1=[1.2, 0.9], lexical__b=[0.75, 0.4], fusion__k_rrf=[60, 10])
    found = found_by([0.5] * 7 + [0.6], params)
    assert changes(found).endswith(
        "k1, b and k_rrf are needed: with the old value of any one of them it isn't shown to beat the "
        "baseline "
        "(0.500, 0.500 and 0.500)."
    )


def test_a_single_change_and_one_that_was_not_taken_back_are_only_named() -> None:
    assert changes(found_by([0.5, 0.6], [TWO[0], TWO[1]])) == "b 0.75 → 0.4."
    assert changes(found_by([0.5, 0.6], [TWO[0], TWO[3]])) == "k1 1.2 → 0.9 and b 0.75 → 0.4."


def test_the_knobs_of_an_option_change_with_it() -> None:
    params: list[dict[str, Scalar]] = [
        {"chunker": "document", "lexical.k1": 1.2},
        {"chunker": "fixed", "chunker.size": 80, "lexical.k1": 0.9},
        {"chunker": "fixed", "chunker.size": 160, "lexical.k1": 0.9},
        {"chunker": "document", "lexical.k1": 0.9},
        {"chunker": "fixed", "chunker.size": 160, "lexical.k1": 1.2},
    ]
    found = found_by([0.5, 0.55, 0.65, 0.5, 0.651], params)
    assert changes(found) == "chunker document → fixed and size – → 160."
    found = found_by([0.5, 0.55, 0.651, 0.5, 0.65], params)
    assert changes(found) == (
        "chunker document → fixed, k1 1.2 → 0.9 and size – → 160. "
        "chunker is needed: with its old value it isn't shown to beat the baseline (0.500). "
        "k1 makes no sure difference: with its old value it beats the baseline too (0.650)."
    )


def test_a_knob_of_two_options_goes_with_the_option() -> None:
    params: list[dict[str, Scalar]] = [
        {"chunker": "fixed", "chunker.size": 80, "lexical.k1": 1.2},
        {"chunker": "sentence", "chunker.size": 160, "lexical.k1": 0.9},
        {"chunker": "fixed", "chunker.size": 80, "lexical.k1": 0.9},
        {"chunker": "fixed", "chunker.size": 160, "lexical.k1": 0.9},
    ]
    found = found_by([0.5, 0.65, 0.5, 0.64], params)
    assert changes(found) == (
        "chunker fixed → sentence, size 80 → 160 and k1 1.2 → 0.9. "
        "chunker is needed: with its old value it isn't shown to beat the baseline (0.500)."
    )


def test_what_the_promoted_one_does_not_use_is_taken_back_to_the_baselines_value() -> None:
    rows = [("rrf", 32, 1.2), ("rrf", 64, 0.9), ("rrf", 32, 0.9), ("lexical_only", 32, 0.9)]
    params: list[dict[str, Scalar]] = [
        {"fusion": fusion, "embedder.dim": dim, "lexical.k1": k1, "reranker": "none"}
        for fusion, dim, k1 in rows
    ]
    branches = {"lexical": [True] * 4, "dense": [fusion == "rrf" for fusion, _, _ in rows]}
    sweep = MadeSweep(exact(0.5, 0.64, 0.5, 0.65), params, branches=branches)
    found = compare(Grid.of(sweep), Decide(resamples=400, repeats=4, baseline=0))
    assert found.rows[found.decision.promote].params["embedder.dim"] is None
    assert changes(found) == (
        "fusion rrf → lexical_only, dim 32 → – and k1 1.2 → 0.9. "
        "fusion is needed: with its old value it isn't shown to beat the baseline (0.500)."
    )


def test_where_cost_decides_what_saves_is_needed() -> None:
    params = grid_params(lexical__k1=[1.2, 0.9], chunker=["document", "fixed"])
    found = found_by([0.5, 0.501, 0.5, 0.502], params, words=[1000, 100, 1000, 100])
    assert found.decision.why == "cheaper"
    assert changes(found) == (
        "k1 1.2 → 0.9 and chunker document → fixed. "
        "chunker is needed: with its old value it isn't cheaper than the baseline (0.500). "
        "k1 makes no sure difference: with its old value it is cheaper than the baseline too (0.501)."
    )


def test_a_knob_that_changes_is_never_called_free_to_choose() -> None:
    params = grid_params(lexical__k1=[1.2, 0.9], lexical__b=[0.75, 0.4], fusion__k_rrf=[60, 10])
    found = found_by([0.5, 0.5, 0.6, 0.6, 0.5, 0.5, 0.601, 0.602], params)
    assert {knob.key for knob in found.best.free} == {"lexical.k1", "fusion.k_rrf"}
    (told,) = [one for one in found.decision.reasons if "can't be told from the best one" in one]
    assert "free to choose" not in told
    assert any("Every value of k1 and k_rrf that was tried" in one for one in found.best.sentences)


def test_a_knob_that_means_nothing_to_the_promoted_one_is_not_called_free_to_choose() -> None:
    params: list[dict[str, Scalar]] = [{"chunker": "document", "lexical.k1": k1} for k1 in (1.2, 0.9, 0.6)]
    params += [{"chunker": "fixed", "chunker.size": size, "lexical.k1": 0.6} for size in (80, 160)]
    found = found_by([0.5, 0.65, 0.651, 0.65, 0.65], params)
    assert found.rows[found.decision.promote].params["chunker"] == "document"
    assert "chunker.size" in {knob.key for knob in found.best.free}
    (told,) = [one for one in found.decision.reasons if "can't be told from the best one" in one]
    assert "chunker is free to choose" in told
    assert "size" not in told


def test_what_most_of_the_best_have_is_left_out_only_for_its_cost_and_that_is_said() -> None:
    params = grid_params(embedder__dim=[32, 128], lexical__k1=[1.2, 0.9, 0.6])
    means = [0.5, 0.59, 0.65, 0.65, 0.65, 0.65]
    metrics = [{"pool_recall.lexical": 0.5, "pool_recall.dense": 0.5, "context.words": 100.0}] * 6
    given = [{**one, "fusion.pool_depth": 100} for one in params]
    branches = {"lexical": [True] * 6, "dense": [True] * 6}
    sweep = MadeSweep(exact(*means), given, metrics=metrics, branches=branches)
    found = compare(Grid.of(sweep), Decide(resamples=400, repeats=4, baseline=0))
    assert found.rows[found.decision.promote].params["embedder.dim"] == 32
    assert any("dim=128 (3 of 4; dim=32 costs less)" in one for one in found.decision.reasons)
