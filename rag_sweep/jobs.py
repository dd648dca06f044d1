"""Pieces of a plan, computed here or by joblib in other processes; workers return arrays and nothing else."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from rag_sweep.checks import require
from rag_sweep.compute import compute, missing
from rag_sweep.errors import MissingExtra, RagSweepError, StageFailed
from rag_sweep.memory import keep_freed_memory
from rag_sweep.pipeline import Node
from rag_sweep.store.entry import Store

DEAD_WORKER = "a worker died"
"""How the reason begins where no stage failed but its process."""


class How(Protocol):
    """How many workers, of which kind; see `rag_sweep.execute.Execute`."""

    @property
    def n_jobs(self) -> int:
        """Workers, as joblib counts them."""
        ...

    @property
    def backend(self) -> str:
        """A backend of joblib."""
        ...

    @property
    def address(self) -> str | None:
        """Of a Dask scheduler."""
        ...


@dataclass(frozen=True, eq=False)
class Job:
    """Nodes whose values are wanted, the values they start from, and a store for models' answers."""

    wanted: tuple[Node, ...]
    given: Mapping[str, Any]
    store: Store | None

    @classmethod
    def of(cls, wanted: Sequence[Node], known: Mapping[str, Any], store: Store | None = None) -> Job:
        """A job that takes no more along than it needs."""
        needed = missing(wanted, known)
        border = {above.key for node in needed.values() for above in node.inputs} | {n.key for n in wanted}
        return cls(tuple(wanted), {key: known[key] for key in border if key in known}, store)

    def run(self) -> dict[str, Any]:
        """Values of the wanted nodes by key."""
        keep_freed_memory()
        return compute(self.wanted, self.given, self.store)


def run_jobs(how: How, jobs: Iterable[Job], number: int) -> Iterator[dict[str, Any]]:
    """The values of each job, in order, as they are done.

    Raises
    ------
    MissingExtra
        For a backend that isn't installed.
    """
    if how.n_jobs == 1 or number < 2:
        return (job.run() for job in jobs)
    return _in_parallel(how, jobs)


def _in_parallel(how: How, jobs: Iterable[Job]) -> Iterator[dict[str, Any]]:
    """Results in order. If a worker dies, each job that was begun is tried alone, and the deadly one fails.

    Jobs are made when they are dispatched, a few ahead: their values take room.
    """
    source = iter(jobs)
    begun: deque[Job] = deque()
    while True:
        try:
            for values in _streamed(how, _noting(source, begun)):
                begun.popleft()
                yield values
        except RagSweepError:
            raise
        except Exception:  # what joblib raises when a worker is gone depends on the backend
            while begun:
                yield _alone(how, begun.popleft())
        else:
            return


def _noting(source: Iterator[Job], begun: deque[Job]) -> Iterator[Job]:
    for job in source:
        begun.append(job)
        yield job


def _alone(how: How, job: Job) -> dict[str, Any]:
    try:
        (values,) = _streamed(how, [job])
    except Exception as error:
        reason = StageFailed(
            f"{DEAD_WORKER} ({type(error).__name__}): out of memory, or a component ended it"
        )
        return {node.key: reason for node in job.wanted}
    return values


def _streamed(how: How, jobs: Iterable[Job]) -> Iterator[dict[str, Any]]:
    from joblib import Parallel, delayed
    from joblib.parallel import get_active_backend

    with _backend(how):
        backend, _ = get_active_backend()
        streams = getattr(backend, "supports_return_generator", False)
        parallel = Parallel(return_as="generator" if streams else "list")
        yield from parallel(delayed(Job.run)(job) for job in jobs)


@contextmanager
def _backend(how: How) -> Iterator[None]:
    from joblib import parallel_config

    with _cluster(how), _known(how), parallel_config(how.backend, n_jobs=how.n_jobs):
        yield


def _cluster(how: How) -> AbstractContextManager[Any]:
    """A Dask client, which joblib's backend looks for."""
    if how.backend != "dask":
        return nullcontext()
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtra("execute.backend=dask", "dask") from error
    workers = None if how.n_jobs == -1 else how.n_jobs
    local = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    start: Callable[..., AbstractContextManager[Any]] = Client
    return start(**local) if how.address is None else start(how.address)


def known_backends() -> list[str]:
    """The backends that joblib knows, of which some need an extra; Ray's where Ray is installed."""
    from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS

    with suppress(ImportError):
        from ray.util.joblib import register_ray

        register_ray()
    return sorted({*BACKENDS, *EXTERNAL_BACKENDS})


@contextmanager
def _known(how: How) -> Iterator[None]:
    names = known_backends()
    require("execute.backend", how.backend, f"one of {', '.join(names)}", how.backend in names)
    yield
