"""A kept sweep under another gold: its rankings, measured anew; nothing is retrieved and nothing written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from rag_sweep.arrays import FloatArray, IndexArray
from rag_sweep.evaluation import Evaluation, evaluate
from rag_sweep.goldlife.aligned import Alignment
from rag_sweep.matrix.data import SweepData
from rag_sweep.passages import Passages
from rag_sweep.records import Basis

_BLOCK = 200_000  # ranks that are measured at once


class RescoredSweep(SweepData):
    """What `SweepData` is, over the questions of an alignment and with their judgements.

    Costs, and what configurations logged when they ran, stay as they were.
    """

    def __init__(self, sweep: SweepData, alignment: Alignment) -> None:
        old = sweep.basis
        self._sweep, self._at = sweep, np.array(alignment.at, dtype=np.int64)
        self.file, self._owner = sweep.file, sweep
        self.sweep_id, self.name, self.code = sweep.sweep_id, sweep.name, sweep.code
        self.k, self.cutoffs, self.share = sweep.k, sweep.cutoffs, sweep.share
        self.objective, self.measures, self.columns = sweep.objective, sweep.measures, sweep.columns
        self.configurations, self.planned = sweep.configurations, sweep.planned
        self.has_text = sweep.has_text
        self.basis = Basis(old.name, old.doc_ids, alignment.gold, old.corpus_hash, alignment.gold_hash)

    @cached_property
    def values(self) -> FloatArray:
        """As `StoredSweep.values`."""
        return self._measured_anew[0]

    @cached_property
    def means(self) -> FloatArray:
        """As `StoredSweep.means`."""
        return self._measured_anew[1]

    @cached_property
    def documents(self) -> IndexArray:
        """As `StoredSweep.documents`."""
        return self._sweep.documents[:, self._at]

    @cached_property
    def passage_numbers(self) -> IndexArray:
        """As `StoredSweep.passage_numbers`."""
        return self._sweep.passage_numbers[:, self._at]

    @cached_property
    def top_scores(self) -> FloatArray:
        """As `StoredSweep.top_scores`."""
        return self._sweep.top_scores[:, self._at]

    @cached_property
    def pool_recall(self) -> Mapping[str, FloatArray]:
        """Only whether a configuration reads a branch, as 0 or NaN: the candidates weren't kept."""
        return {
            name: np.where(np.isnan(recall).all(axis=1, keepdims=True), np.nan, np.zeros((1, len(self._at))))
            for name, recall in self._sweep.pool_recall.items()
        }

    @cached_property
    def chunking(self) -> IndexArray:
        """As `StoredSweep.chunking`."""
        return self._sweep.chunking

    @cached_property
    def chunkings(self) -> tuple[Passages, ...]:
        """As `StoredSweep.chunkings`."""
        return self._sweep.chunkings

    @cached_property
    def _measured_anew(self) -> tuple[FloatArray, FloatArray]:
        number, questions = self.documents.shape[:2]
        values = np.full((number, questions, len(self.measures)), np.nan)
        means = np.full((number, len(self.columns)), np.nan)
        for block, found in self._evaluations():
            at = {str(column): place for place, column in enumerate(found.columns)}
            values[block] = found.values[..., [at[name] for name in self.measures]]
            means[block] = found.mean_values()[:, [at[name] for name in self.columns]]
        failed = self.chunking < 0
        values[failed], means[failed] = np.nan, np.nan
        return values, means

    def _evaluations(self) -> Iterator[tuple[slice, Evaluation]]:
        size = max(1, _BLOCK // max(1, self.documents[:1].size))
        for start in range(0, len(self.documents), size):
            block = slice(start, start + size)
            yield block, evaluate(self.judgements, self.documents[block], self.k, self.cutoffs)
