"""A connection that can be cut: no server holds on for longer than it may, whatever it sends."""

from __future__ import annotations

import socket
import threading
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeVar

Found = TypeVar("Found")


class Late(Exception):
    """What was to be done in a time took longer.

    Parameters
    ----------
    sent
        Whether a connection stood, so that something may have been sent.
    """

    def __init__(self, sent: bool) -> None:
        super().__init__("it took longer")
        self.sent = sent


class Line:
    """A session of requests for one thread, whose connection another one can cut.

    Attributes
    ----------
    was_cut
        Whether it was: nothing can be sent on it any more.
    """

    def __init__(self) -> None:
        import requests

        self.session = requests.Session()
        for scheme in ("http://", "https://"):
            self.session.mount(scheme, _adapter()())
        self.was_cut = False
        self._connection: weakref.ref[Any] | None = None

    def run(self, work: Callable[[], Found], seconds: float) -> Found:
        """What `work` gives or raises; it runs in a thread of its own, and is cut off at the end of its time.

        Also a name server, a handshake, or headers that drip can't hold the caller for longer.

        Raises
        ------
        Late
            If it isn't done by then.
        """
        attempt = _Attempt(self, work)
        attempt.start()
        try:
            attempt.done.wait(
                min(seconds, threading.TIMEOUT_MAX)
            )  # join takes an interrupted thread for ended
        finally:  # also Ctrl-C ends it
            late = not attempt.done.is_set()
            sent = self._cut() if late else False
        if late:
            raise Late(sent)
        return attempt.result()

    def connects(self, connection: Any) -> None:
        """Remember what is to be cut."""
        self._connection = weakref.ref(connection)

    def _cut(self) -> bool:
        """Whether there was anything to cut; what isn't connected by now never sends anything."""
        self.was_cut = True
        connection = None if self._connection is None else self._connection()
        found = getattr(connection, "sock", None)
        if found is None:
            return False
        try:
            found.shutdown(socket.SHUT_RDWR)
        except OSError:  # it has just ended by itself
            return True
        return True


class _Attempt(threading.Thread, Generic[Found]):
    """A daemon, so that one which hangs where nothing can cut it (a name server) doesn't hold the process."""

    def __init__(self, line: Line, work: Callable[[], Found]) -> None:
        super().__init__(daemon=True)
        self.done = threading.Event()
        self._line, self._work = line, work
        self._found: list[Found] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        _here.line = self._line
        try:
            self._found.append(self._work())
        except BaseException as error:  # raised anew by `result`, in the thread that waits
            self._error = error
        finally:
            self.done.set()

    def result(self) -> Found:
        if self._error is not None:
            raise self._error
        return self._found[0]


_here = threading.local()
"""The line of the attempt that runs in a thread."""


@cache
def _adapter() -> Any:
    """The adapter of requests, whose connections tell their line."""
    from requests.adapters import HTTPAdapter

    class Adapter(HTTPAdapter):
        def init_poolmanager(self, *given: Any, **named: Any) -> None:
            super().init_poolmanager(*given, **named)
            _tell(self.poolmanager)

        def proxy_manager_for(self, *given: Any, **named: Any) -> Any:
            manager = super().proxy_manager_for(*given, **named)
            _tell(manager)
            return manager

    return Adapter


def _tell(manager: Any) -> None:
    classes = manager.pool_classes_by_scheme
    manager.pool_classes_by_scheme = {scheme: _telling(pool) for scheme, pool in classes.items()}


@cache
def _telling(pool: Any) -> Any:
    """A pool of urllib3 with connections that tell their line when they connect."""
    if hasattr(pool, "tells"):
        return pool
    kind = pool.ConnectionCls

    def connect(connection: Any) -> None:
        line: Line = _here.line
        line.connects(connection)
        kind.connect(connection)
        if line.was_cut:  # too late: nobody waits for what would be sent now
            connection.close()
            raise TimeoutError("it took longer")

    telling = type(kind.__name__, (kind,), {"connect": connect})
    return type(pool.__name__, (pool,), {"ConnectionCls": telling, "tells": True})
