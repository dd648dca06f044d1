"""The gate: whether a configuration is as good as it has to be, and no worse than another one."""

from __future__ import annotations

from rag_sweep.gate.judge import judge
from rag_sweep.gate.thresholds import Thresholds
from rag_sweep.gate.verdict import Verdict

__all__ = ["Thresholds", "Verdict", "judge"]
