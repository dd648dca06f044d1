"""When the next attempt may begin: so many a minute, and none while the server asks to wait."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from rag_sweep.llm.calls import CallFailed


@dataclass
class Turns:
    """One queue for all threads.

    Parameters
    ----------
    per_minute
        Attempts that begin in a minute, evenly; None sets no limit.
    """

    per_minute: float | None = None
    _next: float = 0.0
    _closed: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def close(self, seconds: float) -> None:
        """Let nobody begin for some seconds: a server that is asked to slow down means everybody."""
        with self._lock:
            self._closed = max(self._closed, time.monotonic() + seconds)

    def take(self, stopped: threading.Event, longest: float) -> None:
        """Wait for a turn.

        Raises
        ------
        CallFailed
            ``rate_limit`` if the server asks for more than `longest` seconds, ``interrupted`` if `stopped`.
        """
        while not stopped.is_set():
            with self._lock:
                now = time.monotonic()
                if self._closed - now > longest:
                    raise CallFailed("rate_limit", "the server asks to wait longer than limits.deadline_s")
                if now >= max(self._next, self._closed):
                    self._next = now + (60.0 / self.per_minute if self.per_minute else 0.0)
                    return
                seconds = max(self._next, self._closed) - now
            stopped.wait(seconds)
        raise CallFailed("interrupted", "the evaluation was interrupted")
