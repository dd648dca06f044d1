"""What is registered already: the versions of a model, and the way back to the one before."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.champion.finding import is_trusted, read_version
from rag_sweep.comparing.request import Request
from rag_sweep.errors import UsageError
from rag_sweep.promotion.names import checked_name
from rag_sweep.promotion.plan import registry_of
from rag_sweep.promotion.promote import Done
from rag_sweep.promotion.writing import option_text, write_option
from rag_sweep.tracking.place import Place
from rag_sweep.tracking.registry import Registry, Version


def roll_back(
    words: Sequence[str], name: str, config_dir: str | None = None, trust: bool = False
) -> tuple[Done, Place]:
    """Make the previous version the champion again, once it was read and found whole.

    Returns
    -------
    tuple
        What was done, and the store.

    Raises
    ------
    UsageError
        If there is nothing to go back to.
    DataError
        If the previous version isn't whole.
    TrackingError
        If the champion was changed meanwhile.
    """
    registry = _registry(words, config_dir)
    version, replaced = registry.rolls_back_to(checked_name(name))
    champion = read_version(registry, version, trust=is_trusted(trust))
    registry.roll_back(version, replaced)
    config = champion.configuration.config
    text = option_text(name, version.version, champion.scorecard.name, config, champion.choices)
    written = write_option(name, text, config_dir)
    return Done(version, replaced, written.file, written.notes), registry.place


def versions(
    words: Sequence[str], name: str, config_dir: str | None = None
) -> tuple[tuple[Version, ...], str]:
    """All versions of a model, the newest first, and where that is."""
    registry = _registry(words, config_dir)
    return registry.versions(checked_name(name)), registry.shown


def _registry(words: Sequence[str], config_dir: str | None) -> Registry:
    request = Request.of(words, config_dir)
    if request.names:
        raise UsageError(f"{request.names[0]!r} has no effect here: give --name for another model")
    return registry_of(request)
