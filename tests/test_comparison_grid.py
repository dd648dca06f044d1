"""What is put together to be compared, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import MadeSweep, asked, grid_params, noisy

from rag_sweep.comparison.grid import Grid
from rag_sweep.errors import ConfigError, DataError, NotComparable

OTHER = "20260131-130000-d4e5f6"


def test_the_best_comes_first_and_equals_in_the_order_of_the_sweep() -> None:
    grid = Grid.of(MadeSweep([[0.2, 0.4], [0.5, 0.7], [0.3, 0.3], [0.7, 0.5]]))
    assert [one.record.index for one in grid.members] == [1, 3, 0, 2]
    assert grid.mean.tolist() == [0.6, 0.6, 0.3, 0.3]
    assert grid.values.tolist() == [[0.5, 0.7], [0.7, 0.5], [0.2, 0.4], [0.3, 0.3]]


def test_negatives_are_left_out() -> None:
    grid = Grid.of(MadeSweep([[0.2, 0.4], [0.5, 0.7]], questions=asked(3, negatives=1)))
    assert grid.values.shape == (2, 2)
    assert [question.query_id for question in grid.questions] == ["q000", "q001"]
    assert int((~grid.answerable).sum()) == 1


def test_failed_ones_stand_apart() -> None:
    grid = Grid.of(MadeSweep(noisy([0.1, 0.2, 0.3], 5), failures={1: "no memory"}))
    assert [one.record.index for one in grid.failed] == [1]
    assert len(grid) == 2
    assert grid.notes == ("1 configuration failed and is not compared: chunker=document k1=1",)


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(DataError, match="every configuration has failed"):
        Grid.of(MadeSweep([[0.5]], failures={0: "no memory"}))
    with pytest.raises(DataError, match="no question of the gold has a relevant document"):
        Grid.of(MadeSweep(np.ones((1, 0)), questions=asked(2, negatives=2)))
    with pytest.raises(DataError, match="no configuration was given"):
        Grid.chosen([])


def test_some_configurations_can_be_chosen_and_count_once() -> None:
    sweep = MadeSweep([[0.1], [0.2], [0.3]])
    grid = Grid.chosen([(sweep, 2), (sweep, 0), (sweep, 2)])
    assert [one.record.index for one in grid.members] == [2, 0]
    with pytest.raises(ConfigError, match="configuration must be the index"):
        Grid.chosen([(sweep, 3)])


def test_another_measure_at_another_cutoff_may_decide() -> None:
    grid = Grid.of(MadeSweep([[0.1], [0.2]]), objective="recall@5")
    assert grid.objective == "recall@5"
    assert set(np.unique(grid.values)) <= {0.0, 1.0}  # one relevant document each
    with pytest.raises(ConfigError, match="recall@50"):
        Grid.of(MadeSweep([[0.1]]), objective="recall@50")


def test_two_sweeps_are_put_together_and_their_names_tell_them_apart() -> None:
    params = grid_params(chunker=["document"], lexical__k1=[0.9, 1.2])
    first = MadeSweep([[0.1], [0.2]], params)
    grid = Grid.of(first, MadeSweep([[0.3], [0.4]], params, sweep_id=OTHER))
    assert [one.name for one in grid.members] == [
        "k1=1.2 (sweep 2)",
        "k1=0.9 (sweep 2)",
        "k1=1.2 (sweep 1)",
        "k1=0.9 (sweep 1)",
    ]
    assert grid.notes == ()


def test_another_gold_is_refused_and_the_difference_named() -> None:
    first = MadeSweep([[0.1, 0.2]], gold_version="2026.1")
    longer = MadeSweep([[0.1, 0.2, 0.3]], sweep_id=OTHER, gold_version="2026.2")
    with pytest.raises(NotComparable) as caught:
        Grid.of(first, longer)
    told = str(caught.value)
    assert "the gold differs" in told
    assert "2 and 3 questions" in told
    assert "versions 2026.1 and 2026.2" in told
    assert "only in the second: q002" in told


def test_other_judgements_other_words_and_another_order_are_named() -> None:
    first = MadeSweep([[0.1, 0.2]])
    tagged = MadeSweep([[0.1, 0.2]], questions=asked(2, tags=True), sweep_id=OTHER)
    with pytest.raises(NotComparable, match="other judgements, spans or tags: q000, q001"):
        Grid.of(first, tagged)
    turned = MadeSweep([[0.1, 0.2]], questions=asked(2)[::-1], sweep_id=OTHER)
    with pytest.raises(NotComparable, match="the order of the questions"):
        Grid.of(first, turned)


def test_another_k_and_another_objective_are_refused_and_named() -> None:
    with pytest.raises(NotComparable, match="k differs: 10 and 5"):
        Grid.of(MadeSweep([[0.1]]), MadeSweep([[0.1]], k=5, sweep_id=OTHER), objective="ndcg@3")
    other = MadeSweep([[0.1]], objective="recall@10", sweep_id=OTHER)
    with pytest.raises(NotComparable, match="the objective differs: ndcg@10 and recall@10"):
        Grid.of(MadeSweep([[0.1]]), other)
    assert len(Grid.of(MadeSweep([[0.1]]), other, objective="ndcg@10")) == 2


def test_another_corpus_and_another_code_are_compared_and_said() -> None:
    first = MadeSweep([[0.1], [0.2]])
    grid = Grid.of(first, MadeSweep([[0.3], [0.4]], sweep_id=OTHER, corpus_hash="e" * 64, code="0.2+y"))
    assert len(grid) == 4
    assert any("corpora differ" in note and "eeeeeeee" in note for note in grid.notes)
    assert any("versions of the code differ" in note and "0.2+y" in note for note in grid.notes)
    corpus = next(knob for knob in grid.knobs if knob.key == "corpus")
    assert corpus.values == ("made cccccccc", "made eeeeeeee")
    assert [corpus.value(row) for row in range(4)] == ["made eeeeeeee"] * 2 + ["made cccccccc"] * 2


def test_a_sweep_that_isnt_complete_is_said() -> None:
    (note,) = Grid.of(MadeSweep([[0.1]], planned=5)).notes
    assert note.endswith("isn't complete: 1 of 5 are there")


def test_what_is_equal_in_effect_counts_once() -> None:
    grid = Grid.of(MadeSweep([[0.1], [0.5], [0.5]], aliases={2: 1}))
    assert grid.root.tolist() == [0, 0, 2]
    assert grid.main.tolist() == [0, 2]


def test_equal_rankings_of_what_isnt_equal_in_effect_are_found() -> None:
    same, other = np.arange(10), np.arange(10)[::-1]
    documents = np.array([[same, same], [same, other], [same, same], [same, same]])
    sweep = MadeSweep([[0.4, 0.4], [0.3, 0.3], [0.4, 0.4], [0.4, 0.4]], documents=documents, aliases={3: 2})
    grid = Grid.of(sweep)
    assert [one.record.index for one in grid.members] == [0, 2, 3, 1]
    assert grid.twins == ((1,), (0,), (0,), ())
    again = MadeSweep([[0.4, 0.4]], documents=documents[:1], sweep_id=OTHER, corpus_hash="e" * 64)
    assert Grid.of(sweep, again).twins == ((1,), (0,), (0,), (), ())


def test_texts_that_one_sweep_has_kept_serve_all() -> None:
    sweep = MadeSweep([[0.1]], has_text=False)
    assert not Grid.of(sweep).has_text
    grid = Grid.of(sweep, MadeSweep([[0.1]], sweep_id=OTHER))
    assert grid.has_text
    assert grid.questions[0].text == "what about thing 0"
