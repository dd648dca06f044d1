"""Answers of models on disk: what was paid for once is never asked again, also after a kill."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from rag_sweep.checks import is_count
from rag_sweep.errors import JournalError
from rag_sweep.files import write_whole
from rag_sweep.llm.calls import Completion

FORMAT = 1


@dataclass
class Kept:
    """A folder with one file an answer; neither questions nor keys are in it.

    Attributes
    ----------
    folder
        Made before the first call, for nobody else to read; None keeps nothing.
    damaged
        Files that were there and couldn't be used.
    """

    folder: Path | None
    damaged: int = 0
    _prepared: bool = False

    def prepare(self) -> None:
        """Make the folder and try it, once: what it couldn't keep isn't paid for first.

        Raises
        ------
        JournalError
            If it takes nothing.
        """
        if self.folder is None or self._prepared:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with NamedTemporaryFile(prefix=".", dir=self.folder, buffering=0) as file:
                file.write(b"tried")
        except OSError as error:
            raise JournalError(f"answers of a model can't be kept in {self.folder}: {error}") from error
        self._prepared = True

    def get(self, key: str) -> Completion | None:
        """An answer; one that is damaged isn't there."""
        if self.folder is None:
            return None
        try:
            raw = _file(self.folder, key).read_bytes()
        except OSError:
            return None
        found = _completion(raw, key)
        self.damaged += found is None
        return found

    def put(self, key: str, completion: Completion) -> None:
        """Keep an answer before anybody counts it.

        Raises
        ------
        JournalError
            If the disk takes nothing.
        """
        if self.folder is None:
            return
        file = _file(self.folder, key)
        data = {"format": FORMAT, "key": key, "completion": completion.to_dict()}
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            file.parent.mkdir(exist_ok=True)
            temporary = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}")
            write_whole(file, temporary, [json.dumps(data, ensure_ascii=False).encode()])
        except OSError as error:
            raise JournalError(f"the answer of a model can't be kept in {self.folder}: {error}") from error


def _file(folder: Path, key: str) -> Path:
    return folder / key[:2] / f"{key}.json"


def _completion(raw: bytes, key: str) -> Completion | None:
    try:
        data: Any = json.loads(raw)
        if data["format"] != FORMAT or data["key"] != key:
            return None
        one = data["completion"]
        found = Completion(
            one["text"], one["prompt_tokens"], one["completion_tokens"], one["model"], one["cut"]
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    counts = (found.prompt_tokens, found.completion_tokens)
    whole = isinstance(found.text, str) and found.text.strip() and isinstance(found.model, str)
    known = all(count is None or is_count(count, 0) for count in counts) and isinstance(found.cut, bool)
    return found if whole and known else None
