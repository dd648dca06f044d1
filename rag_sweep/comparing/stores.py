"""Where a sweep is tracked: what the command says, what its journal remembers, or the default."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rag_sweep.comparing.finding import Found, journal_of
from rag_sweep.comparing.request import Request
from rag_sweep.config import build
from rag_sweep.errors import RagSweepError
from rag_sweep.journal.journal import read_head
from rag_sweep.tracking.attach import SweepRuns
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.place import HIDDEN, without_password


@dataclass(frozen=True, eq=False)
class Store:
    """The tracking store of the sweeps that are compared."""

    runs: SweepRuns

    @classmethod
    def of(cls, request: Request, found: Found) -> Store | None:
        """The store of the first sweep; None where nothing is tracked."""
        tracking = request.tracking if request.sets("tracking") else _remembered(request, found)
        if not isinstance(tracking, MLflow):
            return None
        return cls(SweepRuns(tracking.uri, tracking.path, tracking.experiment))


def _remembered(request: Request, found: Found) -> Any:
    """Where the first sweep's journal was to go to; without a journal, what the configuration says."""
    folder = journal_of(found.sweeps[0])
    head = None if folder is None else read_head(folder)
    if head is None or not head.tracking.get("_target_"):
        return request.tracking
    try:
        return build.component({"tracking": _with_password(head.tracking)}, "tracking")
    except RagSweepError:  # kept by a version that knew other fields
        return request.tracking


def _with_password(tracking: Mapping[str, Any]) -> Mapping[str, Any]:
    """Passwords are never kept; the environment may have the one that is missing."""
    uri, named = tracking.get("uri"), os.environ.get("MLFLOW_TRACKING_URI", "")
    if isinstance(uri, str) and HIDDEN in uri and without_password(named) == uri:
        return {**tracking, "uri": named}
    return tracking
