"""The process that writes to MLflow for a sweep; `process` starts it and says what it reads and answers."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from rag_sweep.tracking.carried import packed
from rag_sweep.tracking.process import END


def main(pipe: int) -> None:
    """Serve the process at the other end of the pipe with this number; doesn't return."""
    _ignore_interruptions()
    connection: Connection[bytes, bytes] = Connection(pipe)
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(connection, requests), daemon=True).start()
    try:
        _serve(connection, requests)
    except OSError:  # nobody waits for the answer
        os._exit(1)
    os._exit(0)  # to take MLflow apart takes half a second


def _ignore_interruptions() -> None:
    """Our parent gets them too, and decides; until now they were held back."""
    interruptions = signal.SIGINT, signal.SIGTERM
    for number in interruptions:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, interruptions)


def _read(connection: Connection[bytes, bytes], requests: SimpleQueue[bytes]) -> None:
    """Pass requests on. Without a parent nothing more is written, as if this process had been killed with it.

    The same command may have been started again already, and has the sweep's run for its own.
    """
    try:
        while (request := connection.recv_bytes()) != END:
            requests.put(request)
    except (EOFError, OSError):
        os._exit(1)
    requests.put(END)


def _serve(connection: Connection[bytes, bytes], requests: SimpleQueue[bytes]) -> None:
    tracker: Any = None

    def connect() -> None:
        nonlocal tracker
        tracker = pickle.loads(requests.get()).tracker()

    connection.send_bytes(_answer(connect))
    while (request := requests.get()) != END:
        method, args = pickle.loads(request)
        connection.send_bytes(_answer(partial(getattr(tracker, method), *args)))
    if tracker is not None:
        tracker.release()


def _answer(act: Callable[[], Any]) -> bytes:
    try:
        return pickle.dumps(("value", act()), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps(("error", packed(error)), pickle.HIGHEST_PROTOCOL)
