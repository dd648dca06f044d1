"""A whole sweep as arrays, in one file: configurations, questions, measures, with their rankings."""

from __future__ import annotations

from rag_sweep.matrix.data import SweepData
from rag_sweep.matrix.write import write_matrix

__all__ = ["SweepData", "write_matrix"]
