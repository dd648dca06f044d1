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
COMMANDS = (
    (score.score, "Measure rankings made by another system."),
    (search.search, "Ask a configuration a question of yours."),
    (compare.compare, "Say which configuration to promote, and how sure that is."),
    (diff.diff, "Two configurations of a sweep, question by question."),
    (gate.gate, "For CI: fail where search got worse."),
    (drill.drill, "Break search in known ways: what does the GOLD notice?"),
    (promote.promote, "Register the configuration that was decided for."),
    (verify.verify, "Prove that a promoted version still returns what it did."),
    (sync.sync, "Send to MLflow what it hasn't got yet."),
    (ui.ui, "Open MLflow at the newest sweep."),
)
"""In the order of the help, each with its line there."""

app.command(
    "run",
    short_help="Evaluate one configuration, or with -m a sweep.",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)(run.run)
for command, told in COMMANDS:
    app.command(short_help=told)(command)
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
