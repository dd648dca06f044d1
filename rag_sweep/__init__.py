"""rag-sweep: evaluate every combination of retrieval knobs on the same GOLD, and choose honestly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rag_sweep.version import __version__

if TYPE_CHECKING:
    from rag_sweep.matrix.load import load_sweep

__all__ = ["__version__", "load_sweep"]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the command line starts without it."""
    if name == "load_sweep":
        from rag_sweep.matrix.load import load_sweep

        return load_sweep
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
