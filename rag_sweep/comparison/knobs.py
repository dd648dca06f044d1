"""The knobs that differ between configurations, each with its values in their natural order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from rag_sweep.configuration import Scalar
from rag_sweep.tracking.content import param_text

Params: TypeAlias = Mapping[str, Scalar]

GROUPS = ("chunker", "analyzer", "lexical", "embedder", "fusion", "reranker")
"""The groups of knobs; other params, such as the dataset's, don't say how something is searched."""

CORPUS = "corpus"
"""The knob that there is where configurations searched different corpora."""


@dataclass(frozen=True, eq=False)
class Knob:
    """One knob that differs.

    Attributes
    ----------
    key, short
        Its whole name, ``lexical.k1``; and a short one that no other knob has, ``k1``.
    values
        Every value that occurs, numbers rising, other things in order of appearance.
    at : tuple, one a configuration
        The position in `values`; None where the knob means nothing in that pipeline.
    """

    key: str
    short: str
    values: tuple[Scalar, ...]
    at: tuple[int | None, ...]

    def value(self, row: int) -> Scalar:
        """The value in one configuration; None where the knob means nothing."""
        place = self.at[row]
        return None if place is None else self.values[place]

    def reordered(self, order: Sequence[int]) -> Knob:
        """The same for configurations in another order: the first one is `order[0]` now."""
        return replace(self, at=tuple(self.at[row] for row in order))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The values as they are typed."""
        return tuple(map(param_text, self.values))

    @cached_property
    def labels(self) -> tuple[str | None, ...]:
        """The value of each configuration as text, None where it means nothing: what statistics take."""
        texts = self.texts
        return tuple(None if place is None else texts[place] for place in self.at)


def is_knob(key: str) -> bool:
    """True for a param that says how something is searched."""
    return key.partition(".")[0] in GROUPS or key == CORPUS


def knobs_of(
    params: Sequence[Params], idle: Sequence[Iterable[str]], equals: Sequence[int]
) -> tuple[Knob, ...]:
    """The knobs with more than one value among the configurations in which they mean something.

    Parameters
    ----------
    params
        Of each configuration.
    idle
        For each configuration the groups of the pipeline that it doesn't use.
    equals
        Configurations that are equal in effect have equal numbers: a knob by which only such ones differ
        means nothing there.
    """
    keys = [key for key in dict.fromkeys(key for one in params for key in one) if is_knob(key)]
    columns: dict[str, list[Scalar]] = {}
    for key in keys:
        column = [_meaningful(one, key, off) for one, off in zip(params, idle, strict=True)]
        if len(_distinct(column)) > 1:
            columns[key] = column
    for key, off in _without_effect(columns, equals).items():
        columns[key] = [None if is_off else v for v, is_off in zip(columns[key], off, strict=True)]
    varied = {key: column for key, column in columns.items() if len(_distinct(column)) > 1}
    shorts = _short_names(tuple(varied))
    return tuple(_knob(key, shorts[key], column) for key, column in varied.items())


NULL = "null"
"""A param that is None: as text, since None stands for a knob that means nothing."""


def _meaningful(params: Params, key: str, idle: Iterable[str]) -> Scalar:
    if key not in params or key.partition(".")[0] in idle:
        return None
    return NULL if params[key] is None else params[key]


def _distinct(column: Iterable[Scalar]) -> dict[tuple[type, Scalar], Scalar]:
    """Values in order of appearance, without None."""
    found: dict[tuple[type, Scalar], Scalar] = {}
    for value in column:
        if value is not None:
            found.setdefault(_kind(value), value)
    return found


def _kind(value: Scalar) -> tuple[type, Scalar]:
    """Equal for equal values: 1 and True differ, 1 and 1.0 don't."""
    return (float if type(value) is int else type(value)), value


def _without_effect(columns: Mapping[str, Sequence[Scalar]], equals: Sequence[int]) -> dict[str, list[bool]]:
    """For each knob, the configurations that are equal in effect to all that differ from them by it alone."""
    if len(set(equals)) == len(equals):
        return {}
    rows = list(zip(*columns.values(), strict=True))
    found = {}
    for place, key in enumerate(columns):
        groups: dict[tuple[Scalar, ...], list[int]] = defaultdict(list)
        for row, values in enumerate(rows):
            groups[values[:place] + values[place + 1 :]].append(row)
        off = [False] * len(rows)
        for group in groups.values():
            if len({rows[row][place] for row in group}) > 1 and len({equals[row] for row in group}) == 1:
                for row in group:
                    off[row] = True
        if any(off):
            found[key] = off
    return found


def _short_names(keys: Sequence[str]) -> dict[str, str]:
    last = [key.rpartition(".")[2] for key in keys]
    return {key: name if last.count(name) == 1 else key for key, name in zip(keys, last, strict=True)}


def _knob(key: str, short: str, column: Sequence[Scalar]) -> Knob:
    found = _distinct(column)
    values = sorted(found.values(), key=_place) if all(map(_is_number, found.values())) else found.values()
    ordered = tuple(values)
    place = {kind: at for at, kind in enumerate(_distinct(ordered))}
    at = tuple(None if value is None else place[_kind(value)] for value in column)
    return Knob(key, short, ordered, at)


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | float)


def _place(value: Scalar) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
