"""What a search is asked: questions, and overrides of Hydra."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rag_sweep.config import build
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.config.program import compose_with_choices
from rag_sweep.errors import UsageError
from rag_sweep.tracking.mlflow import MLflow

STDIN = "-"
"""The question that stands for the lines of stdin."""

CHOOSING = (*PIPELINE_GROUPS, "promoted")
"""Groups that choose what searches: with none of them it is the promoted configuration, if there is one."""

IDLE = {
    **dict.fromkeys(("cutoffs", "objective", "evidence", "decide"), "nothing is measured: give k"),
    **dict.fromkeys(("resume", "dry_run"), "nothing is kept but the index, in the store"),
    "sweep": "one configuration searches",
    "execute": "one index is built, in this process",
}
"""Keys that nothing here could depend on, and why."""

_OVERRIDE = re.compile(r"(?:~|\+{0,2})[\w.@/-]+=|~[\w.@/-]+$")


@dataclass(frozen=True)
class Wish:
    """What is asked beside the overrides.

    Attributes
    ----------
    questions
        As they were typed; ``-`` for the lines of stdin.
    query_ids
        Of questions of the GOLD.
    k
        Documents to show, >= 1; None for the configuration's.
    champion
        ``models:/…`` or a folder; None for the promoted one, where nothing else is chosen.
    documents
        A folder or a JSONL file, instead of a dataset: there is no GOLD then.
    trust
        Import components of a champion that aren't rag-sweep's own.
    """

    questions: tuple[str, ...] = ()
    query_ids: tuple[str, ...] = ()
    k: int | None = None
    champion: str | None = None
    documents: Path | None = None
    trust: bool = False


@dataclass(frozen=True)
class Asked:
    """Overrides with what they compose to."""

    overrides: tuple[str, ...]
    config: Mapping[str, Any]
    choices: Mapping[str, str] = field(default_factory=dict)

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
        return cls(tuple(overrides), *compose_with_choices(given))

    def sets(self, *keys: str) -> str | None:
        """The first override that sets any of the keys or something below it; None if there is none."""
        return next((one for one in self.overrides if _is_of(one, keys)), None)

    def without(self, *keys: str) -> list[str]:
        """The overrides that set none of the keys."""
        return [one for one in self.overrides if not _is_of(one, keys)]

    @cached_property
    def tracking(self) -> MLflow | None:
        """Where champions are; None where nothing is tracked."""
        found = build.component(self.config, "tracking")
        return found if isinstance(found, MLflow) else None


def parted(words: Sequence[str], has_ids: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The question, which stands first, and the overrides behind it.

    Parameters
    ----------
    has_ids
        True if questions of the GOLD are asked: then there may be overrides alone.

    Raises
    ------
    UsageError
        If there is no question, or one that wasn't put in quotes.
    """
    first = words[:1]
    if not words or (is_setting(words[0]) and has_ids):
        first = []
    if not first and not has_ids:
        raise UsageError('what is to be searched? rag-sweep search "a question in quotes"')
    rest = words[len(first) :]
    loose = [word for word in rest if not _OVERRIDE.match(word)]
    if loose and first:
        whole = " ".join([*first, *loose])
        raise UsageError(f'{loose[0]!r} is no override (key=value); put the question in quotes: "{whole}"')
    if first and is_setting(first[0]):
        raise UsageError(f"{first[0]!r} is an override: the question stands before it")
    return tuple(first), tuple(rest)


def is_setting(word: str) -> bool:
    """True for an override of a key or a group that there is; a question may hold an ``=`` too."""
    from rag_sweep.config.folder import known_keys

    key = word.lstrip("+~").partition("=")[0]
    return bool(_OVERRIDE.match(word)) and (key in known_keys() or key.partition(".")[0] in known_keys())


def _is_of(override: str, keys: Sequence[str]) -> bool:
    return override.lstrip("+~").partition("=")[0].partition(".")[0].partition("@")[0] in keys


def _refuse_idle(override: str) -> None:
    key = override.lstrip("+~").partition("=")[0]
    group = re.split(r"[.@]", key, maxsplit=1)[0]
    if group in IDLE:
        raise UsageError(f"{override}: {group} has no effect on a search; {IDLE[group]}")
