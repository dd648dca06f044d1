"""A sweep as a union of grids: overrides in Hydra's own grammar to the cells that are evaluated."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override, Quote, QuotedString
from hydra.errors import OverrideParseException

from rag_sweep.config.build import nearest
from rag_sweep.config.folder import PIPELINE_GROUPS, known_keys, options
from rag_sweep.errors import ConfigError

_WORDS = {None: "null", True: "true", False: "false"}

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
    """

    cells: list[tuple[str, ...]] = field(default_factory=list)
    dropped: dict[str, list[str]] = field(default_factory=dict)
    repeated: int = 0


class GridReader:
    """Reads overrides and grids of a sweep."""

    def __init__(self, config_loader: Any) -> None:
        self._parser = OverridesParser.create(config_loader=config_loader)
        self._options = cache(config_loader.get_group_options)

    def is_group(self, key: str) -> bool:
        """True for a config group: its value chooses a file."""
        return bool(self._options(_bare(key).partition("@")[0]))

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
            For an empty list, or a key that must be the same in the whole sweep.
        """
        axes: Axes = {}
        for key, values in grid.items():
            if isinstance(values, str):
                axes.update(self.axes([f"{key}={values}"]))
                continue
            listed = values if isinstance(values, list) else [values]
            if not listed:
                raise ConfigError(f"{where}: {key} has no values: the grid would be empty")
            axes[key] = [f"{key}={self._literal(key, value)}" for value in listed]
        for key in axes:
            refuse_unfair(key, where)
        return axes

    def _literal(self, key: str, value: Any) -> str:
        """`value` as Hydra's grammar writes it, so that parsing gives it back."""
        if isinstance(value, list):
            return f"[{','.join(self._literal(key, item) for item in value)}]"
        if isinstance(value, dict):
            return f"{{{','.join(f'{k}:{self._literal(key, v)}' for k, v in value.items())}}}"
        if value is None or isinstance(value, bool):
            return _WORDS[value]
        if not isinstance(value, str):
            return repr(value)
        if value and self._reads_back(key, value):
            return value
        return QuotedString(value, Quote.single).with_quotes()

    def _reads_back(self, key: str, text: str) -> bool:
        """True if the bare text, without quotes, means just this string."""
        try:
            parsed = self._parser.parse_overrides([f"{_bare(key)}={text}"])[0]
        except OverrideParseException:
            return False
        return not parsed.is_sweep_override() and parsed.value() == text


def _values(override: Override) -> list[str]:
    key = override.get_key_element()
    if not override.is_sweep_override():
        # the line as it was typed: a value is never formatted anew
        return [str(override.input_line)]
    if not override.is_discrete_sweep():
        raise ConfigError(
            f"{override.input_line}: a grid needs values one by one; for an interval use hydra/sweeper=optuna"
        )
    values = [f"{key}={value}" for value in override.sweep_string_iterator()]
    if not values:
        raise ConfigError(f"{override.input_line} has no values: the grid would be empty")
    if len(values) > 1:
        refuse_unfair(key, str(override.input_line))
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


def expand(grids: Iterable[Axes], reader: GridReader, keys_under: Any) -> Cells:
    """All cells of a union of grids.

    Parameters
    ----------
    grids
        The axes of each grid.
    keys_under
        From a tuple of group overrides to the keys that exist under them.
    """
    found = Cells()
    used: set[str] = set()
    seen: dict[tuple[str, ...], None] = {}
    for axes in grids:
        groups = [key for key in axes if reader.is_group(key)]
        within: dict[tuple[str, ...], None] = {}
        for combination in itertools.product(*axes.values()):
            chosen = dict(zip(axes, combination, strict=True))
            known = keys_under(tuple(chosen[key] for key in groups))
            kept = tuple(text for key, text in chosen.items() if key in groups or _applies(key, known))
            used.update(key for key in chosen if chosen[key] in kept)
            for key in chosen:
                if chosen[key] not in kept:
                    _note(found.dropped, key, [chosen[g] for g in groups])
            within[kept] = None
        found.repeated += sum(cell in seen for cell in within)
        seen.update(within)
    _refuse_unknown(found.dropped, used)
    found.cells = list(seen)
    return found


def _applies(key: str, known: Any) -> bool:
    return key.startswith("+") or _bare(key) in known


def _note(dropped: dict[str, list[str]], key: str, choices: list[str]) -> None:
    group = _bare(key).partition(".")[0]
    own = [choice for choice in choices if _bare(choice).partition("=")[0].partition("@")[0] == group]
    places = dropped.setdefault(key, [])
    place = own[0] if own else "the default options"
    if place not in places:
        places.append(place)


def _refuse_unknown(dropped: Mapping[str, list[str]], used: set[str]) -> None:
    for key, places in dropped.items():
        if key not in used:
            raise ConfigError(
                f"{_bare(key)} doesn't exist under any option of this sweep ({', '.join(places)})"
                f"{hint(_bare(key))}"
            )


def hint(key: str) -> str:
    """What to say behind "doesn't exist": where the key exists, or the nearest right one."""
    return where_it_exists(key) if key in known_keys() else nearest(key, known_keys())


def where_it_exists(key: str) -> str:
    """`; it exists under chunker=fixed` for a key of another option, else an empty text."""
    group, _, field_name = _bare(key).partition(".")
    homes = [
        f"{group}={option}" for option, fields in options().get(group, {}).items() if field_name in fields
    ]
    return f"; it exists under {', '.join(homes)}" if homes else ""
