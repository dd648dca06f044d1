"""Where output goes: results to stdout, progress and notes to stderr."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import Any, TypeVar

from rag_sweep.errors import RagSweepError, UsageError

PIPE_WIDTH = 10_000
"""Columns where stdout is no terminal: a table is never folded or cut for a file."""


_Form = TypeVar("_Form", bound=StrEnum)


class Unwritable(RagSweepError):
    """The results are there, but stdout doesn't take them."""

    exit_code = 1


@contextmanager
def _writing() -> Iterator[None]:
    """Where results are written: a full disk is told as such, and at once."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritable(f"the results can't be written to stdout: {error.strerror or error}") from error


def chosen(forms: type[_Form], form: _Form | None, as_json: bool) -> _Form:
    """What is printed: what --format says, JSON with --json, else text.

    Raises
    ------
    UsageError
        For --json with another --format.
    """
    if as_json and form not in (None, "json"):
        raise UsageError(f"--json is --format json, so it can't go with --format {form}: give one of them")
    return forms("json" if as_json else form or "text")


def screen_width() -> int:
    """Columns of the terminal that stdout is, or as many as a file gets."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH


def show(*things: Any) -> None:
    """Print rich things or texts to stdout; a bracket or a colon in them is what it is, no markup."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else PIPE_WIDTH
    console = Console(width=width, highlight=False, markup=False, emoji=False)
    with _writing():
        for thing in things:
            if isinstance(thing, str):
                console.print(thing, soft_wrap=True)
            else:
                console.print(thing)


def show_json(value: Any) -> None:
    """Print plain data as JSON; in JSON's own escapes what the encoding of stdout can't say."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2, allow_nan=False)
    with _writing():
        sys.stdout.write(f"{text}\n")


def show_text(text: str) -> None:
    """Print a text that is a file's content, as it is."""
    with _writing():
        sys.stdout.write(text)


def note(text: str) -> None:
    """A line for the user on stderr; a stderr that takes nothing is no reason to lose the results."""
    with suppress(OSError):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


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
