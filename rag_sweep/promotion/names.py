"""Names that a model, a file and an option of Hydra can all have."""

from __future__ import annotations

import re

from rag_sweep.errors import ConfigError

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,99}")


def checked_name(name: str) -> str:
    """The name of a model.

    Raises
    ------
    ConfigError
        For any other text.
    """
    if not _NAME.fullmatch(name):
        allowed = "1 to 100 letters, digits, _ and -, a letter first"
        raise ConfigError(f"--name must be {allowed} (it is also the name of a file), got {name!r}")
    return name
