"""Effects of knobs as they are told, and what questions and tags say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from comparisons import MadeSweep, asked, grid_params

from rag_sweep.comparison import effects as module
from rag_sweep.comparison.asked import questions_of, tags_of
from rag_sweep.comparison.effects import effects_of
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.settings import Decide

DECIDE = Decide(resamples=200)


def additive(params: list[dict[str, Any]], questions: int = 12) -> np.ndarray:
    """Stemming is worth 0.1, k1 a tenth of its value, and each question is as hard as it is."""
    hard = np.linspace(0.1, 0.5, questions)
    worth = [0.1 * (one["analyzer"] == "stemmed") + 0.1 * float(one["lexical.k1"]) for one in params]
    return np.array(worth)[:, np.newaxis] + hard


def grid_of(params: list[dict[str, Any]]) -> Grid:
    return Grid.of(MadeSweep(additive(params), params))


def told(grid: Grid) -> Any:
    return effects_of(grid, grid.values[grid.main], DECIDE)


def test_levels_come_in_the_order_of_their_values() -> None:
    grid = grid_of(grid_params(analyzer=["stemmed", "simple"], lexical__k1=[1.5, 0.5, 1.0]))
    effects, likes, notes = told(grid)
    assert notes == ()
    by_knobs = {one.knobs: one for one in effects}
    k1 = by_knobs["lexical.k1",]
    assert k1.levels == (("0.5",), ("1.0",), ("1.5",))
    assert k1.effect == pytest.approx((-0.05, 0.0, 0.05))
    assert k1.counts == (2, 2, 2)
    assert by_knobs["analyzer",].levels == (("stemmed",), ("simple",))
    both = by_knobs["analyzer", "lexical.k1"]
    assert both.levels[:3] == (("stemmed", "0.5"), ("stemmed", "1.0"), ("stemmed", "1.5"))
    assert both.effect == pytest.approx([0.0] * 6)
    assert [(one.key, one.questions, one.indifferent) for one in likes] == [
        ("analyzer", (12, 0), 0),
        ("lexical.k1", (0, 0, 12), 0),
    ]


def test_many_numbers_are_looked_at_in_ranges_and_many_words_not_at_all() -> None:
    params = grid_params(
        lexical__k1=[round(0.1 * at, 1) for at in range(1, 41)], analyzer=["stemmed", "simple"]
    )
    effects, _, notes = told(grid_of(params))
    k1 = next(one for one in effects if one.knobs == ("lexical.k1",))
    assert [level for (level,) in k1.levels][:2] == ["0.1 to 0.4", "0.5 to 0.8"]
    assert len(k1.levels) == 10
    assert list(k1.effect) == sorted(k1.effect)
    assert any("40 values of k1 are looked at in 10 ranges" in note for note in notes)
    words = [{**one, "embedder": f"model {at}"} for at, one in enumerate(params)]
    effects, _, notes = told(grid_of(words))
    assert not any("embedder" in one.knobs for one in effects)
    assert any("embedder has 80 values, too many to compare" in note for note in notes)


def test_pairs_with_too_many_cells_are_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 5)
    effects, _, notes = told(
        grid_of(grid_params(analyzer=["stemmed", "simple"], lexical__k1=[0.5, 1.0, 1.5]))
    )
    assert [one.knobs for one in effects] == [("analyzer",), ("lexical.k1",)]
    assert notes == ("effects: 1 pair of knobs with more than 5 combinations left out",)


def test_without_knobs_there_are_no_effects() -> None:
    assert told(Grid.of(MadeSweep([[0.5, 0.6]]))) == ((), (), ())


def test_questions_are_told_with_what_they_decide() -> None:
    values = np.array([[1.0, 0.5, 0.0, 0.2], [0.4, 0.5, 0.5, 0.2], [0.3, 0.5, 0.1, 0.2]])
    grid = Grid.of(MadeSweep(values, questions=asked(5, tags=True, negatives=1)))
    questions, lists = questions_of(grid, grid.values[grid.main])
    assert [one.id for one in questions] == ["q000", "q001", "q002", "q003"]
    first = questions[0]
    assert (first.text, first.tags, first.best, first.worst) == ("what about thing 0", ("t0",), 1.0, 0.3)
    assert first.mean == pytest.approx(1.7 / 3)
    assert first.decides == 1
    assert [one.dead for one in questions] == [False, True, False, True]
    assert lists["dead"] == (1, 3)
    assert lists["decisive"] == (0,)
    assert lists["disputed"] == (0, 2)
    assert lists["hardest"][:2] == (2, 3)
    assert lists["easiest"][0] == 0


def test_texts_that_were_kept_back_are_none() -> None:
    grid = Grid.of(MadeSweep([[0.5]], has_text=False))
    assert questions_of(grid, grid.values)[0][0].text is None


def test_a_tag_has_its_own_winner() -> None:
    values = np.array([[0.9, 0.2, 0.9, 0.2], [0.3, 0.6, 0.3, 0.6], [0.1, 0.1, 0.1, 0.1]])
    grid = Grid.of(MadeSweep(values, questions=asked(4, tags=True)))
    found = {one.tag: one for one in tags_of(grid, [0, 2], 0, 2)}
    assert found["t0"].winner == 0
    assert found["t0"].means == {0: 0.9, 2: 0.1}
    assert found["t0"].difference == pytest.approx(0.8)
    assert found["t1"].winner == 1
    assert found["t1"].means == {0: 0.2, 2: 0.1, 1: 0.6}
    assert found["t1"].questions == 2
