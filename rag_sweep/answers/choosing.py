"""Which configurations of a leaderboard are judged by their answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rag_sweep.checks import is_count, require
from rag_sweep.comparison.grid import Grid, Member
from rag_sweep.config import build
from rag_sweep.config.hints import nearest
from rag_sweep.errors import ConfigError
from rag_sweep.fingerprint import fingerprint

KEYS = ("top", "k", "share")


@dataclass(frozen=True)
class Chosen:
    """How many configurations are judged, and what of them.

    Attributes
    ----------
    top
        Configurations, >= 1, beside the baseline.
    k, share
        As in `cases_of`.
    """

    top: int = 5
    k: int | None = None
    share: float | None = None

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Chosen:
        """From the key ``answers`` of the config. Raises ConfigError."""
        given = config.get("answers") or {}
        for key in given:
            if key not in KEYS:
                raise ConfigError(f"answers.{key} doesn't exist{nearest(key, KEYS, 'answers')}")
        top = build.coerce(given.get("top", 5), int, "answers.top")
        require("answers.top", top, "an int >= 1", is_count(top))
        k = build.coerce(given.get("k"), int | None, "answers.k")
        share = build.coerce(given.get("share"), float | None, "answers.share")
        return cls(top, k, share)


def chosen_rows(grid: Grid, chosen: Chosen, baseline: int) -> dict[int, list[int]]:
    """The rows that are judged, best first, each with the further rows that hand over the same."""
    first: dict[str, int] = {}
    same: dict[int, list[int]] = {}
    for row, member in enumerate(grid.members):
        key = _handed(grid, member, chosen.k)
        if key in first:
            same[first[key]].append(row)
        else:
            first[key] = row
            same[row] = []
    best = list(same)[: chosen.top]
    leader = first[_handed(grid, grid.members[baseline], chosen.k)]
    if leader not in best:
        best.append(leader)
    found = {row: same[row] for row in best}
    if baseline != leader:  # the baseline stands for its equals under its own name
        found[baseline] = [leader, *(row for row in found.pop(leader) if row != baseline)]
    return dict(sorted(found.items()))


def _handed(grid: Grid, member: Member, k: int | None) -> str:
    """What a configuration hands over, as one hash."""
    sweep = grid.sweeps[member.sweep]
    row = sweep.row(member.record.index)
    passages = sweep.chunkings[sweep.chunking[row]]
    numbers = sweep.passage_numbers[row, :, : k or sweep.k]
    columns = (passages.document[numbers], passages.start[numbers], passages.end[numbers])
    there = numbers >= 0
    return fingerprint([there.tobytes(), *((column * there).tobytes() for column in columns)])
