"""Where output goes: results to stdout, progress and notes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PIPE_WIDTH = 10_000
"""Columns where stdout is no terminal: a table is never folded or cut for a file."""


def show(*things: Any) -> None:
    """Print rich things or texts to stdout; a bracket or a colon in them is what it is, no markup."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else PIPE_WIDTH
    console = Console(width=width, highlight=False, markup=False, emoji=False)
    for thing in things:
        if isinstance(thing, str):
            console.print(thing, soft_wrap=True)
        else:
            console.print(thing)


def show_json(value: Any) -> None:
    """Print plain data as JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def note(text: str) -> None:
    """A line for the user on stderr."""
    sys.stderr.write(f"{text}\n")


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar with rate and time left on stderr, told (done, total); quiet when stderr is no terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
    )
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, rate="")

        def watch(done: int, total: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, completed=done, total=total, rate=f"{speed:.1f}/s" if speed else "")

        yield watch
