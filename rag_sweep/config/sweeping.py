"""From the arguments of a sweep to its configurations, all composed and checked before any work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omegaconf import OmegaConf

from rag_sweep.config.build import configuration
from rag_sweep.config.compose import Composer, plain, without_hydra
from rag_sweep.config.grid import Axes, Cells, GridReader, expand
from rag_sweep.configuration import Configuration
from rag_sweep.errors import ConfigError

SHOWN = 10
"""Faulty configurations that one error message lists."""


def cells(config_loader: Any, master: Any, overrides: Sequence[str]) -> Cells:
    """The cells of a sweep: overrides times each grid of ``sweep.grids``; an override wins over a grid."""
    reader = GridReader(config_loader)
    command_line = {
        key: values
        for key, values in reader.axes(overrides).items()
        if not key.lstrip("+").startswith("sweep.")
    }
    named = OmegaConf.to_container(OmegaConf.select(master, "sweep.grids"), resolve=True) or [{}]
    grids = [
        _united(command_line, reader.grid_axes(grid, f"sweep.grids[{at}]"))
        for at, grid in enumerate(_checked(named))
    ]
    return expand(grids, reader, Composer(config_loader, master).keys_under)


def _checked(grids: Any) -> list[Mapping[str, Any]]:
    if not isinstance(grids, list) or not all(isinstance(grid, dict) for grid in grids):
        raise ConfigError(f"sweep.grids must be a list of mappings from key to values, got {grids!r}")
    return grids


def _united(command_line: Axes, grid: Axes) -> Axes:
    given = {key.lstrip("+~") for key in command_line}
    return {**command_line, **{key: values for key, values in grid.items() if key.lstrip("+~") not in given}}


@dataclass(frozen=True)
class Sweep:
    """What all configurations share, and the configurations."""

    shared: Mapping[str, Any]
    configurations: tuple[Configuration, ...]


def compose_all(
    config_loader: Any, master: Any, jobs: Sequence[Sequence[str]], first_index: int = 0
) -> Sweep:
    """Compose and build every configuration.

    Raises
    ------
    ConfigError
        With the overrides of each one that can't be, all at once.
    """
    composer = Composer(config_loader, master)
    built: list[Configuration] = []
    faults: list[str] = []
    for index, overrides in enumerate(jobs, first_index):
        try:
            config, choices = composer.compose(overrides)
            built.append(configuration(config, choices, index, overrides))
        except ConfigError as error:
            faults.append(f"{error}  ({' '.join(overrides)})")
    if faults:
        more = len(faults) - SHOWN
        listed = [*faults[:SHOWN], *([f"and {more} more"] if more > 0 else [])]
        raise ConfigError("\n".join([f"{len(faults)} of {len(jobs)} configurations can't be:", *listed]))
    return Sweep(plain(without_hydra(master)), tuple(built))
