"""What a journal keeps of one configuration: a line, with its arrays in a pack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.execute import Outcome
from rag_sweep.fingerprint import fingerprint
from rag_sweep.journal import codec
from rag_sweep.passages import Passages
from rag_sweep.result import Result, Summary
from rag_sweep.store.entry import Entry

OBJECTIVES = "objectives"
"""The entry of a pack with the values of the objective by question, of all results in it."""

Measured: TypeAlias = tuple[Result, Outcome | None]


@dataclass(frozen=True, eq=False)
class Kept:
    """What the journal kept of one configuration.

    Attributes
    ----------
    summary, failure, alias_of
        As in `Result`.
    pack, entry
        Where its arrays are; None and "" for a failed one.
    """

    index: int
    summary: Summary | None
    failure: str | None
    alias_of: int | None
    pack: str | None
    entry: str

    def to_json(self) -> dict[str, Any]:
        """Its line, as plain data."""
        return {
            "index": self.index,
            "alias_of": self.alias_of,
            "failure": self.failure,
            "pack": self.pack,
            "entry": self.entry,
            "summary": codec.encode_summary(self.summary) if self.summary else None,
        }

    @classmethod
    def from_json(cls, line: Mapping[str, Any], objectives: Mapping[str, FloatArray]) -> Kept | None:
        """The inverse of `to_json`; None where the pack isn't among those whose `objectives` are there."""
        pack, entry = line["pack"], line["entry"]
        if line["failure"] is not None:
            return cls(line["index"], None, line["failure"], line["alias_of"], None, "")
        if pack not in objectives:
            return None
        summary = codec.decode_summary(line["summary"], objectives[pack][int(entry)])
        return cls(line["index"], summary, None, line["alias_of"], pack, entry)


class Encoder:
    """Results that were computed together, as the entries of one pack."""

    def __init__(self) -> None:
        self._keys: dict[int, tuple[Passages, str]] = {}

    def entries(self, results: Sequence[Measured]) -> tuple[dict[str, Entry], dict[int, str]]:
        """What the pack holds, and the entry of each result that went well; aliases share one."""
        entries: dict[str, Entry] = {}
        places: dict[int, str] = {}
        there: dict[int, str] = {}
        objectives = []
        for at, (result, outcome) in enumerate(results):
            if outcome is None or result.summary is None:
                continue
            entry = places[at] = there.setdefault(id(outcome.found), str(len(there)))
            if entry not in entries:
                chunking = self._key_of(outcome.passages)
                entries[entry] = codec.encode_outcome(outcome, chunking)
                entries.setdefault(chunking, codec.encode_passages(outcome.passages))
                objectives.append(result.summary.objective)
        if objectives:
            entries[OBJECTIVES] = Entry(OBJECTIVES, {"values": np.array(objectives)})
        return entries, places

    def _key_of(self, passages: Passages) -> str:
        """The name of a chunking's passages; they are hashed once."""
        if id(passages) not in self._keys:
            content = [array.tobytes() for array in (passages.document, passages.start, passages.end)]
            self._keys[id(passages)] = passages, fingerprint(content)  # kept alive, so the id stays theirs
        return self._keys[id(passages)][1]


def kept(result: Result, pack: str | None, entry: str | None) -> Kept:
    """A result with the place of its arrays; without an entry if it failed."""
    place = (pack, entry) if entry is not None else (None, "")
    return Kept(result.configuration.index, result.summary, result.failure, result.alias_of, *place)
