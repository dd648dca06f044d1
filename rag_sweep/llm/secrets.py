"""Keys stay where they are: what is told of a failed call never has one in it."""

from __future__ import annotations

import os
import re
from functools import lru_cache

_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
SHORTEST = 8
"""Characters from which a value can be a secret; ``EMPTY``, as local servers take it, is none."""
HIDDEN = "***"


def without_key(text: str, key: str | None) -> str:
    """A text without the key, however it is written there."""
    if not key or len(key) < SHORTEST:
        return text
    return _anywhere(key).sub(HIDDEN, text)


@lru_cache(maxsize=64)
def _anywhere(key: str) -> re.Pattern[str]:
    """A key also where JSON or an address escapes some of its characters."""
    return re.compile(
        "".join(rf"(?:\\?{re.escape(one)}|\\u(?i:{ord(one):04x})|%(?i:{ord(one):02x}))" for one in key)
    )


def without_secrets(text: str, *keys: str | None) -> str:
    """A text without the keys, and without any secret that the environment holds by its name."""
    kept = [value for name, value in os.environ.items() if _SECRET.search(name)]
    for key in sorted({key.strip() for key in [*keys, *kept] if key}, key=len, reverse=True):
        text = without_key(text, key)
    return text


def in_a_line(what: object, *keys: str | None, longest: int = 200) -> str:
    """What is told of a failure: one line, cut, without secrets."""
    return without_secrets(" ".join(str(what).split()), *keys)[:longest]
