"""Calling MLflow: without its chatter, and with its many errors turned into one of ours."""

from __future__ import annotations

import logging
import os
import sqlite3
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from threading import RLock

from rag_sweep.errors import RagSweepError, TrackingError

RETRIES = "MLFLOW_HTTP_REQUEST_MAX_RETRIES"
BACKOFF = "MLFLOW_HTTP_REQUEST_BACKOFF_FACTOR"
TIMEOUT = "MLFLOW_HTTP_REQUEST_TIMEOUT"
_SECONDS = "10"  # for one answer of a server, where MLflow would wait 120
_UPLOAD_SECONDS = "60"  # a server may pass a large file on before it answers
_LOGGERS = ("mlflow", "alembic", "sqlalchemy", "urllib3")
_CHATTY = r"(mlflow|alembic|sqlalchemy|urllib3|requests|pydantic|google|rag_sweep\.tracking)(\.|$)"
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
        with at_mlflow():
            yield
    except RagSweepError:
        raise
    except Exception as error:
        raise TrackingError(f"{doing}: {reason_of(error)}") from error


class _Surroundings:
    """What belongs to the whole process and has to be another way while MLflow is called.

    Threads and blocks inside each other share it: the first one sets it, the last one puts it back, so
    that nothing changes under a thread that computes meanwhile.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._users = 0
        self._undo = ExitStack()
        self.retries_are_ours = True

    def enter(self) -> None:
        with self._lock:
            if not self._users:
                self._set()
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._undo.close()

    def _set(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import_mlflow()
        with ExitStack() as undo:
            undo.enter_context(_without_warnings())
            undo.enter_context(_without_log_lines())
            self.retries_are_ours = RETRIES not in os.environ and BACKOFF not in os.environ
            ours = {RETRIES: "0"} if self.retries_are_ours else {}
            if TIMEOUT not in os.environ:
                ours[TIMEOUT] = _SECONDS
            undo.enter_context(environment({"MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true", **ours}))
            self._undo = undo.pop_all()


_surroundings = _Surroundings()


@contextmanager
def at_mlflow() -> Iterator[None]:
    """MLflow says nothing on the terminal, and it asks a server once, for ten seconds at most.

    Asking again is left to `Patient`, unless the user set how often MLflow does it.
    """
    _surroundings.enter()
    try:
        yield
    finally:
        _surroundings.leave()


def retries_are_ours() -> bool:
    """Inside `at_mlflow`: False if the user set how often MLflow asks again."""
    return _surroundings.retries_are_ours


def import_mlflow() -> None:
    """Import MLflow before its loggers are turned down, because the import sets them up.

    Its telemetry stays off unless the user sets MLFLOW_DISABLE_TELEMETRY: a sweep over somebody's
    documents sends nothing anywhere that wasn't asked for.
    """
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    import mlflow  # noqa: F401


@contextmanager
def impatient() -> Iterator[None]:
    """Ask a server once and wait ten seconds at most, whatever the user set."""
    with environment({RETRIES: "0", TIMEOUT: _SECONDS}):
        yield


@contextmanager
def uploading() -> Iterator[None]:
    """Give a server time to take a large file, inside `at_mlflow`; what the user set stays."""
    longer = {TIMEOUT: _UPLOAD_SECONDS} if os.environ.get(TIMEOUT) == _SECONDS else {}
    with environment(longer):
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


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Ignore warnings of MLflow and what it stands on; those of others stay, for they compute meanwhile."""
    warnings.filterwarnings("ignore", module=_CHATTY)
    ours = warnings.filters[0]
    try:
        yield
    finally:
        if ours in warnings.filters:
            warnings.filters.remove(ours)  # type: ignore[attr-defined]


@contextmanager
def _without_log_lines() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def reason_of(error: BaseException) -> str:
    """What happened, in one line: the system's words if it was the system, else the error's first line."""
    told = next((cause for cause in causes(error) if _is_of_the_system(cause)), error)
    lines = str(told).strip().splitlines()
    text = lines[0] if lines else type(told).__name__
    return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]} ..."


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and what led to it."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        yield error
        seen.append(error)
        error = error.__cause__ or error.__context__


def _is_of_the_system(error: BaseException) -> bool:
    """False for what libraries derive from OSError: they wrap the reason in several lines of their own."""
    own = type(error).__module__ in ("builtins", "socket", "sqlite3")
    return own and isinstance(error, OSError | sqlite3.Error)


def _put(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
