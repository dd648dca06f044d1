"""What `rag-sweep answers` is asked: its own config, as components."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_type_hints

from rag_sweep.config import build
from rag_sweep.config.asked import group_of
from rag_sweep.config.folder import conf_dir
from rag_sweep.config.hints import nearest
from rag_sweep.config.program import compose_with_choices
from rag_sweep.embedder.texts import Embedder
from rag_sweep.errors import ConfigError
from rag_sweep.generator.generator import Desk, Generator
from rag_sweep.judges.asking import Asked, Judge
from rag_sweep.judges.known import JUDGES, Given
from rag_sweep.judges.nearness import Nearness
from rag_sweep.judges.settings import settings_of
from rag_sweep.llm.calls import Endpoint
from rag_sweep.llm.client import Client, Limits
from rag_sweep.llm.none import NoModel
from rag_sweep.llm.posting import refuse_secrets
from rag_sweep.llm.prompts import Prompts
from rag_sweep.rules.judging import Rules
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.none import NoTracking

KEYS = (
    *("generator", "llm", "rules", "tracking", "judges", "language", "without_claims"),
    *("embedder", "limits", "calls", "answers", "kappa", "traces"),
)


@dataclass(frozen=True)
class AnswersRequest:
    """The config of an evaluation of answers.

    Attributes
    ----------
    config, choices
        As composed from ``conf/answers.yaml`` and overrides.
    config_dir
        The user's own config directory.
    """

    config: Mapping[str, Any]
    choices: Mapping[str, str]
    config_dir: str | None = None

    @classmethod
    def of(cls, overrides: Sequence[str], config_dir: str | None = None) -> AnswersRequest:
        """Compose and check: what is wrong is told before anything is asked or written.

        Raises
        ------
        ConfigError
            For a key, an option or a value that can't be.
        """
        refuse_secrets(overrides)
        for override in overrides:
            key = group_of(override)
            if key.isidentifier() and key not in KEYS:
                raise ConfigError(f"{key} doesn't exist{nearest(key, KEYS)}")
        folder = ["--config-dir", config_dir] if config_dir else []
        config, choices = compose_with_choices([*folder, *overrides], "answers")
        found = cls(config, choices, config_dir)
        _ = found.generator, found.rules, found.judges, found.limits, found.kappa, found.asked
        _ = found.tracking, found.client, found.traces, found.embedder
        return found

    @cached_property
    def generator(self) -> Generator:
        """Who writes."""
        found: Generator = build.component(self.config, "generator")
        return found

    @cached_property
    def rules(self) -> Rules:
        """What is checked without a model."""
        found: Rules = build.component(self.config, "rules")
        return found

    @cached_property
    def endpoint(self) -> Endpoint:
        """The model."""
        found: Endpoint = build.component(self.config, "llm")
        return found

    @cached_property
    def tracking(self) -> MLflow | NoTracking:
        """Where evaluations are logged."""
        found: MLflow | NoTracking = build.component(self.config, "tracking")
        return found

    @cached_property
    def limits(self) -> Limits:
        """How it may be asked."""
        given = self.config.get("limits") or {}
        hints = get_type_hints(Limits)
        names = [field.name for field in dataclasses.fields(Limits)]
        for key in given:
            if key not in names:
                raise ConfigError(f"limits.{key} doesn't exist{nearest(key, names, 'limits')}")
        return Limits(**{key: build.coerce(given[key], hints[key], f"limits.{key}") for key in given})

    @cached_property
    def client(self) -> Client | None:
        """What asks the model; None with llm=none."""
        if isinstance(self.endpoint, NoModel):
            return None
        calls = self.config.get("calls")
        folder = None if calls is None else Path(build.coerce(calls, str, "calls"))
        return Client(self.endpoint, self.limits, folder)

    @cached_property
    def asked(self) -> Asked:
        """What judges know of the evaluation."""
        language = self.config.get("language", "auto")
        if language not in ("auto", "ru", "en"):
            raise ConfigError(f"language must be one of auto, ru, en, got {language!r}")
        return Asked(self.prompts, language, settings=settings_of(self.endpoint))

    @property
    def prompts(self) -> Prompts:
        """The user's own prompts first."""
        own = (Path(self.config_dir),) if self.config_dir else ()
        return Prompts((*own, conf_dir()))

    @property
    def desk(self) -> Desk:
        """What a generator may use."""
        return Desk(self.prompts, self.client)

    @cached_property
    def judges(self) -> tuple[Judge, ...]:
        """The judges that were asked for; they need a model.

        Raises
        ------
        ConfigError
            For an unknown name, and without a model.
        """
        names = build.coerce(self.config.get("judges") or [], tuple[str, ...], "judges")
        for name in names:
            if name not in JUDGES:
                raise ConfigError(f"judges must be of {', '.join(JUDGES)}, got {name!r}")
        if names and isinstance(self.endpoint, NoModel):
            raise ConfigError(f"judges={list(names)} need a language model: give llm=openai or llm=callable")
        without = build.coerce(self.config.get("without_claims"), float | None, "without_claims")
        given = Given(without, lambda: self.nearness)
        return tuple(known.made(given) for name, known in JUDGES.items() if name in names)

    @cached_property
    def nearness(self) -> Nearness:
        """What reverse questions are compared by."""
        return Nearness() if self.embedder is None else Nearness(self.embedder)

    @cached_property
    def embedder(self) -> Embedder | None:
        """The chosen one."""
        chosen = self.config.get("embedder") is not None
        return build.component(self.config, "embedder") if chosen else None

    @property
    def traces(self) -> int:
        """Cases of one command up to which MLflow's pages for language models get them."""
        found: int = build.coerce(self.config.get("traces"), int, "traces")
        if found < 0:
            raise ConfigError(f"traces must be an int >= 0, got {found}")
        return found

    @property
    def kappa(self) -> float:
        """Agreement with people below which a judge may decide nothing."""
        found: float = build.coerce(self.config.get("kappa"), float, "kappa")
        if not -1 <= found <= 1:
            raise ConfigError(f"kappa must be a number from -1 to 1, got {found}")
        return found
