"""Options of the command as a wish: ``recall@5=0.80`` to a number by its measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rag_sweep.champion.finding import NAME
from rag_sweep.checks import named_share
from rag_sweep.errors import UsageError
from rag_sweep.gate.request import Wish
from rag_sweep.gate.thresholds import ALL, Target, Thresholds


def wish_of(minima: Sequence[str], drops: Sequence[str], *, model: str | None = None, **others: Any) -> Wish:
    """A wish from what was typed; `others` are fields of `Wish`.

    Raises
    ------
    UsageError, ConfigError
        For what is no limit, out of range, or given twice.
    """
    least = _numbers(minima, "--min", bare=None)
    largest = _numbers(drops, "--max-drop", bare=ALL)
    alpha = others.get("alpha")
    Thresholds(least, largest or None, others.get("mode") or "regression", 0.05 if alpha is None else alpha)
    return Wish(least, largest, model=model or NAME, **others)


def _numbers(words: Sequence[str], option: str, *, bare: str | None) -> dict[str, float]:
    found: dict[str, float] = {}
    for word in words:
        name, value = named_share(word, option, bare)
        key = ALL if name == bare else str(Target.parse(name, option))
        if key in found:
            raise UsageError(f"{option} {key} is given twice")
        found[key] = value
    return found
