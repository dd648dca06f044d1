"""What every dataset component is: one reading of everything, from which a Dataset or the faults come."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rag_sweep.dataset.documents import Documents
from rag_sweep.dataset.places import Place
from rag_sweep.errors import DataError, Fault
from rag_sweep.records import Corpus, Dataset, Gold, Question


@dataclass
class Judged:
    """GOLD as it was read: the questions without a fault, the place of every id, version, unjudged."""

    questions: list[Question] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    version: str | None = None
    unjudged: int = 0


@dataclass(frozen=True)
class Reading:
    """All that was read in one pass, with all faults (errors and warnings) in the order of the files.

    Documents and questions that have an error are not in `corpus` and `gold`.
    """

    name: str
    corpus: Corpus
    gold: Gold
    faults: tuple[Fault, ...]
    document_places: Mapping[str, Place]
    question_places: Mapping[str, Place]

    @property
    def errors(self) -> list[Fault]:
        """The faults with which nothing can be measured."""
        return [fault for fault in self.faults if fault.level == "error"]

    def dataset(self) -> Dataset | None:
        """The dataset, or None if there is an error."""
        if self.errors:
            return None
        return Dataset(self.name, self.corpus, self.gold, condensed(self.faults))


class Source(ABC):
    """A dataset component: files on disk that make a corpus and its GOLD."""

    @abstractmethod
    def inspect(self) -> Reading:
        """Read everything once; never raises for what the files hold."""

    def read(self) -> tuple[Dataset | None, list[Fault]]:
        """The dataset (None if there is an error) and all faults, errors and warnings."""
        reading = self.inspect()
        return reading.dataset(), list(reading.faults)

    def load(self) -> Dataset:
        """The dataset, with the warnings in short on it.

        Raises
        ------
        DataError
            With every error of documents and GOLD.
        """
        reading = self.inspect()
        dataset = reading.dataset()
        if dataset is None:
            raise DataError(reading.errors)
        return dataset


def reading(name: str, documents: Documents, judged: Judged, faults: Iterable[Fault]) -> Reading:
    """Put together what was read, the faults sorted by line within each file."""
    found = list(faults)
    if judged.questions and all(question.is_negative for question in judged.questions):
        file = next(iter(judged.places.values())).file
        found.append(Fault("no question has a relevant document", file, level="warning"))
    return Reading(
        name,
        Corpus(tuple(documents.by_id.values())),
        Gold(tuple(judged.questions), judged.version, judged.unjudged),
        tuple(_in_file_order(found)),
        documents.places,
        judged.places,
    )


def _in_file_order(faults: list[Fault]) -> list[Fault]:
    files: dict[Path | None, int] = {}
    for fault in faults:
        files.setdefault(fault.file, len(files))
    return sorted(faults, key=lambda fault: (files[fault.file], fault.line or 0))


def condensed(faults: Iterable[Fault], ids: int = 5) -> tuple[str, ...]:
    """The warnings, one line a kind: the text up to ": ", the count, the first few ids."""
    kinds: dict[str, list[Fault]] = {}
    for fault in faults:
        if fault.level == "warning":
            kinds.setdefault(fault.what.split(": ")[0], []).append(fault)
    return tuple(_line(kind, found, ids) for kind, found in kinds.items())


def _line(kind: str, faults: list[Fault], ids: int) -> str:
    names = list(dict.fromkeys(_name(fault) for fault in faults))
    if len(faults) == 1:
        return f"{faults[0].what} ({names[0]})"
    more = ", …" if len(names) > ids else ""
    return f"{kind} ({len(faults)} times: {', '.join(names[:ids])}{more})"


def _name(fault: Fault) -> str:
    """The id, or else the file's bare name: a warning mustn't depend on where a folder lies."""
    file = "" if fault.file is None else fault.file.name
    return fault.id or (file if fault.line is None else f"{file}:{fault.line}")
