"""`rag-sweep store`: computed values that are kept for later runs."""

from __future__ import annotations

from typing import Annotated

import typer

from rag_sweep.cli.screen import show as show_lines
from rag_sweep.cli.screen import show_json

app = typer.Typer(
    help="Look after the store of computed values.", no_args_is_help=True, rich_markup_mode=None
)

Overrides = Annotated[list[str] | None, typer.Argument(help="store.path=…, store.limit_mb=…")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]


@app.command()
def show(overrides: Overrides = None, as_json: AsJson = False) -> None:
    """Show what the store holds, stage by stage."""
    from rag_sweep import storekeeping

    report = storekeeping.show(overrides or [])
    if as_json:
        show_json(report.to_dict())
    else:
        show_lines(*storekeeping.lines(report))


@app.command()
def clear(overrides: Overrides = None, as_json: AsJson = False) -> None:
    """Empty the store. Later runs compute again what they need; no result is lost."""
    from rag_sweep import storekeeping

    removed = storekeeping.clear(overrides or [])
    if as_json:
        show_json(removed.to_dict())
    else:
        show_lines(
            f"removed {removed.packs} files, {removed.bytes / storekeeping.MB:.1f} MB, from {removed.path}"
        )
