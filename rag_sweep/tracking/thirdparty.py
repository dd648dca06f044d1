"""Calling MLflow: without its chatter, and with its many errors turned into one of ours."""

from __future__ import annotations

import logging
import os
import sqlite3
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rag_sweep.errors import RagSweepError, TrackingError

_LOGGERS = ("mlflow", "alembic", "sqlalchemy", "urllib3")
_LONGEST_REASON = 300


@contextmanager
def calling_mlflow(doing: str) -> Iterator[None]:
    """Run a block that calls MLflow.

    Raises
    ------
    TrackingError
        ``{doing}: {reason}`` for whatever goes wrong inside, since MLflow lets errors of its
        database, its HTTP client and the file system through.
    """
    try:
        with quiet():
            yield
    except RagSweepError:
        raise
    except Exception as error:
        raise TrackingError(f"{doing}: {reason_of(error)}") from error


@contextmanager
def quiet() -> Iterator[None]:
    """Keep log lines, warnings and "View run" lines of MLflow and what it stands on from the terminal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import_mlflow()
        loggers = [logging.getLogger(name) for name in _LOGGERS]
        levels = [logger.level for logger in loggers]
        for logger in loggers:
            logger.setLevel(logging.CRITICAL + 1)
        try:
            with environment({"MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true"}):
                yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)


def import_mlflow() -> None:
    """Import MLflow before its loggers are turned down, because the import sets them up.

    Its telemetry stays off unless the user sets MLFLOW_DISABLE_TELEMETRY: a sweep over somebody's
    documents sends nothing anywhere that wasn't asked for.
    """
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    import mlflow  # noqa: F401


@contextmanager
def impatient() -> Iterator[None]:
    """Ask a server once and wait ten seconds at most, where MLflow would go on asking for minutes."""
    with environment({"MLFLOW_HTTP_REQUEST_MAX_RETRIES": "0", "MLFLOW_HTTP_REQUEST_TIMEOUT": "10"}):
        yield


@contextmanager
def environment(values: Mapping[str, str | None]) -> Iterator[None]:
    """Set environment variables (None: unset) for a block, and put back what was there."""
    before = {name: os.environ.get(name) for name in values}
    _put(values)
    try:
        yield
    finally:
        _put(before)


def reason_of(error: BaseException) -> str:
    """What happened, in one line: the system's words if it was the system, else the error's first line."""
    told = next((cause for cause in _causes(error) if _is_of_the_system(cause)), error)
    lines = str(told).strip().splitlines()
    text = lines[0] if lines else type(told).__name__
    return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]} ..."


def _is_of_the_system(error: BaseException) -> bool:
    """False for what libraries derive from OSError: they wrap the reason in several lines of their own."""
    own = type(error).__module__ in ("builtins", "socket", "sqlite3")
    return own and isinstance(error, OSError | sqlite3.Error)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and what led to it."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        yield error
        seen.append(error)
        error = error.__cause__ or error.__context__


def _put(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
