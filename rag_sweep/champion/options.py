"""``conf/promoted/``: promoted configurations as options of Hydra, which need no registry."""

from __future__ import annotations

from pathlib import Path

from rag_sweep.champion.finding import NAME
from rag_sweep.config.folder import PROMOTED, beside
from rag_sweep.errors import UsageError


def promoted_files(config_dir: str | None = None) -> tuple[Path, ...]:
    """The files, sorted: those of a config directory, or else of ``conf/`` in the working directory."""
    home = config_dir or beside()
    return () if home is None else tuple(sorted((Path(home) / PROMOTED).glob("*.yaml")))


def promoted_file(config_dir: str | None, name: str = NAME) -> Path | None:
    """The one configuration that was promoted here; None where none was.

    Parameters
    ----------
    name
        Of the model. Another name than the usual one was typed by somebody, so nothing else may stand in.

    Raises
    ------
    UsageError
        If there are several, and if there is none of a name that was typed.
    """
    files = promoted_files(config_dir)
    if name != NAME:
        files = tuple(file for file in files if file.stem == name)
        if not files:
            raise UsageError(
                f"--model {name}: nothing of that name was promoted, in the registry or in conf/"
            )
    if len(files) > 1:
        names = ", ".join(file.stem for file in files)
        raise UsageError(
            f"{files[0].parent} has {len(files)} promoted configurations ({names}): name one of them, "
            f"as promoted={files[0].stem}"
        )
    return files[0] if files else None
