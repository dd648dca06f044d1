"""The bundled collection: the handbook of a fictitious company."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from rag_sweep.checks import require
from rag_sweep.dataset.files import Files
from rag_sweep.dataset.parameters import require_version
from rag_sweep.dataset.source import Reading, Source

BUNDLED = Path(__file__).resolve().parents[1] / "bundled"


@dataclass(frozen=True)
class Handbook(Source):
    """Regulations, instructions and FAQ with questions that are hard to search for; ships in the package.

    Parameters
    ----------
    language
        "ru" (the large one) or "en" (a small counterpart).
    version
        Wins over the version that the GOLD file declares.
    """

    language: Literal["ru", "en"] = "ru"
    version: str | None = None

    def __post_init__(self) -> None:
        require("dataset.language", self.language, '"ru" or "en"', self.language in ("ru", "en"))
        require_version(self.version)

    def inspect(self) -> Reading:
        """Read documents and GOLD, with every fault of both."""
        folder = BUNDLED / f"handbook-{self.language}"
        files = Files(str(folder / "docs"), str(folder / "gold.jsonl"), self.version)
        return replace(files.inspect(), name=folder.name)
