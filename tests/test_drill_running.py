"""A whole drill: each row is what the broken search measures by itself, and nothing is left behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np
import pytest
from pipelines import dataset_of, pipeline_of

from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.configuration import Configuration
from rag_sweep.drill import running
from rag_sweep.drill.running import Exercise, run_drill
from rag_sweep.drill.sabotages import OWN, SABOTAGES, Bench, Broken, Sabotage
from rag_sweep.drill.states import Drill, State
from rag_sweep.drill.tampering import without_spans
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.errors import StageFailed
from rag_sweep.fusion import LexicalOnly
from rag_sweep.gate import Thresholds
from rag_sweep.measures import Measure
from rag_sweep.pipeline import Settings
from rag_sweep.records import Question, Span
from rag_sweep.reranker import ZSum
from rag_sweep.scorecard import Scorecard
from rag_sweep.single import evaluate_single
from rag_sweep.stages import STAGES
from rag_sweep.store.entry import Entry

THINGS = ("pump", "valve", "hose", "door", "lamp", "desk", "fan", "wire")

DATASET = dataset_of(
    {
        f"d{at}": f"the {thing} is in room {at} by the {THINGS[(at + 1) % 8]}. Its {thing} key hangs there"
        for at, thing in enumerate(THINGS)
    },
    [
        Question(
            f"q{at}", f"where hangs the key of the {thing}", {f"d{at}": 1}, (Span(f"d{at}", 0, 9),), ("x",)
        )
        for at, thing in enumerate(THINGS)
    ],
)
SETTINGS = Settings(3, (1, 3))
GATE = Thresholds({"recall@3": 0.9}, {"mrr@3": 0.05})


def configuration(**choices: Any) -> Configuration:
    pipeline = pipeline_of(**{"reranker": ZSum(), "chunker": FixedChunker(6), **choices})
    return Configuration(0, (), {}, pipeline, SETTINGS, Measure("ndcg", 3))


def drilled(
    thresholds: Thresholds = GATE, sabotages: Sequence[Sabotage] = SABOTAGES, **choices: Any
) -> Drill:
    return run_drill(Exercise(configuration(**choices), DATASET, thresholds, sabotages=sabotages))


@pytest.fixture(scope="module")
def drill() -> Drill:
    return drilled()


def row(drill: Drill, key: str) -> State:
    (found,) = [state for state in drill.states if state.key == key]
    return found


def test_the_rows_are_the_baseline_every_sabotage_in_order_and_the_restored_search(drill: Drill) -> None:
    assert [state.key for state in drill.states] == [
        "baseline",
        *(one.key for one in SABOTAGES),
        "restored",
    ]


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda one: one.key)
def test_a_row_has_the_values_that_the_broken_search_has_alone(drill: Drill, sabotage: Sabotage) -> None:
    done = sabotage.do(Bench(configuration(), DATASET))
    assert isinstance(done, Broken)
    alone = replace(configuration(), pipeline=done.pipeline)
    outcome = evaluate_single(alone, without_spans(done.dataset))
    means = Scorecard.of_outcome(alone, done.dataset, outcome).means()
    effect = row(drill, sabotage.key).effect
    assert effect is not None
    assert effect.means == {name: means[name] for name in drill.measures}


def test_restored_values_and_rankings_are_those_of_the_baseline(drill: Drill) -> None:
    assert drill.identical
    first, last = drill.states[0], drill.states[-1]
    assert first.effect == last.effect
    assert first.judged == last.judged
    assert last.told == ""


def test_a_search_that_comes_back_another_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(configuration: Configuration, dataset: Any) -> Any:
        return evaluate_single(replace(configuration, pipeline=pipeline_of(fusion=LexicalOnly(1))), dataset)

    monkeypatch.setattr(running, "evaluate_single", other)
    found = drilled(sabotages=SABOTAGES[:1])
    assert not found.identical
    assert "rankings of documents" in found.states[-1].told
    assert not found.is_passed(0)


def test_what_is_shown_is_the_objective_what_is_named_and_the_usual_two(drill: Drill) -> None:
    assert drill.shown == ("ndcg@3", "recall@3", "mrr@3")
    assert drilled(Thresholds({"hit@1": 0.5}), SABOTAGES[:1]).shown == (
        "ndcg@3",
        "hit@1",
        "recall@3",
        "mrr@3",
    )


def test_ids_of_passages_leave_nothing(drill: Drill) -> None:
    found = row(drill, "ids")
    assert found.caught
    assert found.effect is not None
    assert set(found.effect.means.values()) == {0.0}
    assert len(found.effect.lost) == 8


def test_a_corrupted_line_is_noticed_by_the_hash_of_the_gold(drill: Drill) -> None:
    found = row(drill, "gold")
    assert found.judged is not None
    assert found.judged.exit_code in (1, 3)
    assert found.caught
    without_drops = row(drilled(Thresholds({"recall@3": 0.5}), SABOTAGES[-1:]), "gold")
    assert without_drops.caught is False  # minima alone are judged on any gold


def test_what_is_not_noticed_says_why_and_what_would_catch_it() -> None:
    lax = drilled(Thresholds({"recall@3": 0.0}))
    missed = [state for state in lax.sabotages if not state.caught]
    assert missed == list(lax.sabotages)
    assert all(state.because and state.catch for state in missed)


def test_a_gate_that_fails_what_works_proves_nothing() -> None:
    found = drilled(Thresholds({"recall@3": 1.0, "precision@3": 0.9}), SABOTAGES[:1])
    assert found.unfit is not None
    assert not found.is_passed(0)


def test_a_sabotage_that_makes_the_search_fail_is_noticed() -> None:
    @dataclass(frozen=True)
    class Broke:
        def split(self, text: str) -> list[tuple[int, int]]:
            raise RuntimeError("no chunks today")

    def do(bench: Bench) -> Broken:
        return Broken("chunks fail", replace(bench.pipeline, chunker=Broke()), bench.dataset)

    found = row(drilled(sabotages=(Sabotage("own1", "mine", "", OWN, do),)), "own1")
    assert found.caught
    assert found.effect is None
    assert found.because == ("the search fails: passages: RuntimeError: no chunks today",)


def test_a_working_search_that_fails_is_an_error() -> None:
    @dataclass(frozen=True)
    class Broke:
        def split(self, text: str) -> list[tuple[int, int]]:
            raise RuntimeError("no chunks today")

    with pytest.raises(StageFailed, match="no chunks today"):
        drilled(chunker=Broke())


def test_the_same_drill_gives_the_same_again(drill: Drill) -> None:
    assert drilled() == drill


def test_another_seed_chooses_another_line_of_the_gold() -> None:
    def told(seed: int) -> str:
        exercise = Exercise(configuration(), DATASET, GATE, seed=seed, sabotages=SABOTAGES[-1:])
        return row(run_drill(exercise), "gold").told

    assert len({told(seed) for seed in range(4)}) > 1


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    exercise = Exercise(configuration(), DATASET, GATE, sabotages=SABOTAGES[:2])
    run_drill(exercise, lambda done, total: seen.append((done, total)))
    assert seen == [(0, 2), (1, 2), (2, 2)]


def test_shared_work_is_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of twelve sabotages two need other passages' tokens than the documents as they are."""
    runs: Counter[str] = Counter()

    def counting(name: str) -> Any:
        stage = STAGES[name]

        def run(parts: Any, inputs: Any) -> Any:
            runs[name] += len(parts)
            return stage.run(parts, inputs)

        return replace(stage, run=run)

    counted = {name: counting(name) for name in STAGES}
    monkeypatch.setattr("rag_sweep.compute.STAGES", counted)
    drilled()
    # documents: as they are, cut short, without one, half stale, as passages; the restored search anew
    assert runs["passages"] == 6
    # the analyzer once more
    assert runs["passage_terms"] == 7
    # dim = 8 is another embedder here, and it reads the analyzer's tokens
    assert runs["vectors"] == 8


class Counting:
    """A store that counts what is put in."""

    def __init__(self) -> None:
        self.puts = count()
        self.asked: list[str] = []

    def get(self, key: str) -> Any:
        self.asked.append(key)
        return None

    def put(self, entries: Mapping[str, Entry]) -> None:
        next(self.puts)

    def has(self, keys: Any) -> frozenset[str]:
        return frozenset()

    def find(self, stage: str, meta: Any) -> frozenset[str]:
        return frozenset()

    def notes(self) -> tuple[str, ...]:
        return ()


def test_the_users_store_is_read_and_never_written() -> None:
    store = Counting()
    run_drill(Exercise(configuration(), DATASET, GATE, store, sabotages=SABOTAGES[:3]))
    assert next(store.puts) == 0
    assert store.asked


def test_dim_8_on_vectors_of_fewer_components_changes_nothing() -> None:
    tiny = dataset_of({f"d{at}": f"word{at} is alone" for at in range(5)}, ["word0"])
    exercise = Exercise(
        configuration(embedder=LSAEmbedder(64), chunker=FixedChunker(50)),
        tiny,
        GATE,
        sabotages=SABOTAGES[2:3],
    )
    found = row(run_drill(exercise), "dim8")
    assert found.status == "unchanged"
    assert any("vectors of only" in line for line in found.because)


def test_values_are_finite_or_null(drill: Drill) -> None:
    def numbers(data: Any) -> Any:
        if isinstance(data, dict):
            for value in data.values():
                yield from numbers(value)
        elif isinstance(data, list):
            for value in data:
                yield from numbers(value)
        elif isinstance(data, float):
            yield data

    assert all(np.isfinite(number) for number in numbers(drill.to_dict()))
