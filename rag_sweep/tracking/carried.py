"""An exception on its way from one process to another: its type, text and notes, and the traceback there."""

from __future__ import annotations

import pickle
import traceback
from typing import Any, NamedTuple

from rag_sweep.errors import RagSweepError


class _Ours(NamedTuple):
    """One of our errors; some of them can't be made from their text alone, as pickle would."""

    kind: type[RagSweepError]
    args: tuple[Any, ...]
    attributes: dict[str, Any]


class _There(Exception):
    """Stands as the cause, so that the traceback of the other process is printed with that of this one."""

    def __str__(self) -> str:
        return f"\n\nin the other process:\n{self.args[0]}"


def packed(error: Exception) -> tuple[bytes, str]:
    """What `unpacked` takes; an error that can't be pickled becomes a RuntimeError with its text."""
    there = "".join(traceback.format_exception(error)).rstrip()
    try:
        content = pickle.dumps(_plain(error))
        _error(pickle.loads(content))
    except Exception:
        content = pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    return content, there


def unpacked(content: bytes, there: str) -> Exception:
    """The error, to be raised."""
    error = _error(pickle.loads(content))
    error.__cause__ = _There(there)
    return error


def _plain(error: Exception) -> Exception | _Ours:
    return _Ours(type(error), error.args, error.__dict__) if isinstance(error, RagSweepError) else error


def _error(plain: Any) -> Exception:
    if isinstance(plain, _Ours):
        ours: RagSweepError = plain.kind.__new__(plain.kind, *plain.args)
        ours.__dict__.update(plain.attributes)
        return ours
    if not isinstance(plain, Exception):
        raise TypeError(f"{plain!r} is no error")
    return plain
