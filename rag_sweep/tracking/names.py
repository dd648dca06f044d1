"""The one place where a metric's name in tables meets its name in MLflow, which allows no ``@``."""

from __future__ import annotations

import posixpath
import re

from rag_sweep.errors import TrackingError

_ALLOWED = re.compile(r"[\w.\- /:]{1,250}", re.ASCII)
_CUT_IN_TABLES = re.compile(r"([^@]+)@(\d+)")
_CUT_IN_MLFLOW = re.compile(r"(.+?)_at_(\d+)")


def to_mlflow(name: str) -> str:
    """``ndcg@10`` becomes ``ndcg_at_10``; a name without a cutoff stays as it is.

    Raises
    ------
    TrackingError
        If MLflow would refuse the name, or `from_mlflow` would not give it back.
    """
    cut = _CUT_IN_TABLES.fullmatch(name)
    logged = f"{cut[1]}_at_{cut[2]}" if cut else name
    if (
        not _ALLOWED.fullmatch(logged)
        or posixpath.normpath(logged) != logged
        or logged.startswith(("/", ".."))
        or logged == "."
    ):
        raise TrackingError(
            "a metric's name must be 1 to 250 ASCII letters, digits, '_', '-', '.', ' ', ':' or '/', "
            f"with at most one '@' before a number at its end, got {name!r}"
        )
    if from_mlflow(logged) != name:
        raise TrackingError(f"a metric's name must not hold '_at_' before a number, got {name!r}")
    return logged


def from_mlflow(name: str) -> str:
    """``ndcg_at_10`` becomes ``ndcg@10``; the inverse of `to_mlflow`."""
    cut = _CUT_IN_MLFLOW.fullmatch(name)
    return f"{cut[1]}@{cut[2]}" if cut else name
