"""Running a plan: what is shared first, then the configurations in shards, here or in other processes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rag_sweep.arrays import FloatArray, IntArray
from rag_sweep.cached import STORED, Cached
from rag_sweep.checks import is_count, require
from rag_sweep.errors import RagSweepError
from rag_sweep.evaluation import Evaluation
from rag_sweep.evidence import Evidence
from rag_sweep.jobs import Job, run_jobs
from rag_sweep.passages import Passages
from rag_sweep.pipeline import Chain, Node
from rag_sweep.plan import Plan, above
from rag_sweep.records import Dataset
from rag_sweep.stages import Found
from rag_sweep.store.entry import Store
from rag_sweep.store.none import ForgetfulStore

LARGEST_SHARD = 128
"""Configurations that are computed at once, at most: more would not share more, and results come later."""


@dataclass(frozen=True)
class Execute:
    """How a plan is computed; it changes no value.

    Parameters
    ----------
    n_jobs
        Workers, as joblib counts them: 1, 2, ..., or -1 for all cores.
    backend
        Any backend of joblib: loky, threading, multiprocessing, dask, ray.
    address
        Of a Dask scheduler, where `backend` is dask; None starts a local cluster.
    memory_mb
        About how much a worker may hold for the configurations that it computes at once, >= 16.
    """

    n_jobs: int = 1
    backend: str = "loky"
    address: str | None = None
    memory_mb: int = 512

    def __post_init__(self) -> None:
        known = self.n_jobs == -1 or is_count(self.n_jobs)
        require("execute.n_jobs", self.n_jobs, "an int >= 1, or -1 for all cores", known)
        require("execute.memory_mb", self.memory_mb, "an int >= 16", is_count(self.memory_mb, 16))

    def shard_size(self, queries: int, depth: int, *, pooled: bool = True) -> int:
        """Configurations that are computed at once, for so many questions and candidates of a branch.

        A `pooled` one has a second branch or a reranker. In bytes, a candidate takes 100 then, with temporary
        copies, 40 else; the measures of a question take 1,000.
        """
        each = max(1, queries) * (depth * (100 if pooled else 40) + 1000)
        return max(1, min(LARGEST_SHARD, self.memory_mb * 1_000_000 // each))


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one configuration gave.

    Attributes
    ----------
    passages
        The spans that passage numbers in `found` mean.
    found
        Rankings of documents and passages.
    evaluation
        Per-question values.
    pool_recall
        For each branch and for the "pool": recall before reranking and cutting, shape (queries,).
    tokenless_questions
        Positions of the questions in which the analyzer found no token.
    tokenless_passages
        How many passages have no token.
    effective_dim
        Components that the vectors have; None without a dense branch.
    evidence
        How much of the gold's evidence the first k passages hand over; None if the gold has no spans.
    """

    passages: Passages
    found: Found
    evaluation: Evaluation
    pool_recall: dict[str, FloatArray]
    tokenless_questions: tuple[int, ...]
    tokenless_passages: int
    effective_dim: int | None
    evidence: Evidence | None = None

    @property
    def top_scores(self) -> FloatArray:
        """The score at rank 1, float64, shape (queries,); ``-inf`` for an empty ranking."""
        scores = self.found.documents.scores
        first: FloatArray = scores[:, 0] if scores.shape[1] else np.full(len(scores), -np.inf)
        return first

    @property
    def words(self) -> IntArray:
        """Words that the first k passages of each question have together, int64, shape (queries,)."""
        first = self.found.passages.items[:, : self.evaluation.k]
        words: IntArray = self.passages.words_of(first).sum(axis=1)
        return words


COMMON = ("query_terms",)
"""Stages that don't depend on the chunking."""

PREFIX = ("passages", "passage_terms", *COMMON, "postings", "vectors", "dense")
"""Stages whose values many configurations share: they are computed before them."""


class Execution:
    """Computes a plan: what is shared first, then the configurations in shards."""

    def __init__(
        self, plan: Plan, dataset: Dataset, how: Execute | None = None, store: Store | None = None
    ) -> None:
        self._plan = plan
        self._how = how or Execute()
        self._store = ForgetfulStore() if store is None else store
        self._cached = Cached(store)
        self._roots = plan.roots.values(dataset)
        self._queries = len(dataset.gold.questions)

    def outcomes(self) -> Iterator[tuple[int, Outcome | RagSweepError]]:
        """Each configuration's number with its outcome, or with the reason why it failed."""
        return itertools.chain.from_iterable(self.shards())

    def shards(self) -> Iterator[list[tuple[int, Outcome | RagSweepError]]]:
        """The same, as they come: those that were computed together."""
        self._roots.update(self._computed([[n for n in self._plan.nodes.values() if n.stage in COMMON]]))
        for shards in self._batches():
            prefix = self._prefix(shards)
            jobs = (self._job(shard, prefix) for shard in shards)
            for shard, values in zip(shards, run_jobs(self._how, jobs, len(shards)), strict=True):
                self._cached.keep(self._searches(shard), values)
                known = {**prefix, **values}
                yield [(at, _outcome(self._plan.chains[at], known)) for at in shard]

    def _batches(self) -> list[list[tuple[int, ...]]]:
        """Shards whose shared values are in memory together: in one process, those of one chunking."""
        depth = max((chain.found.part for chain in self._plan.chains), default=1)
        deepest = max([depth, *(chain.pool_depth for chain in self._plan.chains)])
        pooled = any(chain.is_pooled for chain in self._plan.chains)
        shards = self._plan.shards(self._how.shard_size(self._queries, deepest, pooled=pooled))
        if self._how.n_jobs != 1:
            return [shards]
        chunking = self._plan.chains
        return [list(group) for _, group in itertools.groupby(shards, lambda s: chunking[s[0]].passages.key)]

    def _prefix(self, shards: Sequence[tuple[int, ...]]) -> dict[str, Any]:
        """The values that the shards share, each chunking computed as one job."""
        chunkings: dict[str, dict[str, Node]] = {}
        for at in itertools.chain.from_iterable(shards):
            chain = self._plan.chains[at]
            shared = chunkings.setdefault(chain.passages.key, {})
            shared.update((node.key, node) for node in above(chain.outputs) if node.stage in PREFIX)
        return self._computed([list(nodes.values()) for nodes in chunkings.values()])

    def _computed(self, wanted: Sequence[Sequence[Node]]) -> dict[str, Any]:
        """Values of groups of nodes, from the store or else computed, each group as one job."""
        found = self._cached.load(itertools.chain.from_iterable(wanted))
        jobs = (Job.of(nodes, {**self._roots, **found}, self._store) for nodes in wanted)
        for nodes, values in zip(wanted, run_jobs(self._how, jobs, len(wanted)), strict=True):
            self._cached.keep(nodes, values)
            found.update(values)
        return found

    def _job(self, shard: Sequence[int], prefix: Mapping[str, Any]) -> Job:
        results = [node for at in shard for node in self._plan.chains[at].results]
        searches = self._searches(shard)
        found = self._cached.load(searches)
        kept = searches if self._cached.is_on else []
        return Job.of([*results, *kept], {**self._roots, **prefix, **found}, self._store)

    def _searches(self, shard: Sequence[int]) -> list[Node]:
        """The lexical searches of a shard: first-stage rankings that are worth keeping."""
        nodes = {
            node.key: node
            for at in shard
            for node in above(self._plan.chains[at].results)
            if node.stage in STORED and node.stage not in PREFIX
        }
        return list(nodes.values())


def _outcome(chain: Chain, values: Mapping[str, Any]) -> Outcome | RagSweepError:
    taken = {node.key: values[node.key] for node in chain.outputs}
    failure = next((value for value in taken.values() if isinstance(value, RagSweepError)), None)
    if failure is not None:
        return failure
    vectors = taken[chain.vectors.key] if chain.vectors else None
    lengths = taken[chain.query_terms.key].lengths
    return Outcome(
        passages=taken[chain.passages.key],
        found=taken[chain.found.key],
        evaluation=taken[chain.values.key],
        pool_recall={name: taken[node.key] for name, node in chain.recalls.items()},
        tokenless_questions=tuple(int(at) for at in (lengths == 0).nonzero()[0]),
        tokenless_passages=int((taken[chain.passage_terms.key].lengths == 0).sum()),
        effective_dim=vectors.width if vectors else None,
        evidence=taken[chain.evidence.key] if chain.evidence else None,
    )
