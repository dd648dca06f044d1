"""Workers change no byte, whatever their kind and number."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from types import ModuleType

import pytest
from joblib import register_parallel_backend
from joblib.parallel import BACKENDS, ThreadingBackend
from pipelines import dataset_of, pipeline_of

from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.errors import ConfigError, RagSweepError
from rag_sweep.execute import Execute, Execution
from rag_sweep.fusion import RRF, LexicalOnly
from rag_sweep.jobs import known_backends
from rag_sweep.lexical import BM25
from rag_sweep.pipeline import Pipeline, Roots, Settings
from rag_sweep.plan import plan
from rag_sweep.report.questions import question_table
from rag_sweep.reranker import ZSum
from rag_sweep.tracking.artifacts import table_json

WORDS = [
    "leave",
    "travel",
    "costs",
    "plant",
    "vpn",
    "desk",
    "error",
    "days",
    "money",
    "ticket",
    "shift",
    "pay",
]
DATASET = dataset_of(
    {f"d{at:02}": " ".join(WORDS[(at * 7 + step * at) % 12] for step in range(30)) for at in range(40)},
    [" ".join(WORDS[at % 12 : at % 12 + 3]) for at in range(15)],
)
GRID = [
    pipeline_of(chunker=chunker, lexical=BM25(k1), embedder=LSAEmbedder(8), fusion=fusion, reranker=reranker)
    for chunker in (FixedChunker(10), FixedChunker(15, 5))
    for k1 in (0.5, 1.5)
    for fusion, reranker in ((RRF(10), ZSum(1.0, 5)), (RRF(60), ZSum(0.5, 20)), (LexicalOnly(), ZSum()))
]


def tables(how: Execute, pipelines: list[Pipeline] = GRID) -> list[bytes]:
    found: dict[int, bytes] = {}
    planned = plan(pipelines, Settings(), Roots.of(DATASET))
    for at, outcome in Execution(planned, DATASET, how).outcomes():
        assert not isinstance(outcome, RagSweepError), outcome
        found[at] = table_json(question_table(outcome, DATASET.basis))
    return [found[at] for at in range(len(pipelines))]


@pytest.fixture(scope="module")
def alone() -> list[bytes]:
    return [tables(Execute(), [pipeline])[0] for pipeline in GRID]


def test_one_worker_gives_what_each_gives_alone(alone: list[bytes]) -> None:
    assert tables(Execute()) == alone


def test_a_small_limit_of_memory_changes_nothing(alone: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Execute, "shard_size", lambda *_, **__: 2)
    assert tables(Execute()) == alone


@pytest.mark.parametrize("jobs", [2, 3, -1])
def test_threads_give_the_same_bytes(alone: list[bytes], jobs: int) -> None:
    assert tables(Execute(jobs, "threading")) == alone


@pytest.mark.full
@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "dask"])
def test_processes_and_a_cluster_give_the_same_bytes(alone: list[bytes], backend: str) -> None:
    assert tables(Execute(2, backend)) == alone


def test_an_unknown_backend_is_named_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"execute\.backend must be one of .*loky.*, got 'smoke'"):
        tables(Execute(2, "smoke"))


@pytest.mark.parametrize("jobs", [0, -2])
def test_numbers_of_workers_that_cannot_be_are_refused(jobs: int) -> None:
    with pytest.raises(ConfigError, match=r"execute\.n_jobs must be"):
        Execute(jobs)


def test_more_questions_and_deeper_pools_make_smaller_shards() -> None:
    how = Execute(memory_mb=100)
    assert how.shard_size(10, 10) > how.shard_size(1000, 10) > how.shard_size(1000, 1000) >= 1


@dataclass(frozen=True)
class Deadly(DocumentChunker):
    """Ends its process, as running out of memory does."""

    def split(self, text: str) -> list[tuple[int, int]]:
        os._exit(9)


@pytest.mark.full
def test_a_dead_worker_fails_its_own_configurations_and_no_others() -> None:
    pipelines = [GRID[0], pipeline_of(chunker=Deadly()), GRID[6]]
    planned = plan(pipelines, Settings(), Roots.of(DATASET))
    found = dict(Execution(planned, DATASET, Execute(2)).outcomes())
    assert "a worker died" in str(found[1])
    assert not any(isinstance(found[at], RagSweepError) for at in (0, 2))


def test_ray_is_a_backend_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    joblib_of_ray = ModuleType("ray.util.joblib")
    joblib_of_ray.register_ray = lambda: register_parallel_backend("ray", ThreadingBackend)  # type: ignore[attr-defined]
    for name in ("ray", "ray.util"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "ray.util.joblib", joblib_of_ray)
    monkeypatch.setattr("joblib.parallel.BACKENDS", dict(BACKENDS))
    assert "ray" in known_backends()
