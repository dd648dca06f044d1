"""A context as it is shown: to models in prompts, and to people who label."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.cases.records import Context


def shown(parts: Sequence[Context]) -> str:
    """Each part behind its id, as answers cite it: ``[id] text``; an empty line between two."""
    return "\n\n".join(f"[{part.id}] {part.text}" for part in parts)
