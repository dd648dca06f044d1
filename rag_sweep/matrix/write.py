"""From a journal to the file of its sweep: read pack by pack, written member by member, in little memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_sweep.errors import DataError, JournalError
from rag_sweep.evaluation import evaluate
from rag_sweep.files import replacing
from rag_sweep.journal.journal import Journal
from rag_sweep.matrix.archive import ArchiveWriter
from rag_sweep.matrix.layout import FORMS, POOL_RECALL, SWEEP, ConfigurationRecord, form_of, sweep_json
from rag_sweep.matrix.rows import Rows
from rag_sweep.measures import Measure
from rag_sweep.passages import Passages
from rag_sweep.ranking import EMPTY

_MOST_PLACES = 100_000  # ranks that are measured at once: some 100 bytes each with temporary arrays


def write_matrix(journal: Journal, file: Path) -> None:
    """Write all results that a journal has into one file; see docs/matrix.md for what is in it.

    Equal results give equal bytes, in whatever order they were computed. What was there before stays until
    the new file is whole. Beside it there must be room for it twice for a moment.

    Raises
    ------
    JournalError
        If a result can't be read or the file can't be written.
    """
    try:
        with replacing(file, file.with_name(f"{file.name}.new")) as target, ExitStack() as stack:
            results = _Results(journal, file.parent, stack)
            results.gather()
            with closing(ArchiveWriter(target)) as archive:
                results.write(archive)
    except OSError as error:
        raise JournalError(f"{file} can't be written: {error.strerror or error}") from error
    except (KeyError, ValueError, DataError) as error:
        raise JournalError(f"a result in {journal.folder} makes no sense: {error}") from error


class _Results:
    """The members on their way from the journal to the file; row by row in the order of configurations."""

    def __init__(self, journal: Journal, folder: Path, stack: ExitStack) -> None:
        head = journal.head
        self._journal, self._folder, self._stack = journal, folder, stack
        self._indexes = sorted(journal.kept)
        self._questions = len(head.basis.gold.questions)
        nothing = np.empty((self._questions, 0), np.int32)
        settings, judgements = head.settings, journal.decoder.judgements
        self._columns = evaluate(judgements, nothing, settings.k, settings.cutoffs).columns
        self._measures: tuple[Measure, ...] = evaluate(judgements, nothing, settings.k, ()).columns
        self._rows: dict[str, Rows] = {}
        self._values = self._new("values", self._questions, len(self._measures))
        self._documents = self._new(
            "documents", self._questions, min(settings.depth, len(head.basis.doc_ids))
        )
        self._passages = self._new("passages", self._questions, settings.depth)
        self._top_scores = self._new("top_scores", self._questions)
        self._passages_differ = False
        self._chunkings: dict[int, str] = {}
        self._tables: dict[str, Passages] = {}

    def gather(self) -> None:
        """Read every result once, those of a pack together."""
        packs: dict[str, list[int]] = {}
        for row, index in enumerate(self._indexes):
            pack = self._journal.kept[index].pack
            if pack is not None:
                packs.setdefault(pack, []).append(row)
        size = max(1, _MOST_PLACES // max(1, self._questions * self._documents.shape[-1]))
        for rows in packs.values():
            for at in range(0, len(rows), size):
                self._take(rows[at : at + size])

    def write(self, archive: ArchiveWriter) -> None:
        """Write all members, in one order."""
        records = (self._record(index) for index in self._indexes)
        columns = map(str, self._columns)
        head = self._journal.head
        planned = len(self._indexes) if self._journal.is_complete else head.configurations
        archive.content(SWEEP, sweep_json(head, map(str, self._measures), columns, planned, records))
        for name in sorted(self._rows):
            rows = self._rows.pop(name)
            if name != "passages" or self._passages_differ:
                archive.array(name, rows.form, rows.shape, rows.blocks())
            rows.close()
        for name, array in self._small():
            archive.array(name, FORMS[name], array.shape, [array])

    def _take(self, rows: Sequence[int]) -> None:
        documents = np.stack([self._take_one(row) for row in rows])
        judgements = self._journal.decoder.judgements
        grades = judgements.grades_at(documents)
        values = [measure.values(grades, judgements.ideal) for measure in self._measures]
        for row, found in zip(rows, np.stack(values, axis=-1), strict=True):
            self._values.put(row, found)

    def _take_one(self, row: int) -> NDArray[Any]:
        with self._journal.reading():
            arrays, meta, passages = self._journal.stored(self._indexes[row])
        documents = self._documents.put(row, arrays["documents"])
        found = self._passages.put(row, arrays.get("passages", documents))
        self._passages_differ |= "passages" in arrays and not _is_same(found, documents)
        scores = arrays["scores"]
        self._top_scores.put(row, scores[:, 0] if scores.shape[1] else np.full(len(scores), -np.inf))
        for name, recall in zip(str(meta["branches"]).split(","), arrays["pool_recall"], strict=True):
            self._new(POOL_RECALL + name, self._questions).put(row, recall)
        self._chunkings[row] = str(meta["chunking"])
        self._tables.setdefault(str(meta["chunking"]), passages)
        return documents

    def _new(self, name: str, *shape: int) -> Rows:
        if name not in self._rows:
            rows = Rows(self._folder, form_of(name), (len(self._indexes), *shape))
            self._rows[name] = self._stack.enter_context(closing(rows))
        return self._rows[name]

    def _record(self, index: int) -> ConfigurationRecord:
        card, kept = self._journal.cards[index], self._journal.kept[index]
        return ConfigurationRecord(
            index=index,
            name=card.name,
            overrides=card.overrides,
            params=card.params,
            fingerprint=card.fingerprint,
            alias_of=kept.alias_of,
            failure=kept.failure,
            metrics=kept.summary.metrics if kept.summary else {},
            warnings=kept.summary.warnings if kept.summary else (),
        )

    def _small(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Means, and the passages: every chunking's table once, in the order of their first use."""
        means = np.full((len(self._indexes), len(self._columns)), np.nan)
        for row, index in enumerate(self._indexes):
            summary = self._journal.kept[index].summary
            if summary is not None:
                by_name = summary.means
                means[row] = [by_name[str(column)] for column in self._columns]
        yield "means", means
        order = list(dict.fromkeys(self._chunkings[row] for row in sorted(self._chunkings)))
        number = {key: at for at, key in enumerate(order)}
        rows = range(len(self._indexes))
        yield "chunking", np.array([number.get(self._chunkings.get(row, ""), -1) for row in rows], np.int32)
        tables = [self._tables[key] for key in order]
        yield "passage_offsets", np.cumsum([0, *map(len, tables)], dtype=np.int64)
        for field in fields(Passages):
            columns = [getattr(table, field.name) for table in tables]
            yield f"passage_{field.name}", np.concatenate(columns) if columns else np.empty(0, np.int32)


def _is_same(passages: NDArray[Any], documents: NDArray[Any]) -> bool:
    """True if the rankings hold the same numbers, whatever the padding."""
    width = documents.shape[-1]
    return np.array_equal(passages[:, :width], documents) and bool((passages[:, width:] == EMPTY).all())
