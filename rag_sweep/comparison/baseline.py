"""The baseline: the configuration that all others are compared with."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag_sweep.checks import INDEX
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.knobs import is_knob
from rag_sweep.comparison.parts import StandIn
from rag_sweep.comparison.words import brief, typed
from rag_sweep.configuration import Scalar
from rag_sweep.errors import ConfigError
from rag_sweep.tracking.content import param_text

Params = Mapping[str, Scalar]

KEY = "decide.baseline"
SHOWN = 4
"""Knobs and names that a sentence lists."""


@dataclass(frozen=True)
class Baseline:
    """A row of the grid, a sentence on how it was found, and whom it stands in for, if anybody."""

    row: int
    note: str
    stand_in: StandIn | None = None


def choose_baseline(grid: Grid, wanted: int | str | None, shipped: Params | None) -> Baseline:
    """Find the row of the baseline.

    Parameters
    ----------
    wanted
        An index in the first sweep, a name, override words that all have to hold, or None for the
        configuration as shipped.
    shipped
        Params of the configuration as shipped. Where the grid hasn't got it, the closest one is taken: with
        the fewest other values of knobs, and of several the one with the smallest index.

    Raises
    ------
    ConfigError
        If it isn't there, or has failed.
    """
    if wanted is None:
        return _as_shipped(grid, shipped)
    if isinstance(wanted, int) or INDEX.fullmatch(wanted.strip()):
        return _by_index(grid, int(wanted))
    named = [row for row, one in enumerate(grid.members) if wanted in (one.name, one.record.name)]
    if named:
        return Baseline(named[0], f"baseline: {brief(grid.members[named[0]].name)}, as asked for by name")
    _refuse_failed(grid, [one.name for one in grid.failed if one.name == wanted])
    return _by_words(grid, wanted, shipped)


def _as_shipped(grid: Grid, shipped: Params | None) -> Baseline:
    if shipped is None:
        row = min(range(len(grid)), key=lambda at: grid.members[at].place)
        return Baseline(
            row, f"baseline: {brief(grid.members[row].name)}, the first configuration of the sweep"
        )
    row, other = _closest(grid, range(len(grid)), shipped)
    name = brief(grid.members[row].name)
    if not other:
        return Baseline(row, f"baseline: {name}, the configuration as shipped")
    stand_in = _stand_in(grid, row, other, shipped)
    apart = _listed(stand_in.differs)
    return Baseline(row, f"stand-in: {name}, the closest to your configuration ({apart})", stand_in)


def _stand_in(grid: Grid, row: int, other: Sequence[str], shipped: Params) -> StandIn:
    """In what a row differs from the configuration that wasn't measured, and what measures that one."""
    record = grid.members[row].record
    shorts = {knob.key: knob.short for knob in grid.knobs}
    differs = [
        f"{shorts.get(key, key)}={typed(record.params[key])} instead of {typed(shipped[key])}"
        for key in other
    ]
    kept = [word for word in record.overrides if not _is_varied(word)]
    return StandIn(tuple(differs), tuple(kept))


def _is_varied(override: str) -> bool:
    """True for an override that makes the configuration another one than the user's files have."""
    root = re.split(r"[.@=]", override.lstrip("+~"), maxsplit=1)[0]
    return is_knob(root) or root in ("sweep", "promoted")


def _closest(grid: Grid, rows: Sequence[int], shipped: Params) -> tuple[int, list[str]]:
    """The row with the fewest knobs that aren't as shipped, and those knobs."""
    other = {row: other_knobs(grid.members[row].record.params, shipped) for row in rows}
    best = min(rows, key=lambda row: (len(other[row]), grid.members[row].place))
    return best, other[best]


def other_knobs(params: Params, shipped: Params) -> list[str]:
    """Knobs that both have, with different values: where an option differs, its own knobs differ anyway."""
    return [key for key in shipped if is_knob(key) and key in params and params[key] != shipped[key]]


def _by_index(grid: Grid, index: int) -> Baseline:
    for row, one in sorted(enumerate(grid.members), key=lambda pair: pair[1].place):
        if one.record.index == index:
            return Baseline(row, f"baseline: {brief(one.name)}, as asked for by its index {index}")
    _refuse_failed(grid, [one.name for one in grid.failed if one.record.index == index])
    last = max(one.record.index for one in grid.members)
    raise ConfigError(
        f"{KEY} must be the index of a configuration that is compared (at most {last}), got {index}"
    )


def _by_words(grid: Grid, words: str, shipped: Params | None) -> Baseline:
    pairs = [word.partition("=") for word in words.split()]
    if not pairs or any(not mark or not key for key, mark, _ in pairs):
        raise ConfigError(f"{KEY} must be {_allowed(grid, words)}, got {words!r}")
    wanted = {key: value for key, _, value in pairs}
    rows = [row for row, one in enumerate(grid.members) if _holds(one.record.params, wanted)]
    if not rows:
        _refuse_failed(grid, [one.name for one in grid.failed if _holds(one.record.params, wanted)])
        raise ConfigError(f"{KEY} must be {_allowed(grid, words)}, got {words!r}, which holds for none")
    if shipped is not None:
        row, _ = _closest(grid, rows, shipped)
    else:
        row = min(rows, key=lambda at: grid.members[at].place)
    many = f" ({len(rows)} have that; the closest to the shipped one is taken)" if len(rows) > 1 else ""
    return Baseline(row, f"baseline: {brief(grid.members[row].name)}, as asked for by {brief(words)}{many}")


def _holds(params: Params, wanted: Mapping[str, str]) -> bool:
    return all(key in params and _is_same(params[key], text) for key, text in wanted.items())


def _is_same(value: Scalar, text: str) -> bool:
    if param_text(value) == text.strip("'\""):
        return True
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and float(text) == value
    except ValueError:
        return False


def _allowed(grid: Grid, words: str) -> str:
    near = difflib.get_close_matches(words, [one.name for one in grid.members], n=SHOWN, cutoff=0.3)
    names = _listed(list(map(brief, near or [one.name for one in grid.members[:SHOWN]])))
    return f"an index, a name (such as {names}) or override words (such as lexical.k1=1.2)"


def _refuse_failed(grid: Grid, names: Sequence[str]) -> None:
    if names:
        failure = next(one.record.failure for one in grid.failed if one.name == names[0])
        raise ConfigError(
            f"{KEY} must be a configuration that has values; {brief(names[0])} failed: {failure}"
        )


def _listed(parts: Sequence[str]) -> str:
    more = f" and {len(parts) - SHOWN} more" if len(parts) > SHOWN else ""
    return ", ".join(parts[:SHOWN]) + more
