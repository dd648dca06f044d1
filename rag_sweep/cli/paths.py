"""Options and arguments that are a file or a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer


def file_or_folder(text: str) -> Path:
    """What was typed, as a path; an empty text (a variable that isn't set) would mean the folder here."""
    if not text:
        raise typer.BadParameter("must be a file or folder, got an empty text")
    return Path(text)


def path_option(name: str, told: str) -> Any:
    """An option that takes a path."""
    return typer.Option(name, help=told, parser=file_or_folder, metavar="<path>")


def path_argument(metavar: str, told: str) -> Any:
    """An argument that is a path."""
    return typer.Argument(metavar=metavar, help=told, parser=file_or_folder)
