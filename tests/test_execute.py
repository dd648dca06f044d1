"""Running a plan: each node once, nothing kept longer than needed, failures kept apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import pytest
from pipelines import dataset_of, documents_of, pipeline_of, run, run_one, table_of
from threadpoolctl import threadpool_info, threadpool_limits

from rag_sweep import compute
from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.embedder.texts import Texts
from rag_sweep.errors import RagSweepError, StageFailed, Terminated
from rag_sweep.execute import Execution, Outcome
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.lexical import BM25
from rag_sweep.pipeline import Roots, Settings
from rag_sweep.plan import plan
from rag_sweep.reranker import Candidates, ZSum
from rag_sweep.stages import STAGES, Stage

DATASET = dataset_of(
    {"a": "leave begins in may", "b": "the vpn client", "c": "leave of two weeks"},
    ["leave in may", "vpn", "", "may the client leave"],
)

GRID = [
    pipeline_of(chunker=chunker, lexical=BM25(k1), fusion=fusion, reranker=reranker)
    for chunker in (DocumentChunker(), FixedChunker(2))
    for k1 in (0.9, 1.5)
    for fusion in (RRF(), LexicalOnly(), DenseOnly())
    for reranker in (ZSum(), pipeline_of().reranker)
]


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each stage is run."""
    counts: Counter[str] = Counter()

    def counted(name: str, stage: Stage) -> Stage:
        def run_stage(parts: Any, inputs: Any) -> Any:
            counts[name] += len(parts)
            return stage.run(parts, inputs)

        return Stage(stage.version, run_stage, stage.together)

    monkeypatch.setattr(compute, "STAGES", {name: counted(name, stage) for name, stage in STAGES.items()})
    return counts


def test_each_distinct_node_is_computed_once(computed: Counter[str]) -> None:
    planned = plan(GRID, Settings(), Roots.of(DATASET))
    assert len(list(Execution(planned, DATASET).outcomes())) == len(GRID)
    assert computed == planned.distinct


def test_a_computation_gives_what_was_wanted_and_nothing_else() -> None:
    roots = Roots.of(DATASET)
    chains = plan(GRID, Settings(), roots).chains
    wanted = [node for chain in chains for node in chain.results]
    found = compute.compute(wanted, roots.values(DATASET))
    assert set(found) == {node.key for node in wanted}


def test_an_alias_gets_the_outcome_of_its_original() -> None:
    first, second = run(
        DATASET, *(pipeline_of(fusion=LexicalOnly(), embedder=LSAEmbedder(dim)) for dim in (8, 16))
    )
    assert isinstance(first, Outcome)
    assert isinstance(second, Outcome)
    assert second.found is first.found


def test_what_an_outcome_says_beside_its_rankings() -> None:
    outcome = run_one(DATASET, pipeline_of(embedder=LSAEmbedder(), chunker=FixedChunker(2)))
    assert outcome.tokenless_questions == (2,)
    assert outcome.tokenless_passages == 0
    assert outcome.effective_dim == 6  # of six passages
    assert len(outcome.passages) == 6
    assert list(outcome.pool_recall) == ["lexical", "dense", "pool"]
    assert run_one(DATASET, pipeline_of(fusion=LexicalOnly())).effective_dim is None


def test_stages_run_on_one_thread_and_the_others_are_given_back() -> None:
    @dataclass(frozen=True)
    class Spy:
        depth: int = 3
        needs: ClassVar[tuple[str, ...]] = ()

        def rescore(self, candidates: Candidates) -> np.ndarray:
            seen.update(pool["num_threads"] for pool in threadpool_info())
            return candidates.ranking.scores

    seen: set[int] = set()
    planned = plan([pipeline_of(reranker=Spy())], Settings(), Roots.of(DATASET))
    with threadpool_limits(2):
        for _ in Execution(planned, DATASET).outcomes():
            outside = {pool["num_threads"] for pool in threadpool_info()}
    assert seen == {1}
    assert outside == {2}


# Failures


@dataclass(frozen=True)
class Failing:
    """An embedder that raises what it is told."""

    how: str = "raise"
    dim: int = 4
    nested: ClassVar[bool] = False
    reads: ClassVar[Literal["tokens", "text"]] = "text"
    calls: ClassVar[list[str]] = []

    def fit(self, passages: Texts) -> Mapping[str, Any]:
        self.calls.append(self.how)
        match self.how:
            case "interrupt":
                raise KeyboardInterrupt
            case "exit":
                raise SystemExit(3)
            case "terminate":
                raise Terminated(143)
            case "signs":
                raise ValueError("\x1b[31m \ud800")
            case "stage":
                raise StageFailed("the model is gone")
        raise RuntimeError("out of memory")

    def encode(self, model: Mapping[str, Any], texts: Texts) -> Any:
        raise NotImplementedError


def test_a_failure_is_one_configurations_and_the_others_go_on() -> None:
    pipelines = [
        pipeline_of(embedder=Failing()),
        pipeline_of(),
        pipeline_of(embedder=Failing(), fusion=LexicalOnly()),
        pipeline_of(embedder=Failing(), fusion=LexicalOnly(), reranker=ZSum()),
        pipeline_of(embedder=Failing(), fusion=DenseOnly()),
    ]
    found = run(DATASET, *pipelines)
    assert [str(one) if isinstance(one, RagSweepError) else "" for one in found] == [
        "vectors: RuntimeError: out of memory",
        "",
        "",  # nothing reads the embedder there
        "vectors: RuntimeError: out of memory",
        "vectors: RuntimeError: out of memory",
    ]
    assert all(isinstance(found[at], StageFailed) for at in (0, 3, 4))
    alone = [run(DATASET, pipelines[at])[0] for at in (1, 2)]
    for at, one in zip((1, 2), alone, strict=True):
        assert table_of(found[at], pipelines[at], DATASET) == table_of(one, pipelines[at], DATASET)


def test_what_failed_is_not_tried_again() -> None:
    Failing.calls.clear()
    run(DATASET, *(pipeline_of(embedder=Failing(), lexical=BM25(k1)) for k1 in (0.5, 1.0, 1.5)))
    assert Failing.calls == ["raise"]


def test_a_component_that_leaves_fails_like_any_other() -> None:
    left, fine = run(DATASET, pipeline_of(embedder=Failing("exit")), pipeline_of())
    assert str(left) == "vectors: SystemExit: 3"
    assert isinstance(fine, Outcome)


def test_a_reason_can_be_written_everywhere() -> None:
    (failure,) = run(DATASET, pipeline_of(embedder=Failing("signs")))
    assert str(failure) == r"vectors: ValueError: \x1b[31m \ud800"


def test_a_component_may_say_itself_why_it_failed() -> None:
    (failure,) = run(DATASET, pipeline_of(embedder=Failing("stage")))
    assert str(failure) == "the model is gone"


@pytest.mark.parametrize(("how", "kind"), [("interrupt", KeyboardInterrupt), ("terminate", Terminated)])
def test_an_interrupt_stops_the_sweep(how: str, kind: type[BaseException]) -> None:
    with pytest.raises(kind):
        run(DATASET, pipeline_of(embedder=Failing(how)))


def test_the_traceback_comes_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_SWEEP_DEBUG", "1")
    with pytest.raises(RuntimeError, match="out of memory"):
        run(DATASET, pipeline_of(embedder=Failing()))
    monkeypatch.setenv("RAG_SWEEP_DEBUG", "0")
    assert isinstance(run(DATASET, pipeline_of(embedder=Failing()))[0], StageFailed)


def test_a_value_that_is_no_number_fails_and_is_no_zero_in_a_mean() -> None:
    @dataclass(frozen=True)
    class Broken:
        depth: int = 2
        needs: ClassVar[tuple[str, ...]] = ()

        def rescore(self, candidates: Candidates) -> np.ndarray:
            return candidates.ranking.scores * np.nan

    failed, fine = run(DATASET, pipeline_of(reranker=Broken()), pipeline_of())
    assert isinstance(failed, StageFailed)
    assert isinstance(fine, Outcome)
    assert documents_of(fine, DATASET)[0]
