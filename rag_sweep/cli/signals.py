"""Ctrl-C and SIGTERM: raised where they do no harm."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType

from rag_sweep.errors import Terminated

_IMPORTS = "<frozen importlib._bootstrap>"
_AGAIN, _TRIES = 0.05, 200  # seconds


class Interruptions:
    """Signals that end the command, raised in the main thread, but never inside an import.

    There the exception could be swallowed, or leave a lock behind that another thread waits for.
    """

    def __init__(self) -> None:
        self._tries = 0

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Raise what the signal means; during an import, have the signal come again."""
        if _is_importing(frame) and self._tries < _TRIES:
            self._tries += 1
            again = threading.Timer(_AGAIN, os.kill, (os.getpid(), number))
            again.daemon = True
            again.start()
            return
        self._tries = 0
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise Terminated(128 + number)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTS:
            return True
        frame = frame.f_back
    return False


def prepare() -> None:
    """Take both signals over; an ignored SIGINT, as a shell gives to what runs behind, stays ignored."""
    interrupted = Interruptions()
    signal.signal(signal.SIGTERM, interrupted)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupted)
