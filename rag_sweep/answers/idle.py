"""Overrides that would do nothing: whoever types one believes that it does."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rag_sweep.config.asked import group_of
from rag_sweep.dataset.fields import nearest
from rag_sweep.errors import UsageError

NOT_TRACKED = "tracking=none"
"""True of every command that tracks nothing."""


def refuse_idle(overrides: Sequence[str], keys: Collection[str], why: str) -> None:
    """Refuse overrides that change nothing.

    Parameters
    ----------
    keys
        What changes something here.
    why
        What the command goes by instead, as a sentence.

    Raises
    ------
    UsageError
        With the first such override.
    """
    for word in overrides:
        key = group_of(word)
        if key not in keys and word != NOT_TRACKED:
            near = nearest(key, keys)
            hint = f" (is it {near}?)" if near else ""
            allowed = f"{', '.join(f'{name}=…' for name in keys)} {'change' if len(keys) > 1 else 'changes'}"
            raise UsageError(f"{word}: {why}; only {allowed} anything{hint}")
