"""Keys stay where they are: what is told of a failed call never has one in it."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from rag_sweep.errors import is_end

_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
SHORTEST = 8
"""Characters from which a value can be a secret; ``EMPTY``, as local servers take it, is none."""
HIDDEN = "***"


def without_key(text: str, key: str | None) -> str:
    """A text without the key, however it is written there."""
    if not key or len(key) < SHORTEST:
        return text
    return _anywhere(" ".join(key.split())).sub(HIDDEN, text)


@lru_cache(maxsize=64)
def _anywhere(key: str) -> re.Pattern[str]:
    """A key in whatever capitals, also where JSON, an address or a page escapes some of its characters."""
    return re.compile("".join(map(_written, key)), re.IGNORECASE)


def _written(one: str) -> str:
    plain = r"(?:\s|\\[nrt])+" if one == " " else rf"\\?{re.escape(one)}"
    codes = {ord(same) for same in (one, one.lower(), one.upper()) if len(same) == 1}
    escaped = (rf"\\u{code:04x}|%{code:02x}|&#(?:{code}|x0*{code:x});" for code in sorted(codes))
    return f"(?:{plain}|{'|'.join(escaped)})"


def without_secrets(text: str, *keys: str | None) -> str:
    """A text without the keys, and without any secret that the environment holds by its name."""
    kept = [value for name, value in os.environ.items() if _SECRET.search(name)]
    for key in sorted({key.strip() for key in [*keys, *kept] if key}, key=len, reverse=True):
        text = without_key(text, key)
    return text


def in_a_line(text: str, *keys: str | None, longest: int = 200) -> str:
    """What is told of a failure: one line without secrets, cut, with nothing that a terminal obeys.

    The only way in which a text of others may be cut: cut first, a part of a key would stay.
    """
    cut = " ".join(without_secrets(text, *keys).split())[:longest]
    return "".join(sign if sign.isprintable() else " " for sign in cut)


def told_value(value: object, *keys: str | None, longest: int = 80) -> str:
    """What came in place of what was wanted, `in_a_line`; its type, where it can't be written."""
    try:
        text = repr(value)
    except BaseException as error:  # a value of the user's may do anything
        if is_end(error):
            raise
        text = f"a value of type {type(value).__name__}"
    return in_a_line(text, *keys, longest=longest)


def told_error(error: BaseException, *keys: str | None) -> str:
    """The type of an error and what it says, if it can, `in_a_line`."""
    try:
        text = str(error)
    except BaseException as another:  # an error of the user's may do anything
        if is_end(another):
            raise
        text = ""
    return in_a_line(f"{type(error).__name__}: {text}", *keys).removesuffix(":")
