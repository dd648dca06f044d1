"""Checks of the parameters that dataset components share."""

from __future__ import annotations

from rag_sweep.checks import require


def require_path(key: str, value: object) -> None:
    """Refuse what can't be a path."""
    good = isinstance(value, str) and bool(value.strip()) and "\0" not in value
    require(key, value, "a path", good)


def require_version(value: object) -> None:
    """Refuse a version that is neither None nor a text."""
    good = value is None or (isinstance(value, str) and bool(value.strip()))
    require("dataset.version", value, "a non-empty string or null", good)
