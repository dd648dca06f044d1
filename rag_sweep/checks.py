"""The one form in which a bad parameter is refused: what, what is allowed, what came."""

from __future__ import annotations

import re
from typing import Any

from rag_sweep.errors import ConfigError, UsageError


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


_MEASURE = re.compile(r"[^\W\d][\w@:.-]{0,60}")
INDEX = re.compile(r"[0-9]{1,9}")
"""An index as people type it: not ², and not thousands of digits, which are no int."""


def named_share(word: str, option: str, bare: str | None = None) -> tuple[str, float]:
    """``recall@5=0.80`` as a name and a number from 0 to 1; a number alone has the name `bare`, if it may.

    Raises
    ------
    UsageError
        For anything else; the message names the `option`.
    """
    name, sign, number = word.rpartition("=")
    if not sign and bare is None:
        typed = word if _MEASURE.fullmatch(word) else "recall@5"
        raise UsageError(f"{option} must be MEASURE=VALUE, such as {typed}=0.80, got {word!r}")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise UsageError(f"{option} must end with a number from 0 to 1, got {word!r}")
    return name if sign else str(bare), value
