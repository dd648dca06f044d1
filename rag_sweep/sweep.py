"""One `rag-sweep run`: from configurations to results, logged and ready to be reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from rag_sweep.checks import require
from rag_sweep.config import build
from rag_sweep.config.arguments import hold_back, parse, with_multirun
from rag_sweep.config.program import is_job_of_sweep, job, make_importable, run_hydra
from rag_sweep.configuration import Configuration, Sweep
from rag_sweep.errors import ConfigError, RagSweepError, StageFailed
from rag_sweep.execute import Execute, Execution
from rag_sweep.jobs import known_backends
from rag_sweep.pipeline import Roots
from rag_sweep.plan import plan
from rag_sweep.planned import PlannedWork, planned_work
from rag_sweep.records import Dataset
from rag_sweep.report.leaderboard import split_half
from rag_sweep.report.questions import QuestionTables
from rag_sweep.report.record import child_record, differing, sweep_record
from rag_sweep.result import Result
from rag_sweep.store.entry import Store
from rag_sweep.tracking.records import Status, Tracker

if TYPE_CHECKING:
    from rag_sweep.config.compose import Composer

Watcher: TypeAlias = Callable[[int, int], None]
"""Told how many configurations are done, of how many."""


class Objective(float):
    """What a Hydra job returns: the value to maximise; the whole result rides along to the parent."""

    result: Result

    @classmethod
    def of(cls, result: Result) -> Objective:
        """The objective of a result."""
        value = cls(result.objective)
        value.result = result
        return value


class Session:
    """Everything that one command evaluates, on one dataset, into one tracker.

    Attributes
    ----------
    results
        One for each configuration, in the order of the grid.
    notes
        What the user should be told about the sweep itself.
    dataset
        None until the first configuration is evaluated.
    where
        Where to look for what was tracked; set when the session has ended.
    error
        What stopped a single run: Hydra would print more about it than anybody wants to read.
    config_dir
        The user's own config directory.
    """

    def __init__(
        self, held_back: Sequence[str] = (), watch: Watcher | None = None, config_dir: str | None = None
    ) -> None:
        self.config_dir = config_dir
        self._held_back = list(held_back)
        self._watch = watch or (lambda done, total: None)
        self._tracker: Tracker | None = None
        self._store: Store | None = None
        self._shared: Mapping[str, Any] = {}
        self._many = True
        self._expanded = False
        self._composer: Composer | None = None
        self.error: RagSweepError | None = None
        self.results: list[Result] = []
        self.notes: list[str] = []
        self.dataset: Dataset | None = None
        self.where = ""
        self.planned: PlannedWork | None = None

    def expand(self, config_loader: Any, master: Any, arguments: Sequence[str]) -> list[tuple[str, ...]]:
        """The cells of the sweep, from all its arguments."""
        from rag_sweep.config.sweeping import cells

        overrides, self._held_back = [*arguments, *self._held_back], []
        found = cells(self._composing(config_loader, master), overrides)
        self._expanded = True
        for key, places in found.dropped.items():
            self.notes.append(
                f"{key.lstrip('+~')} doesn't exist under {', '.join(places)}: it doesn't multiply it"
            )
        if found.repeated:
            self.notes.append(f"repeated configurations are evaluated once: {found.repeated}")
        return found.cells

    def evaluate_jobs(
        self, config_loader: Any, master: Any, jobs: Sequence[Sequence[str]], first_index: int
    ) -> list[float | Exception]:
        """Evaluate a batch of a sweep as one plan; the objective of each, or why it failed."""
        from rag_sweep.config.sweeping import compose_all, grids_of

        if not self._expanded and grids_of(master):
            raise ConfigError("sweep.grids and named sweeps work with hydra/sweeper=rag_sweep only")
        sweep = compose_all(self._composing(config_loader, master), jobs, first_index)
        if sweep.shared["dry_run"]:
            return self._plan_only(sweep)
        self._open(sweep.shared, sweep.configurations)
        results = self._evaluate(sweep.configurations)
        return [StageFailed(r.failure) if r.failure is not None else Objective.of(r) for r in results]

    @contextmanager
    def foreign(
        self, config_loader: Any, master: Any, jobs: Sequence[Sequence[str]]
    ) -> Iterator[Callable[[Sequence[Any]], None]]:
        """Take over what the jobs of another launcher return; everything is checked before they start."""
        from rag_sweep.config.sweeping import compose_all

        sweep = compose_all(self._composing(config_loader, master), jobs)
        self._open(sweep.shared, sweep.configurations)

        def take(returned: Sequence[Any]) -> None:
            for configuration, value in zip(sweep.configurations, returned, strict=True):
                self._log(self._without_texts(_taken_over(configuration, value)), len(jobs))

        try:
            yield take
        except RagSweepError:
            raise
        except Exception as error:  # a worker may have been killed
            raise StageFailed(f"the launcher broke off: {type(error).__name__}: {error}") from error

    def _composing(self, config_loader: Any, master: Any) -> Composer:
        """One composer for all that is composed: it remembers what it has asked Hydra for."""
        from rag_sweep.config.compose import Composer

        self._composer = self._composer or Composer(config_loader, master)
        return self._composer

    def evaluate_one(self, config: Mapping[str, Any], configuration: Configuration) -> Objective:
        """Evaluate one configuration alone, logged as one run.

        Raises
        ------
        StageFailed
            If it failed while it ran; it is logged as failed all the same.
        """
        if self._held_back:
            raise ConfigError(f"{self._held_back[0]} belongs to a sweep, but this is a single run: add -m")
        if config.get("sweep", {}).get("grids"):
            raise ConfigError("sweep.grids holds a sweep, but this is a single run: add -m")
        self._many = False
        if config["dry_run"]:
            self._plan_only(Sweep(config, (configuration,)))
            return Objective(0.0)
        self._open(config, (configuration,))
        return Objective.of(self._evaluate((configuration,))[0])

    def _plan_only(self, sweep: Sweep) -> list[float | Exception]:
        """Plan a batch and compute nothing."""
        _how(sweep.shared)
        self.dataset = build.component(sweep.shared, "dataset").load()
        self.planned = planned_work(
            sweep.configurations, self.dataset, build.component(sweep.shared, "store")
        )
        return [0.0] * len(sweep.configurations)

    def close(self, status: Status = "FINISHED") -> None:
        """End the sweep's tracking run."""
        self.where = self._tracker.where() if self._tracker else ""
        if self._tracker is not None and self._many:
            best = max((r.objective for r in self.results if r.outcome), default=None)
            counts = {"configurations": float(len(self.results)), "failed": float(self.failed)}
            name = f"best_{self.results[0].configuration.objective}" if self.results else ""
            found = {**counts, **({name: best} if best is not None else {})}
            honest = split_half(self.results) if status == "FINISHED" else None
            if honest is not None:  # the best value never stands alone
                found[f"split_half_{self.results[0].configuration.objective}"] = honest
            self._tracker.close(status, found)
        if self._store is not None:
            self.notes.extend(self._store.notes())
        self._tracker = None

    @property
    def is_sweep(self) -> bool:
        """False for one configuration alone."""
        return self._many

    @property
    def failed(self) -> int:
        """How many configurations failed."""
        return sum(result.failure is not None for result in self.results)

    def _open(self, shared: Mapping[str, Any], configurations: Sequence[Configuration]) -> None:
        """Load the dataset and open the tracker before the first stage runs."""
        if self._tracker is not None:
            return
        self._shared = shared
        self._execute = _how(shared)
        self.dataset = build.component(shared, "dataset").load()
        self.notes.extend(self.dataset.warnings)
        self._tracking = build.component(shared, "tracking")
        tracker: Tracker = self._tracking.tracker()
        self._record = sweep_record(shared, configurations, self.dataset)
        self._keys = differing(configurations)
        self._tables = QuestionTables(self.dataset, with_text=self._tracking.text == "full")
        self._store = build.component(shared, "store").open()
        if self._many:
            tracker.open(self._record)
        self._tracker = tracker

    def _evaluate(self, configurations: Sequence[Configuration]) -> list[Result]:
        """Compute a batch as one plan, logging each configuration as it is done."""
        if self.dataset is None:
            raise RuntimeError("the session isn't open")
        settings = configurations[0].settings
        planned = plan([c.pipeline for c in configurations], settings, Roots.of(self.dataset))
        done: dict[int, Result] = {}
        for at, outcome in Execution(planned, self.dataset, self._execute, self._store).outcomes():
            original = planned.alias_of.get(at)
            alias = None if original is None else configurations[original].index
            done[at] = self._without_texts(_result(configurations[at], outcome, alias))
            self._log(done[at], len(configurations))
        results = [done[at] for at in range(len(configurations))]
        self.results[-len(results) :] = results
        return results

    def _without_texts(self, result: Result) -> Result:
        """With ``tracking.text=none`` the message of an exception is left out: it may quote a passage."""
        if result.failure is None or getattr(self._tracking, "text", "full") == "full":
            return result
        kept = re.match(r"\w+: \w+(?=: )|\w+(?:Error|Exception)(?=: )", result.failure)
        return (
            replace(result, failure=f"{kept[0]} (tracking.text=none keeps its message back)")
            if kept
            else result
        )

    def _log(self, result: Result, total: int) -> None:
        if self.dataset is None or self._tracker is None:
            raise RuntimeError("the session isn't open")
        if not self._tracker.is_silent:
            trec = getattr(self._tracking, "trec", False)
            child = child_record(result, self.dataset, self._record, self._tables, self._keys, trec)
            if self._many:
                self._tracker.log(child)
            else:
                self._tracker.log_single(self._record, child)
        self.results.append(result)
        self._watch(len(self.results), total)


def _how(shared: Mapping[str, Any]) -> Execute:
    """How to compute; a backend that doesn't exist is refused also where a single worker needs none."""
    how: Execute = build.component(shared, "execute")
    if how.backend != Execute.backend:
        names = known_backends()
        require("execute.backend", how.backend, f"one of {', '.join(names)}", how.backend in names)
    return how


def _result(configuration: Configuration, outcome: Any, alias_of: int | None) -> Result:
    if isinstance(outcome, RagSweepError):
        return Result(configuration, None, str(outcome), alias_of)
    return Result(configuration, outcome, None, alias_of)


def _taken_over(configuration: Configuration, value: Any) -> Result:
    """The result of a job that another launcher ran, under the parent's own configuration."""
    if isinstance(value, Objective):
        return Result(configuration, value.result.outcome, value.result.failure)
    return Result(configuration, None, f"{type(value).__name__}: {value}")


_current: list[Session] = []


def session() -> Session:
    """The session of this command.

    Raises
    ------
    ConfigError
        Where Hydra runs us without our own command.
    """
    if not _current:
        raise ConfigError(
            "hydra/sweeper=rag_sweep and hydra/launcher=rag_sweep work under `rag-sweep run` only"
        )
    return _current[-1]


def task(config: Any) -> Objective | None:
    """What Hydra runs: one configuration; alone, or as a job of another launcher in another process."""
    if _current and not is_job_of_sweep():
        return _evaluate_alone(session(), config)
    composed, choices, overrides = job(config)
    configuration = build.configuration(composed, choices, 0, overrides)
    dataset = build.component(composed, "dataset").load()
    planned = plan([configuration.pipeline], configuration.settings, Roots.of(dataset))
    store = build.component(composed, "store").open()
    ((_, outcome),) = Execution(planned, dataset, store=store).outcomes()
    return Objective.of(_result(configuration, outcome, None))


def _evaluate_alone(current: Session, config: Any) -> Objective | None:
    try:
        composed, choices, overrides = job(config)
        return current.evaluate_one(composed, build.configuration(composed, choices, 0, overrides))
    except RagSweepError as error:
        current.error = error
        return None


def run(arguments: Sequence[str], watch: Watcher | None = None) -> Session:
    """Run what the arguments of `rag-sweep run` say.

    Raises
    ------
    RagSweepError
        For whatever stops the whole; tracking runs are closed with their true state first.
    """
    make_importable()
    for_hydra, held_back = hold_back(with_multirun(parse(arguments)))
    current = Session(held_back, watch, for_hydra.options.get("config_dir"))
    _current.append(current)
    status: Status = "FAILED"
    try:
        run_hydra(task, for_hydra)
        if current.error is not None:
            raise current.error
        status = "FINISHED"
    except StageFailed:
        if not current.results:
            raise  # else another sweeper gave up after a failed job, whose row says why
    except (KeyboardInterrupt, SystemExit):
        status = "KILLED"
        raise
    finally:
        _current.pop()
        current.close(status)
    return current
