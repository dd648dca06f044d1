"""A champion on disk: one configuration with its index, its documents, and the proof of what it finds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from rag_sweep.champion.components import FROZEN, check_target, frozen, thawed
from rag_sweep.champion.golden import Golden, documents_json, read_documents, read_golden
from rag_sweep.champion.manifest import Manifest, hash_of, plain_json, read_files, write_files
from rag_sweep.champion.npy import array_bytes, array_of
from rag_sweep.config import build
from rag_sweep.configuration import Configuration, code_version
from rag_sweep.errors import DataError, Fault
from rag_sweep.index import Index
from rag_sweep.records import Corpus, Dataset
from rag_sweep.scorecard import Scorecard

CONFIGURATION = "configuration.json"
DOCUMENTS = "documents.jsonl"
GOLDEN = "golden.jsonl"
SCORECARD = "scorecard.json"
THRESHOLDS = "thresholds.json"
ARRAYS = "arrays/"


@dataclass(frozen=True, eq=False)
class Promoted:
    """What is promoted, as it goes into a bundle.

    Attributes
    ----------
    name
        Of the model.
    choices
        The option chosen in each group of the configuration.
    thresholds
        Plain data that a gate reads; empty for none.
    """

    name: str
    configuration: Configuration
    choices: Mapping[str, str]
    index: Index
    scorecard: Scorecard
    golden: Golden
    thresholds: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Champion:
    """A bundle that was read and found whole.

    Attributes
    ----------
    name
        Of the model.
    version
        In the registry, such as ``"3"``; None for a folder.
    source
        Where it was read from, for people.
    configuration, choices
        What was promoted, with the option chosen in each group.
    corpus
        The documents.
    scorecard
        What it measured, with the honest value.
    golden
        What it finds for every question of the GOLD.
    thresholds
        Plain data that a gate reads; empty for none.
    manifest
        The hashes of all files, and the version that wrote them.
    """

    name: str
    version: str | None
    source: str
    configuration: Configuration
    choices: Mapping[str, str]
    corpus: Corpus
    scorecard: Scorecard
    golden: Golden
    thresholds: Mapping[str, Any]
    manifest: Manifest
    folder: Path
    trust: bool
    _arrays: Mapping[str, NDArray[Any]]

    @cached_property
    def index(self) -> Index:
        """What serves it: restored from the arrays, nothing is built anew.

        Raises
        ------
        DataError
            If the arrays don't fit the configuration and the documents.
        """
        try:
            return Index.restore(self.configuration.pipeline, self.corpus, self._arrays)
        except DataError as error:
            raise DataError(Fault(f"the index can't be restored: {error}", file=self.folder)) from error

    @property
    def title(self) -> str:
        """Name and version for people: ``rag-sweep, version 3``."""
        return self.name if self.version is None else f"{self.name}, version {self.version}"

    def dataset(self) -> Dataset:
        """The documents and the GOLD as they are now where they were read from.

        Relative paths are taken from the working directory of now.

        Raises
        ------
        DataError, ConfigError
            If they can't be read, or by a loader that isn't trusted.
        """
        config = self.configuration.config
        target = str(config["dataset"]["_target_"])
        check_target("dataset", target, self.folder / CONFIGURATION, trust=self.trust)
        loaded: Dataset = build.component(config, "dataset").load()
        return loaded


def write_bundle(folder: Path, promoted: Promoted) -> Manifest:
    """Write a bundle into a new or empty folder. Equal content gives equal bytes.

    Raises
    ------
    DataError
        If the folder holds something.
    OSError
        If it can't be written.
    """
    files = {
        CONFIGURATION: _json(frozen(promoted.configuration, promoted.choices)),
        DOCUMENTS: documents_json(promoted.index.corpus),
        GOLDEN: promoted.golden.to_json(),
        SCORECARD: _json(promoted.scorecard.to_dict()),
        THRESHOLDS: _json(dict(promoted.thresholds)),
        **{f"{ARRAYS}{name}.npy": array_bytes(array) for name, array in promoted.index.arrays().items()},
    }
    hashes = {name: hash_of(content) for name, content in sorted(files.items())}
    manifest = Manifest(promoted.name, code_version(), promoted.scorecard.created, hashes)
    write_files(folder, manifest, files)
    return manifest


def read_bundle(
    folder: Path, *, trust: bool = False, version: str | None = None, source: str | None = None
) -> Champion:
    """Read a bundle; every file is checked before anything is made of it, and nothing in it is executed.

    Parameters
    ----------
    trust
        Import components that aren't rag-sweep's own, from where Python finds them.
    version, source
        Of the registry, and where it was read from, for people.

    Raises
    ------
    DataError
        If it isn't whole, or its parts don't belong together.
    """
    manifest, files = read_files(folder)
    try:
        plain = {n: plain_json(files[n], folder / n) for n in (CONFIGURATION, SCORECARD, THRESHOLDS)}
        configuration, choices = thawed(plain[CONFIGURATION], folder / CONFIGURATION, trust=trust)
        champion = Champion(
            name=manifest.name,
            version=version,
            source=source or str(folder),
            configuration=configuration,
            choices=choices,
            corpus=read_documents(files[DOCUMENTS], folder / DOCUMENTS),
            scorecard=Scorecard.from_dict(plain[SCORECARD], folder / SCORECARD),
            golden=read_golden(files[GOLDEN], folder / GOLDEN),
            thresholds=_object(plain[THRESHOLDS], folder / THRESHOLDS),
            manifest=manifest,
            folder=folder,
            trust=trust,
            _arrays=_arrays(files, folder),
        )
    except KeyError as error:
        raise DataError(Fault(f"is no whole champion: {error.args[0]} is missing", file=folder)) from error
    _check_parts(champion)
    return champion


def _arrays(files: Mapping[str, bytes], folder: Path) -> dict[str, NDArray[Any]]:
    found = {}
    for name, content in files.items():
        if name.startswith(ARRAYS):
            key = name.removeprefix(ARRAYS).removesuffix(".npy")
            found[key] = array_of(content, folder / name)
    return found


def _check_parts(champion: Champion) -> None:
    """Refuse whole files that come from different champions."""
    card, golden = champion.scorecard, champion.golden
    settings = champion.configuration.settings
    ids = tuple(one.query_id for one in golden.questions)
    kept = tuple(one.doc_ids for one in golden.questions)
    apart = {
        "documents": card.corpus_hash == champion.corpus.fingerprint,
        "the configuration": card.fingerprint == champion.configuration.fingerprint,
        "golden rankings": (ids, kept) == (card.query_ids, card.rankings),
        "cutoffs": (golden.k, golden.depth) == (settings.k, settings.depth),
    }
    wrong = [what for what, fits in apart.items() if not fits]
    if wrong:
        told = f"its parts don't belong together: {', '.join(wrong)} aren't those of {SCORECARD}"
        raise DataError(Fault(told, file=champion.folder))


def _object(found: Any, file: Path) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise DataError(Fault("must hold an object", file=file))
    return found


def _json(value: Any) -> bytes:
    return f"{json.dumps(value, ensure_ascii=True, allow_nan=False, indent=1)}\n".encode("ascii")


__all__ = ["FROZEN", "Champion", "Promoted", "read_bundle", "write_bundle"]
