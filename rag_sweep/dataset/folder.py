"""Documents of a folder: every .md and .txt file below it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rag_sweep.dataset.documents import Documents
from rag_sweep.dataset.places import Place, read_text
from rag_sweep.errors import Fault
from rag_sweep.records import Document

ENDINGS = (".md", ".txt")

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}#(?:[ \t]+(.*))?$")
_CLOSING = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")


def documents_from_folder(folder: Path, faults: list[Fault]) -> Documents:
    """The .md and .txt files of a folder and the folders in it.

    The id is the path below `folder` with ``/`` between its parts, without the ending, in Unicode form
    NFC (file systems differ there). The title of a Markdown file is its first heading of level 1, else
    empty. The text is the whole file. Hidden files and folders are left out; other endings and linked
    folders are left out with a warning.
    """
    documents = Documents()
    others: Counter[str] = Counter()
    for path in _files(folder, faults):
        if path.suffix.lower() in ENDINGS:
            _add_file(documents, folder, path, faults)
        else:
            others[path.suffix.lower() or "no ending"] += 1
    if others:
        counts = ", ".join(f"{ending} {count}" for ending, count in sorted(others.items()))
        faults.append(Fault(f"files left out, not .md or .txt: {counts}", folder, level="warning"))
    if not documents.places:
        faults.append(Fault("has no documents (no .md or .txt file)", folder))
    return documents


def _files(folder: Path, faults: list[Fault]) -> Iterator[Path]:
    """Every file that isn't hidden, in one order on every machine."""

    def unreadable(error: OSError) -> None:
        faults.append(Fault(f"can't be read: {error.strerror or error}", Path(error.filename)))

    for at, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if os.path.islink(os.path.join(at, name)):
                faults.append(Fault("linked folder left out", Path(at, name), level="warning"))
        yield from (Path(at, name) for name in sorted(names) if not name.startswith("."))


def _add_file(documents: Documents, folder: Path, path: Path, faults: list[Fault]) -> None:
    relative = path.relative_to(folder)
    doc_id = unicodedata.normalize("NFC", relative.with_name(relative.stem).as_posix())
    if any("\ud800" <= character <= "\udfff" for character in doc_id):
        faults.append(Fault(f"{_why_unreadable(str(relative))}: {doc_id!r}", folder))
        return
    if not documents.register(doc_id, Place(path), faults):
        return
    text = read_text(path, faults)
    if text is not None:
        title = markdown_title(text) if path.suffix.lower() == ".md" else ""
        documents.add(Document(doc_id, title, text), faults)


def _why_unreadable(path: str) -> str:
    """Why a file's name holds bytes that are no characters: they are none, or this locale says so."""
    try:
        os.fsencode(path).decode("utf-8")
    except UnicodeError:
        return "the file's name isn't UTF-8"
    return "the file's name can't be read in this locale, which isn't UTF-8 (set PYTHONUTF8=1)"


def markdown_title(text: str) -> str:
    """The text of the first ATX heading of level 1 outside fenced code, else "" (CommonMark 0.31, 4.2)."""
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            closes = mark and mark[1].startswith(fence) and not mark[2].strip()
            fence = "" if closes else fence
        elif mark and not ("`" in mark[1] and "`" in mark[2]):
            fence = mark[1]
        elif heading := _HEADING.match(line):
            return _CLOSING.sub("", heading[1] or "").strip()
    return ""
