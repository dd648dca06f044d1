"""A sweep as a union of grids: overrides in Hydra's own grammar to the cells that are evaluated."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from hydra.core.object_type import ObjectType
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override, RangeSweep
from hydra.errors import HydraException

from rag_sweep.config.explain import explain
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.config.groups import options_of
from rag_sweep.config.hints import hint
from rag_sweep.config.literals import literal
from rag_sweep.errors import ConfigError

Axes = dict[str, list[str]]
"""For each key, in the order given: the overrides that set it, one a value."""


@dataclass
class Cells:
    """The cells of a sweep, with what was left out.

    Attributes
    ----------
    cells
        Overrides of each configuration, each cell once.
    dropped
        For each key that doesn't exist under some option: the choices under which it was dropped.
    repeated
        How many cells were given more than once and are kept once.
    keys
        The keys that exist under some option.
    """

    cells: list[tuple[str, ...]] = field(default_factory=list)
    dropped: dict[str, list[str]] = field(default_factory=dict)
    repeated: int = 0
    keys: frozenset[str] = frozenset()


class GridReader:
    """Reads overrides and grids of a sweep."""

    def __init__(self, config_loader: Any) -> None:
        self._parser = OverridesParser.create(config_loader=config_loader)
        self._options = options_of(config_loader)

    def is_group(self, key: str) -> bool:
        """True for a config group: its value chooses a file."""
        return bool(self._options(_bare(key).partition("@")[0], ObjectType.CONFIG))

    def axes(self, overrides: Sequence[str]) -> Axes:
        """Axes of command-line overrides; a later override of a key wins."""
        axes: Axes = {}
        for override in self._parser.parse_overrides(list(overrides)):
            if not override.is_hydra_override():
                axes[override.get_key_element()] = _values(override)
        return axes

    def grid_axes(self, grid: Mapping[str, Any], where: str) -> Axes:
        """Axes of a grid in YAML: a list is its values, a string is read in Hydra's grammar.

        Raises
        ------
        ConfigError
            For an empty list, a key or a text that can't be read, or a key that must be the same in the
            whole sweep.
        """
        axes: Axes = {}
        for key, values in grid.items():
            if not isinstance(key, str):
                raise ConfigError(f"{where}: a key must be a text such as lexical.k1, got {key!r}")
            refuse_unfair(key, where)
            axes.update(self._grid_axis(key, values, where))
        return axes

    def _grid_axis(self, key: str, values: Any, where: str) -> Axes:
        if isinstance(values, str):
            try:
                return self.axes([f"{key}={values}"])
            except HydraException as error:
                raise ConfigError(
                    f"{where}: {explain(error)}\nA text of its own stands in a list: {key}: [{values!r}]"
                ) from error
        listed = values if isinstance(values, list) else [values]
        if not listed:
            raise ConfigError(f"{where}: {key} has no values: the grid would be empty")
        return {key: [f"{key}={literal(value)}" for value in listed]}


def _values(override: Override) -> list[str]:
    key = override.get_key_element()
    if not override.is_sweep_override():
        # the line as it was typed: a value is never formatted anew
        return [str(override.input_line)]
    if not override.is_discrete_sweep():
        raise ConfigError(
            f"{override.input_line}: a grid needs values one by one; for an interval use hydra/sweeper=optuna"
        )
    swept = override.value()
    listed = numbers(swept) if isinstance(swept, RangeSweep) else override.sweep_iterator(_plain)
    values = [f"{key}={literal(value)}" for value in listed]
    if not values:
        raise ConfigError(f"{override.input_line} has no values: the grid would be empty")
    if len(values) > 1:
        refuse_unfair(key, str(override.input_line))
    return values


def _plain(element: Any) -> Any:
    """A parsed element as the value that it means."""
    return Override._convert_value(element)


def numbers(swept: RangeSweep) -> list[int | float]:
    """The numbers of ``range(start, stop, step)``, stop excluded, without the dust of binary fractions.

    ``range(0,1,0.1)`` gives 0.3, where adding up 0.1 in binary gives 0.30000000000000004: number i is
    ``start + i * step`` in decimal arithmetic, with 15 significant digits of start, stop and step, which is
    what a float keeps of a number that somebody typed. How many there are is counted so too: the end never
    slips in.

    Raises
    ------
    ConfigError
        For a step of 0, and for what isn't finite.
    """
    given = [math.nan if number is None else number for number in (swept.start, swept.stop, swept.step)]
    if swept.step == 0 or not all(map(math.isfinite, given)):
        raise ConfigError(
            "range(start,stop,step) must be of finite numbers with a step other than 0, got "
            f"range({','.join(map(str, given))})"
        )
    start, stop, step = (Decimal(f"{n:.15g}" if isinstance(n, float) else n) for n in given)
    exact = (start + at * step for at in range(max(0, math.ceil((stop - start) / step))))
    whole = all(isinstance(number, int) for number in given)
    values = [int(number) if whole else float(number) for number in exact]
    if swept.shuffle:
        random.shuffle(values)
    return values


def refuse_unfair(key: str, where: str) -> None:
    """Refuse a sweep over what must be the same for every configuration.

    Raises
    ------
    ConfigError
        For everything outside the groups of the pipeline.
    """
    group = _bare(key).partition("@")[0].partition(".")[0]
    if group not in PIPELINE_GROUPS:
        raise ConfigError(
            f"{where}: {_bare(key)} can't be swept: every configuration is measured on the same GOLD, at the "
            f"same k, by the same measures.\nA sweep varies {', '.join(PIPELINE_GROUPS)}."
        )


def _bare(key: str) -> str:
    return key.lstrip("+~")


def expand(
    grids: Iterable[Axes], reader: GridReader, keys_under: Any, excused: frozenset[str] = frozenset()
) -> Cells:
    """All cells of a union of grids.

    Parameters
    ----------
    grids
        The axes of each grid.
    keys_under
        From a tuple of group overrides to the keys that exist under them.
    excused
        Keys that need not exist: those of a grid whose option the command line has overruled.

    Raises
    ------
    ConfigError
        For any other key that exists under no option of the sweep.
    """
    found = Cells()
    used: set[str] = set()
    seen: dict[frozenset[str], tuple[str, ...]] = {}
    for axes in grids:
        within = _grid_cells(axes, reader, keys_under, found, used)
        found.repeated += len(within.keys() & seen.keys())
        seen = {**seen, **{cell: texts for cell, texts in within.items() if cell not in seen}}
    _refuse_unknown(found.dropped, used | excused)
    found.cells, found.keys = list(seen.values()), frozenset(used)
    return found


def _grid_cells(
    axes: Axes, reader: GridReader, keys_under: Any, found: Cells, used: set[str]
) -> dict[frozenset[str], tuple[str, ...]]:
    """The cells of one grid; notes in `found` and `used` what was dropped, repeated and used."""
    groups = [key for key in axes if reader.is_group(key)]
    values = [_bare(key) for key in axes if key not in groups]
    applying: dict[tuple[str, ...], list[str]] = {}
    given: set[tuple[str, ...]] = set()
    cells: dict[frozenset[str], tuple[str, ...]] = {}
    for combination in itertools.product(*axes.values()):
        chosen = dict(zip(axes, combination, strict=True))
        options = tuple(chosen[key] for key in groups)
        if options not in applying:
            known = keys_under(options)
            applying[options] = [key for key in axes if key in groups or _applies(key, known, values)]
            used.update(applying[options])
            for key in (key for key in axes if key not in applying[options]):
                _note(found.dropped, key, list(options))
        kept = tuple(chosen[key] for key in applying[options])
        found.repeated += combination in given
        given.add(combination)
        cells.setdefault(frozenset(kept), kept)
    return cells


def _applies(key: str, known: Any, set_here: Sequence[str]) -> bool:
    """True if the key exists, is added, or lies in a list or mapping that is a value itself."""
    bare = _bare(key)
    return key.startswith("+") or bare in known or any(bare.startswith(f"{other}.") for other in set_here)


def _note(dropped: dict[str, list[str]], key: str, choices: list[str]) -> None:
    group = _bare(key).partition(".")[0]
    own = [choice for choice in choices if _bare(choice).partition("=")[0].partition("@")[0] == group]
    places = dropped.setdefault(key, [])
    place = own[0] if own else "the default options"
    if place not in places:
        places.append(place)


def _refuse_unknown(dropped: Mapping[str, list[str]], used: set[str]) -> None:
    unknown = [
        f"{_bare(key)} doesn't exist under any option of this sweep ({', '.join(places)}){hint(_bare(key))}"
        for key, places in dropped.items()
        if key not in used
    ]
    if unknown:
        raise ConfigError("\n".join(unknown))
