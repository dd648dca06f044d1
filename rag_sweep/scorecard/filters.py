"""Filters: which questions of a GOLD are measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rag_sweep.errors import ConfigError

FILTERS = ("tags",)
"""What questions can be chosen by."""


def checked_filters(filters: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Filters in one form, equal for equal choices; one that chooses nothing is left out.

    Raises
    ------
    ConfigError
        For a filter that doesn't exist.
    """
    for key, values in filters.items():
        if key not in FILTERS:
            raise ConfigError(f"filters must have no other key than {', '.join(FILTERS)}, got {key!r}")
        if isinstance(values, str) or not all(isinstance(value, str) and value for value in values):
            raise ConfigError(f"filters.{key} must be a list of non-empty texts, got {values!r}")
    return {key: tuple(sorted(set(values))) for key, values in filters.items() if values}


def kept_by(filters: Mapping[str, Sequence[str]], tags: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """The rows that have any of the wanted tags."""
    wanted = set(filters.get("tags", ()))
    return tuple(at for at, own in enumerate(tags) if wanted & set(own))
