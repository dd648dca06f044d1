"""How often a gold has been chosen by: the more often, the more a choice fits that gold alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from rag_sweep.comparison.parts import History
from rag_sweep.journal import lines
from rag_sweep.journal.journal import kept_indexes
from rag_sweep.journal.shelf import HEAD
from rag_sweep.matrix.data import SweepData
from rag_sweep.matrix.layout import MATRIX


def history_of(
    sweeps: Iterable[SweepData], journal: Path | None, tracked: Mapping[str, int] | None = None
) -> History:
    """Sweeps and configurations that the gold of some sweeps has judged, theirs included.

    A sweep that was interrupted and went on counts once, one that was run anew counts again: what was
    measured twice was looked at twice. A single run counts as a configuration, not as a sweep.

    Parameters
    ----------
    journal
        The folder of journals; None, or one that isn't there, has none.
    tracked
        What a tracking store knows: numbers of configurations by the id of their sweep.
    """
    own = list(sweeps)
    found = dict(tracked or {})
    single: dict[str, int] = {}
    for head, number in _journals(journal, own[0].basis.gold_hash):
        (found if head["is_sweep"] else single)[str(head["record"]["sweep_id"])] = number
    for sweep in own:
        if sweep.sweep_id not in single:
            found[sweep.sweep_id] = max(found.get(sweep.sweep_id, 0), len(sweep.configurations))
    return History(len(found), sum(found.values()) + sum(single.values()))


def _journals(journal: Path | None, gold: str) -> Iterable[tuple[Mapping[str, Any], int]]:
    """Heads of the journals that were measured on a gold, with their numbers of results."""
    folders = [] if journal is None else sorted(journal.glob("*.*"))
    for folder in folders:
        with suppress(OSError, KeyError, TypeError, ValueError, StopIteration):  # not ours to judge
            if gold.encode() not in (folder / HEAD).read_bytes():
                continue
            head = next(lines.read(folder / HEAD))
            if head["basis"]["gold"] == gold:
                yield head, _number(folder, head)


def _number(folder: Path, head: Mapping[str, Any]) -> int:
    """Results that are kept; a sweep whose matrix is there has all of its configurations."""
    planned = head["configurations"]
    return int(planned) if planned and (folder / MATRIX).exists() else len(kept_indexes(folder))
