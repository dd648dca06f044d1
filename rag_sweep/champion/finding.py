"""From a name to a champion: the registry's, or one in a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from rag_sweep.champion.bundle import Champion, read_bundle
from rag_sweep.champion.components import TRUST
from rag_sweep.errors import DataError, Fault, UsageError
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.packaging import LOADER, bundle_in
from rag_sweep.tracking.registry import CHAMPION, PREVIOUS, Registry, Version

NAME = "rag-sweep"
"""Of the model, unless another one is named."""

DIGEST = "bundle"
"""The tag of a version that holds the digest of its manifest: what is registered can't be exchanged."""


def find(uri: str | None = None, *, tracking: Any = None, name: str = NAME, trust: bool = False) -> Champion:
    """The champion that a name stands for.

    Parameters
    ----------
    uri
        None for the alias ``champion``; the word ``champion`` or ``previous``; ``models:/NAME@ALIAS`` or
        ``models:/NAME/VERSION``; or a folder: a bundle, or an MLflow model that holds one.
    tracking
        The component of the group ``tracking``: where the registry is. The default one, if it is no `MLflow`.
    name
        Of the model, where `uri` doesn't say it.
    trust
        Import components that aren't rag-sweep's own, from where Python finds them.

    Raises
    ------
    UsageError
        If there is no such version or folder.
    DataError
        If it isn't whole, or not what was registered.
    TrackingError
        If the registry can't be read.
    """
    named = f"models:/{name}@{uri or CHAMPION}" if uri in (None, CHAMPION, PREVIOUS) else str(uri)
    if named.startswith("models:"):
        registry = Registry(tracking if isinstance(tracking, MLflow) else MLflow())
        return read_version(registry, registry.named(named), trust=trust)
    folder = Path(named.removeprefix("file://"))
    if not folder.is_dir():
        raise UsageError(
            f"{named!r} names no champion: give models:/NAME@ALIAS, models:/NAME/VERSION, or a folder that "
            "is there"
        )
    return read_bundle(bundle_in(folder, LOADER), trust=trust)


def read_version(registry: Registry, version: Version, *, trust: bool = False) -> Champion:
    """The champion of a registered version.

    Raises
    ------
    DataError
        If it isn't whole, or not what was registered.
    TrackingError
        If it can't be fetched.
    """
    with registry.folder(version) as folder:
        found = read_bundle(
            bundle_in(folder, LOADER), trust=trust, version=version.version, source=version.uri
        )
    if found.manifest.digest != version.tags.get(DIGEST):
        told = "isn't the bundle that was registered: its digest isn't the one in the registry"
        raise DataError(Fault(f"{version.uri} {told}", file=found.folder))
    return found


def is_trusted(asked: bool = False) -> bool:
    """True if foreign components may be imported: asked for, or by the environment."""
    return asked or os.environ.get(TRUST) == "1"
