"""Everything that one `rag-sweep run` evaluates, as Hydra asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rag_sweep.errors import ConfigError, RagSweepError, StageFailed
from rag_sweep.sweep.objective import Objective

if TYPE_CHECKING:
    from rag_sweep.config.compose import Composer
    from rag_sweep.configuration import Configuration, Sweep
    from rag_sweep.planned import PlannedWork
    from rag_sweep.records import Dataset
    from rag_sweep.result import Result
    from rag_sweep.sweep.keeping import Kind
    from rag_sweep.sweep.recording import Watcher
    from rag_sweep.sweep.work import Work
    from rag_sweep.tracking.records import Status


class Session:
    """Everything that one command evaluates, on one dataset, into one journal and one tracker.

    Attributes
    ----------
    results
        One for each configuration, in the order of the grid.
    notes
        What the user should be told at the end; what is known before goes to `tell`, where there is one.
    dataset
        None until the first configuration is evaluated.
    where
        Where to look for what was tracked; set when the session has ended.
    error
        What stopped a single run: Hydra would print more about it than anybody wants to read.
    untracked
        True if the tracker hasn't got everything.
    config_dir
        The user's own config directory.
    """

    def __init__(
        self,
        held_back: Sequence[str] = (),
        watch: Watcher | None = None,
        tell: Callable[[str], None] | None = None,
        config_dir: str | None = None,
    ) -> None:
        self.config_dir = config_dir
        self._tell = tell or self._remember
        self._held_back = list(held_back)
        self._watch = watch or (lambda done, total: None)
        self._work: Work | None = None
        self._kind: Kind = "batches"
        self._composer: Composer | None = None
        self.error: RagSweepError | None = None
        self.results: list[Result] = []
        self.notes: list[str] = []
        self.dataset: Dataset | None = None
        self.where = ""
        self.untracked = False
        self.planned: PlannedWork | None = None

    def expand(self, config_loader: Any, master: Any, arguments: Sequence[str]) -> list[tuple[str, ...]]:
        """The cells of the sweep, from all its arguments."""
        from rag_sweep.config.sweeping import cells

        overrides, self._held_back = [*arguments, *self._held_back], []
        found = cells(self._composing(config_loader, master), overrides)
        self._kind = "sweep"
        for key, places in found.dropped.items():
            self._tell(f"{key.lstrip('+~')} doesn't exist under {', '.join(places)}: it doesn't multiply it")
        if found.repeated:
            self._tell(f"repeated configurations are evaluated once: {found.repeated}")
        return found.cells

    def evaluate_jobs(
        self, config_loader: Any, master: Any, jobs: Sequence[Sequence[str]], first_index: int
    ) -> list[float | Exception]:
        """Evaluate a batch of a sweep as one plan; the objective of each, or why it failed."""
        from rag_sweep.config.sweeping import compose_all, grids_of

        if self._kind == "batches" and grids_of(master):
            raise ConfigError("sweep.grids and named sweeps work with hydra/sweeper=rag_sweep only")
        sweep = compose_all(self._composing(config_loader, master), jobs, first_index)
        if sweep.shared.get("dry_run"):
            return self._plan_only(sweep)
        results = self._working(sweep).evaluate(sweep.configurations)
        return [StageFailed(r.failure) if r.failure is not None else Objective(r.objective) for r in results]

    @contextmanager
    def foreign(
        self, config_loader: Any, master: Any, jobs: Sequence[Sequence[str]]
    ) -> Iterator[tuple[list[Sequence[str]], Callable[[Sequence[Any]], None]]]:
        """The jobs that are left for another launcher, and who takes what they return.

        Everything is checked before they start.
        """
        from rag_sweep.config.sweeping import compose_all

        sweep = compose_all(self._composing(config_loader, master), jobs)
        work = self._working(sweep)

        def take(returned: Sequence[Any]) -> None:
            work.take(sweep.configurations, returned)

        try:
            yield [jobs[c.index] for c in work.left(sweep.configurations)], take
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

        A configuration that fails while it runs is logged as failed.
        """
        if self._held_back:
            raise ConfigError(f"{self._held_back[0]} belongs to a sweep, but this is a single run: add -m")
        if config.get("sweep", {}).get("grids"):
            raise ConfigError("sweep.grids holds a sweep, but this is a single run: add -m")
        from rag_sweep.configuration import Sweep

        self._kind = "single"
        sweep = Sweep(config, (configuration,))
        if config.get("dry_run"):
            self._plan_only(sweep)
            return Objective(0.0)
        return Objective(self._working(sweep).evaluate(sweep.configurations)[0].objective)

    def _plan_only(self, sweep: Sweep) -> list[float | Exception]:
        """Plan a batch and compute nothing."""
        from rag_sweep.config import build
        from rag_sweep.planned import planned_work
        from rag_sweep.sweep.work import how

        how(sweep.shared)
        self.dataset = build.component(sweep.shared, "dataset").load()
        self.planned = planned_work(
            sweep.configurations, self.dataset, build.component(sweep.shared, "store")
        )
        return [0.0] * len(sweep.configurations)

    def finish(self) -> None:
        """Tell the tracker of everything and end the sweep's run."""
        if self._work is not None:
            before = len(self._work.notes)
            lost = self._work.finish()
            self.untracked, self.where = lost is not None, self._work.where
            self.notes.extend(self._work.notes[before:])
            if lost is not None:
                missing = self._work.missing
                told = f"not tracked: {missing} configurations" if missing else "not tracked: its end"
                self.notes.append(
                    f"{lost}\n{told}. All results are kept: `rag-sweep sync` sends what is missing."
                )

    def break_off(self, status: Status) -> str:
        """End the sweep's run before its time; what is kept stays. Gives how to go on with it."""
        if self._work is None:
            return ""
        self._work.break_off(status)
        return self._work.keeping.how_to_resume()

    @property
    def is_sweep(self) -> bool:
        """False for one configuration alone."""
        return self._kind != "single"

    @property
    def failed(self) -> int:
        """How many configurations failed."""
        return sum(result.failure is not None for result in self.results)

    def _working(self, sweep: Sweep) -> Work:
        """What evaluates; opened before the first stage runs."""
        from rag_sweep.sweep.work import Work

        if self._work is None:
            self._work = Work(sweep, self._kind, self._watch)
            self.results, self.dataset = self._work.results, self._work.dataset
            for text in self._work.notes:
                self._tell(text)
        return self._work

    def _remember(self, text: str) -> None:
        self.notes.append(text)
