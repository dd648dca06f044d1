"""Your own documents with a GOLD file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rag_sweep.dataset.documents import Documents, documents_from_jsonl
from rag_sweep.dataset.folder import ENDINGS, documents_from_folder
from rag_sweep.dataset.gold import read_gold
from rag_sweep.dataset.parameters import require_path, require_version
from rag_sweep.dataset.source import Reading, Source, condensed, reading
from rag_sweep.errors import DataError, Fault
from rag_sweep.records import Corpus


@dataclass(frozen=True)
class Files(Source):
    """A folder of .md and .txt files, or a JSONL of ``{"id", "title", "text"}``, and a GOLD JSONL.

    Parameters
    ----------
    documents
        The folder (an id is the path below it, without the ending), or the JSONL file.
    gold
        The GOLD file.
    version
        Wins over the version that the GOLD file declares.
    """

    documents: str
    gold: str
    version: str | None = None

    def __post_init__(self) -> None:
        require_path("dataset.documents", self.documents)
        require_path("dataset.gold", self.gold)
        require_version(self.version)

    def inspect(self) -> Reading:
        """Read documents and GOLD, with every fault of both."""
        faults: list[Fault] = []
        path = Path(self.documents)
        documents = _documents(path, faults)
        judged = read_gold(Path(self.gold), documents, self.version, faults)
        return reading(path.resolve().stem, documents, judged, faults)


def documents_alone(path: Path) -> tuple[Corpus, tuple[str, ...]]:
    """Documents without a GOLD, of a folder or a JSONL file, with the warnings in short.

    Raises
    ------
    DataError
        With every error of theirs.
    """
    faults: list[Fault] = []
    documents = _documents(path, faults)
    errors = [fault for fault in faults if fault.level == "error"]
    if errors:
        raise DataError(errors)
    return Corpus(tuple(documents.by_id.values())), condensed(faults)


def _documents(path: Path, faults: list[Fault]) -> Documents:
    if path.is_dir():
        return documents_from_folder(path, faults)
    if path.suffix.lower() in ENDINGS and path.exists():
        allowed = "the folder of .md and .txt files, or a JSONL file"
        faults.append(Fault(f"must be {allowed}, got a single {path.suffix} file", path))
        return Documents(whole=False)
    return documents_from_jsonl(path, "id", faults)
