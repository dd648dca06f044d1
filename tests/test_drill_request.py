"""What is drilled, and by what: the promoted configuration, the current one, or what overrides choose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from champions import champion
from commands import write_dataset

from rag_sweep.champion import Champion
from rag_sweep.drill import request
from rag_sweep.drill.request import Order, prepared
from rag_sweep.drill.sabotages import SABOTAGES, Bench, Broken
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.errors import UsageError
from rag_sweep.gate import Thresholds, current, limits
from rag_sweep.gate.request import Wish
from rag_sweep.lexical import BM25
from rag_sweep.store.disk import Disk


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    return write_dataset(tmp_path)


@pytest.fixture
def crowned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Champion:
    """A champion as if the registry had it."""
    entry = {"value": 0.4, "reason": "agreed", "date": "2026-11-30"}
    made = replace(champion(tmp_path), thresholds={"format": 1, "minima": {"recall@3": entry}})
    for module in (request, limits, current):
        monkeypatch.setattr(module, "has_champion", lambda *_: True)
        monkeypatch.setattr(module, "find", lambda *_, **__: made)
    return made


def test_overrides_are_drilled_with_the_usual_limit(small: list[str]) -> None:
    ready = prepared([*small, "lexical.k1=0.7"], Wish(), Order())
    assert ready.exercise.configuration.pipeline.lexical == BM25(0.7)
    assert ready.exercise.thresholds == Thresholds(max_drop={"all": 0.03})
    assert ready.exercise.sabotages == SABOTAGES
    assert any("no thresholds are given" in note for note in ready.notes)


def test_a_limit_that_is_given_is_the_only_one(small: list[str]) -> None:
    ready = prepared(small, Wish(minima={"recall@10": 0.8}), Order())
    assert ready.exercise.thresholds == Thresholds({"recall@10": 0.8})
    assert not any("no thresholds" in note for note in ready.notes)


def test_the_promoted_configuration_is_drilled_by_its_own_thresholds(crowned: Champion) -> None:
    ready = prepared(["tracking=none"], Wish(), Order())
    assert ready.exercise.configuration == crowned.configuration
    assert ready.exercise.thresholds == Thresholds({"recall@3": 0.4})
    assert ready.exercise.dataset.basis.corpus_hash == crowned.scorecard.corpus_hash
    assert f"the promoted configuration is drilled: small ({crowned.source})" in ready.notes


def test_k_and_objective_can_be_chosen_for_the_promoted_configuration(crowned: Champion) -> None:
    words = ["tracking=none", "k=2", "cutoffs=[2]", "objective=mrr@2"]
    exercise = prepared(words, Wish(minima={"hit@2": 0.1}), Order()).exercise
    assert (exercise.configuration.settings.k, str(exercise.configuration.objective)) == (2, "mrr@2")
    assert exercise.configuration.pipeline == crowned.configuration.pipeline


def test_the_objective_of_the_promoted_configuration_stays_as_long_as_it_is_measured(
    crowned: Champion,
) -> None:
    own = crowned.configuration.objective
    wish = Wish(minima={"hit@2": 0.1})
    more = prepared(["tracking=none", f"k={own.k}", f"cutoffs=[2,{own.k}]"], wish, Order()).exercise
    assert more.configuration.objective == own
    other = prepared(["tracking=none", "k=2", "cutoffs=[2]"], wish, Order()).exercise
    assert str(other.configuration.objective) == "ndcg@2"


def test_a_champion_without_thresholds_is_judged_by_the_usual_limit(
    crowned: Champion, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = replace(crowned, thresholds={})
    for module in (request, limits, current):
        monkeypatch.setattr(module, "find", lambda *_, **__: bare)
    ready = prepared(["tracking=none"], Wish(), Order())
    assert ready.exercise.thresholds == Thresholds(max_drop={"all": 0.03})


def test_overrides_of_the_pipeline_pass_the_champion_over(small: list[str], crowned: Champion) -> None:
    ready = prepared([*small, "lexical.k1=0.7"], Wish(minima={"hit@10": 0.1}), Order())
    assert ready.exercise.configuration.pipeline.lexical == BM25(0.7)
    assert crowned.configuration.pipeline.lexical != BM25(0.7)


def test_a_sabotage_of_your_own_needs_overrides_to_stand_on(crowned: Champion) -> None:
    with pytest.raises(UsageError, match="--also stands on overrides: name the configuration"):
        prepared(["tracking=none"], Wish(), Order(also=("lexical.b=0",)))


def test_a_sabotage_of_your_own_is_the_configuration_with_its_overrides(small: list[str]) -> None:
    exercise = prepared(
        [*small, "lexical.k1=0.7"], Wish(), Order(also=("embedder.dim=4 lexical.b=0",))
    ).exercise
    own = exercise.sabotages[-1]
    done = own.do(Bench(exercise.configuration, exercise.dataset))
    assert isinstance(done, Broken)
    assert done.pipeline.lexical == BM25(0.7, 0.0)
    assert done.pipeline.embedder == HashEmbedder(4)
    assert own.key == "own1"


def test_only_what_is_named_is_done_in_the_order_of_the_table(small: list[str]) -> None:
    exercise = prepared(small, Wish(), Order(only=("ids", "k1x10"))).exercise
    assert [one.key for one in exercise.sabotages] == ["k1x10", "ids"]


@pytest.mark.parametrize(("there", "read"), [(False, False), (True, True)])
def test_a_store_is_opened_only_where_there_is_one(
    small: list[str], tmp_path: Path, there: bool, read: bool
) -> None:
    if there:
        Disk(str(tmp_path / "kept")).open()
    words = [word for word in small if word != "store=none"]
    store: Any = prepared([*words, "store.path=kept"], Wish(), Order()).exercise.store
    assert (store is not None) == read
    assert (tmp_path / "kept").exists() == there
