"""Where results are looked at: one run for a sweep, one below it for each configuration.

Nothing here is needed to compute or to keep a result; `mlflow` is imported in this room alone.
"""

from __future__ import annotations

from rag_sweep.tracking.records import ChildRecord, DatasetInfo, SweepRecord, Table, Tracker

__all__ = ["ChildRecord", "DatasetInfo", "SweepRecord", "Table", "Tracker"]
