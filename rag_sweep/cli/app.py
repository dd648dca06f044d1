"""`rag-sweep`: its commands, and the one place where errors become exit codes."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated, Any

import typer

from rag_sweep.cli import (
    answers,
    compare,
    diff,
    drill,
    gate,
    gold,
    promote,
    run,
    score,
    search,
    signals,
    store,
    streams,
    sync,
    ui,
    verify,
)
from rag_sweep.errors import RagSweepError

app = typer.Typer(
    name="rag-sweep",
    help="Sweep the knobs of a retrieval pipeline on one GOLD set.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("run", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(run.run)
app.command("score")(score.score)
app.command("search")(search.search)
app.command("compare")(compare.compare)
app.command("diff")(diff.diff)
app.command("gate")(gate.gate)
app.command("drill")(drill.drill)
app.command("promote")(promote.promote)
app.command("verify")(verify.verify)
app.command("sync")(sync.sync)
app.command("ui")(ui.ui)
app.add_typer(answers.app, name="answers")
app.add_typer(gold.app, name="gold")
app.add_typer(store.app, name="store")


def _version(wanted: bool) -> None:
    if wanted:
        from rag_sweep.version import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Options of every command."""


INTERRUPTED = 130
"""Exit code after Ctrl-C."""


def main() -> None:
    """Run the command; an error is shown in its own words, with a traceback only on request."""
    signals.prepare()
    streams.prepare()
    try:
        code = _code()
    finally:
        streams.settle()
    sys.exit(code)


def _code() -> int:
    """Run the command and tell its error; the exit code."""
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        return 1  # the reader has gone (as in `rag-sweep … | head`): nobody is left to tell
    except (RagSweepError, OSError) as error:
        return _told(error)
    except Exception as error:
        if not hasattr(error, "format_message"):  # typer has changed the home of its class
            raise
        _say(_usage(error))
        return 2
    if code == INTERRUPTED:
        _say("interrupted")
    return code if isinstance(code, int) else 0


def _usage(error: Any) -> str:
    """What was typed wrong, without the usage text that hides it; a bare command shows its help."""
    message = str(error.format_message())
    if "\n" in message:
        return message
    command = getattr(getattr(error, "ctx", None), "command_path", "rag-sweep")
    return f"rag-sweep: {message}\nTry '{command} --help' for help."


def _told(error: RagSweepError | OSError) -> int:
    if os.environ.get("RAG_SWEEP_DEBUG") == "1":
        raise error
    _say("\n".join([f"rag-sweep: {error}", *getattr(error, "__notes__", ())]))
    return error.exit_code if isinstance(error, RagSweepError) else 1


def _say(text: str) -> None:
    with suppress(OSError):  # the exit code still tells
        print(text, file=sys.stderr, flush=True)  # noqa: T201
