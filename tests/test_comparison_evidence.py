"""Evidence of a whole sweep: as every run logs it, and within equal budgets of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matrices import dataset, journal_of
from pipelines import pipeline_of, run_one

from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.comparison.evidence import BUDGETS, context_curve, evidence_of
from rag_sweep.errors import ConfigError
from rag_sweep.execute import Outcome
from rag_sweep.fusion import LexicalOnly
from rag_sweep.lexical import BM25
from rag_sweep.matrix import SweepData, write_matrix
from rag_sweep.pipeline import Settings
from rag_sweep.records import Dataset

PIPELINES = (
    pipeline_of(),
    pipeline_of(chunker=FixedChunker(size=6, overlap=2)),
    pipeline_of(chunker=FixedChunker(size=6, overlap=2), fusion=LexicalOnly(), lexical=BM25(0.3)),
)
WENT_WELL = (0, 2, 3)
SETTINGS = Settings(2, (1, 5), 0.5)


def without_spans() -> Dataset:
    questions = tuple(replace(question, spans=()) for question in dataset().gold.questions)
    return replace(dataset(), gold=replace(dataset().gold, questions=questions))


def sweep_of(folder: Path, on: Dataset, results: Sequence[Outcome | str]) -> SweepData:
    with journal_of(folder / "j", results, basis=on.basis, chosen=SETTINGS) as journal:
        write_matrix(journal, folder / "matrix.npz")
    return SweepData(folder / "matrix.npz")


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [run_one(dataset(), pipeline, SETTINGS) for pipeline in PIPELINES]


@pytest.fixture
def sweep(tmp_path: Path, outcomes: list[Outcome]) -> SweepData:
    return sweep_of(tmp_path, dataset(), [outcomes[0], "it broke", *outcomes[1:]])


def test_it_is_the_evidence_that_the_runs_logged(sweep: SweepData, outcomes: list[Outcome]) -> None:
    table = evidence_of(sweep)
    assert (table.k, table.share, table.is_empty) == (2, 0.5, False)
    assert table.asked.tolist() == [True, False, False, False]
    for row, outcome in zip(WENT_WELL, outcomes, strict=True):
        assert outcome.evidence is not None
        for name, values in vars(outcome.evidence).items():
            assert getattr(table, name)[row].tobytes() == values.tobytes()
        metrics = sweep.configurations[row].metrics
        assert table.means(row) == {
            name: metrics[f"evidence.{name}@2"] for name in ("recall", "precision", "found")
        }
    assert np.isnan(table.recall[1]).all()
    assert table.means(1) == {"recall": None, "precision": None, "found": None}


def test_rows_are_chosen_and_ordered_by_their_place(sweep: SweepData) -> None:
    table, some = evidence_of(sweep), evidence_of(sweep, [3, 1, 0])
    np.testing.assert_array_equal(some.recall, table.recall[[3, 1, 0]])
    assert evidence_of(sweep, []).recall.shape == (0, 4)


def test_another_share_counts_other_spans_as_found(sweep: SweepData) -> None:
    strict, lenient = evidence_of(sweep, share=1.0), evidence_of(sweep, share=0.01)
    assert (lenient.found[:, 0] >= strict.found[:, 0])[list(WENT_WELL)].all()
    np.testing.assert_array_equal(lenient.recall, strict.recall)
    with pytest.raises(ConfigError, match=r"evidence\.share must be"):
        evidence_of(sweep, share=0)


def test_blocks_change_nothing(sweep: SweepData, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evidence_of(sweep)
    monkeypatch.setattr("rag_sweep.comparison.evidence._AT_ONCE", 1)
    np.testing.assert_array_equal(evidence_of(sweep).precision, whole.precision)


def test_a_gold_without_spans_has_no_evidence(tmp_path: Path, outcomes: list[Outcome]) -> None:
    plain = [replace(outcome, evidence=None) for outcome in outcomes]
    table = evidence_of(sweep_of(tmp_path, without_spans(), plain))
    assert table.is_empty
    assert np.isnan(table.recall).all()
    assert table.means(0) == {"recall": None, "precision": None, "found": None}


# At an equal budget of words


def by_hand(outcome: Outcome, at: int, budget: int) -> tuple[list[int], int]:
    """The passages that a prompt of so many words holds, and how many words they have."""
    taken, words = [], 0
    for item in (item for item in outcome.found.passages.items[at].tolist() if item >= 0):
        if words + outcome.passages.words[item] > budget:
            break
        taken.append(item)
        words += int(outcome.passages.words[item])
    return taken, words


def test_whole_passages_are_handed_over_until_one_does_not_fit(
    sweep: SweepData, outcomes: list[Outcome]
) -> None:
    curve = context_curve(sweep, budgets=[12, 5, 6, 18, 12])
    assert (curve.measure, curve.budgets) == ("evidence recall", (5, 6, 12, 18))
    leave = sweep.basis.position["leave"]
    for row, outcome in zip(WENT_WELL, outcomes, strict=True):
        for at, budget in enumerate(curve.budgets):
            taken, words = by_hand(outcome, 0, budget)
            passages = outcome.passages
            handed = {
                character
                for item in taken
                if passages.document[item] == leave
                for character in range(passages.start[item], passages.end[item])
            }
            assert curve.values[row, at] == len(handed & set(range(12))) / 12
            assert curve.words[row, at] == words
    assert np.isnan(curve.values[1]).all()
    assert (curve.values[0, :3] == 0).all(), "a passage larger than the budget is not cut"
    assert curve.values[2].max() > 0


def test_a_curve_says_where_more_would_have_fitted(sweep: SweepData) -> None:
    curve = context_curve(sweep, [2], [1, 10_000])
    assert curve.cut_short.tolist() == [[0.0, 1.0]]
    whole = context_curve(sweep, [0], [1, 10_000])
    assert whole.cut_short.tolist() == [[0.0, 0.0]], "all four documents are kept of five places"


def test_without_spans_the_curve_is_one_of_documents(tmp_path: Path, outcomes: list[Outcome]) -> None:
    plain = [replace(outcome, evidence=None) for outcome in outcomes]
    sweep = sweep_of(tmp_path, without_spans(), plain)
    curve = context_curve(sweep)
    assert (curve.measure, curve.budgets) == ("document recall", BUDGETS)
    for row, outcome in enumerate(outcomes):
        for at, budget in enumerate(BUDGETS):
            recalls = []
            for number, question in enumerate(dataset().gold.questions[:3]):
                taken, _ = by_hand(outcome, number, budget)
                ids = {sweep.doc_ids[outcome.passages.document[item]] for item in taken}
                recalls.append(len(ids & set(question.relevant)) / len(question.relevant))
            assert curve.values[row, at] == pytest.approx(sum(recalls) / 3, abs=1e-15)


@pytest.mark.parametrize("budgets", [[0], [10, 1.5], [True]])
def test_another_budget_is_refused(sweep: SweepData, budgets: list[int]) -> None:
    with pytest.raises(ConfigError, match="budgets must be ints >= 1"):
        context_curve(sweep, budgets=budgets)
