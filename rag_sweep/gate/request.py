"""What a gate is asked: overrides of Hydra, and what to judge by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rag_sweep.champion.finding import NAME
from rag_sweep.comparing.request import Request
from rag_sweep.config import build
from rag_sweep.config.asked import Asked
from rag_sweep.gate.thresholds import Mode

IDLE = {
    "decide": "give --max-drop, --mode and --alpha",
    "objective": "name measures in --min and --max-drop",
    "resume": "nothing is kept",
    "sweep": "one configuration is judged",
    "dry_run": "`rag-sweep run dry_run=true` shows a plan",
    "execute": "one configuration is measured in this process",
}
"""Keys that nothing here could depend on, and what to do instead."""


@dataclass(frozen=True)
class Wish:
    """What is judged by what; paths as they were typed.

    Attributes
    ----------
    minima, drops
        Limits by ``recall@5``, ``TAG:recall@5`` or (of drops) ``all``.
    baseline
        ``champion``, a report, SWEEP:INDEX or a tracking run; None for the champion where one is needed.
    mode, alpha
        As in `Thresholds`; None for those of the file, or the defaults.
    tags
        Judge only the questions with any of these tags.
    known_misses, thresholds, thresholds_before
        Files.
    rankings, gold
        Another system's rankings to be judged, and a GOLD without its documents.
    model
        The registered model that ``champion`` is an alias of.
    trust
        Import components of a champion that aren't rag-sweep's own.
    """

    minima: Mapping[str, float] = field(default_factory=dict)
    drops: Mapping[str, float] = field(default_factory=dict)
    baseline: str | None = None
    mode: Mode | None = None
    alpha: float | None = None
    tags: tuple[str, ...] = ()
    known_misses: Path | None = None
    thresholds: Path | None = None
    thresholds_before: Path | None = None
    same_corpus: bool = False
    rankings: Path | None = None
    gold: Path | None = None
    model: str = NAME
    trust: bool = False

    @property
    def filters(self) -> dict[str, tuple[str, ...]]:
        """As scorecards take them."""
        return {"tags": self.tags} if self.tags else {}


def asked_of(overrides: Sequence[str], config_dir: str | None = None) -> Asked:
    """Compose the overrides of a gate; errors as of `Asked.of`."""
    return Asked.of(overrides, config_dir, IDLE, "a gate")


def looking_for(asked: Asked, *names: str) -> Request:
    """How sweeps and runs are looked for."""
    folder = asked.config_dir
    own = () if folder is None else ("--config-dir", folder)
    return Request(names, own, asked.config, asked.choices, build.decide(asked.config))
