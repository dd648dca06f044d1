"""One configuration: a pipeline with everything that names and reproduces it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, TypeAlias

from rag_sweep.fingerprint import fingerprint, part_fingerprint
from rag_sweep.measures import Measure
from rag_sweep.pipeline import Pipeline, Settings
from rag_sweep.stages import STAGES
from rag_sweep.version import __version__

Scalar: TypeAlias = str | int | float | bool | None


def code_version() -> str:
    """Version of the package and of its stages: what may change values."""
    return f"{__version__}+{fingerprint({name: stage.version for name, stage in STAGES.items()})[:8]}"


@dataclass(frozen=True)
class Card:
    """What is told of a configuration: enough to list, log and reproduce it, without its components.

    Attributes
    ----------
    index
        Position in the sweep, from 0.
    name
        What differs from the others, short.
    overrides, params, config
        As in `Configuration`.
    fingerprint
        Hash of all parameters of the pipeline and of the settings.
    """

    index: int
    name: str
    overrides: tuple[str, ...]
    params: Mapping[str, Scalar]
    fingerprint: str
    config: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The resolved config as YAML: all that gives the same again."""
        import yaml

        dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
        text: str = yaml.dump(dict(self.config), Dumper=dumper, allow_unicode=True, sort_keys=False)
        return text


@dataclass(frozen=True)
class Configuration:
    """What one run evaluates.

    Attributes
    ----------
    index
        Position in the sweep, from 0.
    overrides
        As the user would type them.
    params
        Scalar leaves, named like the override keys: ``lexical.k1``; a group's name gives its option.
    pipeline, settings, objective
        What is evaluated, at which cutoffs, and the measure that a sweep is ordered by.
    config
        The resolved config.
    """

    index: int
    overrides: tuple[str, ...]
    params: Mapping[str, Scalar]
    pipeline: Pipeline
    settings: Settings
    objective: Measure
    config: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of all parameters of the pipeline and of the settings, as configured."""
        pipeline = [part_fingerprint(getattr(self.pipeline, f.name)) for f in fields(self.pipeline)]
        return fingerprint([*pipeline, part_fingerprint(self.settings)])

    @property
    def summary(self) -> str:
        """The options of a configuration that stands alone: ``document stemmed bm25 lsa rrf none k1=2``."""
        groups = [f.name for f in fields(self.pipeline)]
        named = [str(self.params[group]) for group in groups if group in self.params]
        knobs = [o for o in self.overrides if o.partition(".")[0] in groups and "." in o]
        return " ".join([*named, *(knob.partition(".")[2] for knob in knobs)])


@dataclass(frozen=True)
class Sweep:
    """What all configurations share, and the configurations."""

    shared: Mapping[str, Any]
    configurations: tuple[Configuration, ...]
