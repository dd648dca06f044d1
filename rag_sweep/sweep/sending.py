"""Sending results to the tracker while others are computed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, Queue
from typing import Generic, TypeVar

from rag_sweep.errors import TrackingError

T = TypeVar("T")

_WAITING = 256
"""Results that wait for the tracker at most, each with its rankings; then computing waits too."""


class Sender(Generic[T]):
    """One thread that sends what it is given, in order. Once the tracker is lost it takes and drops the rest.

    Parameters
    ----------
    send
        Sends one thing. A TrackingError is the end of sending; anything else is raised by `finish`.

    Attributes
    ----------
    lost
        Why nothing more is sent.
    """

    def __init__(self, send: Callable[[T], None]) -> None:
        self.lost: TrackingError | None = None
        self._send = send
        self._fault: Exception | None = None
        self._stopped = False
        self._queue: Queue[T | None] = Queue(_WAITING)
        self._thread = threading.Thread(target=self._work, name="rag-sweep tracking", daemon=True)
        self._thread.start()

    def put(self, thing: T) -> None:
        """Send it as soon as those before it are sent."""
        self._queue.put(thing)

    def finish(self) -> None:
        """Wait until everything is sent, or the tracker is lost."""
        self._queue.put(None)
        self._thread.join()
        if self._fault is not None:
            raise self._fault

    def stop(self) -> None:
        """Let what is being sent come to its end, and send no more."""
        self._stopped = True
        while self._thread.is_alive():
            try:
                self._queue.get_nowait()
            except Empty:
                self._queue.put(None)
                self._thread.join(timeout=0.1)

    def _work(self) -> None:
        while (thing := self._queue.get()) is not None:
            if self._stopped or self.lost or self._fault:
                continue
            try:
                self._send(thing)
            except TrackingError as error:
                self.lost = error
            except Exception as error:
                self._fault = error
