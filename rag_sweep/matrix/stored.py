"""What is in the file of a sweep, read as it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_sweep.arrays import FloatArray, IndexArray
from rag_sweep.checks import require
from rag_sweep.errors import DataError, Fault
from rag_sweep.journal.head import basis_of
from rag_sweep.judgements import Judgements
from rag_sweep.matrix.archive import Archive
from rag_sweep.matrix.layout import FORMAT, POOL_RECALL, SWEEP, ConfigurationRecord, form_of
from rag_sweep.passages import Passages
from rag_sweep.records import Basis, Question


class StoredSweep:
    """What is in the file of a sweep.

    The first axis of every array counts configurations, in the order of `configurations`; of a whole sweep
    it is their index. The second one counts questions, in the order of the GOLD. Arrays are read-only; each
    is checked when it is first used, and used where it lies on the disk.

    Raises
    ------
    DataError
        By the constructor and by whatever reads an array, for a file that is damaged.

    Attributes
    ----------
    file
        Where it was read from.
    sweep_id, name, code
        The sweep's id and name; the version of package and stages that computed it.
    k, cutoffs, objective
        The cutoff that decides, further ones, and the measure that the sweep is ordered by.
    share
        The share of a span of evidence that must be handed over for the span to count as found.
    measures
        The measures at `k`: the last axis of `values`.
    columns
        The measures at every cutoff: the last axis of `means`.
    planned
        How many configurations the sweep has; None if that wasn't known when the file was written.
    has_text
        False if the texts of the questions were kept back; they are empty then.
    configurations
        What each configuration is, and why it failed if it did.
    """

    notes: tuple[str, ...] = ()
    """What whoever reads it should know, such as that the file was damaged and made anew."""

    def __init__(self, file: Path, owner: object = None) -> None:
        self.file = file
        self._owner = owner  # what removes the file when nobody needs it any more
        self._archive = archive = Archive(file)
        told = archive.json(SWEEP)
        try:
            if told["format"] != FORMAT:
                raise _of_another_version(file, told["format"])
            self.sweep_id, self.name, self.code = map(str, (told["sweep_id"], told["name"], told["code"]))
            self.k, self.cutoffs = int(told["k"]), tuple(map(int, told["cutoffs"]))
            self.objective, self.share = str(told["objective"]), float(told["share"])
            self.measures: tuple[str, ...] = tuple(told["measures"])
            self.columns: tuple[str, ...] = tuple(told["columns"])
            self.planned = None if told["planned"] is None else int(told["planned"])
            self.has_text = bool(told["has_text"])
            self.configurations = tuple(map(ConfigurationRecord.of, told["configurations"]))
            self.basis: Basis = basis_of(told["dataset"])
        except (KeyError, TypeError, ValueError) as error:
            raise archive.damaged(error) from error

    def __repr__(self) -> str:
        done = f"{len(self.configurations)} of {self.planned or '?'} configurations"
        return f"{type(self).__name__}({self.name!r}: {done}, {len(self.questions)} questions, k={self.k})"

    @property
    def is_complete(self) -> bool:
        """True if every configuration has its result."""
        return len(self.configurations) == self.planned

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions with their judgements."""
        return self.basis.gold.questions

    @property
    def doc_ids(self) -> tuple[str, ...]:
        """What document numbers stand for."""
        return self.basis.doc_ids

    @cached_property
    def values(self) -> FloatArray:
        """Values at `k`, float64, shape (configurations, questions, measures).

        NaN for negatives and for failed configurations.
        """
        return self._array("values", *self._shape, len(self.measures))

    @cached_property
    def means(self) -> FloatArray:
        """Means over the answerable questions at every cutoff, float64, shape (configurations, columns)."""
        return self._array("means", self._shape[0], len(self.columns))

    @cached_property
    def documents(self) -> IndexArray:
        """Document numbers by rank, int32, shape (configurations, questions, depth); -1 behind the end."""
        return self._array("documents", *self._shape, None)

    @cached_property
    def passage_numbers(self) -> IndexArray:
        """Passage numbers by rank, as `documents`: of the passages of the configuration's `chunking`."""
        stored = "passages.npy" in self._archive.names
        return self._array("passages", *self._shape, None) if stored else self.documents

    @cached_property
    def top_scores(self) -> FloatArray:
        """Score at rank 1, float64, shape (configurations, questions).

        ``-inf`` for an empty ranking, NaN for a failed configuration.
        """
        return self._array("top_scores", *self._shape)

    @cached_property
    def pool_recall(self) -> Mapping[str, FloatArray]:
        """For each branch and for the "pool": recall of the candidates, shape (configurations, questions).

        NaN for negatives, and for configurations that failed or haven't got the branch.
        """
        members = sorted(n.removesuffix(".npy") for n in self._archive.names if n.startswith(POOL_RECALL))
        return {name.removeprefix(POOL_RECALL): self._array(name, *self._shape) for name in members}

    @cached_property
    def chunking(self) -> IndexArray:
        """Which of `chunkings` a configuration has, int32, shape (configurations,); -1 for a failed one."""
        return self._array("chunking", self._shape[0])

    @cached_property
    def chunkings(self) -> tuple[Passages, ...]:
        """The passages that the documents were cut into, once for each way of cutting."""
        borders = self._array("passage_offsets", None)
        size = int(borders[-1])
        columns = [self._array(f"passage_{field.name}", size) for field in fields(Passages)]
        cuts = [slice(int(a), int(b)) for a, b in pairwise(borders)]
        return tuple(Passages(*(column[cut] for column in columns)) for cut in cuts)

    @cached_property
    def judgements(self) -> Judgements:
        """What the GOLD says, as arrays."""
        return Judgements.of(self.basis.gold, self.basis.doc_ids)

    def row(self, configuration: int) -> int:
        """Where a configuration stands on the first axis. Raises ConfigError if it isn't there."""
        there = isinstance(configuration, int | np.integer) and configuration in self._rows
        allowed = f"the index of one of the {len(self._rows)} that there are"
        require("configuration", configuration, allowed, there)
        return self._rows[configuration]

    @cached_property
    def _rows(self) -> dict[int, int]:
        return {one.index: row for row, one in enumerate(self.configurations)}

    @property
    def _shape(self) -> tuple[int, int]:
        return len(self.configurations), len(self.questions)

    def _array(self, name: str, *shape: int | None) -> NDArray[Any]:
        """An array of this shape; None where any length is right."""
        found = self._archive.array(name, form_of(name))
        if any(want is not None and want != has for want, has in zip(shape, found.shape, strict=True)):
            raise self._archive.damaged(f"{name} has the shape {found.shape}")
        return found


def _of_another_version(file: Path, layout: object) -> DataError:
    told = f"a sweep's file of layout {layout}, and this version reads layout {FORMAT}: run the sweep again"
    return DataError(Fault(told, file=file))
