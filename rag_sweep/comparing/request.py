"""What `compare` and `diff` are asked: names of sweeps or configurations, and overrides of Hydra."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rag_sweep.checks import INDEX
from rag_sweep.comparison.settings import Decide
from rag_sweep.config import build
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.config.program import compose_with_choices
from rag_sweep.configuration import Scalar
from rag_sweep.errors import UsageError
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.none import NoTracking

_OF_THE_SWEEP = {
    "k": "decide by another cutoff with objective=ndcg@5",
    "cutoffs": "decide by another cutoff with objective=ndcg@5",
    "evidence": "evidence.share is that of the sweep",
    **dict.fromkeys(PIPELINE_GROUPS, "name another baseline with --baseline 'lexical.k1=1.2'"),
}
"""Keys that nothing here could depend on, and what to do instead."""


@dataclass(frozen=True)
class Request:
    """What is asked, with the configuration that overrides and the user's files give.

    Attributes
    ----------
    names
        Of sweeps, runs or configurations, as they were typed.
    overrides
        For Hydra, with ``--config-dir`` in front where it was given.
    config, choices
        What they compose to.
    decide
        How it is decided.
    """

    names: tuple[str, ...]
    overrides: tuple[str, ...]
    config: Mapping[str, Any]
    choices: Mapping[str, str]
    decide: Decide

    @classmethod
    def of(cls, words: Sequence[str], config_dir: str | None = None, baseline: str | None = None) -> Request:
        """Sort words into names and overrides: what has an ``=`` and is no file is an override.

        Raises
        ------
        UsageError
            For an override that would do nothing.
        ConfigError
            For whatever Hydra or `Decide` refuses.
        """
        names = [word for word in words if not is_override(word)]
        return cls.composed(names, [word for word in words if is_override(word)], config_dir, baseline)

    @classmethod
    def composed(
        cls,
        names: Sequence[str],
        overrides: Sequence[str],
        config_dir: str | None = None,
        baseline: str | None = None,
    ) -> Request:
        """As `of`, for words that are sorted already."""
        for override in overrides:
            _refuse_idle(override)
        given = (*(["--config-dir", config_dir] if config_dir else []), *overrides)
        config, choices = compose_with_choices(given)
        decide = build.decide(config)
        if baseline is not None:
            decide = replace(decide, baseline=int(baseline) if INDEX.fullmatch(baseline) else baseline)
        return cls(tuple(names), given, config, choices, decide)

    def sets(self, key: str) -> bool:
        """True if an override, and not a file, sets the key or something below it."""
        return any(re.match(rf"\+{{0,2}}{re.escape(key)}[.=]", override) for override in self.overrides)

    @property
    def objective(self) -> str | None:
        """The measure that was asked for; None for that of the sweep."""
        return str(self.config["objective"]) if self.sets("objective") else None

    @property
    def journal(self) -> str | None:
        """The folder of journals; None if nothing is kept."""
        folder = self.config.get("journal")
        return None if folder is None else build.coerce(folder, str, "journal")

    @cached_property
    def tracking(self) -> MLflow | NoTracking:
        """Where sweeps are looked for that have no journal here."""
        found: MLflow | NoTracking = build.component(self.config, "tracking")
        return found

    @property
    def shipped(self) -> Mapping[str, Scalar]:
        """Params of the configuration as shipped, or as the user's files have it."""
        # the objective that is asked for may be at a cutoff that only the sweep has
        usual = {**self.config, "objective": f"ndcg@{self.config['k']}"}
        return build.configuration(usual, self.choices, 0, ()).params


def is_override(word: str) -> bool:
    """True for what is an override of Hydra, and not a name or a path."""
    return "=" in word and not os.path.exists(word)


def _refuse_idle(override: str) -> None:
    """Refuse an override that would silently do nothing."""
    key = override.lstrip("+~").partition("=")[0]
    group = re.split(r"[.@]", key, maxsplit=1)[0]
    if group in _OF_THE_SWEEP:
        told = f"{override}: nothing is retrieved, so {group} has no effect"
        raise UsageError(f"{told}; {_OF_THE_SWEEP[group]}")
