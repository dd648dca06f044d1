"""From the arguments of a sweep to its configurations, all composed and checked before any work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from rag_sweep.config.build import configuration
from rag_sweep.config.compose import Composer, plain, without_hydra
from rag_sweep.config.explain import explain
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.config.grid import Axes, Cells, GridReader, expand, refuse_unfair
from rag_sweep.configuration import Configuration, Sweep
from rag_sweep.errors import ConfigError

SHOWN = 10
"""Faulty configurations that one error message lists."""


def cells(composer: Composer, overrides: Sequence[str]) -> Cells:
    """The cells of a sweep: overrides times each grid of ``sweep.grids``; an override wins over a grid.

    Raises
    ------
    ConfigError
        Where there is nothing to sweep, and for keys and values that can't be.
    """
    reader = GridReader(composer.loader)
    command_line = {
        key: values
        for key, values in reader.axes(overrides).items()
        if not key.lstrip("+~").startswith("sweep.")
    }
    given = [
        reader.grid_axes(grid, f"sweep.grids[{at}]")
        for at, grid in enumerate(grids_of(composer.master) or [{}])
    ]
    grids = [_united(command_line, grid) for grid in given]
    if not any(is_of_pipeline(key) for axes in grids for key in axes):
        raise ConfigError(
            "there is nothing to sweep: give a key several values (lexical.k1=0.9,1.2), or name a sweep "
            "(+sweep=handbook)\nWithout -m it is a single run"
        )
    overruled = [
        grid for grid in given if any(reader.is_group(key) for key in grid.keys() & command_line.keys())
    ]
    excused = expand(overruled, reader, composer.keys_under).keys if overruled else frozenset[str]()
    return expand(grids, reader, composer.keys_under, excused)


def is_of_pipeline(key: str) -> bool:
    """True for a key that a sweep may vary."""
    return key.lstrip("+~").partition("@")[0].partition(".")[0] in PIPELINE_GROUPS


def grids_of(master: Any) -> list[dict[Any, Any]]:
    """``sweep.grids``: an interpolation for all values of a key is resolved, one inside a value is the job's.

    Raises
    ------
    ConfigError
        For anything but a list of mappings.
    """
    grids = OmegaConf.select(master, "sweep.grids")
    if grids is None:
        return []
    if not OmegaConf.is_list(grids) or not all(OmegaConf.is_dict(grid) for grid in grids):
        raise ConfigError(f"sweep.grids must be a list of mappings from key to values, got {grids!r}")
    return [{key: _unresolved(grid[key]) for key in grid} for grid in grids]


def _unresolved(values: Any) -> Any:
    return OmegaConf.to_container(values, resolve=False) if OmegaConf.is_config(values) else values


def _united(command_line: Axes, grid: Axes) -> Axes:
    given = {key.lstrip("+~") for key in command_line}
    return {**command_line, **{key: values for key, values in grid.items() if key.lstrip("+~") not in given}}


def compose_all(composer: Composer, jobs: Sequence[Sequence[str]], first_index: int = 0) -> Sweep:
    """Compose and build every configuration.

    Raises
    ------
    ConfigError
        With the overrides of each one that can't be, all at once.
    """
    shared = plain(without_hydra(composer.master))
    built: list[Configuration] = []
    faults: list[str] = []
    for index, overrides in enumerate(jobs, first_index):
        try:
            config, choices = composer.compose(overrides)
            _refuse_other_terms(config, shared)
            built.append(configuration(config, choices, index, overrides))
        except ConfigError as error:
            faults.append(f"{error}  ({' '.join(overrides)})")
        except (HydraException, OmegaConfBaseException) as error:
            faults.append(f"{explain(error)}  ({' '.join(overrides)})")
    if faults:
        more = len(faults) - SHOWN
        listed = [*faults[:SHOWN], *([f"and {more} more"] if more > 0 else [])]
        raise ConfigError("\n".join([f"{len(faults)} of {len(jobs)} configurations can't be:", *listed]))
    return Sweep(shared, tuple(built))


def _refuse_other_terms(config: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
    """A sweeper of others, or a grid's option, may have reached what must be the same for all."""
    for key in {**shared, **config}:
        if key not in (*PIPELINE_GROUPS, "sweep") and config.get(key) != shared.get(key):
            refuse_unfair(key, f"{key} differs between configurations")
