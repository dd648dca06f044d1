"""The thread in which the tracker is told, while the main thread computes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import partial
from queue import Empty, Queue
from typing import Generic, TypeVar

from rag_sweep.errors import TrackingError

T = TypeVar("T")

IN_A_ROW = 3
"""Things that can't be sent one after the other: then it is the tracker, not the things."""

_TURN = 0.0002  # seconds (measured: a sweep of 1,000 with tracking takes an eighth less)

_WAITING = 256
"""Results that wait for the tracker at most, each with its rankings; then computing waits too."""


class Sender(Generic[T]):
    """One thread that connects and then sends what it is given, in order.

    One thing that can't be sent is passed over. After several in a row the tracker is lost, and the rest is
    taken and dropped.

    Parameters
    ----------
    start
        Connects; takes seconds. A TrackingError there is raised by `check`: nothing was ever to be had.
    send
        Sends one thing. Anything but a TrackingError is the end of sending, and is raised by `finish`.

    Attributes
    ----------
    refused
        Why the tracker couldn't be used from the start.
    lost
        Why nothing more is sent; None also if single things couldn't be.
    """

    def __init__(self, start: Callable[[], None], send: Callable[[T], None]) -> None:
        self.refused: TrackingError | None = None
        self.lost: TrackingError | None = None
        self._start, self._send = start, send
        self._started = threading.Event()
        self._fault: Exception | None = None
        self._stopped = False
        self._queue: Queue[T | None] = Queue(_WAITING)
        self._patience = sys.getswitchinterval()
        self._thread = threading.Thread(target=self._work, name="rag-sweep tracking", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the tracker is connected. Raises TrackingError as `check` does."""
        self._started.wait()
        self.check()

    def check(self) -> None:
        """Raise the TrackingError of a tracker that couldn't be used from the start."""
        if self.refused is not None:
            raise self.refused

    def put(self, thing: T) -> None:
        """Send it as soon as those before it are sent."""
        self._queue.put(thing)

    def finish(self) -> None:
        """Wait until everything is sent, or the tracker is lost. Raises TrackingError as `check` does."""
        self._queue.put(None)
        self._thread.join()
        self.check()
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
        """In short turns: both threads call C all the time, and each call would wait 5 ms for the other."""
        sys.setswitchinterval(_TURN)
        try:
            self._work_off()
        finally:
            sys.setswitchinterval(self._patience)

    def _work_off(self) -> None:
        self.refused = self._try(self._start)
        self._started.set()
        failed = 0
        while (thing := self._queue.get()) is not None:
            if not (self._stopped or self.lost or self.refused or self._fault):
                error = self._try(partial(self._send, thing))
                failed = failed + 1 if error is not None else 0
                self.lost = error if failed == IN_A_ROW else None

    def _try(self, act: Callable[[], None]) -> TrackingError | None:
        try:
            act()
        except TrackingError as error:
            return error
        except Exception as error:
            self._fault = error
        return None
