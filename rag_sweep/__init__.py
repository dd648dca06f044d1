"""rag-sweep: evaluate every combination of retrieval knobs on the same GOLD, and choose honestly."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
