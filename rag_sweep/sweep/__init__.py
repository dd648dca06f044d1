"""`rag-sweep run`: from configurations to results, kept, logged and ready to be reported."""

from __future__ import annotations

from rag_sweep.sweep.objective import Objective
from rag_sweep.sweep.program import run, session, task
from rag_sweep.sweep.session import Session

__all__ = ["Objective", "Session", "run", "session", "task"]
