"""`rag-sweep ui`: the MLflow pages on this project's store."""

from __future__ import annotations

from typing import Annotated

import typer

from rag_sweep.cli.screen import note


def ui(
    overrides: Annotated[
        list[str] | None, typer.Argument(help="tracking.path=…, tracking.experiment=…")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=1, max=65535, help="On 127.0.0.1; default: the first free from 5000."),
    ] = None,
) -> None:
    """Open the MLflow UI on the project's store, straight at the runs table."""
    from rag_sweep.pages import serve

    raise typer.Exit(serve(overrides or [], port, note))
