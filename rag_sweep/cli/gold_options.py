"""Options that several commands of `rag-sweep gold` have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rag_sweep.cli.paths import path_option

Overrides = Annotated[
    list[str] | None, typer.Argument(metavar="OVERRIDE", help="dataset=…, with its documents.")
]
Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="SWEEP|OVERRIDE", help="Sweeps, MLflow runs, paths; dataset=…, decide.…=…"),
]
GoldFile = Annotated[Path | None, path_option("--gold", "A GOLD file, in place of dataset=….")]
ItsDocuments = Annotated[
    Path | None, path_option("--documents", "The documents of --gold: a folder or a JSONL file.")
]
Version = Annotated[str | None, typer.Option("--version", help="Name of the new version; else the next one.")]
Partial = Annotated[bool, typer.Option("--partial", help="Take sweeps that aren't complete too.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
ConfigDir = Annotated[str | None, typer.Option("--config-dir", help="A folder with configs of yours.")]


def with_folder(config_dir: str | None, overrides: list[str] | None) -> list[str]:
    """Overrides with the user's config directory in front, where it was given."""
    return [*(["--config-dir", config_dir] if config_dir else []), *(overrides or [])]
