"""What a command that works on one configuration is asked: overrides, with what they compose to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rag_sweep.config import build
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.config.program import compose_with_choices
from rag_sweep.errors import UsageError
from rag_sweep.tracking.mlflow import MLflow

CHOOSING = (*PIPELINE_GROUPS, "promoted")
"""Groups that choose a configuration: with none of them it is the promoted one, if there is one."""


@dataclass(frozen=True)
class Asked:
    """Overrides with what they compose to.

    Attributes
    ----------
    overrides
        As they were typed.
    given
        The same, with ``--config-dir`` in front where it was given.
    """

    overrides: tuple[str, ...]
    given: tuple[str, ...]
    config: Mapping[str, Any]
    choices: Mapping[str, str]

    @classmethod
    def of(
        cls, overrides: Sequence[str], config_dir: str | None, idle: Mapping[str, str], whom: str
    ) -> Asked:
        """Compose overrides.

        Parameters
        ----------
        idle
            Keys that nothing could depend on, and why, or what to do instead.
        whom
            What they would have no effect on, for people: ``a gate``.

        Raises
        ------
        UsageError
            For an override that would do nothing.
        ConfigError
            For whatever Hydra refuses.
        """
        for override in overrides:
            group = group_of(override)
            if group in idle:
                raise UsageError(f"{override}: {group} has no effect on {whom}; {idle[group]}")
        given = (*(["--config-dir", config_dir] if config_dir else []), *overrides)
        return cls(tuple(overrides), given, *compose_with_choices(given))

    @property
    def config_dir(self) -> str | None:
        """The config directory that was named."""
        return self.given[1] if self.given[:1] == ("--config-dir",) else None

    def sets(self, *keys: str) -> str | None:
        """The first override that sets any of the keys or something below it; None if there is none."""
        return next((one for one in self.overrides if group_of(one) in keys), None)

    def without(self, *keys: str) -> list[str]:
        """The overrides that set none of the keys."""
        return [one for one in self.overrides if group_of(one) not in keys]

    @cached_property
    def tracking(self) -> MLflow | None:
        """Where champions and runs are; None where nothing is tracked."""
        found = build.component(self.config, "tracking")
        return found if isinstance(found, MLflow) else None


def group_of(override: str) -> str:
    """The group or the top key that an override sets: ``lexical`` of ``+lexical.k1=0.9``."""
    return re.split(r"[.@=]", override.lstrip("+~"), maxsplit=1)[0]
