"""`rag-sweep sync`: kept results to MLflow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rag_sweep.cli.screen import note, progress, show, show_json

if TYPE_CHECKING:
    from rag_sweep.syncing import Stored, Synced


def sync(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[SWEEP|OVERRIDE]...", help="Sweep ids; tracking.uri=…")
    ] = None,
    only_list: Annotated[bool, typer.Option("--list", help="Show what is kept, and send nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Send to MLflow what it hasn't got yet of the results that are kept on disk.

    \b
    rag-sweep sync                               every sweep, to where it was to be tracked
    rag-sweep sync 20261130-021500-a1b2c3        one sweep, also one that was run with tracking=none
    rag-sweep sync tracking.uri=http://server    to another server
    rag-sweep sync --list                        what is kept
    """
    if only_list:
        _list(words or [], as_json)
    else:
        _send(words or [], as_json)


def _list(words: list[str], as_json: bool) -> None:
    from rag_sweep.syncing import stored

    found = stored(words)
    if as_json:
        show_json([one.to_dict() for one in found])
    else:
        show(*(map(_stored, found) if found else ["Nothing is kept."]))


def _send(words: list[str], as_json: bool) -> None:
    from rag_sweep.syncing import sync as send

    with progress("configurations") as watch:
        found = send(words, watch)
    if as_json:
        show_json([one.to_dict() for one in found])
    else:
        show(*(map(_line, found) if found else ["Nothing is kept that was to be tracked."]))
    for one in found:
        if one.reason is not None:
            note(f"rag-sweep: {one.sweep_id}: {one.reason}")
    if any(one.reason is not None for one in found):
        raise typer.Exit(1)


def _line(one: Synced) -> str:
    return f"{one.sweep_id}  {one.name}: {_kept(one)} kept, {one.sent} sent now"


def _stored(one: Stored) -> str:
    tracked = "" if one.tracked else ", not to be tracked"
    return f"{one.sweep_id}  {one.name}: {_kept(one)} kept, {one.bytes / 1e6:.1f} MB{tracked}"


def _kept(one: Synced | Stored) -> str:
    of_all = "" if one.configurations is None else f" of {one.configurations}"
    return f"{one.kept}{of_all} results"
