"""Pieces of a plan, computed here or by joblib in other processes; workers return arrays and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from rag_sweep.checks import is_count, require
from rag_sweep.compute import compute, missing
from rag_sweep.errors import MissingExtra
from rag_sweep.memory import keep_freed_memory
from rag_sweep.pipeline import Node

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

    def shard_size(self, queries: int, depth: int) -> int:
        """Configurations that are computed at once, for so many questions and candidates of a branch."""
        each = max(1, queries) * (depth * 100 + 1000)  # bytes: pools with temporary copies, and measures
        return max(1, min(LARGEST_SHARD, self.memory_mb * 1_000_000 // each))


@dataclass(frozen=True, eq=False)
class Job:
    """Nodes whose values are wanted, and the values they start from."""

    wanted: tuple[Node, ...]
    given: Mapping[str, Any]

    @classmethod
    def of(cls, wanted: Sequence[Node], known: Mapping[str, Any]) -> Job:
        """A job that takes no more along than it needs."""
        needed = missing(wanted, known)
        border = {above.key for node in needed.values() for above in node.inputs} | {n.key for n in wanted}
        return cls(tuple(wanted), {key: known[key] for key in border if key in known})

    def run(self) -> dict[str, Any]:
        """Values of the wanted nodes by key."""
        keep_freed_memory()
        return compute(self.wanted, self.given)


def run_jobs(how: Execute, jobs: Iterable[Job], number: int) -> Iterator[dict[str, Any]]:
    """The values of each job, in order, as they are done.

    Raises
    ------
    MissingExtra
        For a backend that isn't installed.
    """
    if how.n_jobs == 1 or number < 2:
        return (job.run() for job in jobs)
    return _in_parallel(how, jobs)


def _in_parallel(how: Execute, jobs: Iterable[Job]) -> Iterator[dict[str, Any]]:
    from joblib import Parallel, delayed

    with _backend(how):
        yield from Parallel(return_as="generator")(delayed(Job.run)(job) for job in jobs)


@contextmanager
def _backend(how: Execute) -> Iterator[None]:
    from joblib import parallel_config

    with _cluster(how), _known(how), parallel_config(how.backend, n_jobs=how.n_jobs):
        yield


def _cluster(how: Execute) -> AbstractContextManager[Any]:
    """A Dask client, which joblib's backend looks for."""
    if how.backend != "dask":
        return nullcontext()
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtra("execute.backend=dask", "dask") from error
    workers = None if how.n_jobs == -1 else how.n_jobs
    local = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    client: AbstractContextManager[Any] = Client(**local) if how.address is None else Client(how.address)
    return client


@contextmanager
def _known(how: Execute) -> Iterator[None]:
    from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS

    names = sorted({*BACKENDS, *EXTERNAL_BACKENDS})
    require("execute.backend", how.backend, f"one of {', '.join(names)}", how.backend in names)
    yield
