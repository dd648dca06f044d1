"""One BLAS thread, also where several questions are answered at the same time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any


class _OneThread:
    """The first that comes limits the libraries, the last that leaves gives them their threads back.

    Limits are of the whole process: if each question set and restored its own, one that ends would hand
    its threads to another that is still adding.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._limits: Any = None
        self._libraries: Any = None
        self._modules = 0

    def enter(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._limits = self._known().limit(limits=1)
            self._inside += 1

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._limits.restore_original_limits()
                self._limits = None

    def _known(self) -> Any:
        """The libraries that are loaded; looked for again only when something was imported since."""
        from threadpoolctl import ThreadpoolController

        if self._libraries is None or self._modules != len(sys.modules):
            self._libraries = ThreadpoolController()
            self._modules = len(sys.modules)
        return self._libraries


_ONE = _OneThread()


@contextmanager
def one_thread() -> Iterator[None]:
    """Sums of matrix products depend on the number of threads, so there is one inside."""
    _ONE.enter()
    try:
        yield
    finally:
        _ONE.leave()
