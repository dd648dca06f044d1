"""The GOLD that a command is about, with its documents as far as they are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from rag_sweep.config import build
from rag_sweep.config.program import compose_once
from rag_sweep.dataset.beir import Beir
from rag_sweep.dataset.documents import Documents, documents_from_jsonl
from rag_sweep.dataset.files import Files
from rag_sweep.dataset.folder import ENDINGS, documents_from_folder
from rag_sweep.dataset.gold import read_gold
from rag_sweep.dataset.handbook import BUNDLED, Handbook
from rag_sweep.dataset.places import Place
from rag_sweep.dataset.source import Reading, Source, condensed
from rag_sweep.errors import DataError, Fault, UsageError
from rag_sweep.records import Gold

Layout = Literal["jsonl", "beir"]


@dataclass(frozen=True, eq=False)
class OpenedGold:
    """A GOLD that has no error.

    Attributes
    ----------
    path
        The GOLD file; the folder of a collection in BEIR layout.
    layout, split
        How it lies on the disk; the split of a BEIR collection.
    documents
        Those that it judges; not `whole` where only the GOLD is known, so that no id can be called unknown.
    places
        Where each question stands.
    warnings
        For the user.
    """

    path: Path
    layout: Layout
    split: str
    documents: Documents
    gold: Gold
    places: Mapping[str, Place]
    warnings: tuple[str, ...]

    @property
    def is_bundled(self) -> bool:
        """True for the GOLD that ships in the package."""
        return BUNDLED in self.path.absolute().parents


def open_gold(overrides: Sequence[str], gold: Path | None, documents: Path | None = None) -> OpenedGold:
    """Read the GOLD that is meant.

    Parameters
    ----------
    overrides
        The dataset, as of `rag-sweep gold check`.
    gold, documents
        A GOLD file in place of it, and the documents that it judges; without these no id is unknown.

    Raises
    ------
    UsageError
        If two golds are named, and for a dataset that is no files of a known layout.
    DataError
        With every error of documents and GOLD.
    """
    options = 2 if overrides[:1] == ["--config-dir"] else 0
    named = dataset_words(overrides)
    if gold is not None and named:
        raise UsageError(f"--gold and {named[0]} both name a GOLD: give one of them")
    if others := [word for word in overrides[options:] if word not in named]:
        raise UsageError(f"{others[0]}: nothing is searched here, so only dataset=… has an effect")
    if gold is not None:
        return _alone(gold, documents)
    if documents is not None:
        raise UsageError("--documents goes with --gold; otherwise give dataset.documents=…")
    return _of_dataset(compose_once(overrides))


def dataset_words(words: Sequence[str]) -> list[str]:
    """The overrides that say something of the dataset."""
    return [word for word in words if word.lstrip("+~").startswith(("dataset=", "dataset.", "dataset@"))]


def documents_at(path: Path) -> Documents:
    """The documents of a folder of .md and .txt files, of a JSONL, or of a folder in BEIR layout.

    Raises
    ------
    DataError
        With every error of them.
    """
    faults: list[Fault] = []
    corpus = path / "corpus.jsonl"
    if path.is_dir() and not corpus.is_file():
        found = documents_from_folder(path, faults)
    elif path.suffix.lower() in ENDINGS:
        raise DataError(Fault("must be a folder of .md and .txt files, or a JSONL file", path))
    else:
        file = corpus if path.is_dir() else path
        found = documents_from_jsonl(file, _id_key(file), faults)
    _raise(faults)
    return found


def _id_key(file: Path) -> str:
    """The key of ids: BEIR's where the first line has it."""
    try:
        with file.open(encoding="utf-8-sig", errors="replace") as lines:
            first = next((line for line in lines if line.strip()), "")
    except OSError:
        return "id"  # the reader says what is wrong
    return "_id" if '"_id"' in first and '"id"' not in first else "id"


def _alone(path: Path, documents: Path | None) -> OpenedGold:
    if path.is_dir():
        raise UsageError(
            f"--gold must be a GOLD file, got the folder {path}; "
            "a collection in BEIR layout is named by dataset=beir dataset.path=…"
        )
    known = Documents(whole=False) if documents is None else documents_at(documents)
    faults: list[Fault] = []
    judged = read_gold(path, known, None, faults)
    _raise(faults)
    gold = Gold(tuple(judged.questions), judged.version, judged.unjudged)
    return OpenedGold(path, "jsonl", "", known, gold, judged.places, condensed(faults))


def _of_dataset(config: Mapping[str, Any]) -> OpenedGold:
    source = build.component(config, "dataset")
    path, layout, split = _place_of(source)
    read: Reading = source.inspect()
    _raise(read.faults)
    documents = Documents(
        {document.doc_id: document for document in read.corpus.documents}, dict(read.document_places)
    )
    warnings = condensed(read.faults)
    return OpenedGold(path, layout, split, documents, read.gold, read.question_places, warnings)


def _place_of(source: Source) -> tuple[Path, Layout, str]:
    if isinstance(source, Beir):
        return Path(source.path), "beir", source.split
    if isinstance(source, Files):
        return Path(source.gold), "jsonl", ""
    if isinstance(source, Handbook):
        return BUNDLED / f"handbook-{source.language}" / "gold.jsonl", "jsonl", ""
    kind = type(source).__name__
    raise UsageError(f"dataset must be files, handbook or beir, got {kind}; name its GOLD file by --gold")


def _raise(faults: Sequence[Fault]) -> None:
    if errors := [fault for fault in faults if fault.level == "error"]:
        raise DataError(errors)
