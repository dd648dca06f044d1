"""Judgements and spans of a collection in BEIR layout as bytes: a line that isn't changed stays as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.dataset.fields import as_id
from rag_sweep.errors import UsageError
from rag_sweep.goldlife.lines import GoldLines
from rag_sweep.goldlife.migrating import Migrated

QUERIES, SPANS, QRELS, ENDING = "queries.jsonl", "spans.jsonl", "qrels", ".tsv"

_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")

Judgement = tuple[str, str, int]


@dataclass(frozen=True, eq=False)
class BeirFiles:
    """The files of one split.

    Attributes
    ----------
    qrels
        The text of its judgements; sound, so every line but the head has query, document and grade.
    spans
        The lines of its spans; None where there are none.
    """

    folder: Path
    split: str
    qrels: str
    spans: GoldLines | None

    @classmethod
    def of(cls, folder: Path, split: str) -> BeirFiles:
        """Read them; the collection is known to be sound."""
        qrels = (folder / QRELS / f"{split}{ENDING}").read_bytes().decode("utf-8")
        spans = folder / SPANS
        return cls(folder, split, qrels, GoldLines.of(spans) if spans.exists() else None)

    def span_rows(self) -> dict[str, list[Mapping[str, Any]]]:
        """The spans of each question, in the order of the file."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for values in self.spans.values.values() if self.spans else ():
            found.setdefault(as_id(values["query_id"]) or "", []).append(values)
        return found

    def migrated(
        self, results: Mapping[str, Migrated], dropped: Collection[str] = ()
    ) -> tuple[bytes, bytes | None]:
        """Judgements and spans after a migration; None where there are no spans.

        Questions in `dropped` lose their judgements, so that the split says nothing of them.
        """
        written: dict[tuple[str, str], str] = {}
        pieces = []
        for line, end, judgement in self._judgements():
            if judgement is None:
                pieces.append(line + end)
                continue
            query_id, doc_id, grade = judgement
            one = results[query_id]
            for target in () if query_id in dropped else one.targets[doc_id]:
                kept = target == doc_id and one.grades[target] == grade
                if written.setdefault((query_id, target), doc_id) == doc_id:
                    pieces.append(line if kept else f"{query_id}\t{target}\t{one.grades[target]}")
                    pieces.append(end or "\n")
        return "".join(pieces).encode(), self._migrated_spans(results)

    def judged(self, grades: Mapping[str, Mapping[str, int]]) -> bytes:
        """Judgements with further ones at the end; those that are there get their new grade in place."""
        left = {query_id: dict(new) for query_id, new in grades.items()}
        pieces = []
        for line, end, judgement in self._judgements():
            query_id, doc_id, grade = judgement or ("", "", 0)
            new = left.get(query_id, {}).pop(doc_id, grade)
            pieces += [line if new == grade else f"{query_id}\t{doc_id}\t{new}", end]
        rule = "\r\n" if "\r\n" in self.qrels else "\n"
        added = [f"{q}\t{d}\t{grade}{rule}" for q, new in left.items() for d, grade in new.items()]
        ended = not pieces or bool(pieces[-1])
        return "".join([*pieces, *([rule] if added and not ended else []), *added]).encode()

    def files(self, out: Path, qrels: bytes, spans: bytes | None) -> dict[Path, bytes]:
        """What is written: a file of judgements, or a folder of everything but the corpus.

        Raises
        ------
        UsageError
            For a file of judgements where the spans change too: they are the collection's, not the split's.
        """
        if out.suffix == ENDING:
            before = None if self.spans is None else self.spans.content
            if spans != before:
                raise UsageError(
                    f"--out {out}: the spans change too, and they stand in {SPANS} beside {QRELS}/: "
                    "give a folder, such as that of the new corpus.jsonl"
                )
            return {out: qrels}
        queries = (self.folder / QUERIES).read_bytes()
        there = (out / QUERIES).is_file() and (out / QUERIES).read_bytes() == queries
        found = {} if there else {out / QUERIES: queries}
        found[out / QRELS / f"{self.split}{ENDING}"] = qrels
        return found if spans is None else {**found, out / SPANS: spans}

    def _judgements(self) -> Iterator[tuple[str, str, Judgement | None]]:
        """Each line, its end, and what it says; None for the head and for empty ones."""
        for number, found in enumerate(_LINE.finditer(self.qrels), 1):
            line, end = found[1], found[2]
            if not line and not end:
                return
            cells = line.removeprefix("\ufeff").split("\t")
            says = len(cells) == 3 and re.fullmatch(r"[+-]?[0-9]+", cells[2].strip())
            if not says or (number == 1 and cells[0].strip().lower().replace("_", "-") == "query-id"):
                yield line, end, None
            else:
                yield line, end, (cells[0], cells[1], int(cells[2]))

    def _migrated_spans(self, results: Mapping[str, Migrated]) -> bytes | None:
        if self.spans is None:
            return None
        waiting = {query_id: list(one.spans) for query_id, one in results.items()}
        changes: dict[int, Mapping[str, Any] | None] = {}
        for number, values in self.spans.values.items():
            query_id = as_id(values["query_id"]) or ""
            if query_id in waiting:  # else of a question that this split says nothing of
                placed = waiting[query_id].pop(0)
                if placed.new is not placed.old:
                    changes[number] = placed.new
        return self.spans.changed(None, changes)
