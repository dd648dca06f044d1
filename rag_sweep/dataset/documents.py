"""Documents as they were read, with their places, and the JSONL in which they may come."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from rag_sweep.dataset.fields import errors_at, id_of, text_of
from rag_sweep.dataset.jsonl import Row, read_rows
from rag_sweep.dataset.places import Place
from rag_sweep.errors import Fault
from rag_sweep.records import Document


@dataclass
class Documents:
    """Documents by id, with the place of every id that was seen, also of those whose document is broken.

    `whole` is False where the documents can't be read at all, so that no id can be called unknown.
    """

    by_id: dict[str, Document] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    whole: bool = True
    _forms: dict[str, str] = field(default_factory=dict, repr=False)

    def register(self, doc_id: str, place: Place, faults: list[Fault]) -> bool:
        """Take note of an id; False, and a fault, if it was there already."""
        first = self.places.setdefault(doc_id, place)
        if first is place:
            return True
        same_file = first.file == place.file
        where = f"line {first.line}" if same_file else str(first.file)
        faults.append(place.fault(f"duplicate document id: it is also the id of {where}", doc_id))
        return False

    def add(self, document: Document, faults: list[Fault]) -> None:
        """Keep a document whose id is registered; an empty one is kept too, with a warning."""
        self.by_id[document.doc_id] = document
        if not document.text.strip():
            place = self.places[document.doc_id]
            faults.append(place.fault("empty document", document.doc_id, "warning"))

    def unknown(self, doc_id: str) -> str | None:
        """What to say of an id that no document has, with the id that was perhaps meant; else None."""
        if doc_id in self.places or not self.whole:
            return None
        meant = self._by_form().get(_form(doc_id))
        return f'unknown document "{doc_id}"' + (f' (is it "{meant}"?)' if meant else "")

    def _by_form(self) -> dict[str, str]:
        if len(self._forms) != len(self.places):
            self._forms = {_form(known): known for known in self.places}
        return self._forms


def _form(doc_id: str) -> str:
    """What is the same in ids that differ by letter case, Unicode form, slashes or a file's ending."""
    form = unicodedata.normalize("NFC", doc_id).casefold().strip().replace("\\", "/").removeprefix("./")
    return form.removesuffix(".md").removesuffix(".txt").lstrip("/")


def documents_from_jsonl(path: Path, id_key: str, faults: list[Fault]) -> Documents:
    """Documents of lines ``{"<id_key>", "title", "text"}``; other keys are ignored.

    An id is a string or an int (its digits); the title may be missing.
    """
    before = len(faults)
    rows = read_rows(path, faults)
    documents = Documents(whole=rows is not None)
    for row in rows or []:
        _add_row(documents, row, id_key, faults)
    if rows == [] and len(faults) == before:
        faults.append(Fault("has no documents", path))
    return documents


def _add_row(documents: Documents, row: Row, id_key: str, faults: list[Fault]) -> None:
    doc_id = id_of(row.values, id_key, errors_at(row.place, faults))
    fresh = doc_id is None or documents.register(doc_id, row.place, faults)
    title = text_of(row.values, "title", errors_at(row.place, faults, doc_id), "")
    text = text_of(row.values, "text", errors_at(row.place, faults, doc_id))
    if doc_id is not None and fresh and title is not None and text is not None:
        documents.add(Document(doc_id, title, text), faults)
