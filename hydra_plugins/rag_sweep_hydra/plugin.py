"""The thin shim that Hydra finds: every Hydra program of the environment imports it, so it stays light."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra.core.config_store import ConfigStore
from hydra.core.utils import JobReturn, JobStatus, setup_globals
from hydra.plugins.launcher import Launcher
from hydra.plugins.sweeper import Sweeper
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig


class RagSweepSweeper(Sweeper):
    """Expands a union of grids and hands all of it to the launcher at once."""

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        """Remember the context and make the launcher."""
        from hydra.core.plugins import Plugins

        self.context, self.config = hydra_context, config
        self.launcher: Launcher = Plugins.instance().instantiate_launcher(
            hydra_context=hydra_context, task_function=task_function, config=config
        )

    def sweep(self, arguments: list[str]) -> Any:
        """Run every cell of the grid; another launcher's results are taken over by the session."""
        from rag_sweep.sweep import session

        loader = self.context.config_loader
        jobs = session().expand(loader, self.config, arguments)
        if isinstance(self.launcher, RagSweepLauncher):
            return [self.launcher.launch(jobs, 0)]
        with session().foreign(loader, self.config, jobs) as (left, take):
            returns = self.launcher.launch(left, 0) if left else []
            # the property raises what the job raised; the session wants the reason, not the exception
            take([getattr(job, "_return_value", None) for job in returns])
        return [returns]


class RagSweepJob(JobReturn):
    """What a configuration returned; a sweeper that asks for the value of a failed one gets its error."""

    @classmethod
    def of(cls, overrides: Sequence[str], value: float | Exception) -> RagSweepJob:
        """A job that has run."""
        job = cls(overrides=list(overrides), _return_value=value)
        job.status = JobStatus.FAILED if isinstance(value, Exception) else JobStatus.COMPLETED
        return job

    @property
    def return_value(self) -> Any:
        """The objective; Hydra's own would also write to stderr what stands in the failed row."""
        if isinstance(self._return_value, Exception):
            raise self._return_value
        return self._return_value

    @return_value.setter
    def return_value(self, value: Any) -> None:
        self._return_value = value


class RagSweepLauncher(Launcher):
    """Evaluates all configurations of a batch as one plan."""

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        """Remember the context."""
        self.context, self.config = hydra_context, config

    def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
        """One `JobReturn` a configuration, in the order given; its value is the objective."""
        from rag_sweep.sweep import session

        setup_globals()
        # as Hydra's own launchers do: other sweepers write there
        Path(str(self.config.hydra.sweep.dir)).mkdir(parents=True, exist_ok=True)
        loader = self.context.config_loader
        values = session().evaluate_jobs(loader, self.config, job_overrides, initial_job_idx)
        return [
            RagSweepJob.of(overrides, value) for overrides, value in zip(job_overrides, values, strict=True)
        ]


for _group, _class in (("sweeper", "RagSweepSweeper"), ("launcher", "RagSweepLauncher")):
    # a plain mapping: Hydra runs this file without entering it into sys.modules, where a dataclass looks
    ConfigStore.instance().store(
        group=f"hydra/{_group}",
        name="rag_sweep",
        node={"_target_": f"hydra_plugins.rag_sweep_hydra.plugin.{_class}"},
        provider="rag_sweep",
    )
