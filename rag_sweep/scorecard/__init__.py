"""What one configuration measured on one GOLD, as it is kept and compared."""

from __future__ import annotations

from rag_sweep.scorecard.card import Scorecard

__all__ = ["Scorecard"]
