"""What a gate is asked: overrides of Hydra, and what to judge by."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rag_sweep.champion.finding import NAME
from rag_sweep.comparing.request import Request
from rag_sweep.config import build
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.config.program import compose_with_choices
from rag_sweep.errors import UsageError
from rag_sweep.gate.thresholds import Mode
from rag_sweep.tracking.mlflow import MLflow

IDLE = {
    "decide": "give --max-drop, --mode and --alpha",
    "objective": "name measures in --min and --max-drop",
    "resume": "nothing is kept",
    "sweep": "one configuration is judged",
    "dry_run": "`rag-sweep run dry_run=true` shows a plan",
    "execute": "one configuration is measured in this process",
}
"""Keys that nothing here could depend on, and what to do instead."""

CHOOSING = (*PIPELINE_GROUPS, "promoted")
"""Groups that choose what is judged: with none of them it is the promoted configuration, if there is one."""


@dataclass(frozen=True)
class Wish:
    """What is judged by what; paths as they were typed.

    Attributes
    ----------
    minima, drops
        Limits by ``recall@5``, ``TAG:recall@5`` or (of drops) ``all``.
    baseline
        ``champion``, a report, SWEEP:INDEX or a tracking run; None for the champion where one is needed.
    mode, alpha
        As in `Thresholds`; None for those of the file, or the defaults.
    tags
        Judge only the questions with any of these tags.
    known_misses, thresholds, thresholds_before
        Files.
    rankings, gold
        Another system's rankings to be judged, and a GOLD without its documents.
    model
        The registered model that ``champion`` is an alias of.
    trust
        Import components of a champion that aren't rag-sweep's own.
    """

    minima: Mapping[str, float] = field(default_factory=dict)
    drops: Mapping[str, float] = field(default_factory=dict)
    baseline: str | None = None
    mode: Mode | None = None
    alpha: float | None = None
    tags: tuple[str, ...] = ()
    known_misses: Path | None = None
    thresholds: Path | None = None
    thresholds_before: Path | None = None
    same_corpus: bool = False
    rankings: Path | None = None
    gold: Path | None = None
    model: str = NAME
    trust: bool = False

    @property
    def filters(self) -> dict[str, tuple[str, ...]]:
        """As scorecards take them."""
        return {"tags": self.tags} if self.tags else {}


@dataclass(frozen=True)
class Asked:
    """Overrides with what they compose to."""

    overrides: tuple[str, ...]
    given: tuple[str, ...]
    config: Mapping[str, Any]
    choices: Mapping[str, str]

    @classmethod
    def of(cls, overrides: Sequence[str], config_dir: str | None = None) -> Asked:
        """Compose overrides.

        Raises
        ------
        UsageError
            For an override that would do nothing.
        ConfigError
            For whatever Hydra refuses.
        """
        for override in overrides:
            _refuse_idle(override)
        given = (*(["--config-dir", config_dir] if config_dir else []), *overrides)
        config, choices = compose_with_choices(given)
        return cls(tuple(overrides), given, config, choices)

    def sets(self, *keys: str) -> bool:
        """True if an override sets any of the keys or something below it."""
        names = "|".join(map(re.escape, keys))
        return any(re.match(rf"[+~]{{0,2}}(?:{names})(?:[.@=]|$)", override) for override in self.overrides)

    @cached_property
    def tracking(self) -> MLflow | None:
        """Where champions and runs are; None where nothing is tracked."""
        found = build.component(self.config, "tracking")
        return found if isinstance(found, MLflow) else None

    def looking_for(self, *names: str) -> Request:
        """How sweeps and runs are looked for."""
        own = self.given[:2] if self.given[:1] == ("--config-dir",) else ()
        return Request(names, own, self.config, self.choices, build.decide(self.config))


def _refuse_idle(override: str) -> None:
    key = override.lstrip("+~").partition("=")[0]
    group = re.split(r"[.@]", key, maxsplit=1)[0]
    if group in IDLE:
        raise UsageError(f"{override}: {group} has no effect on a gate; {IDLE[group]}")
