"""A promoted configuration as it is kept: on disk, in the registry, and proved before it is used."""

from __future__ import annotations

from rag_sweep.champion.bundle import Champion, Promoted, read_bundle, write_bundle
from rag_sweep.champion.finding import find
from rag_sweep.champion.golden import Golden, GoldenQuestion, golden_of

__all__ = [
    "Champion",
    "Golden",
    "GoldenQuestion",
    "Promoted",
    "find",
    "golden_of",
    "read_bundle",
    "write_bundle",
]
