"""Standard streams that every command can rely on: open, able to say every character, never a traceback."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress

STDOUT, STDERR = 1, 2


def prepare() -> None:
    """Open what was closed (``>&-``), and let characters that a stream can't say be escaped, not fail."""
    # a file that took the number 1 or 2 would be written to by everything that prints
    while (number := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def settle() -> None:
    """Write what is buffered; what can't be written is dropped, or Python would complain when it leaves."""
    for number, stream in ((STDOUT, sys.stdout), (STDERR, sys.stderr)):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError):
                _to_devnull(number)


def _to_devnull(number: int) -> None:
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, number)
    os.close(devnull)


@contextmanager
def results_apart() -> Iterator[None]:
    """What is printed meanwhile goes to stderr: a component may print, but stdout is for results.

    The file behind stdout is exchanged too, because worker processes inherit it.
    """
    sys.stdout.flush()
    kept = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, STDOUT)
        os.close(kept)
