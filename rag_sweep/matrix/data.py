"""A sweep as arrays and data frames."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.checks import require
from rag_sweep.errors import ConfigError
from rag_sweep.matrix.frames import configurations_frame, questions_frame
from rag_sweep.matrix.stored import StoredSweep
from rag_sweep.measures import Measure
from rag_sweep.ranking import EMPTY

if TYPE_CHECKING:
    from pandas import DataFrame

_BLOCK = 200_000  # ranks that are measured at once


class SweepData(StoredSweep):
    """The results of a whole sweep. Made by `rag_sweep.load_sweep`; see `StoredSweep` for its attributes."""

    def column(self, measure: str) -> FloatArray:
        """The values of one measure, such as ``ndcg@10``, float64, shape (configurations, questions).

        Other cutoffs than `k` are computed from the rankings.

        Raises
        ------
        ConfigError
            For an unknown measure, and for a cutoff beyond the ranks that were kept.
        """
        require("measure", measure, "a name with a cutoff, such as 'ndcg@10'", isinstance(measure, str))
        if measure in self.measures:
            return self.values[..., self.measures.index(measure)]
        wanted, depth = Measure.parse(measure), max(self.k, *self.cutoffs, 1)
        if wanted.k > depth:
            raise ConfigError(
                f"measure must have a cutoff from 1 to {depth}, as ranks were kept, got {measure!r}"
            )
        return self._measured(wanted)

    def ranking(self, configuration: int, question: str | int) -> tuple[str, ...]:
        """Ids of the documents that a configuration found, best first; none for a failed one.

        Parameters
        ----------
        configuration
            Its index.
        question
            Its id, or its position from 0.

        Raises
        ------
        ConfigError
            If there is no such configuration or question.
        """
        found = self.documents[self.row(configuration), self._question(question)]
        return tuple(self.doc_ids[number] for number in found.tolist() if number != EMPTY)

    def passages(self, configuration: int, question: str | int) -> tuple[tuple[str, int, int], ...]:
        """Document id and characters ``[start, end)`` of the passages that were found, best first.

        Arguments and errors as in `ranking`.
        """
        row, at = self.row(configuration), self._question(question)
        if self.chunking[row] < 0:
            return ()
        table = self.chunkings[self.chunking[row]]
        numbers = self.passage_numbers[row, at]
        numbers = numbers[numbers != EMPTY]
        columns = (table.document[numbers], table.start[numbers], table.end[numbers])
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return tuple((self.doc_ids[document], start, end) for document, start, end in rows)

    def frame(self) -> DataFrame:
        """One row a configuration: index, name, params, means at `k`, `alias_of`, and `failure`."""
        return configurations_frame(self)

    def questions_frame(self, configurations: Iterable[int] | None = None) -> DataFrame:
        """One row for each configuration and question: values at `k`, rank of the first relevant document.

        Of 10,000 configurations and 225 questions it takes some 200 MB; `configurations` chooses some, by
        their index.

        Raises
        ------
        ConfigError
            If there is no such configuration.
        """
        chosen = [one.index for one in self.configurations] if configurations is None else configurations
        some = isinstance(chosen, Iterable)
        require("configurations", chosen, "indexes of configurations, such as [0, 3], or None", some)
        return questions_frame(self, list(chosen))

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {question.query_id: at for at, question in enumerate(self.questions)}

    def _question(self, question: str | int) -> int:
        at = self._positions.get(question, -1) if isinstance(question, str) else question
        there = isinstance(at, int | np.integer) and 0 <= at < len(self.questions)
        require("question", question, f"an id, or a position below {len(self.questions)}", there)
        return at

    def _measured(self, measure: Measure) -> FloatArray:
        values = np.full(self._shape, np.nan)
        size = max(1, _BLOCK // max(1, self.documents[:1].size))
        for start in range(0, len(values), size):
            block = slice(start, start + size)
            grades = self.judgements.grades_at(self.documents[block])
            values[block] = measure.values(grades, self.judgements.ideal)
        values[self.chunking < 0] = np.nan
        return values
