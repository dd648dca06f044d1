"""From a frozen configuration to its components: only ours, unless the user says that others are trusted."""

from __future__ import annotations

import importlib.machinery
import importlib.util
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rag_sweep.config import build
from rag_sweep.config.folder import GROUPS, PIPELINE_GROUPS, conf_dir
from rag_sweep.configuration import Configuration
from rag_sweep.errors import ConfigError, DataError, Fault

FROZEN = ("dataset", *PIPELINE_GROUPS, "k", "cutoffs", "objective", "evidence")
"""The keys of a config that decide what is found and measured; others may hold passwords and paths."""

TRUST = "RAG_SWEEP_TRUST"
"""The environment variable that stands for ``--trust`` where there is no command line, as in a server."""


def frozen(configuration: Configuration, choices: Mapping[str, str]) -> dict[str, Any]:
    """A configuration as plain JSON: all that gives the same components again."""
    config = {key: configuration.config[key] for key in FROZEN if key in configuration.config}
    return {
        "index": configuration.index,
        "overrides": list(configuration.overrides),
        "choices": {group: option for group, option in choices.items() if group in FROZEN},
        "config": config,
        "fingerprint": configuration.fingerprint,
    }


def thawed(plain: Any, file: Path, *, trust: bool) -> tuple[Configuration, dict[str, str]]:
    """The configuration that `frozen` wrote, with the option chosen in each group.

    Parameters
    ----------
    file
        Where it was read from; nothing below its folder is ever imported.
    trust
        Import components that aren't ours too, from where Python finds them.

    Raises
    ------
    DataError
        If it can't be read, is of foreign components, or gives another configuration than was frozen.
    """
    try:
        config, choices = plain["config"], {str(k): str(v) for k, v in plain["choices"].items()}
        targets = {group: str(config[group]["_target_"]) for group in PIPELINE_GROUPS}
        index, overrides = int(plain["index"]), tuple(map(str, plain["overrides"]))
        wanted = str(plain["fingerprint"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(Fault(f"is no configuration of a bundle: {error!r}", file=file)) from error
    for group, target in targets.items():
        check_target(group, target, file, trust=trust)
    try:
        made = build.configuration(config, choices, index, overrides)
    except ConfigError as error:
        raise DataError(Fault(f"can't be built: {error}", file=file)) from error
    if made.fingerprint != wanted:
        told = "gives another configuration than was promoted: its components are others today"
        raise DataError(Fault(told, file=file))
    return made, choices


@cache
def ours() -> frozenset[tuple[str, str]]:
    """Every group with a `_target_` that its shipped options name."""
    import yaml

    files = [file for group in GROUPS for file in (conf_dir() / group).glob("*.yaml")]
    told = ((file.parent.name, yaml.safe_load(file.read_text(encoding="utf-8"))) for file in files)
    return frozenset((group, str(options["_target_"])) for group, options in told)


def foreign(plain: Any) -> tuple[str, ...]:
    """The targets of a frozen configuration that aren't ours, sorted."""
    config = plain["config"]
    found = {str(config[g]["_target_"]) for g in ("dataset", *PIPELINE_GROUPS)}
    return tuple(sorted(found - {target for _, target in ours()}))


def check_target(group: str, target: str, file: Path, *, trust: bool) -> None:
    """Refuse a component that may not be imported for a bundle.

    Raises
    ------
    DataError
        If it isn't ours and not trusted, or would come from the bundle itself.
    """
    if (group, target) in ours():
        return
    if not all(part.isidentifier() for part in target.split(".")) or target.startswith("rag_sweep."):
        raise DataError(Fault(f"{group}._target_ must name a component, got {target!r:.120}", file=file))
    if not trust:
        told = (
            f"{group}._target_ is {target!r:.120}, which isn't one of rag-sweep's own: importing it runs "
            f"its code. --trust allows that ({TRUST}=1 for a server)"
        )
        raise DataError(Fault(told, file=file))
    inside = [place for place in _places(target.partition(".")[0]) if place.is_relative_to(_root(file))]
    if inside:
        told = f"{group}._target_ {target!r} would be imported from the bundle itself, {inside[0]}"
        raise DataError(Fault(f"{told}: nothing in it is ever run", file=file))


def _root(file: Path) -> Path:
    """The folder of a bundle, or of the model around it, whose files are data and never code."""
    folder = file.resolve().parent
    return folder.parents[1] if folder.parent.name == "data" else folder


def _places(module: str) -> Iterator[Path]:
    """Where a top-level module would come from; looking does not run it."""
    try:
        spec: importlib.machinery.ModuleSpec | None = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return
    origins = [spec.origin] if spec.origin and spec.has_location else []
    yield from (Path(place).resolve() for place in (*origins, *(spec.submodule_search_locations or ())))
