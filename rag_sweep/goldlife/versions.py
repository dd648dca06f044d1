"""Names of versions."""

from __future__ import annotations

import re

from rag_sweep.errors import UsageError

_DATE = re.compile(r"\d{4}([-.]?\d{1,2}){0,2}")
_NUMBER = re.compile(r"(?P<stem>.*?)(?P<number>\d+)")


def new_version(old: str | None, wanted: str | None) -> str:
    """The name of a new version: `wanted`, or the one that follows.

    A number at the end counts up (``v3`` to ``v4``); behind a date comes ``r2``; without a name it is ``2``.

    Raises
    ------
    UsageError
        For a name that the old version has, and for an empty one.
    """
    if wanted is None:
        return _following(old)
    if not wanted.strip():
        raise UsageError("--version must be a name, got an empty text")
    if wanted == old:
        raise UsageError(f"--version must be another name than that of the old version, got {wanted!r}")
    return wanted


def _following(old: str | None) -> str:
    if old is None:
        return "2"
    if _DATE.fullmatch(old):
        return f"{old}r2"
    found = _NUMBER.fullmatch(old)
    return f"{old}-2" if found is None else f"{found['stem']}{int(found['number']) + 1}"
