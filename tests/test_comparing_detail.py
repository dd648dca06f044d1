"""What the page gets beside the comparison: numbers that agree with the grid, and texts only if allowed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from comparisons import SHIPPED, MadeSweep, asked, noisy

from rag_sweep.comparing.detail import BEST, MOST_ROWS, SNIPPET, detail_of, finalists
from rag_sweep.comparing.texts import Texts
from rag_sweep.comparison.compare import compare
from rag_sweep.comparison.comparison import Comparison
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.settings import Decide
from rag_sweep.records import Corpus, Dataset, Document, Gold

QUICK = Decide(resamples=200, repeats=2)


@pytest.fixture(scope="module")
def grid() -> Grid:
    means = np.linspace(0.3, 0.6, 25)
    return Grid.of(MadeSweep(noisy(means.tolist(), 32, seed=4), questions=asked(34, negatives=2)))


@pytest.fixture(scope="module")
def comparison(grid: Grid) -> Comparison:
    return compare(grid, QUICK, SHIPPED)


def texts_of(sweep: MadeSweep) -> Texts:
    documents = tuple(Document(f"d{at:03}", f"Title {at}", f"text {at} " * 60) for at in range(39))
    return Texts({sweep.sweep_id: Dataset("made", Corpus(documents), Gold(()))})


def test_it_is_json_with_finite_numbers(grid: Grid, comparison: Comparison) -> None:
    found = detail_of(grid, comparison, Texts())
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_values_are_those_of_the_rows(grid: Grid, comparison: Comparison) -> None:
    values = detail_of(grid, comparison, Texts())["values"]
    assert len(values) == len(comparison.rows) <= MOST_ROWS
    for row, line in zip(comparison.rows, values, strict=True):
        assert len(line) == len(comparison.per_question)
        assert np.mean(line) == pytest.approx(row.mean, abs=1e-4)


def test_finalists_are_the_promoted_the_best_the_baseline_and_the_cheapest(comparison: Comparison) -> None:
    rows = finalists(comparison)
    assert len(set(rows)) == len(rows)
    assert set(rows) >= {comparison.decision.promote, comparison.baseline, *range(BEST)}
    assert len(rows) <= BEST + 3


def test_rankings_and_judgements_are_numbers_of_documents(grid: Grid, comparison: Comparison) -> None:
    found = detail_of(grid, comparison, Texts())
    names = found["documents"]
    assert len(set(names)) == len(names)
    assert [[names[at] for at in one] for one in found["relevant"]] == [
        list(q.relevant) for q in grid.questions
    ]
    sweep = grid.sweeps[0]
    for one in found["rankings"]:
        index = grid.members[one["row"]].record.index
        for question, ranked in zip(grid.questions, one["ranked"], strict=True):
            expected = sweep.ranking(index, question.query_id)[: grid.k]
            assert tuple(names[at] for at in ranked) == expected


def test_texts_are_titles_and_beginnings_in_the_order_of_the_documents(
    grid: Grid, comparison: Comparison
) -> None:
    found = detail_of(grid, comparison, texts_of(grid.sweeps[0]))  # type: ignore[arg-type]
    told = zip(found["documents"], found["titles"], found["snippets"], strict=True)
    for name, title, snippet in told:
        if name == "d039":  # not among the documents that could be read
            assert (title, snippet) == (None, None)
            continue
        assert title == f"Title {int(name[1:])}"
        assert snippet.startswith(f"text {int(name[1:])} text")
        assert len(snippet) == SNIPPET + 1


def test_without_texts_there_are_only_ids(grid: Grid, comparison: Comparison) -> None:
    found = detail_of(grid, comparison, Texts())
    assert set(found["titles"]) == set(found["snippets"]) == {None}
