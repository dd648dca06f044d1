"""The one form in which a bad parameter is refused: what, what is allowed, what came."""

from __future__ import annotations

from typing import Any

from rag_sweep.errors import ConfigError


def require(key: str, value: Any, allowed: str, holds: bool) -> None:
    """Refuse `value` unless `holds`.

    Raises
    ------
    ConfigError
        ``fusion.k_rrf must be an int >= 1, got 0``.
    """
    if not holds:
        raise ConfigError(f"{key} must be {allowed}, got {value!r}")


def is_count(value: object, least: int = 1) -> bool:
    """True for an int (no bool) of at least `least`."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
