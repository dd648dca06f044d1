"""Starting Hydra from our own command, with its errors in our form."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rag_sweep.config.folder import PIPELINE_GROUPS, conf_dir
from rag_sweep.errors import ConfigError

MULTIRUN = ("-m", "--multirun")


def hold_back(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split a sweep's arguments into those for Hydra and the pipeline overrides for our own sweeper.

    Hydra applies every override to one master config before any sweeper sees them, so it refuses
    ``-m chunker=document,fixed chunker.size=200,400``, though the sweep makes sense.
    """
    if not is_multirun(arguments) or any(a.startswith("hydra/sweeper=") for a in arguments):
        return list(arguments), []
    ours = [argument for argument in arguments if _group(argument) in PIPELINE_GROUPS]
    return [argument for argument in arguments if argument not in ours], ours


def is_multirun(arguments: Sequence[str]) -> bool:
    """True for a sweep."""
    return any(argument in MULTIRUN for argument in arguments)


def with_multirun(arguments: Sequence[str]) -> list[str]:
    """Choosing a named sweep (``+sweep=handbook``) means to sweep, also without ``-m``."""
    named = any(re.match(r"\+?sweep=", argument) for argument in arguments)
    return [*arguments, "-m"] if named and not is_multirun(arguments) else list(arguments)


def _group(argument: str) -> str:
    if argument.startswith("-"):
        return ""
    return re.split(r"[.@=]", argument.lstrip("+~"), maxsplit=1)[0]


def run_hydra(task: Callable[[Any], Any], arguments: Sequence[str]) -> None:
    """Run `task` as a Hydra program.

    Raises
    ------
    ConfigError
        For whatever Hydra refuses.
    """
    import hydra
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    program = hydra.main(version_base="1.3", config_path=str(conf_dir()), config_name="config")(task)
    try:
        with _called_with(arguments):
            program()
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigError(explain(error)) from error


def compose_once(arguments: Sequence[str]) -> dict[str, Any]:
    """The resolved config that some overrides give, for commands that run nothing.

    Raises
    ------
    ConfigError
        For whatever Hydra refuses.
    """
    from hydra import compose, initialize_config_dir
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    from rag_sweep.config.compose import plain

    folders = [a.partition("=")[2] for a in arguments if a.startswith("--config-dir=")]
    overrides = [a for a in arguments if not a.startswith("--config-dir=")]
    added = (
        [f"hydra.searchpath=[{','.join(f'file://{os.path.abspath(f)}' for f in folders)}]"] if folders else []
    )
    try:
        with initialize_config_dir(str(conf_dir()), version_base="1.3"):
            return plain(compose("config", overrides=[*overrides, *added]))
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigError(explain(error)) from error


@contextmanager
def _called_with(arguments: Sequence[str]) -> Iterator[None]:
    """Hydra reads sys.argv; with HYDRA_FULL_ERROR it raises instead of printing and leaving with 1."""
    argv, full = sys.argv, os.environ.get("HYDRA_FULL_ERROR")
    sys.argv = ["rag-sweep run", *arguments]
    os.environ["HYDRA_FULL_ERROR"] = "1"
    try:
        yield
    finally:
        sys.argv = argv
        if full is None:
            del os.environ["HYDRA_FULL_ERROR"]
        else:
            os.environ["HYDRA_FULL_ERROR"] = full


def explain(error: BaseException) -> str:
    """Hydra's error in one to three lines, with the nearest right name."""
    from rag_sweep.config.build import nearest
    from rag_sweep.config.folder import options
    from rag_sweep.config.grid import hint

    text = str(error).strip() or str(error.__cause__ or type(error).__name__)
    if key := re.match(r"Could not override '([^']+)'", text):
        return f"{key[1]} doesn't exist in this configuration{hint(key[1])}"
    if missing := re.match(r"Could not find '([\w]+)/([^']+)'", text):
        group, option = missing.groups()
        return f"{group}={option} doesn't exist{nearest(option, options().get(group, {}), '')}"
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    cause = str(error.__cause__).splitlines()[0] if error.__cause__ and len(lines) == 1 else ""
    return "\n".join([*lines[:3], *([cause] if cause and cause not in text else [])])


def job(config: Any) -> tuple[dict[str, Any], dict[str, str], tuple[str, ...], bool]:
    """What a Hydra task was given: plain config, choices, overrides, and whether it is part of a sweep."""
    from hydra.core.hydra_config import HydraConfig
    from hydra.types import RunMode

    from rag_sweep.config.compose import chosen, plain

    own = HydraConfig.get()
    overrides = tuple(str(override) for override in own.overrides.task)
    return plain(config), chosen(own.runtime.choices), overrides, own.mode == RunMode.MULTIRUN
