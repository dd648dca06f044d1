"""The one file that a drill may leave."""

from __future__ import annotations

from pathlib import Path

from rag_sweep.errors import ConfigError

ENDINGS = (".md", ".json")
"""What the ending of its name may be: that is also what is written."""


def checked_out(out: Path) -> None:
    """Refuse, before anything is computed, a file that can't be written, or that is there.

    Raises
    ------
    ConfigError
    """
    if out.suffix not in ENDINGS:
        raise ConfigError(f"--out must end with {' or '.join(ENDINGS)}, got {str(out)!r}")
    if out.exists():
        raise ConfigError(f"--out {out} is there already, and a drill overwrites nothing: give another name")
    if not out.absolute().parent.is_dir():
        raise ConfigError(f"--out {out}: there is no folder {out.absolute().parent}")


def write_new(out: Path, text: str) -> None:
    """Write a file that isn't there.

    Raises
    ------
    ConfigError
        If it is, or can't be written.
    """
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ConfigError(f"--out {out} can't be written: {error.strerror or error}") from error
